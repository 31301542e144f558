package policy

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// windowLimit holds if no client is admitted more in any window than the versions allow
// that are in force in it: from when they are published, or AdoptAfter later. The bound
// is that of the algorithm: 2L of fixed windows, 2L-1 of a bucket, L of a log. Versions
// that do not load are never in force, and a window with a version that leaves
// something without a limit is not checked.
type windowLimit struct {
	AdoptAfter time.Duration
	Bounds     *bounds

	Tally tally
	Since []inForce // of the versions that load, in order
}

// inForce is a version, and since when it is in force.
type inForce struct {
	version int
	from    sim.Time
}

// Begin puts the first version in force.
func (p *windowLimit) Begin(*model.Report[Msg]) { p.Since = append(p.Since, inForce{version: 1}) }

// Check implements [model.Checker].
func (p *windowLimit) Check(r *model.Report[Msg]) {
	if v := r.Msg.Version; r.Msg.Kind == Published {
		if p.Tally.book.versions[v].problem == "" {
			p.Since = append(p.Since, inForce{int(v), r.Now().Add(p.AdoptAfter)})
		}
		return
	}
	sum := p.Tally.admitted(r.Now(), &r.Msg)
	if sum == 0 {
		return
	}
	most, checked := p.most(r.Now())
	if !checked {
		return
	}
	r.Saw()
	if client := p.Tally.client(&r.Msg); sum > most && r.Violated(client) {
		r.Why("%s was admitted %d in %v, and the rules in force allow %d", r.Name(client), sum, p.Tally.book.window, most)
	}
}

// most is the largest bound of the versions in force in the window that ends now.
func (p *windowLimit) most(now sim.Time) (most int64, checked bool) {
	begin := span(now, p.Tally.book.window)
	until := sim.Never // of the version after this one
	for i := len(p.Since) - 1; i >= 0; i-- {
		s := p.Since[i]
		if s.from <= now && until > begin {
			bound, ok := p.Bounds.of(s.version)
			if !ok {
				return 0, false
			}
			most = max(most, bound)
		}
		until = s.from
	}
	return most, true
}

// effectiveLimit holds if no client is admitted more in any window than the largest of
// the versions allows that some limiter used in it. It is what holds while old and new
// limits coexist.
type effectiveLimit struct {
	Bounds *bounds

	Tally tally
	Use   usage
}

// Check implements [model.Checker].
func (p *effectiveLimit) Check(r *model.Report[Msg]) {
	if r.Msg.Kind == Adopted {
		p.Use.adopt(r.Now(), r.Node, r.Msg.Version)
		return
	}
	sum := p.Tally.admitted(r.Now(), &r.Msg)
	if sum == 0 {
		return
	}
	begin, most := span(r.Now(), p.Tally.book.window), int64(0)
	for i := range p.Tally.book.versions {
		if !p.Use.since(i, begin) {
			continue
		}
		bound, ok := p.Bounds.of(i)
		if !ok {
			return
		}
		most = max(most, bound)
	}
	r.Saw()
	if client := p.Tally.client(&r.Msg); sum > most && r.Violated(client) {
		r.Why("%s was admitted %d in %v, and the rules in use allow %d", r.Name(client), sum, p.Tally.book.window, most)
	}
}
