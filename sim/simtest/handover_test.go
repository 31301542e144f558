package simtest_test

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// The blocks between the marks are those of docs/your-own-model.md, where
// TestThePageIsReal compares them.

// begin model

//go:generate go run fencepost/cmd/messages

//messages:family
type messages struct {
	Take     model.Message // primary to standby: take over
	Taken    model.Message // standby to primary: done
	retire   model.Timer   // primary: it is time to go
	patience model.Timer   // primary: no answer yet
	InCharge model.Note    // I decide from now on
	Relieved model.Note    // I decide no longer
}

// Primary is in charge for a while, and then hands over to the standby.
type Primary struct {
	Standby sim.NodeID
	done    bool
}

func (p *Primary) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case start:
		out.Note(Say(InCharge))
		out.After(5*time.Second, Say(retire))
	case retire:
		out.Note(Say(Relieved))
		out.Send(p.Standby, Say(Take))
		out.After(time.Second, Say(patience))
	case patience:
		if !p.done {
			out.Send(p.Standby, Say(Take)) // it got lost, or the answer did: ask again
			out.After(time.Second, Say(patience))
		}
	case Taken:
		p.done = true
	}
}

// Standby takes over when it is told to.
type Standby struct{ inCharge bool }

func (s *Standby) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Take {
		if !s.inCharge {
			s.inCharge = true
			out.Note(Say(InCharge))
		}
		out.Send(in.From, Say(Taken))
	}
}

func handOver() sim.System[Msg] {
	s := model.Of(kinds, model.AtMostOne[Msg]("one-in-charge", InCharge, Relieved))
	primary, standby := s.Node("primary"), s.Node("standby")
	sim.Put(&s, primary, Primary{Standby: standby})
	sim.Put(&s, standby, Standby{})
	return s
}

// end model

// begin test

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
