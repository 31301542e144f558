package scenarios

import (
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
	"fencepost/sim"
)

// Faults that several models are usually asked about.
var (
	clientPauses = format.Usual{Says: "one pause of a client", Do: sim.Pause, Nodes: "client-"}
	aCut         = format.Usual{Says: "one cut", Do: sim.Cut}
	lateMessage  = format.Usual{Says: "one late message", Do: sim.Delay}
	lostMessage  = format.Usual{Says: "one lost message", Do: sim.Lose}
	aClockStep   = format.Usual{Says: "one clock step", Do: sim.StepClock}
)

// models lists the models in the order in which they are shown.
var models = []format.Model{
	format.ModelOf("lock", "distributed locks and elections: none, naive, Redis, Sentinel, Redisson, Redlock, etcd, ZooKeeper, Kubernetes, Consul; fencing",
		lock.DefaultParams, (*lock.Params).Problems, (*lock.Params).System).
		With([]format.Count{{Path: "clients", Default: 2}, {Path: "instances", Default: 5, Least: 3}, {Path: "rounds", Default: 1, Endless: true}},
			"start", "work", "hold", "think", "rounds").
		Asked(clientPauses, format.Usual{Says: "one crash of a server", Do: sim.Crash, Nodes: "!client-|store|counter"}, aCut),
	format.ModelOf("ratelimit", "rate limiters: one, or a fleet that shares nothing, a store, leases or counts",
		fleet.DefaultParams, (*fleet.Params).Problems, (*fleet.Params).System).
		With([]format.Count{{Path: "limiters", Default: 1}}).
		Asked(format.Usual{Says: "one pause of a limiter", Do: sim.Pause, Nodes: "limiter-"}, format.Usual{Says: "one crash of the store", Do: sim.Crash, Nodes: "store|shard-|coordinator"}, aCut),
	format.NodelessOf("compare", "rate limiters side by side on the same requests, generated or of an access log",
		compare.DefaultParams, (*compare.Params).Problems, (*compare.Params).Program),
	format.ModelOf("permits", "limits of concurrency with a queue: a Go middleware as published, a fixed one, permits in a store",
		permits.DefaultParams, (*permits.Params).Problems, (*permits.Params).System).
		With([]format.Count{{Path: "clients", Default: 2}, {Path: "limiters", Default: 1}, {Path: "requests", Default: 1, Endless: true}},
			"preempted", "start", "work", "think", "requests", "patience", "deadline").
		Asked(clientPauses, format.Usual{Says: "one crash of a limiter", Do: sim.Crash, Nodes: "limiter-"}),
	format.ModelOf("backpressure", "clients that call again, a limiter, a queue and a database that does so much and no more",
		chain.DefaultParams, (*chain.Params).Problems, (*chain.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "operations", Default: 1, Endless: true}},
			"start", "rate", "gap", "operations").
		Asked(format.Usual{Says: "one pause of the database", Do: sim.Pause, Nodes: "db"}, format.Usual{Says: "one crash of a service", Do: sim.Crash, Nodes: "service-|limiter"}, lostMessage),
	format.ModelOf("adaptive", "limits that find themselves: AIMD, Vegas, Gradient2, a CPU controller, and a plant to control",
		adaptive.DefaultParams, (*adaptive.Params).Problems, (*adaptive.Params).System).
		Asked(format.Usual{Says: "one pause of the plant", Do: sim.Pause, Nodes: "plant"}),
	format.ModelOf("policy", "rules that change in flight: reloads, bad files, tiers, soft limits, shadow mode, drop or queue",
		policy.DefaultParams, (*policy.Params).Problems, (*policy.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "limiters", Default: 2}, {Path: "requests", Default: 0, Endless: true}},
			"phase", "start", "every", "burst", "requests").
		Asked(format.Usual{Says: "one pause of a limiter", Do: sim.Pause, Nodes: "limiter-"}, format.Usual{Says: "one crash of a limiter", Do: sim.Crash, Nodes: "limiter-"}, lateMessage),
	format.ModelOf("clock", "processes that exchange messages, each with a clock: wall, Lamport, vector, pruned, hybrid",
		process.DefaultParams, (*process.Params).Problems, (*process.Params).System).
		With([]format.Count{{Path: "processes", Default: 3, Least: 2}, {Path: "events", Default: 10, Endless: true}, {Path: "then"}}, "then").
		Asked(lateMessage, lostMessage, aClockStep),
	format.ModelOf("mutex", "mutual exclusion by the order of Lamport's clock: Lamport 1978, Ricart and Agrawala 1981",
		mutex.DefaultParams, (*mutex.Params).Problems, (*mutex.Params).System).
		With([]format.Count{{Path: "processes", Default: 3, Least: 2}, {Path: "rounds", Default: 1, Endless: true}},
			"start", "think", "work", "rounds").
		Asked(lateMessage, lostMessage),
	format.ModelOf("broadcast", "broadcast to a group in FIFO, causal or total order, and the replicas of an account that it keeps equal",
		broadcast.DefaultParams, (*broadcast.Params).Problems, (*broadcast.Params).System).
		With([]format.Count{{Path: "processes", Default: 3, Least: 2}, {Path: "messages", Default: 1, Endless: true}},
			"start", "gap", "messages", "answers", "operations").
		Asked(lateMessage, lostMessage),
	format.ModelOf("ntp", "how a client learns what time it is: NTP exchanges, whom to believe, slews and steps",
		ntp.DefaultParams, (*ntp.Params).Problems, (*ntp.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "servers", Default: 1}, {Path: "polls", Default: 0, Endless: true}}, "start").
		Asked(lateMessage, format.Usual{Says: "one clock step of a server", Do: sim.StepClock, Nodes: "server-"}),
	format.ModelOf("versions", "versions of one key at several replicas: vectors, vnode vectors, dotted vectors, last write wins; siblings and carts",
		replicas.DefaultParams, (*replicas.Params).Problems, (*replicas.Params).System).
		Asked(lateMessage, lostMessage, aClockStep),
	format.ModelOf("idempotency", "requests that are sent again: clients, servers that run a flow, PostgreSQL, a cache, a payment provider, a broker",
		idempotency.DefaultParams, (*idempotency.Params).Problems, (*idempotency.Params).System).
		With([]format.Count{{Path: "clients", Default: 1}, {Path: "api-servers", Default: 1}, {Path: "intents", Default: 1, Endless: true}, {Path: "clicks", Default: 1}},
			"tenant", "intent", "key", "amount", "start", "intents", "gap", "clicks", "between", "attempts", "timeout", "backoff").
		Asked(format.Usual{Says: "one pause of a server", Do: sim.Pause, Nodes: "api-"}, format.Usual{Says: "one crash of a server", Do: sim.Crash, Nodes: "api-"}, lostMessage),
	format.ModelOf("kv", "a key-value store with N replicas, R and W: quorums, hints, repair, conflict policies, sessions, growth",
		kv.DefaultParams, (*kv.Params).Problems, (*kv.Params).System).
		With([]format.Count{{Path: "nodes", Default: 3}}).
		Asked(format.Usual{Says: "one crash of a node", Do: sim.Crash, Nodes: "node-"}, aCut, aClockStep),
	format.NodelessOf("pbs", "how stale reads of partial quorums are: trials of production latencies, after Bailis et al.",
		pbs.DefaultParams, (*pbs.Params).Problems, (*pbs.Params).Program),
}
