package clock

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// NTPSample is one exchange with a time server: sent at T0 and answered at T3 by the
// client's clock, received at T1 and sent back at T2 by the server's.
//
// Source: RFC 5905, section 8.
type NTPSample struct{ T0, T1, T2, T3 Reading }

// Offset is by how much the server seems ahead, rounded down to the nanosecond. It is
// right if both ways take the same time, and wrong by at most [NTPSample.MaxError]. A
// single reading in a message cannot tell offset from delay at all.
func (s NTPSample) Offset() time.Duration {
	return time.Duration((s.T1 - s.T0 + s.T2 - s.T3) >> 1)
}

// Delay is how long the two ways took together.
func (s NTPSample) Delay() time.Duration { return time.Duration(s.T3 - s.T0 - (s.T2 - s.T1)) }

// MaxError is half the delay, rounded up: the true offset is no further from
// [NTPSample.Offset], whatever the two ways took each.
func (s NTPSample) MaxError() time.Duration { return (s.Delay() + 1) / 2 }

// Check returns what cannot be: a clock that went back during the exchange, or a
// server that took longer than the whole. Readings are within 2^60 of their epoch.
func (s NTPSample) Check() error {
	for i, t := range []Reading{s.T0, s.T1, s.T2, s.T3} {
		if t > 1<<60 || t < -1<<60 {
			return fmt.Errorf("ntp sample: t%d is %d, beyond 2^60", i, t)
		}
	}
	switch {
	case s.T3 < s.T0:
		return fmt.Errorf("ntp sample: t3 %d is before t0 %d", s.T3, s.T0)
	case s.T2 < s.T1:
		return fmt.Errorf("ntp sample: t2 %d is before t1 %d", s.T2, s.T1)
	case s.Delay() < 0:
		return fmt.Errorf("ntp sample: the server took %d of %d", s.T2-s.T1, s.T3-s.T0)
	}
	return nil
}

const billion = 1_000_000_000

// Drift is what a clock with a rate error, in parts per billion, gains in a true
// length, to the nearest nanosecond.
func Drift(length time.Duration, ppb int64) time.Duration {
	return scale(length, ppb, billion)
}

// SlewTime is how long a clock must run fast, or slow, by ppb until an offset is gone:
// 2000 s per second at the 500 ppm of ntpd and the kernel, 12 s at the twelfth of
// chrony. A rate of 0 takes forever: the largest duration.
func SlewTime(offset time.Duration, ppb int64) time.Duration {
	if offset == 0 {
		return 0
	}
	return scale(offset, billion, ppb).Abs()
}

// TrueLength is how long a clock with a rate error takes to show a length. A clock
// that stands or goes backwards never does: the largest duration.
func TrueLength(shown time.Duration, ppb int64) time.Duration {
	if ppb <= -billion {
		return math.MaxInt64
	}
	return scale(shown, billion, billion+min(ppb, math.MaxInt64-billion))
}

// SmearRate is the rate error, in parts per billion and rounded to the nearest, that
// spreads a leap second over a length: 11,574 for a day.
func SmearRate(leap, over time.Duration) int64 { return int64(scale(leap, billion, int64(over))) }

// scale is d * times / by to the nearest, away from 0 in between, and the largest or
// smallest duration where that does not fit or by is 0.
func scale(d time.Duration, times, by int64) time.Duration {
	negative := (d < 0) != (times < 0) != (by < 0)
	hi, lo := bits.Mul64(magnitude(int64(d)), magnitude(times))
	half := magnitude(by) / 2
	lo, carry := bits.Add64(lo, half, 0)
	hi += carry
	if hi >= magnitude(by) {
		return saturated(negative)
	}
	q, _ := bits.Div64(hi, lo, magnitude(by))
	switch {
	case q > math.MaxInt64:
		return saturated(negative)
	case negative:
		return -time.Duration(q)
	}
	return time.Duration(q)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func saturated(negative bool) time.Duration {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// Correction is what a daemon does about an offset.
type Correction uint8

// The corrections.
const (
	Slew Correction = iota // run faster or slower until the offset is gone; also in wait of Stepout
	Step                   // set the clock: it jumps, also back
	Exit                   // give up: a human must look
)

// Discipline is when a daemon steps a clock.
//
// Source: manual pages of ntpd 4.2.6 and 4.2.8 and of chrony.conf.
type Discipline struct {
	Threshold time.Duration // a larger offset is stepped
	Stepout   time.Duration // after it has lasted this long; 0: at once
	Updates   int           // only in this many first updates; 0: always
	Panic     time.Duration // a larger offset ends the daemon; 0: none does
	SlewPPB   int64         // rate of a slew
}

// Ntpd is ntpd 4.2.8; 4.2.6 waits 900 s.
func Ntpd() Discipline {
	return Discipline{Threshold: 128 * time.Millisecond, Stepout: 300 * time.Second, Panic: 1000 * time.Second, SlewPPB: 500_000}
}

// Chrony is chrony with makestep 1.0 3, the default of distributions.
func Chrony() Discipline {
	return Discipline{Threshold: time.Second, Updates: 3, SlewPPB: 83_333_333}
}

// Correct is what to do about an offset that has lasted this long, at the n-th update
// from 1.
func (d Discipline) Correct(offset, lasted time.Duration, update int) Correction {
	size := offset.Abs()
	switch {
	case d.Panic > 0 && size > d.Panic:
		return Exit
	case size > d.Threshold && lasted >= d.Stepout && (d.Updates == 0 || update <= d.Updates):
		return Step
	}
	return Slew
}
