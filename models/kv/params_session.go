package kv

import (
	"slices"
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// SessionParams is what clients do so that no read returns less than what they have seen.
type SessionParams struct {
	Floor bool          `yaml:"floor"`                // a client does not accept less than all that it has read and written of a key: false
	Poll  time.Duration `yaml:"poll" range:"1us..1h"` // after which it asks again then: 10ms
}

// DefaultSessionParams are the parameters of an empty block.
func DefaultSessionParams() SessionParams { return SessionParams{Poll: 10 * time.Millisecond} }

func (p *Params) session() *Session { return &Session{Floor: p.Session.Floor, Poll: p.Session.Poll} }

// claimed are the properties, of which a run is checked for those that params.claims names, or else
// those that the store promises. The others are not exercised.
//
// Sessions are promised by floors and by clients that stay at one node. Linearizable is what
// overlapping quorums are with read repair that blocks, and a store with a leader.
func (p *Params) claimed(all []sim.Property[core.Msg]) []sim.Property[core.Msg] {
	session := p.Session.Floor || p.Route == "sticky"
	for i, property := range all {
		if name := property.Name(); !p.claims(name, session) {
			all[i] = model.NewProperty(name, &unclaimed{}, unclaimedKind).Needs(property.(sim.Bounded).Bound().Needs)
		}
	}
	return all
}

// unclaimed is a property that a run is not checked for.
type unclaimed struct{}

// unclaimedKind is a note that no node makes.
const unclaimedKind = core.Start

// Check implements [model.Checker].
func (*unclaimed) Check(*model.Report[core.Msg]) {}

// Print implements [sim.Printer].
func (*unclaimed) Print(*sim.Print) {}

// claims reports whether a run is checked for a property.
func (p *Params) claims(name string, session bool) bool {
	switch {
	case len(p.Claims) > 0:
		return slices.Contains(p.Claims, name)
	case slices.Contains(sessionGuarantees, name):
		return session
	case name == "no-write-in-doubt": // no store of quorums promises it
		return false
	case name == "linearizable":
		return !(p.Leader == nil && (p.ReadRepair != "blocking" || p.Quorum == "sloppy" || p.r()+p.w() <= p.n()) || p.Leader != nil && p.Leader.Reads == "own")
	}
	return true
}

// sessionGuarantees are the properties of sessions.
var sessionGuarantees = []string{"read-your-writes", "monotonic-reads", "monotonic-writes", "writes-follow-reads"}
