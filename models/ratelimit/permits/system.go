package permits

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// System is the system that the parameters describe: clients, limiters and, where there
// are any, the store of the permits and the operator.
func (p *Params) System() sim.System[Msg] {
	if err := model.Errors(p.Problems()).Err("permits"); err != nil {
		return sim.System[Msg]{Err: err}
	}
	layout := Layout{Clients: p.Clients, Limiter: sim.NodeID(p.Clients + 1), Limiters: p.Limiters,
		Leased: p.Algorithm == "leases", Permits: p.Permits, Queue: p.queue()}
	system := sim.System[Msg]{Kinds: kinds.Names(), Notes: kinds.Notes()}
	model.Place(&system, "client", p.Clients, func(i int) Client {
		return Client{Limiter: layout.Limiter + sim.NodeID(i%p.Limiters), Start: values.At(p.Start, i, 0), Think: values.At(p.Think, i, sim.Dist{}),
			Requests: values.At(p.Requests, i, 1), Patience: values.At(p.Patience, i, 0), Deadline: values.At(p.Deadline, i, 0)}
	})
	for i := range p.Limiters {
		system.Nodes = append(system.Nodes, p.limiter(fmt.Sprintf("limiter-%d", i+1), layout.Limiter+sim.NodeID(p.Limiters)))
	}
	if layout.Leased {
		system.Nodes = append(system.Nodes, sim.Place[Msg]("store", Store{Leases{Permits: p.Permits, TTL: p.TTL}}))
	}
	if len(p.Shutdown) > 0 {
		system.Nodes = append(system.Nodes, sim.Place[Msg]("operator", Operator{Limiter: layout.Limiter, At: p.Shutdown}))
	}
	book := addBook(&system, layout)
	system.Properties = []sim.Property[Msg]{
		model.NewProperty("permits-conserved", &conserved{Ledger: newLedger(layout)}).AlsoFaults().
			Needs("a permit must be granted"),
		model.NewProperty("concurrency-limit", &atMost{book}, Started).
			Needs("a handler must start"),
		model.NewProperty("fifo", &fifo{Book: book, LIFO: p.Algorithm == "fixed" && p.Order == "lifo"}, Started).
			Needs("a handler must start at a limiter in memory that serves the oldest first"),
		model.NewProperty("one-answer", &oneAnswer{newLedger(layout)}).AlsoFaults().
			Needs("a request must be answered, or wait beyond its deadline"),
		model.NewProperty("queue-bound", &queueBound{book}, Queued).
			Needs("a request must wait in the queue"),
		model.NewProperty("no-start-after-drain", &noStartAfterDrain{}, Draining, Started).AlsoFaults().
			Needs("the limiter must be shut down"),
		model.NewProperty("no-start-for-gone", &noStartForGone{book}, Cancelled, Answered, Started).
			Needs("a request must be cancelled, or be answered before its handler starts"),
		model.NewProperty("drains", &drains{Ledger: newLedger(layout), Drain: p.drain()}).AlsoFaults().
			Needs("the limiter must be shut down"),
		model.NewProperty("no-panic", &noPanic{}, Arrived, Panicked).
			Needs("a request must arrive"),
	}
	addMeter(&system, book)
	system.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDescriber(layout).describe }
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return detail }
	return system
}

// limiter is the node of the algorithm. The store comes after all limiters.
func (p *Params) limiter(name string, store sim.NodeID) sim.Spec[Msg] {
	d := newExecutor(forEach(p.Clients, p.Work, sim.Constant(100*time.Millisecond)))
	switch p.Algorithm {
	case "fixed":
		return sim.Place[Msg](name, FixedLimiter{executor: d, Timeout: p.timeout(), Drain: p.drain(),
			Limit: Fixed{Permits: p.Permits, Queue: p.queue(), LIFO: p.Order == "lifo"}})
	case "leases":
		return sim.Place[Msg](name, LeasedLimiter{executor: d, Store: store, Timeout: p.StoreTimeout, Heartbeat: p.Heartbeat, Drain: p.drain()})
	}
	return sim.Place[Msg](name, Middleware{executor: d, Timeout: p.timeout(), Begin: p.DispatcherStart, Log: p.DispatcherLog,
		Kept: forEach(p.Clients, p.Preempted, sim.Dist{}), Limit: AsWritten{Permits: p.Permits, Queue: p.queue()}})
}
