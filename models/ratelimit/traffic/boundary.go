package traffic

import (
	"time"

	"fencepost/sim"
)

// attack is what one client sends around a boundary of windows, and how often it can.
type attack struct {
	offset func(i int64) time.Duration // of request i from the boundary
	n      int64                       // requests
	every  int64                       // in windows: until the limiter has forgotten
}

// lead is how long before the boundary the first requests come: 1 ms, and less where a
// request is forgotten sooner.
func lead(c *Class) time.Duration {
	return min(time.Millisecond, c.Window/time.Duration(4*c.Limit))
}

// fixedAttack is L at the end of a window and L at the start of the next.
//
// Source: Xu, "System Design Interview", figure 4-9.
func fixedAttack(c *Class) attack {
	return attack{func(i int64) time.Duration {
		if i < c.Limit {
			return -lead(c)
		}
		return 0
	}, 2 * c.Limit, 2}
}

// slidingAttack is L at the end of a window, then one each time the sliding counter's
// estimate has fallen by a half: a nanosecond after j*W/2L in the next. Counters that
// round up, down or to the nearest all admit as much as they ever do.
func slidingAttack(c *Class) attack {
	return attack{func(i int64) time.Duration {
		if i < c.Limit {
			return -lead(c)
		}
		return mulDiv(c.Window, i-c.Limit, 2*c.Limit) + 1
	}, 3 * c.Limit, 3}
}

// mulDiv is w*j/l without overflow: j is less than l, and at most 2^21.
func mulDiv(w time.Duration, j, l int64) time.Duration {
	whole, rest := int64(w)/l, int64(w)%l
	return time.Duration(whole*j + rest*j/l)
}

// boundary repeats an attack. All clients attack at once: in turn, request by request.
type boundary struct {
	attack
	clients, window int64
	at              sim.Time // the boundary
	i, client       int64
}

// newBoundary starts at the first boundary that leaves time for what comes before it.
func newBoundary(c *Class, start sim.Time, a attack) *boundary {
	window := int64(c.Window)
	first := (int64(start.Add(lead(c)))-1)/window + 1
	return &boundary{attack: a, clients: c.Clients, window: window, at: sim.Time(first * window)}
}

func (b *boundary) next() sim.Time {
	at := b.at.Add(b.offset(b.i))
	if b.client++; b.client == b.clients {
		b.client = 0
		b.i++
	}
	if b.i == b.n {
		b.i = 0
		b.at += sim.Time(b.every * b.window)
	}
	return at
}
