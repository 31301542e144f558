package scenarios

import (
	"slices"

	"fencepost/models/clock/broadcast"
	"fencepost/models/clock/mutex"
	"fencepost/models/clock/ntp"
	"fencepost/models/clock/process"
	"fencepost/models/clock/replicas"
	"fencepost/models/idempotency"
	"fencepost/models/kv"
	"fencepost/models/kv/pbs"
	"fencepost/models/lock"
	"fencepost/models/ratelimit/adaptive"
	"fencepost/models/ratelimit/chain"
	"fencepost/models/ratelimit/compare"
	"fencepost/models/ratelimit/fleet"
	"fencepost/models/ratelimit/permits"
	"fencepost/models/ratelimit/policy"
	"fencepost/scenarios/format"
)

// catalog lists the models in the order in which they are shown.
var catalog = []format.Model{
	format.ModelOf("lock", "distributed locks and elections: none, naive, Redis, Sentinel, Redisson, Redlock, etcd, ZooKeeper, Kubernetes, Consul; fencing",
		lock.DefaultParams, (*lock.Params).Problems, (*lock.Params).System).
		With([]format.Count{{Path: "clients", Default: 2}, {Path: "instances", Default: 5, Least: 3}, {Path: "rounds", Default: 1, Endless: true}},
			"start", "work", "hold", "think", "rounds"),
	format.ModelOf("ratelimit", "rate limiters: one, or a fleet that shares nothing, a store, leases or counts",
		fleet.DefaultParams, (*fleet.Params).Problems, (*fleet.Params).System).
		With([]format.Count{{Path: "limiters", Default: 1}}),
	format.NodelessOf("compare", "rate limiters side by side on the same requests, generated or of an access log",
		compare.DefaultParams, (*compare.Params).Problems, (*compare.Params).Program),
	format.ModelOf("permits", "limits of concurrency with a queue: a Go middleware as published, a fixed one, permits in a store",
		permits.DefaultParams, (*permits.Params).Problems, (*permits.Params).System).
		With([]format.Count{{Path: "clients", Default: 2}, {Path: "limiters", Default: 1}, {Path: "requests", Default: 1, Endless: true}},
			"preempted", "start", "work", "think", "requests", "patience", "deadline"),
	format.ModelOf("backpressure", "clients that call again, a limiter, a queue and a database that does so much and no more",
		chain.DefaultParams, (*chain.Params).Problems, (*chain.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "operations", Default: 1, Endless: true}},
			"start", "rate", "gap", "operations"),
	format.ModelOf("adaptive", "limits that find themselves: AIMD, Vegas, Gradient2, a CPU controller, and a plant to control",
		adaptive.DefaultParams, (*adaptive.Params).Problems, (*adaptive.Params).System),
	format.ModelOf("policy", "rules that change in flight: reloads, bad files, tiers, soft limits, shadow mode, drop or queue",
		policy.DefaultParams, (*policy.Params).Problems, (*policy.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "limiters", Default: 2}, {Path: "requests", Default: 0, Endless: true}},
			"phase", "start", "every", "burst", "requests"),
	format.ModelOf("clock", "processes that exchange messages, each with a clock: wall, Lamport, vector, pruned, hybrid",
		process.DefaultParams, (*process.Params).Problems, (*process.Params).System).
		With([]format.Count{{Path: "processes", Default: 3, Least: 2}, {Path: "events", Default: 10, Endless: true}, {Path: "then"}}, "then"),
	format.ModelOf("mutex", "mutual exclusion by the order of Lamport's clock: Lamport 1978, Ricart and Agrawala 1981",
		mutex.DefaultParams, (*mutex.Params).Problems, (*mutex.Params).System).
		With([]format.Count{{Path: "processes", Default: 3, Least: 2}, {Path: "rounds", Default: 1, Endless: true}},
			"start", "think", "work", "rounds"),
	format.ModelOf("broadcast", "broadcast to a group in FIFO, causal or total order, and the replicas of an account that it keeps equal",
		broadcast.DefaultParams, (*broadcast.Params).Problems, (*broadcast.Params).System).
		With([]format.Count{{Path: "processes", Default: 3, Least: 2}, {Path: "messages", Default: 1, Endless: true}},
			"start", "gap", "messages", "answers", "operations"),
	format.ModelOf("ntp", "how a client learns what time it is: NTP exchanges, whom to believe, slews and steps",
		ntp.DefaultParams, (*ntp.Params).Problems, (*ntp.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "servers", Default: 1}, {Path: "polls", Default: 0, Endless: true}}, "start"),
	format.ModelOf("versions", "versions of one key at several replicas: vectors, vnode vectors, dotted vectors, last write wins; siblings and carts",
		replicas.DefaultParams, (*replicas.Params).Problems, (*replicas.Params).System),
	format.ModelOf("idempotency", "requests that are sent again: clients, servers that run a flow, PostgreSQL, a cache, a payment provider, a broker",
		idempotency.DefaultParams, (*idempotency.Params).Problems, (*idempotency.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "api-servers", Default: 1}, {Path: "intents", Default: 1, Endless: true}, {Path: "clicks", Default: 1}},
			"tenant", "intent", "key", "amount", "start", "intents", "gap", "clicks", "between", "attempts", "timeout", "backoff"),
	format.ModelOf("kv", "a key-value store with N replicas, R and W: quorums, hints, repair, conflict policies, sessions, growth",
		kv.DefaultParams, (*kv.Params).Problems, (*kv.Params).System).
		With([]format.Count{{Path: "nodes", Default: 3}}),
	format.NodelessOf("pbs", "how stale reads of partial quorums are: trials of production latencies, after Bailis et al.",
		pbs.DefaultParams, (*pbs.Params).Problems, (*pbs.Params).Program),
}

// Models lists the models.
func Models() []format.Model { return slices.Clone(catalog) }
