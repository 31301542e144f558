package ntp

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Disciplined is a clock in software: it reads what the wall clock reads, plus a
// correction. A step moves the correction at once, and the clock jumps with it, perhaps
// back. A slew moves it little by little: the clock runs faster or slower until the
// correction is where it should be, and never goes back.
//
// The zero Disciplined is the wall clock as it is.
//
// Source: adjtime(2) and clock_settime(2).
type Disciplined struct {
	Rate int64 // of a slew, in parts per billion of what the monotonic clock shows, 0 to 1e9-1

	from, to time.Duration // the correction when the last slew began, and when it ends
	since    sim.Mono      // when it began
}

// Correction is what the clock reads more than the wall clock, at a reading of the
// monotonic clock that is not before the last step or slew.
func (d *Disciplined) Correction(now sim.Mono) time.Duration {
	way, gone := d.to-d.from, clock.Drift(now.Sub(d.since), d.Rate)
	switch {
	case gone >= way.Abs():
		return d.to
	case way < 0:
		return d.from - gone
	}
	return d.from + gone
}

// Read is what the clock reads.
func (d *Disciplined) Read(wall sim.Wall, now sim.Mono) sim.Wall {
	return wall.Add(d.Correction(now))
}

// Goal is the correction at the end of the slew.
func (d *Disciplined) Goal() time.Duration { return d.to }

// Step makes the correction another one at once. A slew under way ends.
func (d *Disciplined) Step(to time.Duration, now sim.Mono) { d.from, d.to, d.since = to, to, now }

// Slew lets the correction move to another one, from where it is now: what is left of a
// slew under way is forgotten, as by adjtime. It returns how long it takes on the
// monotonic clock.
func (d *Disciplined) Slew(to time.Duration, now sim.Mono) time.Duration {
	d.from, d.to, d.since = d.Correction(now), to, now
	return clock.SlewTime(d.to-d.from, d.Rate)
}
