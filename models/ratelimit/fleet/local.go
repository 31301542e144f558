package fleet

import (
	"fencepost/models/internal/kit"
	"fencepost/models/ratelimit"
	"fencepost/sim"
	"fmt"
	"time"
)

// LocalParams are of the form local.
type LocalParams struct {
	Change           ChangeParams
	Forward, Recheck time.Duration
}

// problems adds what is wrong with the parameters, of a fleet of whatever form.
func (p *LocalParams) problems(f *Fleet, form string, found *kit.Errors) {
	p.Change.problems(f, form, found)
	if p.Forward < 0 || p.Forward > maxLength {
		found.Add("forward", "want 0s to %v, got %v", maxLength, p.Forward)
	}
	if p.Recheck < 0 || p.Recheck > maxLength {
		found.Add("recheck", "want 0s to %v, got %v", maxLength, p.Recheck)
	}
	if p.Recheck > 0 && p.Recheck <= p.Forward {
		found.Add("recheck", "want more than the %v that every request takes, got %v", p.Forward, p.Recheck)
	}
	if p.Forward == 0 && p.Recheck > 0 {
		found.Add("recheck", "a start at once has nothing to look at again: want forward above 0s")
	}
	if p.Forward > 0 && (form != "local" || f.Algorithm.Algorithm == "leaky-queue") {
		found.Add("forward", "want form local, and no leaky-queue, which has turns")
	}
}

// place adds limiters that do not talk to each other.
func (p *LocalParams) place(f *Fleet, s *sim.System[Msg]) {
	for i := range f.Limiters {
		later, err := p.Change.later(f, f.Layout.Keys)
		if err != nil {
			panic(err) // the parameters have been checked
		}
		s.Nodes = append(s.Nodes, sim.Place[Msg](fmt.Sprintf("limiter-%d", i+1), LocalLimiter{Limiter: Limiter{Clock: f.clock(), Keys: f.mustKeys(f.share())}, Change: p.Change.At, forwarding: forwarding{p.Forward, p.Recheck}, later: later}))
	}
}

// LocalLimiter is one of several limiters that do not talk to each other. It may take another
// algorithm while it runs, and time between its decision and the start.
type LocalLimiter struct {
	Limiter
	forwarding
	Change time.Duration // after its start, when it takes the algorithm of later

	later   keys
	changed bool
}

// Reset implements [sim.Resetter].
func (l *LocalLimiter) Reset(initial *LocalLimiter) {
	own, later := l.Limiter, l.later
	*l = *initial
	l.Limiter = own
	l.Limiter.Reset(&initial.Limiter)
	l.later = copyKeys(later, initial.later)
}

// decide decides by the algorithm that the limiter has now. Another one knows nothing of
// what was counted before.
func (l *LocalLimiter) decide(in *sim.In[Msg]) ratelimit.Decision {
	if l.changed {
		return l.later.take(in.Msg.Key, reading(in, l.Clock), int64(in.Msg.Cost))
	}
	return l.Limiter.decide(in)
}

// Step implements [sim.Node].
func (l *LocalLimiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		if l.later != nil {
			out.After(l.Change, Msg{Kind: change})
		}
	case change:
		l.changed = true
		out.Note(Msg{Kind: Changed})
	case Request:
		d := l.decide(&in)
		if d.Allowed && l.After > 0 {
			l.admitLater(&in, out, d)
			return
		}
		answer(out, m, in.From, d)
	case forward:
		l.forward(in, out)
	default:
		l.Limiter.Step(in, out)
	}
}
