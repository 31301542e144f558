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
	"time"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// Layout is who is who in a fleet, and what its limit is: what the observers know.
type Layout struct {
	Clients    int        // nodes 1 and up
	First      sim.NodeID // limiter
	Limiters   int
	Front      sim.NodeID // whom clients ask, the first of Fronts: the limiters, or who stands before them
	Fronts     int
	Shards     int         // after the limiters
	KeyBytes   int64       // that the store keeps of a key, of a log while it is empty; 0: there is no store
	RedisBytes int64       // that a key takes in a Redis with its name; 0: that is not known
	Dimensions []dimension // a request must keep to all; nil: there is one limit
	Keys       int         // are numbered 1 and up

	Limit  int64
	Share  int64 // of the limit, that one limiter has
	Window time.Duration

	Bound   int64         // of window-limit
	Exact   bool          // equals-exact-log is checked
	Later   string        // algorithm that limiters take while they run
	Counts  bool          // limiters that decide alone count in windows that begin at multiples of Window
	Clock   sim.ClockID   // by which they do
	Burst   int64         // of a bucket; 0: the algorithm is none
	Service time.Duration // from one start to the next; 0: the algorithm is no queue

	Patience time.Duration // of one-answer
	Forward  time.Duration // from a decision to the start
	Fair     int64         // least index of Jain, in parts per thousand
	Even     int64         // of the shards, such an index
	Within   time.Duration // of useful-work; 0: it is not checked
	Aligned  bool          // aligned-window-limit is checked
}

// shard is the number of a shard from 0, of a node that is one.
func (l *Layout) shard(node sim.NodeID) int { return int(node-l.First) - l.Limiters }

// System is the system that the parameters describe.
func (p *Params) System() sim.System[Msg] {
	if err := kit.Errors(p.Problems()).Err("fleet"); err != nil {
		return sim.System[Msg]{Err: err}
	}
	l := p.layout()
	s := sim.System[Msg]{Kinds: kinds.Names(), Notes: kinds.Notes()}
	for i, c := range p.clients() {
		s.Nodes = append(s.Nodes, sim.Place[Msg](fmt.Sprintf("client-%d", i+1), c.client(l)))
	}
	switch p.Form {
	case "line":
		p.placeLine(&s, l)
	case "dimensions":
		p.placeDimensions(&s, l)
	case "shards":
		p.placeShards(&s, l)
	case "balancer":
		p.placeBalancer(&s, l)
	case "central":
		p.placeCentral(&s, l)
	case "sync":
		p.placeSync(&s, l)
	case "lease":
		p.placeLease(&s, l)
	case "regions":
		p.placeRegions(&s, l)
	default:
		p.placeLocal(&s, l)
	}
	s.Marks = []sim.Mark[Msg]{{Name: "admitted", On: []sim.Kind{Admitted}}, {Name: "rejected", On: []sim.Kind{Rejected}}}
	s.Show = l.headers
	s.Properties = properties(l)
	addMeter(&s, l)
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newTeller(l).tell }
	s.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDetailer(l).detail }
	return s
}

// placeLocal are limiters that do not talk to each other.
func (p *Params) placeLocal(s *sim.System[Msg], l Layout) {
	for i := range l.Limiters {
		keys, err := p.keys(p.share(), l.Keys)
		if err != nil {
			panic(err) // Problems has said so
		}
		later, err := p.later(l.Keys)
		if err != nil {
			panic(err) // as well
		}
		s.Nodes = append(s.Nodes, sim.Place[Msg](fmt.Sprintf("limiter-%d", i+1), Limiter{Clock: p.clock(), Change: p.Change.At, forwarding: forwarding{p.Forward, p.Recheck}, keys: keys, later: later}))
	}
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
