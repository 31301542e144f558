package ntp

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Sample is what one exchange with a server told a client. The offset is that of the
// wall clock as it is, without the correction: so that a sample stays true when the
// client corrects its clock.
type Sample struct {
	Taken  bool          // there is one
	Offset time.Duration // by how much the server seems ahead of the wall clock
	Delay  time.Duration // how long both ways took together
	Error  time.Duration // the offset is no further from the true one, if the server is right
	At     sim.Mono      // when the answer came
}

// rounding is what a sample may be wrong because readings are whole nanoseconds.
const rounding = 4

// newSample is the sample of an exchange, with the time that it has taken on the monotonic clock.
// The clock of the client gains or loses at most drift parts per billion meanwhile.
func newSample(s clock.NTPSample, took time.Duration, now sim.Mono, drift int64) Sample {
	return Sample{Taken: true, Offset: s.Offset(), Delay: s.Delay(),
		Error: s.MaxError() + clock.Drift(took, drift) + rounding, At: now}
}

// Estimate is what a client believes: the true time is Offset ahead of its wall clock,
// give or take Error. It is the interval in which it thinks the true offset lies.
type Estimate struct{ Offset, Error time.Duration }

// estimate is the sample as an interval, which grows with its age.
//
// Source: RFC 5905, section 11.2: the root distance, half the delay plus the
// dispersion.
func (s *Sample) estimate(now sim.Mono, drift int64) Estimate {
	return Estimate{s.Offset, s.Error + clock.Drift(now.Sub(s.At), drift)}
}

// Depth is how many polls a Filter remembers.
//
// Source: RFC 5905, section 10: NSTAGE.
const Depth = 8

// Filter holds the samples of one server: of each of the last [Depth] polls one, if it was
// answered.
type Filter [Depth]Sample

// slot is the place of a poll.
func (f *Filter) slot(poll uint32) *Sample { return &f[poll%Depth] }
