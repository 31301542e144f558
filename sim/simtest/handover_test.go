package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// The blocks between the marks are those of docs/your-own-model.md, where
// TestThePageIsReal compares them.

// begin model

// Msg is the only message: what it says is its kind.
type Msg struct{ Kind sim.Kind }

const (
	Take     sim.Kind = iota + 1 // primary to standby: take over
	Taken                        // standby to primary: done
	retire                       // the primary's timer: it is time to go
	patience                     // the primary's timer: no answer yet
	InCharge                     // note: I decide from now on
	Relieved                     // note: I decide no longer
)

var kinds = []string{"start", "take", "taken", "retire", "patience", "in-charge", "relieved"}

func (m Msg) Label() sim.Kind              { return m.Kind }
func (m Msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), 0) }
func (m Msg) String() string               { return kinds[m.Kind] }

// Primary is in charge for a while, and then hands over to the standby.
type Primary struct {
	Standby sim.NodeID

	done bool
}

// Step implements [sim.Node].
func (p *Primary) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case 0:
		out.Note(Msg{InCharge})
		out.After(5*time.Second, Msg{retire})
	case retire:
		out.Note(Msg{Relieved})
		out.Send(p.Standby, Msg{Take})
		out.After(time.Second, Msg{patience})
	case patience:
		if !p.done {
			out.Send(p.Standby, Msg{Take}) // it got lost, or the answer did: ask again
			out.After(time.Second, Msg{patience})
		}
	case Taken:
		p.done = true
	}
}

// Standby takes over when it is told to.
type Standby struct{ inCharge bool }

// Step implements [sim.Node].
func (s *Standby) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Take {
		if !s.inCharge {
			s.inCharge = true
			out.Note(Msg{InCharge})
		}
		out.Send(in.From, Msg{Taken})
	}
}

// end model

// begin property

// OneInCharge is violated when two decide at the same time.
type OneInCharge struct {
	sim.Check
	who sim.NodeID
}

func (p *OneInCharge) Name() string         { return "one-in-charge" }
func (p *OneInCharge) Reset(*sim.View[Msg]) { *p = OneInCharge{}; p.Clear() }
func (p *OneInCharge) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == InCharge:
		p.Saw()
		if p.who != sim.None && p.who != o.Node {
			p.Violate(v.Now(), o.Node, p.who)
		}
		p.who = o.Node
	case o.Event == sim.Noted && o.Msg.Kind == Relieved:
		p.who = sim.None
	}
}

func (p *OneInCharge) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s takes charge while %s is in charge", v.Name(n[0]), v.Name(n[1]))
}

// end property

// begin test

func handOver() sim.System[Msg] {
	s := sim.System[Msg]{
		Kinds:      kinds,
		Notes:      []sim.Kind{InCharge, Relieved},
		Properties: []sim.Property[Msg]{&OneInCharge{}},
	}
	primary, standby := s.Node("primary"), s.Node("standby")
	sim.Put(&s, primary, Primary{Standby: standby})
	sim.Put(&s, standby, Standby{})
	return s
}

func TestHandOver(t *testing.T) {
	simtest.Explore(t, simtest.Case[Msg]{
		System: handOver,
		Config: sim.Config{
			Until:   sim.Time(20 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(time.Millisecond, 20*time.Millisecond)}},
		},
		Budget: explore.Budget{Pauses: 1, Lost: 2},
	})
}

// end test

// begin proof

func proof() simtest.Case[Msg] {
	return simtest.Case[Msg]{
		System: handOver,
		Config: sim.Config{
			Until:   sim.Time(10 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Constant(time.Millisecond)}},
		},
		Mode: explore.Exhaustive,
		Budget: explore.Budget{
			Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{500 * time.Millisecond, 3 * time.Second}},
			Lost: 2, Duplicated: 1,
		},
	}
}

func TestHandOverIsSafe(t *testing.T) { simtest.Explore(t, proof()) }

// end proof

// begin fuzz

func FuzzHandOver(f *testing.F) {
	simtest.Fuzz(f, simtest.Case[Msg]{
		System: handOver,
		Config: sim.Config{Until: sim.Time(20 * time.Second)},
		Budget: explore.Budget{Pauses: 2, Lost: 2, Duplicated: 1},
	})
}

// end fuzz
