// Package capacity is the arithmetic of what a limiter costs: bytes of its store, calls of
// its store, and what a limit that refuses most of the traffic does not relieve.
//
// Source: S2 11 and 13 of docs/sources.md; measured on Redis 7.0.15.
package capacity

import (
	"errors"
	"fmt"
	"math/bits"
	"time"
)

// Traffic is what a limiter stands before.
type Traffic struct {
	PerSecond int64         // requests, all users together: 1 to 10^12
	Blocked   int64         // of them, in thousandths: 0 to 1000
	Limit     int64         // requests of a user per window: 1 to 10^12
	Window    time.Duration // 1 s to 8760 h, whole seconds
	Limiters  int64         // 1 to 10^6
}

// Load is what becomes of the traffic.
//
// Refusing does not relieve the limiter that refuses: behind the limiter there is a tenth of the
// traffic, at the limiter and its store all of it. Only a limiter that remembers for
// itself whom it has refused asks its store less, once per window and user.
type Load struct {
	Admitted int64 // per second
	// Users is how few can be behind it: as many as use their limit to the full.
	Users int64
	// UserPerWindow is what each of these sends.
	UserPerWindow int64
	// Limiter is what the limiters see per second, and their store if each request asks it.
	Limiter int64
	// Store is what the store sees per second, at most, if each limiter remembers until
	// the end of the window whom it has refused.
	Store int64
}

const (
	most        = 1_000_000_000_000
	mostWindow  = 8760 * time.Hour
	mostLimiter = 1_000_000
)

// Of computes the load, or says all that is wrong with the traffic. Fractions are rounded
// up, since they are costs.
func Of(t Traffic) (Load, error) {
	if err := t.validate(); err != nil {
		return Load{}, err
	}
	seconds := int64(t.Window / time.Second)
	admitted := ceilMulDiv(t.PerSecond, 1000-t.Blocked, 1000)
	users := max(1, ceilMulDiv(admitted, seconds, t.Limit))
	return Load{
		Admitted:      admitted,
		Users:         users,
		UserPerWindow: ceilMulDiv(t.PerSecond, seconds, users),
		Limiter:       t.PerSecond,
		Store:         min(t.PerSecond, admitted+ceilMulDiv(users, t.Limiters, seconds)),
	}, nil
}

func (t Traffic) validate() error {
	var found []error
	within := func(key string, v, least, most int64) {
		if v < least || v > most {
			found = append(found, fmt.Errorf("%s: must be %d to %d, got %d", key, least, most, v))
		}
	}
	within("requests per second", t.PerSecond, 1, most)
	within("blocked, in thousandths", t.Blocked, 0, 1000)
	within("limit", t.Limit, 1, most)
	within("limiters", t.Limiters, 1, mostLimiter)
	if t.Window < time.Second || t.Window > mostWindow || t.Window%time.Second != 0 {
		found = append(found, fmt.Errorf("window: must be whole seconds, 1s to %v, got %v", mostWindow, t.Window))
	}
	return errors.Join(found...)
}

// ceilMulDiv is a*b/c rounded up; none is negative, c is not 0, and the result fits: the
// bounds of Traffic see to it. More than that is the greatest number.
func ceilMulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c-1), 0)
	hi += carry
	if hi >= uint64(c) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, 1<<63-1))
}

// Servers is how many stores it takes for a number of calls a second, if one of them can
// answer each calls a second: at least 1.
func Servers(perSecond, each int64) int64 {
	return max(1, ceilMulDiv(max(0, perSecond), 1, max(1, each)))
}
