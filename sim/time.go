package sim

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Time is a true instant: nanoseconds of virtual time since the run began, 0
// and up. Only the engine, faults and checkers see it.
type Time int64

// Never is later than every instant of a run.
const Never Time = math.MaxInt64

// Mono is a reading of a node's monotonic clock in nanoseconds since its boot.
// It is slewed but never stepped, and stands still while the machine is
// suspended.
type Mono int64

// Boot is a reading of a node's boot-time clock: as [Mono], but it counts the
// time suspended.
type Boot int64

// Wall is a reading of a node's wall clock in nanoseconds since an epoch of the
// scenario's choosing. It is slewed and stepped, and is stale after a suspend
// until it is stepped.
type Wall int64

// Add returns the instant d later, at most [Never].
func (t Time) Add(d time.Duration) Time { return Time(addSaturated(int64(t), int64(d))) }

// Before reports whether t is earlier than u. A property that compares instants with it and in no
// other way can be checked with time as a symbol, see [Mono.Before].
func (t Time) Before(u Time) bool {
	if (t|u)>>62 == 1 {
		return before(int64(t), int64(u))
	}
	return t < u
}

// Sub returns the length from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// String is the instant in seconds, as "10.020s".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return Seconds(int64(t))
}

// Add returns the reading d later.
func (m Mono) Add(d time.Duration) Mono { return Mono(addSaturated(int64(m), int64(d))) }

// Before reports whether m is an earlier reading than n: an instant that is due has come once
// !now.Before(due). It is the one comparison of readings that a step makes, of a reading with
// a reading plus a duration, never of a difference with a duration: one method then sees each
// decision that depends on time, and an explorer can decide it with time as a symbol.
func (m Mono) Before(n Mono) bool {
	if (m|n)>>62 == 1 {
		return before(int64(m), int64(n))
	}
	return m < n
}

// Truncate returns the last reading that is a multiple of the unit and not later than m, see [Wall.Truncate].
func (m Mono) Truncate(unit time.Duration) Mono { return Mono(truncate(int64(m), unit)) }

// Sub returns the length from n to m on this clock. A timer may be that long, whatever the two are;
// see [Mono.Before] for what else a step may do with it.
func (m Mono) Sub(n Mono) time.Duration {
	if (m|n)>>62 == 1 {
		return between(int64(m), int64(n))
	}
	return time.Duration(m - n)
}

// Add returns the reading d later.
func (b Boot) Add(d time.Duration) Boot { return Boot(addSaturated(int64(b), int64(d))) }

// Before reports whether b is an earlier reading than c, see [Mono.Before].
func (b Boot) Before(c Boot) bool {
	if (b|c)>>62 == 1 {
		return before(int64(b), int64(c))
	}
	return b < c
}

// Sub returns the length from c to b on this clock.
func (b Boot) Sub(c Boot) time.Duration { return time.Duration(b - c) }

// Add returns the reading d later.
func (w Wall) Add(d time.Duration) Wall { return Wall(addSaturated(int64(w), int64(d))) }

// Before reports whether w is an earlier reading than v, see [Mono.Before].
func (w Wall) Before(v Wall) bool {
	if (w|v)>>62 == 1 {
		return before(int64(w), int64(v))
	}
	return w < v
}

// Truncate returns the last reading that is a multiple of the unit and not later than w: what
// a program sees that reads its clock in whole milliseconds, or seconds. The unit is above 0.
func (w Wall) Truncate(unit time.Duration) Wall { return Wall(truncate(int64(w), unit)) }

// Sub returns the length from v to w on this clock, see [Mono.Sub].
func (w Wall) Sub(v Wall) time.Duration {
	if (w|v)>>62 == 1 {
		return between(int64(w), int64(v))
	}
	return time.Duration(w - v)
}

// Seconds prints nanoseconds as seconds with at least three decimals and no
// more than it takes: "10.020s", "0.000000001s", "-5.109s".
func Seconds(ns int64) string {
	sign, u := "", uint64(ns)
	if ns < 0 {
		sign, u = "-", -u
	}
	frac := strconv.FormatUint(u%1e9+1e9, 10)[1:]
	for len(frac) > 3 && strings.HasSuffix(frac, "0") {
		frac = frac[:len(frac)-1]
	}
	return sign + strconv.FormatUint(u/1e9, 10) + "." + frac + "s"
}

// addSaturated adds and stays at the ends of int64 instead of wrapping.
func addSaturated(a, b int64) int64 {
	c := a + b
	if (c > a) == (b > 0) {
		return c
	}
	if b > 0 {
		return math.MaxInt64
	}
	return math.MinInt64
}
