package adaptive

import (
	"time"

	"fencepost/sim"
)

// Phase is how often requests come from an instant on.
type Phase struct {
	At    time.Duration `yaml:"at" range:"0s..1000h"`             // from when on: 0s
	Every sim.Dist      `yaml:"every,required" range:"0s..1000h"` // from one request to the next
}

// Load sends requests, whether they are answered or not: it does not slow down for a
// service that does.
type Load struct {
	Limiter  sim.NodeID
	Phases   []Phase // in order; empty: none
	Patience time.Duration

	phase int
}

// Step implements [sim.Node].
func (l *Load) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		if len(l.Phases) > 0 {
			out.After(l.Phases[0].At, Msg{Kind: arrive})
		}
	case arrive:
		for l.phase+1 < len(l.Phases) && time.Duration(in.Mono) >= l.Phases[l.phase+1].At {
			l.phase++
		}
		out.Note(Msg{Kind: Sent})
		out.Send(l.Limiter, request(in.Mono))
		out.AfterDraw(l.Phases[l.phase].Every, Msg{Kind: arrive})
	case Reply:
		if m.served() {
			took := in.Mono.Sub(m.sent())
			out.Note(answered(took, took <= l.Patience))
		}
	default:
		panic("adaptive: the load got " + m.String())
	}
}
