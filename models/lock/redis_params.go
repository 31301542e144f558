package lock

import (
	"fmt"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/models/lock/redislock"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

func planNaive(p *Params, first sim.NodeID) plan {
	lock := redislock.Naive{Server: first, Polling: p.polling(usualPolling)}
	return plan{servers: p.redisServers(1, false), renames: true, worker: worker(lock), quorum: 1, poll: lock.Longest()}
}

// usualPolling is how a client asks a single server.
var usualPolling = redislock.Polling{Retry: sim.Constant(100 * time.Millisecond), Wait: time.Second}

// polling is what the parameters say, or else what is usual.
func (p *Params) polling(usual redislock.Polling) redislock.Polling {
	return redislock.Polling{Retry: values.Or(p.Retry, usual.Retry), Tries: values.Or(p.Tries, usual.Tries), Wait: values.Or(p.PerNode, usual.Wait)}
}

// clock is the clock that clients measure their lease with.
func (p *Params) clock(usual sim.ClockID) sim.ClockID { return word(p.Clock, clocks, usual) }

var clocks = map[string]sim.ClockID{"monotonic": sim.MonoClock, "boottime": sim.BootClock, "wall": sim.WallClock}

// word is what a word of the parameters stands for, or else what is usual.
func word[T any](word string, words map[string]T, usual T) T {
	if v, ok := words[word]; ok {
		return v
	}
	return usual
}

// leastRetry is the shortest pause between two attempts that are made without end.
const leastRetry = time.Microsecond

// atOnce reports whether all tries of an acquisition may take no time: then the network's
// delay is all that passes between two of them.
func (p *Params) atOnce() bool {
	return p.Tries != nil && *p.Tries == 1 || p.Retry != nil && p.Retry.Most() < leastRetry-1
}

func planSingle(p *Params, first sim.NodeID) plan {
	ttl := values.Or(p.TTL, usualTTL)
	lock := redislock.Redis{
		Polling: p.polling(usualPolling), Server: first, Clock: p.clock(sim.MonoClock),
		TTL: ttl, Drift: p.drift(ttl, redislock.DriftOf), Renew: p.Extend, Extend: p.extendBy(), Constant: p.Value == "constant",
		Unlock: word(p.Release, unlockWords, redislock.UnlockScript),
	}
	return plan{servers: p.redisServers(1, !lock.Constant), renames: true, worker: worker(lock), quorum: 1, clock: lock.Clock, ttl: ttl, poll: lock.Longest()}
}

var unlockWords = map[string]redislock.Unlock{"get-del": redislock.UnlockGetDel, "del": redislock.UnlockDel}

// drift is the allowance for the clocks that the parameters say, or else that of an
// implementation.
func (p *Params) drift(ttl time.Duration, usual func(time.Duration) time.Duration) time.Duration {
	if p.DriftMin != nil {
		return (ttl / 100).Truncate(time.Millisecond) + *p.DriftMin
	}
	return usual(ttl)
}

// redisServers are the given number of Redis that know nothing of each other, whose clients set each value once, or
// may do so again after they have sent it to be deleted.
func (p *Params) redisServers(n int, once bool) (list []sim.Spec[core.Msg]) {
	s := p.redisServer()
	s.Once = once
	for i := range n {
		list = append(list, sim.Place[core.Msg](redisName(i), s))
	}
	return list
}

func (p *Params) redisServer() redisserver.Server {
	s := redisserver.NewServer(p.Clients)
	s.Persistence, s.RejoinAfter, s.RejoinWall = word(p.Persistence, persistences, redis.None), p.RejoinAfter, p.RejoinClock == "wall"
	return s
}

// redisName is the name of a Redis, from 0.
func redisName(i int) string { return fmt.Sprintf("redis-%d", i+1) }

var persistences = map[string]redis.Persistence{"aof-everysec": redis.EverySecond, "aof-always": redis.Always}

// checkSingle is what the tags do not say of a lease on one Redis.
func checkSingle(p *Params, found *model.Errors) {
	ttl := values.Or(p.TTL, usualTTL)
	p.checkLease(found, ttl, p.drift(ttl, redislock.DriftOf))
	p.checkRedis(found)
}

// checkRedis is what the tags do not say of any lock on Redis.
func (p *Params) checkRedis(found *model.Errors) {
	if p.TTL != nil && *p.TTL%time.Millisecond != 0 {
		found.Add("ttl", "want whole milliseconds, as Redis has them, got %v", *p.TTL)
	}
	found.If(p.RejoinClock != "" && p.RejoinAfter == 0, "rejoin-clock", "there is no rejoin-after to measure")
}

// checkLease is what the tags do not say of a lease on Redis.
func (p *Params) checkLease(found *model.Errors, ttl, drift time.Duration) {
	found.If(ttl <= drift, "ttl", "must be longer than the allowance of %v for the clocks, got %v: no lease would ever be valid", drift, ttl)
	found.If(p.ExtendBy != "" && p.Extend == 0, "extend-by", "nothing is extended: add extend")
	found.If(p.Extend > 0 && p.Extend >= ttl, "extend", "must be shorter than the TTL of %v, got %v", ttl, p.Extend)
}

// extendBy is the script that extends a lock.
//
// Source: redsync 4.13, WithSetNXOnExtend, which also takes a lock that was lost: another client
// may have had it in the meantime.
func (p *Params) extendBy() sim.Kind {
	if p.ExtendBy == "set-nx" {
		return core.ExtendOrSet
	}
	return core.Extend
}
