package simtest_test

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// begin broken

// Impatient is a Primary that stays in charge if no standby takes over.
type Impatient struct{ Primary }

func (p *Impatient) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == patience && !p.done {
		out.Note(Say(InCharge))
		return
	}
	p.Primary.Step(in, out)
}

// end broken

// impatient is the case of TestHandOver with an impatient primary.
func impatient() simtest.Case[Msg] {
	return simtest.Case[Msg]{
		System: func() sim.System[Msg] {
			s := handOver()
			sim.Put(&s, 1, Impatient{Primary{Standby: 2}})
			return s
		},
		Config: sim.Config{
			Until:   sim.Time(20 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(time.Millisecond, 20*time.Millisecond)}},
		},
		Budget: explore.Budget{Pauses: 1, Lost: 2},
	}
}
