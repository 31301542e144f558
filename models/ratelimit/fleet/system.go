// Package fleet is rate limiting as it is deployed: clients, one limiter or several,
// and what the limiters share - nothing, a store, a coordinator, or each other's counts.
//
// Each form is a package of its own, named for what the limiters share, over package core: its
// parameters, its nodes, and the properties that only it is checked by. Here a system is built out
// of the parameters of a scenario, measured and described. Requests of a key count against one limit
// per window, wherever they are decided; what the limiters note is checked over true time.
package fleet

import (
	"fmt"

	"fencepost/models/fact"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/dimensions"
	"fencepost/models/ratelimit/fleet/lease"
	"fencepost/models/ratelimit/fleet/line"
	"fencepost/models/ratelimit/fleet/local"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/fleet/properties"
	"fencepost/models/ratelimit/fleet/shards"
	"fencepost/sim"
	"fencepost/sim/model"
)

// System is the system that the parameters describe.
func (p *Params) System() sim.System[message.Msg] {
	if err := model.Errors(p.Problems()).Err("fleet"); err != nil {
		return sim.System[message.Msg]{Err: err}
	}
	f := p.fleet()
	l := f.Layout
	s := sim.System[message.Msg]{Kinds: message.Kinds.Names(), Notes: message.Kinds.Notes()}
	for i, c := range p.clients() {
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("client-%d", i+1), c.Client(&l)))
	}
	if form := p.form(); form != nil {
		form.Place(f, &s)
	} else {
		p.local().Place(f, &s)
	}
	s.Marks = []sim.Mark[message.Msg]{{Name: "admitted", On: []sim.Kind{message.Admitted}}, {Name: "rejected", On: []sim.Kind{message.Rejected}}}
	s.Show = l.Headers
	s.Properties = checked(fact.Hear(&s, facts), l)
	addMeter(&s, l)
	s.Describe = func() func(*sim.View[message.Msg], *sim.Observation[message.Msg]) string {
		return newDescriber(l).describe
	}
	s.Detail = func() func(*sim.View[message.Msg], *sim.Observation[message.Msg]) string {
		return newDetailer(l).detail
	}
	return s
}

// form is what builds a fleet of the form, nil if that is local.
func (p *Params) form() form {
	switch p.Form {
	case "line":
		return &line.Params{DropExpired: p.DropExpired}
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
	Problems(f *core.Fleet, found *model.Errors)
	Place(f *core.Fleet, s *sim.System[message.Msg])
}

// local are the parameters of the form local.
func (p *Params) local() *local.Params {
	return &local.Params{Change: p.Change, Forward: p.Forward, Recheck: p.Recheck}
}

// checked are the properties of every fleet.
func checked(h *fact.Hearing[message.Msg], l core.Layout) []sim.Property[message.Msg] {
	return []sim.Property[message.Msg]{
		windowLimit(h, &l), burstBound(h, &l), properties.NewSpacing(l), properties.NewFifo(l), properties.NewEqualsExactLog(l), properties.NewNoFalseRejection(l),
		properties.NewOneAnswer(l), retryAfterHonest(h, &l), properties.NewFair(l), local.NewStartLimit(l),
		dimensions.NewDimensionLimits(l), dimensions.NewVictimServed(l), store.NewNoLostCount(), store.NewCountersExpire(l), lease.NewOutstandingWithinLimit(l),
		properties.NewAlignedWindowLimit(l), properties.NewUsefulWork(l), shards.NewShardsEven(l),
		properties.NewRejectedWithinRule(l), properties.NewAdmittedOverRule(l),
	}
}
