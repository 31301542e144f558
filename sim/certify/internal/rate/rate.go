// Package rate bounds the durations that clocks measure which are fast or slow by a part, and the true ones behind them.
package rate

import "fencepost/sim"

// A Rate is how much faster or slower than true time the oscillator of any node may be, at any moment.
// What a clock says of two instants is then a range of what lies between them. These ranges
// are wider than what runs do where a clock is read more than once: each time it may have been
// another. So what is proven holds, and what is not may be of no run.
type Rate sim.PPB

// PerBillion is what a rate is a part of.
const PerBillion = 1_000_000_000

// Least is a duration of true time that no advance of a clock by d falls short of, and Most is one
// that none exceeds. Readings are whole nanoseconds, and so are the instants of the engine: what
// they round away is within two of these. Of d below 0 the clock goes back.
func (e Rate) Least(d int64) int64 {
	switch {
	case e == 0:
		return d
	case d < 0:
		return -e.Most(-d)
	}
	return quotient(max(d-1, 0), PerBillion+int64(e)) - 1
}

// Most is told with Least.
func (e Rate) Most(d int64) int64 {
	switch {
	case e == 0:
		return d
	case d < 0:
		return -e.Least(-d)
	}
	return quotient(d+1, PerBillion-int64(e)) + 2
}

// Reads is the least that a clock advances by in a duration of true time, or the most: way is -1 or 1.
func (e Rate) Reads(d, way int64) int64 {
	by := max(d, -d)
	return d + way*(by/PerBillion*int64(e)+by%PerBillion*int64(e)/PerBillion+2)
}

// quotient is d * PerBillion / by, rounded down. It takes the whole parts of d apart, since the
// product takes more than 64 bits.
func quotient(d, by int64) int64 {
	q, r := d/by, d%by
	return q*PerBillion + r*PerBillion/by
}
