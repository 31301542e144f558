package sim

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// PPB is a rate error in parts per billion: +100 ppm is 100_000. A clock with
// rate error e advances 1e9+e nanoseconds in 1e9 true ones.
type PPB int64

// MaxPPB bounds a rate error either way. chrony slews by up to 83_333_333.
const MaxPPB PPB = 500_000_000

// String is the rate error in parts per million.
func (p PPB) String() string {
	if p%1000 == 0 {
		return fmt.Sprintf("%+dppm", int64(p/1000))
	}
	return fmt.Sprintf("%+dppb", int64(p))
}

// ClockID says which of a node's clocks is read.
type ClockID uint8

// The three clocks of a node.
const (
	MonoClock ClockID = iota
	BootClock
	WallClock
)

// String is the name that scenarios use.
func (c ClockID) String() string { return [...]string{"monotonic", "boottime", "wall"}[c] }

// Clock is how a node's clocks start out.
type Clock struct {
	Rate   PPB           // error of the oscillator
	Offset time.Duration // of the wall clock from true time, at the start
}

// oscillator is a node's oscillator and the three clocks that follow from it:
//
//	raw(τ)  = Σ Δτ * (1e9+rate)/1e9 over the time not suspended, rounded down
//	Mono(τ) = raw(τ) - raw(boot)
//	Boot(τ) = Mono(τ) + time suspended since boot
//	Wall(τ) = offset + raw(τ) + Σ steps
//
// Invariants: 0 <= frac < 1e9; true time never goes below since.
//
// Source: clock_gettime(2): CLOCK_MONOTONIC, CLOCK_BOOTTIME and CLOCK_REALTIME.
type oscillator struct {
	since     Time  // the last change of rate, suspend or boot
	raw       int64 // the reading then, in ns
	frac      int64 // and its remainder, in 1e-9 ns
	rate      PPB
	suspended bool  // since then: raw stands still
	bootRaw   int64 // raw(boot)
	slept     int64 // time suspended since boot, until since
	ahead     int64 // of the wall clock over raw: offset and steps
}

func newOscillator(c Clock) oscillator {
	return oscillator{rate: c.Rate, ahead: int64(c.Offset)}
}

// steady reports whether all three clocks run at the rate of true time.
func (o *oscillator) steady() bool { return o.rate == 0 && !o.suspended }

// isTrue reports whether all three clocks read true time, from t on.
func (o *oscillator) isTrue(t Time) bool {
	return o.steady() && int64(o.mono(t)) == int64(t) && int64(o.boot(t)) == int64(t) && int64(o.wall(t)) == int64(t)
}

// rawAt is raw(t) and its remainder.
func (o *oscillator) rawAt(t Time) (raw, frac int64) {
	if o.suspended {
		return o.raw, o.frac
	}
	if o.rate == 0 {
		return o.raw + int64(t-o.since), o.frac
	}
	hi, lo := bits.Mul64(uint64(t-o.since), uint64(1e9+int64(o.rate)))
	lo, carry := bits.Add64(lo, uint64(o.frac), 0)
	q, r := bits.Div64(hi+carry, lo, 1e9)
	return addSaturated(o.raw, int64(min(q, math.MaxInt64))), int64(r)
}

func (o *oscillator) mono(t Time) Mono {
	raw, _ := o.rawAt(t)
	return Mono(raw - o.bootRaw)
}

func (o *oscillator) boot(t Time) Boot {
	b := int64(o.mono(t)) + o.slept
	if o.suspended {
		b += int64(t - o.since)
	}
	return Boot(b)
}

func (o *oscillator) wall(t Time) Wall {
	raw, _ := o.rawAt(t)
	return Wall(addSaturated(raw, o.ahead))
}

// read is the reading of one clock, as nanoseconds.
func (o *oscillator) read(c ClockID, t Time) int64 {
	switch c {
	case BootClock:
		return int64(o.boot(t))
	case WallClock:
		return int64(o.wall(t))
	}
	return int64(o.mono(t))
}

// when is the least instant, from t on, at which the clock reads at least x,
// provided that rate, suspend and steps stay as they are; [Never] if it then never
// does. No clock gets to the end of int64, where what is too long for it ends up.
func (o *oscillator) when(c ClockID, x int64, t Time) Time {
	if x == math.MaxInt64 {
		return Never
	}
	if o.read(c, t) >= x {
		return t
	}
	if o.suspended {
		if c != BootClock {
			return Never
		}
		return t.Add(time.Duration(x - o.read(c, t)))
	}
	target := x
	switch c {
	case MonoClock:
		target = addSaturated(x, o.bootRaw)
	case BootClock:
		target = addSaturated(x, o.bootRaw-o.slept)
	case WallClock:
		if o.ahead > 0 || x < math.MaxInt64+o.ahead {
			target = x - o.ahead
		} else {
			return Never
		}
	}
	return o.inverse(target)
}

// inverse is the least instant with raw >= target, for a target not yet reached.
func (o *oscillator) inverse(target int64) Time {
	d := uint64(target - o.raw)
	if o.rate == 0 {
		return o.since.Add(time.Duration(min(d, math.MaxInt64)))
	}
	rate := uint64(1e9 + int64(o.rate))
	hi, lo := bits.Mul64(d, 1e9)
	lo, borrow := bits.Sub64(lo, uint64(o.frac), 0)
	lo, carry := bits.Add64(lo, rate-1, 0) // round up
	hi += carry - borrow
	if hi >= rate {
		return Never
	}
	q, _ := bits.Div64(hi, lo, rate)
	return o.since.Add(time.Duration(min(q, math.MaxInt64)))
}

// anchor moves the start of the current piece to t.
func (o *oscillator) anchor(t Time) {
	raw, frac := o.rawAt(t)
	if o.suspended {
		o.slept += int64(t - o.since)
	}
	o.since, o.raw, o.frac = t, raw, frac
}

func (o *oscillator) setRate(t Time, rate PPB) {
	o.anchor(t)
	o.rate = rate
}

func (o *oscillator) suspend(t Time) {
	o.anchor(t)
	o.suspended = true
}

func (o *oscillator) resume(t Time) {
	o.anchor(t)
	o.suspended = false
}

// step moves the wall clock and nothing else.
func (o *oscillator) step(by time.Duration) { o.ahead = addSaturated(o.ahead, int64(by)) }

// reboot starts the monotonic clock anew; the wall clock is kept by its battery.
func (o *oscillator) reboot(t Time) {
	o.anchor(t)
	o.suspended = false
	o.bootRaw, o.slept = o.raw, 0
}
