// Package local is limiters that do not talk to each other.
package local

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Params are of the form local.
type Params struct {
	Change           ChangeParams
	Forward, Recheck time.Duration
}

// Problems adds what is wrong with the parameters, of a fleet of whatever form.
func (p *Params) Problems(f *core.Fleet, form string, found *model.Errors) {
	p.Change.Problems(f, form, found)
	found.If(p.Forward < 0 || p.Forward > core.MaxLength, "forward", "want 0s to %v, got %v", core.MaxLength, p.Forward)
	found.If(p.Recheck < 0 || p.Recheck > core.MaxLength, "recheck", "want 0s to %v, got %v", core.MaxLength, p.Recheck)
	found.If(p.Recheck > 0 && p.Recheck <= p.Forward, "recheck", "want more than the %v that every request takes, got %v", p.Forward, p.Recheck)
	found.If(p.Forward == 0 && p.Recheck > 0, "recheck", "a start at once has nothing to look at again: want forward above 0s")
	found.If(p.Forward > 0 && (form != "local" || f.Algorithm.Algorithm == "leaky-queue"), "forward", "want form local, and no leaky-queue, which has turns")
}

// Place adds limiters that do not talk to each other.
func (p *Params) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	for i := range f.Limiters {
		later, err := p.Change.later(f, f.Layout.Keys)
		if err != nil {
			panic(err) // the parameters have been checked
		}
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), Limiter{Limiter: core.Limiter{Clock: f.ClockID(), Keys: f.MustKeys(f.Share())}, Change: p.Change.At, forwarding: forwarding{p.Forward, p.Recheck}, later: later}))
	}
}

// Limiter is one of several limiters that do not talk to each other. It may take another
// algorithm while it runs, and time between its decision and the start.
type Limiter struct {
	core.Limiter
	forwarding
	Change time.Duration // after its start, when it takes the algorithm of later

	later   core.Keys
	changed bool
}

// Reset implements [sim.Resetter].
func (l *Limiter) Reset(initial *Limiter) {
	own, later := l.Limiter, l.later
	*l = *initial
	l.Limiter = own
	l.Limiter.Reset(&initial.Limiter)
	l.later = core.CopyKeys(later, initial.later)
}

// decide decides by the algorithm that the limiter has now. Another one knows nothing of
// what was counted before.
func (l *Limiter) decide(in *sim.In[message.Msg]) ratelimit.Decision {
	if l.changed {
		return l.later.Take(in.Msg.Key, core.Reading(in, l.Clock), int64(in.Msg.Cost))
	}
	return l.Limiter.Decide(in)
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch m := in.Msg; m.Kind {
	case message.Start:
		if l.later != nil {
			out.After(l.Change, message.Msg{Kind: message.Change})
		}
	case message.Change:
		l.changed = true
		out.Note(message.Msg{Kind: message.Changed})
	case message.Request:
		d := l.decide(&in)
		if d.Allowed && l.After > 0 {
			l.admitLater(&in, out, d)
			return
		}
		core.Answer(out, m, in.From, d)
	case message.Forward:
		l.forward(in, out)
	default:
		l.Limiter.Step(in, out)
	}
}
