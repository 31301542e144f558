// Package fleet is rate limiting as it is deployed: clients, one limiter or several,
// and what the limiters share - nothing, a store, a coordinator, or each other's counts.
//
// limiter.go is the limiter that decides alone. The other forms have a file each, named
// for what the limiters share. Requests of a key count against one limit of so many per
// window, wherever they are decided; what the limiters note is judged over true time,
// by the properties of window.go and of the files beside it, on the exact sliding log of
// exact.go where they need one.
package fleet

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	if err := kit.Errors(p.Problems()).Err("fleet"); err != nil {
		return sim.System[Msg]{Err: err}
	}
	f := p.fleet()
	l := f.Layout
	s := sim.System[Msg]{Kinds: kinds.Names(), Notes: kinds.Notes()}
	for i, c := range p.clients() {
		s.Nodes = append(s.Nodes, sim.Place[Msg](fmt.Sprintf("client-%d", i+1), c.client(&l)))
	}
	if form := p.form(); form != nil {
		form.place(f, &s)
	} else {
		p.local().place(f, &s)
	}
	s.Marks = []sim.Mark[Msg]{{Name: "admitted", On: []sim.Kind{Admitted}}, {Name: "rejected", On: []sim.Kind{Rejected}}}
	s.Show = l.headers
	s.Properties = properties(l)
	addMeter(&s, l)
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newTeller(l).tell }
	s.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDetailer(l).detail }
	return s
}

// form is what builds a fleet of the form, nil if that is local.
func (p *Params) form() form {
	switch p.Form {
	case "line":
		return &LineParams{p.DropExpired}
	case "balancer":
		return &p.Balancer
	case "shards":
		return &p.Shards
	case "dimensions":
		return &p.Dimensions
	case "central":
		return &p.Store
	case "sync":
		return &p.Sync
	case "lease":
		return &p.Lease
	case "regions":
		return &p.Regions
	}
	return nil
}

// form checks its parameters, and builds a fleet of them.
type form interface {
	problems(f *Fleet, found *kit.Errors)
	place(f *Fleet, s *sim.System[Msg])
}

// local are the parameters of the form local.
func (p *Params) local() *LocalParams {
	return &LocalParams{Change: p.Change, Forward: p.Forward, Recheck: p.Recheck}
}

// properties are what is checked of every fleet.
func properties(l Layout) []sim.Property[Msg] {
	return []sim.Property[Msg]{
		newWindowLimit(l), newBurstBound(l), newSpacing(l), newFifo(l), newEqualsExactLog(l), newNoFalseRejection(l),
		newOneAnswer(l), newRetryAfterHonest(l), newFair(l), newStartLimit(l),
		newDimensionLimits(l), newVictimServed(l), newNoLostCount(), newCountersExpire(l), newOutstandingWithinLimit(l),
		newAlignedWindowLimit(l), newUsefulWork(l), newShardsEven(l),
	}
}
