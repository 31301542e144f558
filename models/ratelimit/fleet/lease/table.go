package lease

import (
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// leaseRule is how a coordinator hands out the limit of a window in leases.
type leaseRule struct {
	limit  int64
	window time.Duration
	length time.Duration // of a lease, but none goes beyond its window
}

// leaseTable is what a coordinator knows of one key.
//
// A lease that has ended counts as used until the window is over, since no one knows
// whether it was: only what a limiter returns can be granted again. So all leases of a
// window together never exceed the limit, and as none outlives the window, neither
// does what is admitted.
//
//  1. 0 <= granted <= limit: what is outstanding, and what has been used
//
// Source: youtube/doorman, doc/design.md, leases.
type leaseTable struct {
	begun   bool
	window  int64 // its number
	granted int64 // in it, less what came back
	nodes   []leaseHolder
}

// leaseHolder is what a coordinator remembers of a limiter.
type leaseHolder struct {
	asked    uint64 // number of the last ask
	grant    leaseGrant
	returned uint64 // number of the last return
}

// leaseGrant is the answer to an ask: tokens of a window, and for how long from when
// they were asked for. Without tokens, it is how long until there may be some.
type leaseGrant struct {
	tokens int64
	length time.Duration
	window int64
}

// roll is a new budget for each window of the coordinator's clock. One that goes back
// stands still in its window.
func (r *leaseRule) roll(t *leaseTable, now sim.Wall) {
	if window := core.FloorTo(int64(now), r.window) / int64(r.window); !t.begun || window > t.window {
		t.begun, t.window, t.granted = true, window, 0
	}
}

// left is the rest of the window.
func (r *leaseRule) left(now sim.Wall) time.Duration {
	return time.Duration(core.FloorTo(int64(now), r.window)+int64(r.window)) - time.Duration(now)
}

// ask grants at most what is wanted. The same number gets the same answer.
func (r *leaseRule) ask(t *leaseTable, limiter int, number uint64, want int64, now sim.Wall) (g leaseGrant, again bool) {
	r.roll(t, now)
	left := r.left(now)
	h := &t.nodes[limiter]
	if number == h.asked {
		return h.grant, true
	}
	g = leaseGrant{tokens: min(want, r.limit-t.granted), length: min(left, r.length), window: t.window}
	if g.tokens == 0 {
		g.length = left
	}
	t.granted += g.tokens
	h.asked, h.grant = number, g
	return g, false
}

// giveBack takes tokens back that a limiter did not use, unless their window is over
// or that return has come before. It reports how many can be granted again.
func (r *leaseRule) giveBack(t *leaseTable, limiter int, number uint64, tokens int64, window uint32, now sim.Wall) int64 {
	r.roll(t, now)
	h := &t.nodes[limiter]
	if window != uint32(t.window) || number <= h.returned {
		return 0
	}
	h.returned = number
	tokens = min(tokens, t.granted)
	t.granted -= tokens
	return tokens
}

// copyFrom makes the table equal to another, sharing nothing.
func (t *leaseTable) copyFrom(o *leaseTable) {
	nodes := append(t.nodes[:0], o.nodes...)
	*t = *o
	t.nodes = nodes
}

// lease is what a limiter holds of one key.
type lease struct {
	tokens int64
	ends   sim.Mono // by the limiter's clock
	until  sim.Wall // of an absolute lease, instead
	window uint32
	grant  uint64   // the ask that it came with
	used   sim.Mono // when one was last

	asking  uint64        // number of the ask under way; 0: none
	asked   sim.Mono      // when it was first sent
	silent  bool          // it should have been answered
	waiting []message.Msg // requests for the answer
}

// leaseExpiry is how a limiter knows that a lease is over.
type leaseExpiry uint8

const (
	fromSend    leaseExpiry = iota // its length after the ask was sent: never later than the coordinator thinks
	fromReceive                    // its length after the answer came, a mistake
	byWallClock                    // at an instant that the coordinator has named, a mistake
	unchecked                      // not at all, a mistake
)

// over reports whether the lease has ended.
func (l *lease) over(e leaseExpiry, mono sim.Mono, wall sim.Wall) bool {
	switch e {
	case byWallClock:
		return wall >= l.until
	case unchecked:
		return false
	}
	return mono >= l.ends
}

// shortened is a length of which parts per million are left out twice over, so that
// two clocks that are both wrong by as much agree that it is over.
func shortened(length time.Duration, ppm int64) time.Duration {
	return length - (length+999_999)/1_000_000*2*time.Duration(ppm)
}
