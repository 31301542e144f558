package lock

import (
	"fmt"
	"time"

	"fencepost/models/lock/core"
	"fencepost/models/lock/redislock"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// SentinelParams are the servers behind a Redis with replicas, and the Sentinels that watch
// them. What is left out has the value of redis.conf and sentinel.conf.
type SentinelParams struct {
	Replicas    *int           `yaml:"replicas" range:"1..8"`                   // of the master, redis-1: 1
	Lag         sim.Dist       `yaml:"lag" range:"0s..1000h"`                   // how long a write waits at the master until it is sent to a replica: 0s
	MinReplicas int            `yaml:"min-replicas-to-write" range:"0..8"`      // the master writes only with this many: 0
	MaxLag      *time.Duration `yaml:"min-replicas-max-lag" range:"1s..1000h"`  // that have acknowledged something within this time: 10s
	Priority    []int          `yaml:"priority,one-or-many" range:"0..1000000"` // of each server, for a promotion; the lowest is first, 0 is never promoted: 100

	Wait        int            `yaml:"wait" range:"0..8"`               // replicas that have to acknowledge the key before the client holds the lock: 0
	WaitTimeout *time.Duration `yaml:"wait-timeout" range:"1ms..1000h"` // how long WAIT waits for them: 1s
	Listen      *bool          `yaml:"listen"`                          // the clients listen to +switch-master: true

	Sentinels *int           `yaml:"sentinels" range:"1..9"`              // 3
	Quorum    *int           `yaml:"quorum" range:"1..9"`                 // of Sentinels, to take the master to be down: a majority
	DownAfter *time.Duration `yaml:"down-after" range:"1ms..1000h"`       // without an answer: 30s
	Timeout   *time.Duration `yaml:"failover-timeout" range:"1ms..1000h"` // half of the time until a failover is tried again: 3m
	Ping      *time.Duration `yaml:"ping" range:"1ms..1000h"`             // between two PINGs: 1s
	Info      *time.Duration `yaml:"info" range:"0s..1000h"`              // after a promotion, until the Sentinel asks whether it has taken place: 1s
	Tick      *sim.Dist      `yaml:"tick" range:"1ms..1000h"`             // between two looks of a Sentinel: {uniform: [50ms, 100ms]}
}

const sentinelKeys = "clock per-node-timeout tries retry persistence ttl extend drift-min sentinel"

// planSentinel is the plan of the lock on a Redis with replicas.
func planSentinel(p *Params, first sim.NodeID) plan {
	block, ttl, polling := values.Or(p.Sentinel, SentinelParams{}), values.Or(p.TTL, usualTTL), p.polling(usualPolling)
	servers, c := block.place(first, p.Clients, p.redisServer())
	lock := redislock.SentinelLock{
		Connection: c, TTL: ttl, Drift: p.drift(ttl, redislock.DriftOf), Clock: p.clock(sim.MonoClock),
		PerNode: polling.Wait, Tries: polling.Tries, Retry: polling.Retry, Renew: p.Extend,
		Wait: block.Wait, WaitTimeout: values.Or(block.WaitTimeout, time.Second),
	}
	return plan{servers: servers, worker: worker(lock), quorum: 1, clock: lock.Clock, replicated: true, needed: len(servers), extend: addFailoverMeter,
		ttl: lock.TTL, poll: polling.Longest()}
}

// checkSentinel is what the tags do not say of the lock on a Redis with replicas.
func checkSentinel(p *Params, found *model.Errors) {
	checkSingle(p, found)
	p.checkReplicas(found)
	found.If(p.PerNode != nil && *p.PerNode == 0, "per-node-timeout", "a client that waits forever never asks a Sentinel again: want more than 0s")
}

// place places the servers, the first of which is the master, and the Sentinels behind them.
func (b *SentinelParams) place(first sim.NodeID, clients int, server redisserver.Server) (nodes []sim.Spec[core.Msg], c redislock.Connection) {
	n := values.Or(b.Replicas, 1) + 1
	server.Replication = redisserver.Replication{First: first, Count: n, Lag: b.Lag, MinReplicas: b.MinReplicas, MaxLag: values.Or(b.MaxLag, 10*time.Second)}
	for i := range n {
		server.Priority = values.At(b.Priority, i, 100)
		nodes = append(nodes, sim.Place[core.Msg](redisName(i), server))
		server.Follows(first)
	}
	sentinels := values.Or(b.Sentinels, 3)
	s := redisserver.Sentinel{
		First: first + sim.NodeID(n), Count: sentinels, Server: first, Servers: n, Clients: clients,
		Quorum: values.Or(b.Quorum, redislock.Quorum(sentinels)), DownAfter: values.Or(b.DownAfter, 30*time.Second),
		Timeout: values.Or(b.Timeout, 3*time.Minute), Ping: values.Or(b.Ping, time.Second), Info: values.Or(b.Info, time.Second),
		Tick: values.Or(b.Tick, sim.Uniform(50*time.Millisecond, 100*time.Millisecond)),
	}
	for i := range sentinels {
		nodes = append(nodes, sim.Place[core.Msg](fmt.Sprintf("sentinel-%d", i+1), s))
	}
	return nodes, redislock.Connection{Sentinel: s.First, Sentinels: sentinels, Deaf: !values.Or(b.Listen, true), Patience: time.Second}
}

// mostReplicated is how many clients a lock on a Redis with replicas may have: what is
// replicated has eight bits for the owner.
const mostReplicated = 255

// checkReplicas is what the tags do not say of a Redis with replicas.
func (p *Params) checkReplicas(found *model.Errors) {
	found.If(p.Clients > mostReplicated && p.Clients <= maxClients, "clients", "want at most %d of a Redis with replicas, where eight bits of what is replicated name the owner, got %d", mostReplicated, p.Clients)
	if p.Sentinel != nil {
		p.Sentinel.check(found)
	}
}

// check is what the tags do not say.
func (b *SentinelParams) check(found *model.Errors) {
	replicas, sentinels := values.Or(b.Replicas, 1), values.Or(b.Sentinels, 3)
	for _, c := range []struct {
		key  string
		n    int
		most int
		what string
	}{
		{"wait", b.Wait, replicas, "replicas"},
		{"min-replicas-to-write", b.MinReplicas, replicas, "replicas"},
		{"priority", len(b.Priority), replicas + 1, "servers"},
		{"quorum", values.Or(b.Quorum, 1), sentinels, "Sentinels"},
	} {
		found.If(c.n > c.most, "sentinel."+c.key, "there are %d %s, got %d", c.most, c.what, c.n)
	}
	found.If(b.WaitTimeout != nil && b.Wait == 0, "sentinel.wait-timeout", "there is nothing to wait for: add wait")
	found.If(b.MaxLag != nil && b.MinReplicas == 0, "sentinel.min-replicas-max-lag", "no replica is needed: add min-replicas-to-write")
}
