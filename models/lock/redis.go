package lock

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/redis"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Redis is a lease on one Redis: SET key value NX PX ttl, and a script that deletes the key
// if the value is still the client's.
//
// Source: Redis documentation, "Distributed Locks with Redis", "Correct implementation with
// a single instance", and SET, "Patterns".
type Redis struct {
	polling
	Server   sim.NodeID
	TTL      time.Duration
	Drift    time.Duration // what the clocks may err by within a TTL
	Clock    sim.ClockID   // that the client measures its lease with
	Unlock   Unlock
	Constant bool          // the lock's value is the same for every client
	Renew    time.Duration // the client extends the lock this often; 0: never
	Extend   sim.Kind      // the script that does: [Extend] or [ExtendOrSet]

	phase     phase
	t1        int64 // reading before SET was sent
	until     int64 // up to which the client may act
	extension renewal
}

// Unlock is how a client gives the lock back.
type Unlock uint8

// The script compares and deletes in one step; get-del does so in two; the plain
// delete does not compare.
const (
	UnlockScript Unlock = iota
	UnlockGetDel
	UnlockDel
)

// phase is what a client of a lock on Redis is about.
type phase uint8

const (
	idle phase = iota
	asking
	holding
	comparing // it releases by GET and DEL, and waits for what GET says
)

// Acquire implements [Algorithm].
func (r *Redis) Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	r.nth = 0
	return r.set(in, out)
}

// set is one attempt.
func (r *Redis) set(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	r.nth++
	r.begin(in, out, r.nth)
	r.phase, r.t1 = asking, reading(in, r.Clock)
	r.ask(out, r.Server, Msg{Kind: Set, Value: r.value(), X: int64(r.TTL)})
	r.await(out, everyone)
	return Pending
}

// value is what the key holds: as long as it is unique, only its owner deletes the key.
func (r *Redis) value() uint64 {
	if r.Constant {
		return constantValue
	}
	return r.grant
}

// Receive implements [Algorithm].
func (r *Redis) Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	m := in.Msg
	switch m.Kind {
	case retry:
		return r.set(in, out)
	case SetReply, GetReply, DelReply, ExtReply:
		r.count()
	}
	if m.Try != r.try {
		return Pending // about an attempt that is over
	}
	switch m.Kind {
	case SetReply:
		return r.answered(in, out, true, m.OK)
	case GetReply:
		return r.compared(out, m.Value)
	case ExtReply:
		return r.extended(in, out, m.N, m.OK)
	case renew:
		r.extend(in, out)
	case timeout:
		return r.timeout(in, out)
	case DelReply: // whatever it says, there is nothing left to do
	default:
		panic("lock: a client of a Redis got " + m.String())
	}
	return Pending
}

func (r *Redis) timeout(in sim.In[Msg], out *sim.Out[Msg]) Outcome {
	switch about := in.Msg.N; about {
	case everyone:
		return r.answered(in, out, false, false)
	case theRelease:
		return r.compared(out, 0)
	default:
		return r.extended(in, out, about-theExtension, false)
	}
}

// answered is the answer to SET, or that there was none in time.
func (r *Redis) answered(in sim.In[Msg], out *sim.Out[Msg], heard, ok bool) Outcome {
	if r.phase != asking {
		return Pending
	}
	r.until = r.t1 + int64(r.TTL-r.Drift)
	if ok && before(in, r.Clock, r.until) {
		r.phase, r.extension = holding, renewal{}
		r.extension.plan(&r.attempt, out, r.Renew)
		return Granted
	}
	r.phase = idle
	refused := Msg{Kind: Refused, Try: r.try, X: r.until - reading(in, r.Clock)}
	if ok {
		refused.N = 1
	}
	out.Note(refused)
	if r.Unlock == UnlockScript && (ok || !heard) { // a SET that was not answered may have been carried out
		r.ask(out, r.Server, Msg{Kind: DelIf, Value: r.value()})
	}
	return r.again(out)
}

// extend asks for another TTL from now.
func (r *Redis) extend(in sim.In[Msg], out *sim.Out[Msg]) {
	if r.phase == holding {
		n := r.extension.begin(reading(in, r.Clock))
		r.ask(out, r.Server, Msg{Kind: r.Extend, N: n, Value: r.value(), X: int64(r.TTL)})
		r.await(out, theExtension|n)
	}
}

// extended is the answer to an extension, or that there was none in time: then the lease
// stays as it was.
func (r *Redis) extended(in sim.In[Msg], out *sim.Out[Msg], n uint16, ok bool) Outcome {
	if r.phase != holding || !r.extension.is(n) {
		return Pending
	}
	r.extension.end(&r.attempt, out, r.Renew)
	until := r.extension.t1 + int64(r.TTL-r.Drift)
	if !ok || !before(in, r.Clock, until) {
		return Pending
	}
	r.until = until
	return Renewed
}

// Release implements [Algorithm].
func (r *Redis) Release(_ sim.In[Msg], out *sim.Out[Msg]) Outcome {
	r.phase = idle
	switch r.Unlock {
	case UnlockGetDel:
		r.phase = comparing
		r.ask(out, r.Server, Msg{Kind: Get})
		r.await(out, theRelease)
		return Pending
	case UnlockDel:
		r.ask(out, r.Server, Msg{Kind: Del})
	default:
		r.ask(out, r.Server, Msg{Kind: DelIf, Value: r.value()})
	}
	return Done
}

// compared is the answer to GET, 0 if there was none in time. Before DEL arrives, the key
// may expire, and be another's.
func (r *Redis) compared(out *sim.Out[Msg], value uint64) Outcome {
	if r.phase != comparing {
		return Pending
	}
	r.phase = idle
	if value == r.value() {
		r.ask(out, r.Server, Msg{Kind: Del})
	}
	return Done
}

// Hold implements [Algorithm].
func (r *Redis) Hold() Hold {
	h := r.held()
	h.Value, h.Until, h.Ends = r.value(), r.until, true
	return h
}

func planSingle(p *Params, first sim.NodeID) plan {
	ttl := values.Or(p.TTL, usualTTL)
	lock := Redis{
		polling: p.polling(usualPolling), Server: first, Clock: p.clock(sim.MonoClock),
		TTL: ttl, Drift: p.drift(ttl, DriftOf), Renew: p.Extend, Extend: p.extendBy(), Constant: p.Value == "constant",
		Unlock: word(p.Release, unlockWords, UnlockScript),
	}
	return plan{servers: p.redisServers(1), worker: worker(lock), quorum: 1, clock: lock.Clock, ttl: ttl, poll: lock.longest()}
}

var unlockWords = map[string]Unlock{"get-del": UnlockGetDel, "del": UnlockDel}

// drift is the allowance for the clocks that the parameters say, or else that of an
// implementation.
func (p *Params) drift(ttl time.Duration, usual func(time.Duration) time.Duration) time.Duration {
	if p.DriftMin != nil {
		return (ttl / 100).Truncate(time.Millisecond) + *p.DriftMin
	}
	return usual(ttl)
}

// redisServers are the given number of Redis that know nothing of each other.
func (p *Params) redisServers(n int) (list []sim.Spec[Msg]) {
	for i := range n {
		list = append(list, sim.Place[Msg](redisName(i), p.redisServer()))
	}
	return list
}

func (p *Params) redisServer() Server {
	return Server{Persistence: word(p.Persistence, persistences, redis.None), RejoinAfter: p.RejoinAfter, RejoinWall: p.RejoinClock == "wall", listeners: newClientSet(p.Clients)}
}

// redisName is the name of a Redis, from 0.
func redisName(i int) string { return fmt.Sprintf("redis-%d", i+1) }

var persistences = map[string]redis.Persistence{"aof-everysec": redis.EverySecond, "aof-always": redis.Always}

// checkSingle is what the tags do not say of a lease on one Redis.
func checkSingle(p *Params, found *kit.Errors) {
	ttl := values.Or(p.TTL, usualTTL)
	p.checkLease(found, ttl, p.drift(ttl, DriftOf))
	p.checkRedis(found)
}

// checkRedis is what the tags do not say of any lock on Redis.
func (p *Params) checkRedis(found *kit.Errors) {
	if p.TTL != nil && *p.TTL%time.Millisecond != 0 {
		found.Add("ttl", "want whole milliseconds, as Redis has them, got %v", *p.TTL)
	}
	if p.RejoinClock != "" && p.RejoinAfter == 0 {
		found.Add("rejoin-clock", "there is no rejoin-after to measure")
	}
}

// checkLease is what the tags do not say of a lease on Redis.
func (p *Params) checkLease(found *kit.Errors, ttl, drift time.Duration) {
	if ttl <= drift {
		found.Add("ttl", "must be longer than the allowance of %v for the clocks, got %v: no lease would ever be valid", drift, ttl)
	}
	if p.ExtendBy != "" && p.Extend == 0 {
		found.Add("extend-by", "nothing is extended: add extend")
	}
	if p.Extend > 0 && p.Extend >= ttl {
		found.Add("extend", "must be shorter than the TTL of %v, got %v", ttl, p.Extend)
	}
}
