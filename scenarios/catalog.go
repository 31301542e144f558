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
	"fencepost/sim"
)

// Model is a family of algorithms that scenarios name in `model:`.
type Model struct {
	Name   string
	Folder string        // of its scenarios: several models may be about one thing
	About  string        // in one line
	New    func() Params // with the defaults

	// Counts are the parameters that count nodes or operations: what can be made
	// smaller, those first that make most of it. Lists are those with as many values as
	// there are nodes of a kind, or fewer.
	Counts []Count
	Lists  []string
}

// Count is an integer parameter that counts nodes or operations, or a list of such.
type Count struct {
	Path    string // below params
	Default int    // what it is where a file leaves it out
	Least   int    // below that it is another algorithm; 0 is as 1
	Endless bool   // 0 is without end
}

// Params are the parameters of a model for one scenario.
type Params interface {
	// Target points to the struct that `params:` is decoded into; its fields have
	// yaml tags.
	Target() any
	// Validate returns what is wrong with the values, in a fixed order.
	Validate() []Mistake
	// Program is the system that the values describe. They have been validated,
	// and do not change any more.
	Program() sim.Program
}

// Mistake is what a model finds wrong with a value of its parameters. A message about a
// place in a text begins with it, as "line 3, column 5: ".
type Mistake struct{ Path, Message string } // Path as in "ttl" or "clients.0.work"

// catalog lists the models in the order in which they are shown.
var catalog = []Model{
	modelOf("lock", "distributed locks and elections: none, naive, Redis, Sentinel, Redisson, Redlock, etcd, ZooKeeper, Kubernetes, Consul; fencing",
		lock.DefaultParams, (*lock.Params).Problems, (*lock.Params).System).
		with([]Count{{Path: "clients", Default: 2}, {Path: "instances", Default: 5, Least: 3}, {Path: "rounds", Default: 1, Endless: true}},
			"start", "work", "hold", "think", "rounds"),
	modelOf("ratelimit", "rate limiters: one, or a fleet that shares nothing, a store, leases or counts",
		fleet.DefaultParams, (*fleet.Params).Problems, (*fleet.Params).System).
		with([]Count{{Path: "limiters", Default: 1}}),
	nodelessOf("compare", "rate limiters side by side on the same requests, generated or of an access log",
		compare.DefaultParams, (*compare.Params).Problems, (*compare.Params).Program).in("ratelimit"),
	modelOf("permits", "limits of concurrency with a queue: a Go middleware as published, a fixed one, permits in a store",
		permits.DefaultParams, (*permits.Params).Problems, (*permits.Params).System).
		with([]Count{{Path: "clients", Default: 2}, {Path: "limiters", Default: 1}, {Path: "requests", Default: 1, Endless: true}},
			"preempted", "start", "work", "think", "requests", "patience", "deadline").in("ratelimit"),
	modelOf("backpressure", "clients that call again, a limiter, a queue and a database that does so much and no more",
		chain.DefaultParams, (*chain.Params).Problems, (*chain.Params).System).
		with([]Count{{Path: "clients", Default: 1}, {Path: "operations", Default: 1, Endless: true}},
			"start", "rate", "gap", "operations").in("ratelimit"),
	modelOf("adaptive", "limits that find themselves: AIMD, Vegas, Gradient2, a CPU controller, and a plant to control",
		adaptive.DefaultParams, (*adaptive.Params).Problems, (*adaptive.Params).System).in("ratelimit"),
	modelOf("policy", "rules that change in flight: reloads, bad files, tiers, soft limits, shadow mode, drop or queue",
		policy.DefaultParams, (*policy.Params).Problems, (*policy.Params).System).
		with([]Count{{Path: "clients", Default: 1}, {Path: "limiters", Default: 2}, {Path: "requests", Default: 0, Endless: true}},
			"phase", "start", "every", "burst", "requests").in("ratelimit"),
	modelOf("clock", "processes that exchange messages, each with a clock: wall, Lamport, vector, pruned, hybrid",
		process.DefaultParams, (*process.Params).Problems, (*process.Params).System).
		with([]Count{{Path: "processes", Default: 3, Least: 2}, {Path: "events", Default: 10, Endless: true}, {Path: "then"}}, "then"),
	modelOf("mutex", "mutual exclusion by the order of Lamport's clock: Lamport 1978, Ricart and Agrawala 1981",
		mutex.DefaultParams, (*mutex.Params).Problems, (*mutex.Params).System).
		with([]Count{{Path: "processes", Default: 3, Least: 2}, {Path: "rounds", Default: 1, Endless: true}},
			"start", "think", "work", "rounds").in("clock"),
	modelOf("broadcast", "broadcast to a group in FIFO, causal or total order, and the replicas of an account that it keeps equal",
		broadcast.DefaultParams, (*broadcast.Params).Problems, (*broadcast.Params).System).
		with([]Count{{Path: "processes", Default: 3, Least: 2}, {Path: "messages", Default: 1, Endless: true}},
			"start", "gap", "messages", "answers", "operations").in("clock"),
	modelOf("ntp", "how a client learns what time it is: NTP exchanges, whom to believe, slews and steps",
		ntp.DefaultParams, (*ntp.Params).Problems, (*ntp.Params).System).
		with([]Count{{Path: "clients", Default: 1}, {Path: "servers", Default: 1}, {Path: "polls", Default: 0, Endless: true}}, "start").in("clock"),
	modelOf("versions", "versions of one key at several replicas: vectors, vnode vectors, dotted vectors, last write wins; siblings and carts",
		replicas.DefaultParams, (*replicas.Params).Problems, (*replicas.Params).System).in("clock"),
	modelOf("idempotency", "requests that are sent again: clients, servers that run a flow, PostgreSQL, a cache, a payment provider, a broker",
		idempotency.DefaultParams, (*idempotency.Params).Problems, (*idempotency.Params).System).
		with([]Count{{Path: "clients", Default: 1}, {Path: "api-servers", Default: 1}, {Path: "intents", Default: 1, Endless: true}, {Path: "clicks", Default: 1}},
			"tenant", "intent", "key", "amount", "start", "intents", "gap", "clicks", "between", "attempts", "timeout", "backoff"),
	modelOf("kv", "a key-value store with N replicas, R and W: quorums, hints, repair, conflict policies, sessions, growth",
		kv.DefaultParams, (*kv.Params).Problems, (*kv.Params).System).
		with([]Count{{Path: "nodes", Default: 3}}),
	nodelessOf("pbs", "how stale reads of partial quorums are: trials of production latencies, after Bailis et al.",
		pbs.DefaultParams, (*pbs.Params).Problems, (*pbs.Params).Program).in("kv"),
}

// with says what of a model can be made smaller.
func (m Model) with(counts []Count, lists ...string) Model {
	m.Counts, m.Lists = counts, lists
	return m
}

// in says in which folder its scenarios are, where it is not that of its name.
func (m Model) in(folder string) Model {
	m.Folder = folder
	return m
}

// Models lists the models.
func Models() []Model { return slices.Clone(catalog) }

// modelOf makes a Model of what a model package offers: its parameters P with
// their defaults, their check, and the system that they describe. system is called
// for each world, perhaps by several goroutines at once, on a copy of the
// parameters, and must not change what they point to.
func modelOf[P any, Q ~struct{ Path, Message string }, M sim.Message](name, about string,
	defaults func() P, problems func(*P) []Q, system func(*P) sim.System[M]) Model {
	return Model{Name: name, Folder: name, About: about, New: func() Params {
		return &paramsOf[P, Q, M]{values: defaults(), problems: problems, system: system}
	}}
}

type paramsOf[P any, Q ~struct{ Path, Message string }, M sim.Message] struct {
	values   P
	problems func(*P) []Q
	system   func(*P) sim.System[M]
}

func (p *paramsOf[P, Q, M]) Target() any { return &p.values }

func (p *paramsOf[P, Q, M]) Validate() (mistakes []Mistake) {
	for _, q := range p.problems(&p.values) {
		mistakes = append(mistakes, Mistake(q))
	}
	return mistakes
}

func (p *paramsOf[P, Q, M]) Program() sim.Program {
	return sim.NewProgram(func() sim.System[M] {
		values := p.values
		return p.system(&values)
	})
}
