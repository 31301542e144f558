package simtest_test

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// Lease is the only message: what it says is its kind.
type Lease struct{ Kind sim.Kind }

const (
	granted sim.Kind = iota + 1 // landlord to worker: work
	expired                     // the landlord's timer: its lease is over
	worked                      // the worker's timer
	begins                      // note: a worker begins
	ends                        // note: it has done its work
)

func (l Lease) Label() sim.Kind              { return l.Kind }
func (l Lease) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(l.Kind), 0) }
func (l Lease) String() string {
	return []string{"start", "granted", "expired", "worked", "begins", "ends"}[l.Kind]
}

// Landlord grants a lease to one worker and, when it is over, to the next.
type Landlord struct {
	For     time.Duration
	Workers [2]sim.NodeID

	grants int
}

// Step implements [sim.Node].
func (l *Landlord) Step(in sim.In[Lease], out *sim.Out[Lease]) {
	if l.grants < len(l.Workers) {
		out.Send(l.Workers[l.grants], Lease{granted})
		out.After(l.For, Lease{expired})
		l.grants++
	}
}

// Worker works as soon as it has the lease, and does not look whether it still has it.
type Worker struct{ Work time.Duration }

// Step implements [sim.Node].
func (w *Worker) Step(in sim.In[Lease], out *sim.Out[Lease]) {
	switch in.Msg.Kind {
	case granted:
		out.Note(Lease{begins})
		out.After(w.Work, Lease{worked})
	case worked:
		out.Note(Lease{ends})
	}
}

// That both can be driven with time as a symbol: [sim.Symbolic]. A message to the landlord has no effect
// any more when both workers have had the lease; a search that is not told so has more states.

func (l *Landlord) Symbolic() string                   { return "" }
func (l *Landlord) Forget()                            {}
func (l *Landlord) Ignores(e *sim.Arrival[Lease]) bool { return l.grants == len(l.Workers) }
func (w *Worker) Symbolic() string                     { return "" }
func (w *Worker) Forget()                              {}
func (w *Worker) Ignores(e *sim.Arrival[Lease]) bool   { return false }

// OneWorks is violated when two work at the same time.
type OneWorks struct {
	sim.Check
	working int
}

func (p *OneWorks) Name() string                  { return "one-works" }
func (p *OneWorks) Reset(*sim.View[Lease])        { *p = OneWorks{}; p.Clear() }
func (p *OneWorks) End(*sim.View[Lease])          {}
func (p *OneWorks) Why(*sim.View[Lease]) string   { return "two work at the same time" }
func (p *OneWorks) Symbolic() sim.Property[Lease] { return p }          // as it is
func (p *OneWorks) Remembers() any                { return &p.working } // all of its state, but for the finding
func (p *OneWorks) Observe(v *sim.View[Lease], o *sim.Observation[Lease]) {
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == begins:
		p.Saw()
		if p.working++; p.working > 1 {
			p.Violate(v.Now(), o.Node)
		}
	case o.Event == sim.Noted && o.Msg.Kind == ends:
		p.working--
	}
}

func landlord() sim.System[Lease] {
	s := sim.System[Lease]{
		Kinds:      []string{"start", "granted", "expired", "worked", "begins", "ends"},
		Notes:      []sim.Kind{begins, ends},
		Properties: []sim.Property[Lease]{&OneWorks{}},
	}
	first, second := s.Node("worker-1"), s.Node("worker-2")
	sim.Put(&s, first, Worker{Work: 2 * time.Second})
	sim.Put(&s, second, Worker{Work: 2 * time.Second})
	sim.Put(&s, s.Node("landlord"), Landlord{For: 10 * time.Second, Workers: [2]sim.NodeID{first, second}})
	return s
}

// leased is the case, with pauses of any node of up to some time, and delays of 0 to 5 ms. The first
// worker ends at most a delay, the pause and its work after its grant was sent, and the second begins when the
// lease is over at the earliest: it is safe for pauses below 10 s - 2 s - 5 ms.
func leased(pause time.Duration) simtest.Case[Lease] {
	return simtest.Case[Lease]{
		System: landlord,
		Config: sim.Config{
			Until:   sim.Time(20 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(0, 5*time.Millisecond+1)}},
		},
		Budget: explore.Budget{Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{pause}}},
	}
}

// For all delays up to 5 ms, and one pause of any node at any moment: a pause of 7.9 s is short enough.
func ExampleCertify() {
	t := printer{}
	simtest.Certify(t, leased(7900*time.Millisecond))
	fmt.Println("and so for all that are shorter")
	// Output:
	// one-works is certified: no run violates it, of all delays, drawn timers and pauses in their ranges
	// and so for all that are shorter
}
