// Package chain is the way of a request: clients that call again when they are refused, a
// limiter, a queue with a bound, and a database that does so much per second and no more.
//
//	client-1 ... client-k -> service-1 ... -> limiter -> queue -> db
//
// What a client does after a failure is models/ratelimit/retry; the bucket of the limiter
// is models/ratelimit. Three things go wrong here, none of them in one node alone:
//
//   - A herd that is refused together comes back together, and most of its calls are for
//     nothing.
//   - A queue that is longer than the patience of the clients keeps the database busy with
//     what no client waits for any more: it serves as much as ever, and is of no use.
//   - Retries feed on that: work in vain makes timeouts, timeouts make calls, calls make the
//     queue longer. When the load is normal again, the failure stays: it is metastable.
//
// With classes of requests, a limiter sheds the least important first (models/ratelimit/shed).
//
// What each node notes is checked by the properties in useful.go, answers.go, calls.go,
// policy.go and classes.go, and added up by the meter.
package chain

import (
	"time"

	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Layout is where the nodes are, and what properties need to know of the parameters.
type Layout struct {
	Clients int        // nodes 1 to Clients
	Layers  int        // the nodes after them
	Limiter sim.NodeID // the node after those; then queue and database, if there are any
	Server  sim.NodeID // that carries requests out: the database, or else the limiter

	Timeout   time.Duration // the longest that a client waits for a call, 0 is forever
	Expected  time.Duration // of a service; 0: there is no database
	Operation retry.Operation
}

func (l *Layout) isClient(id sim.NodeID) bool { return id >= 1 && int(id) <= l.Clients }

// calls reports whether a node calls the limiter: the last layer, or each client.
func (l *Layout) calls(id sim.NodeID) bool {
	if l.Layers > 0 {
		return id == l.Limiter-1
	}
	return l.isClient(id)
}

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	system := description.System("chain", p.Problems())
	if system.Err != nil {
		return system
	}
	layout := p.layout()
	first := sim.NodeID(p.Clients + 1)
	model.Place(&system, "client", p.Clients, func(i int) Client { return p.client(i, first) })
	model.Place(&system, "service", p.Layers, func(i int) Client { return p.layer(i, first+sim.NodeID(i+1)) })
	limiter := p.limiterNode()
	if !p.Database.None {
		limiter.Next = layout.Limiter + 1
	}
	system.Nodes = append(system.Nodes, sim.Place[Msg]("limiter", limiter))
	if !p.Database.None {
		queue := p.queueNode()
		queue.Database = layout.Limiter + 2
		if limiter.Entry >= Credits {
			queue.Limiter = layout.Limiter
		}
		db := Database{Queue: layout.Limiter + 1, Workers: int64(p.Database.Workers), Service: p.service(), Fails: p.Database.Fails, Keyed: p.Operation == "keyed"}
		system.Nodes = append(system.Nodes, sim.Place[Msg]("queue", queue), sim.Place[Msg]("db", db))
	}
	system.Marks = []sim.Mark[Msg]{{Name: "admitted", On: []sim.Kind{Admitted}}, {Name: "rejected", On: []sim.Kind{Rejected}}}
	system.Properties = p.properties(layout)
	addMeters(&system, &layout, p.classed())
	system.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string {
		return (&describer{layout: layout, done: map[uint64]bool{}}).describe
	}
	return system
}

func (p *Params) layout() Layout {
	l := Layout{Clients: p.Clients, Layers: p.Layers, Limiter: sim.NodeID(p.Clients + p.Layers + 1),
		Timeout: p.patience(), Operation: operations[p.Operation]}
	if d := p.Retry.Deadline; d > 0 && (l.Timeout == 0 || d < l.Timeout) {
		l.Timeout = d
	}
	l.Server = l.Limiter
	if !p.Database.None {
		l.Server, l.Expected = l.Limiter+2, p.expected()
	}
	return l
}

// properties are what is checked of every chain.
func (p *Params) properties(l Layout) []sim.Property[Msg] {
	window := values.Or(p.Bounds.Window, 5*time.Second)
	policy := p.Retry.client()
	return []sim.Property[Msg]{
		model.NewProperty("goodput", &goodput{Layout: l, Window: window, Capacity: p.capacity(window), From: sim.Time(p.Bounds.GoodputFrom)}).
			Needs("a window of params.bounds must end in which an operation began, from goodput-from on"),
		model.NewProperty("queue-wait", &queueWait{l}, Taken).
			Needs("params.timeout must be more than 0, and the database must take a request"),
		model.NewProperty("one-answer", &oneAnswer{}, Served, Failed, Replayed, Rejected, Succeeded, GaveUp).
			Needs("a call must be answered, or an operation must end"),
		model.NewProperty("answered-in-time", &answeredInTime{l}, Refused, Succeeded, TimedOut).
			Needs("a call must be answered, or its timeout must pass"),
		model.NewProperty("calls-bound", &callsBound{Layout: l, Most: values.Or(p.Bounds.Calls, 10)}, Called).
			Needs("a client must call the limiter"),
		model.NewProperty("no-starvation", &noStarvation{Layout: l, Within: values.Or(p.Bounds.Open, 30*time.Second)}).AlsoFaults().
			Needs("an operation must end, or stay open for longer than the bound"),
		model.NewProperty("budget-respected", &budgetRespected{Layout: l, Allowance: policy.Allowance, Budget: policy.Budget},
			Begun, Called, Refused, TimedOut, Retrying, Succeeded, GaveUp).AlsoFaults().
			Needs("the retries must have a budget or an allowance, and a client must call"),
		model.NewProperty("no-blind-retry", &noBlindRetry{Operation: l.Operation}, Served, Called, Retrying).
			Needs("a client must call with an operation that is not idempotent and has no key"),
		model.NewProperty("carried-out-once", &carriedOutOnce{Operation: l.Operation}, Served).
			Needs("an operation that is not idempotent must be carried out"),
		model.NewProperty("class-order", &classOrder{}, Admitted, Rejected, Shedding).AlsoFaults().
			Needs("a request that is not critical must be let in"),
	}
}
