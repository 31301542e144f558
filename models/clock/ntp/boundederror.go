package ntp

import (
	"fmt"
	"math/bits"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// boundedError holds if from Settle on the corrected clock of each client is never further
// than Epsilon from true time.
//
// It looks whenever the client notes something, a fault changes its clocks or ends it, and
// at the end. In between the error changes evenly, so that it can tell when it became too large.
type boundedError struct {
	Epsilon time.Duration
	Settle  sim.Time

	Truth Truth
	Last  []point // by client
}

// point is an error at an instant.
type point struct {
	at  sim.Time
	off time.Duration
}

// Bound implements [sim.Bounded].
func (p *boundedError) Bound() sim.Bound {
	text := fmt.Sprintf("at most %v from true time", p.Epsilon)
	if p.Settle > 0 {
		text += fmt.Sprintf(", from %v on", p.Settle)
	}
	return sim.Bound{Text: text}
}

// Begin looks at the clocks.
func (p *boundedError) Begin(r *model.Report[Msg]) {
	p.Truth.begin(r.View)
	for i := range p.Truth.Clients {
		p.Last = append(p.Last, point{r.Now(), p.Truth.behind(r.View, p.Truth.client(i))})
	}
}

// Check implements [model.Checker].
func (p *boundedError) Check(r *model.Report[Msg]) {
	client := p.Truth.isClient(r.Node)
	if client && !p.Truth.gone[r.Node-1] { // until now it was as it had been
		p.check(r, r.Node)
	}
	p.Truth.observe(r.View, r.Observation)
	if client {
		p.Last[p.Truth.number(r.Node)] = point{r.Now(), p.Truth.behind(r.View, r.Node)}
		p.check(r, r.Node)
	}
}

// End looks at the clocks of all clients.
func (p *boundedError) End(r *model.Report[Msg]) {
	for i := range p.Last {
		p.check(r, p.Truth.client(i))
	}
}

// check looks at the time since a client was last seen.
func (p *boundedError) check(r *model.Report[Msg], client sim.NodeID) {
	if r.Now() < p.Settle || p.Truth.gone[client-1] {
		return
	}
	r.Saw()
	last, now := p.Last[p.Truth.number(client)], point{r.Now(), p.Truth.behind(r.View, client)}
	from := last
	if from.at < p.Settle {
		from = between(last, now, p.Settle)
	}
	switch {
	case from.off.Abs() > p.Epsilon:
		now = from
	case now.off.Abs() > p.Epsilon:
		now = p.crossing(from, now)
	default:
		return
	}
	if r.ViolatedAt(now.at, client) {
		r.Why("the clock of %s is %s, and %v is allowed", r.Name(client), aside(now.off), p.Epsilon)
	}
}

// crossing is when the error became too large: at the one it was not, at the other it is.
func (p *boundedError) crossing(a, b point) point {
	low, high := a, b
	for high.at-low.at > 1 {
		if m := between(a, b, low.at+(high.at-low.at)/2); m.off.Abs() > p.Epsilon {
			high = m
		} else {
			low = m
		}
	}
	return high
}

// between is the error at an instant between two others.
func between(a, b point, at sim.Time) point {
	if b.at == a.at {
		return point{at, b.off}
	}
	way := b.off - a.off
	hi, lo := bits.Mul64(uint64(way.Abs()), uint64(at-a.at))
	part, _ := bits.Div64(hi, lo, uint64(b.at-a.at)) // less than all of it
	if way < 0 {
		return point{at, a.off - time.Duration(part)}
	}
	return point{at, a.off + time.Duration(part)}
}
