package ratelimit

import (
	"errors"
	"fmt"
	"math/bits"
	"time"
)

// Bounds of the parameters. Within them no product of the algorithms overflows.
const (
	MaxLimit  = 1 << 40             // of a count: about 10^12
	MaxWindow = 640_000 * time.Hour // of a length: 73 years
	maxUnits  = 1<<62 - 1           // capacity times period: the bucket in units of 1/p token
)

// Rate is a number of tokens per duration: 5 per second is Rate{5, time.Second}.
type Rate struct {
	Tokens int64         // 1 to MaxLimit
	Per    time.Duration // 1 ns to MaxWindow
}

// String is the rate, as "5/1s".
func (r Rate) String() string { return fmt.Sprintf("%d/%v", r.Tokens, r.Per) }

// reduced is the rate as n tokens per p nanoseconds without a common factor.
func (r Rate) reduced() (n, p int64) {
	a, b := r.Tokens, int64(r.Per)
	for b != 0 {
		a, b = b, a%b
	}
	return r.Tokens / a, int64(r.Per) / a
}

// mistakes collects what is wrong with parameters; each message names key, rule and
// value.
type mistakes []error

func (m *mistakes) add(format string, args ...any) { *m = append(*m, fmt.Errorf(format, args...)) }

func (m *mistakes) count(key string, v, most int64) {
	if v < 1 || v > most {
		m.add("%s: must be 1 to %d, got %d", key, most, v)
	}
}

func (m *mistakes) length(key string, d time.Duration) {
	if d < 1 || d > MaxWindow {
		m.add("%s: must be 1ns to %v, got %v", key, MaxWindow, d)
	}
}

// bucket checks a capacity and the rate at which it refills or leaks.
func (m *mistakes) bucket(key string, capacity int64, rateKey string, r Rate) {
	before := len(*m)
	m.count(key, capacity, MaxLimit)
	m.count(rateKey+".tokens", r.Tokens, MaxLimit)
	m.length(rateKey+".per", r.Per)
	if len(*m) > before {
		return
	}
	if _, p := r.reduced(); !fits(capacity, p) {
		m.add("%s: %d tokens at %v take more than 2^62 units of 1/%d token", key, capacity, r, p)
	}
}

func (m mistakes) join() error { return errors.Join(m...) }

// fits reports whether a*b, neither negative, is at most maxUnits.
func fits(a, b int64) bool {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return hi == 0 && lo <= maxUnits
}

// ceilDiv is a/b rounded up, and 0 if a is negative. b is positive.
func ceilDiv(a, b int64) int64 {
	if a <= 0 {
		return 0
	}
	return (a-1)/b + 1
}

// mulDiv is a*b/c rounded down. None is negative, and the result is less than 2^63.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi == 0 {
		return int64(lo / uint64(c)) // faster
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

// floorTo is the last multiple of a length that is not after a reading.
func floorTo(now Reading, length time.Duration) Reading {
	rest := now % Reading(length)
	if rest < 0 {
		rest += Reading(length)
	}
	return now - rest
}

// divisor divides by one number again and again: a multiplication and a shift in
// place of a division, with the same result.
//
// Source: Granlund and Montgomery, "Division by Invariant Integers using
// Multiplication", PLDI 1994, theorem 4.2 with N = 63.
type divisor struct {
	d, m  uint64 // m = floor(2^(63+l)/d) + 1
	shift uint   // l = ceil(log2 d)
}

// divideBy is the divisor d, at least 1.
func divideBy(d int64) divisor {
	l := bits.Len64(uint64(d) - 1)
	if l == 0 {
		return divisor{1, 1<<63 + 1, 0}
	}
	m, _ := bits.Div64(1<<(l-1), 0, uint64(d))
	return divisor{uint64(d), m + 1, uint(l)}
}

// floor is x/d rounded down. x is not negative.
func (v *divisor) floor(x int64) int64 {
	hi, _ := bits.Mul64(v.m, uint64(x)<<1)
	return int64(hi >> (v.shift & 63))
}

// ceil is x/d rounded up. x is not negative.
func (v *divisor) ceil(x int64) int64 {
	q := v.floor(x)
	if uint64(q)*v.d != uint64(x) {
		q++
	}
	return q
}
