package policy

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// WindowLimit holds if no client is admitted more in any window than the versions allow
// that are in force in it: from when they are published, or AdoptAfter later. The bound
// is that of the algorithm: 2L of fixed windows, 2L-1 of a bucket, L of a log. Versions
// that do not load are never in force, and a window with a version that leaves
// something without a limit is not judged.
type WindowLimit struct {
	AdoptAfter time.Duration

	sim.Check
	tally  tally
	bounds *bounds
	from   []sim.Time // by version: since when it is in force
	sum    int64      // at the first violation
	most   int64
}

// Name implements [sim.Property].
func (p *WindowLimit) Name() string { return "window-limit" }

// Reset implements [sim.Observer].
func (p *WindowLimit) Reset(*sim.View[Msg]) {
	p.Clear()
	p.tally.reset()
	if p.from == nil {
		p.from = make([]sim.Time, len(p.tally.book.versions))
	}
	for i := range p.from {
		p.from[i] = sim.Never
	}
	p.from[1] = 0
	p.sum, p.most = 0, 0
}

// Observe implements [sim.Observer].
func (p *WindowLimit) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted && o.Msg.Kind == Published && p.tally.book.versions[o.Msg.Version].problem == "" {
		p.from[o.Msg.Version] = v.Now().Add(p.AdoptAfter)
	}
	sum := p.tally.admitted(v, o)
	if sum == 0 {
		return
	}
	most, judged := p.inForce(v.Now())
	if !judged {
		return
	}
	p.Saw()
	if sum > most && p.Violate(v.Now(), p.tally.client(o)) {
		p.sum, p.most = sum, most
	}
}

// inForce is the largest bound of the versions in force in the window that ends now.
func (p *WindowLimit) inForce(now sim.Time) (most int64, judged bool) {
	begin := span(now, p.tally.book.window)
	until := sim.Never // of the version after this one
	for i := len(p.from) - 1; i > 0; i-- {
		if p.from[i] == sim.Never {
			continue
		}
		if p.from[i] <= now && until > begin {
			bound, ok := p.bounds.of(i)
			if !ok {
				return 0, false
			}
			most = max(most, bound)
		}
		until = p.from[i]
	}
	return most, true
}

// End implements [sim.Observer].
func (p *WindowLimit) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *WindowLimit) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s was admitted %d in %v, and the rules in force allow %d", v.Name(p.Finding().Nodes[0]), p.sum, p.tally.book.window, p.most)
}

// EffectiveLimit holds if no client is admitted more in any window than the largest of
// the versions allows that some limiter used in it. It is what holds while old and new
// limits coexist.
type EffectiveLimit struct {
	sim.Check
	tally  tally
	bounds *bounds
	use    usage
	sum    int64 // at the first violation
	most   int64
}

// Name implements [sim.Property].
func (p *EffectiveLimit) Name() string { return "effective-limit" }

// Reset implements [sim.Observer].
func (p *EffectiveLimit) Reset(*sim.View[Msg]) {
	p.Clear()
	p.tally.reset()
	p.use.reset()
	p.sum, p.most = 0, 0
}

// Observe implements [sim.Observer].
func (p *EffectiveLimit) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.use.observe(v, o)
	sum := p.tally.admitted(v, o)
	if sum == 0 {
		return
	}
	begin, most := span(v.Now(), p.tally.book.window), int64(0)
	for i := range p.tally.book.versions {
		if !p.use.since(i, begin) {
			continue
		}
		bound, ok := p.bounds.of(i)
		if !ok {
			return
		}
		most = max(most, bound)
	}
	p.Saw()
	if sum > most && p.Violate(v.Now(), p.tally.client(o)) {
		p.sum, p.most = sum, most
	}
}

// End implements [sim.Observer].
func (p *EffectiveLimit) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *EffectiveLimit) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s was admitted %d in %v, and the rules in use allow %d", v.Name(p.Finding().Nodes[0]), p.sum, p.tally.book.window, p.most)
}
