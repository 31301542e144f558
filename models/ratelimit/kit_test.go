package ratelimit

import (
	"strings"
	"time"
)

const (
	ms     = Reading(time.Millisecond)
	second = Reading(time.Second)
	minute = 60 * second
)

// farFuture is longer than every wait.
const farFuture = time.Duration(1<<63 - 1)

// must is a rule whose parameters are right.
func must[T any](r T, err error) T {
	if err != nil {
		panic(err)
	}
	return r
}

func bucket(capacity, n int64, per time.Duration) *TokenBucket {
	return must(NewTokenBucket(TokenBucketParams{Capacity: capacity, Refill: Rate{n, per}}))
}

func fixedWindow(limit int64, w time.Duration, anchored bool) *FixedWindow {
	return must(NewFixedWindow(FixedWindowParams{Limit: limit, Window: w, Anchored: anchored}))
}

func slidingLog(limit int64, w time.Duration, retain bool) *SlidingLog {
	return must(NewSlidingLog(SlidingLogParams{Limit: limit, Window: w, Retain: retain}))
}

func slidingCounter(limit int64, w time.Duration, r Rounding) *SlidingCounter {
	return must(NewSlidingCounter(SlidingCounterParams{Limit: limit, Window: w, Rounding: r}))
}

// verdicts asks for one at each reading, in a unit: "AAR".
func verdicts(l Limiter, unit Reading, at ...Reading) string {
	var b strings.Builder
	for _, t := range at {
		b.WriteByte("RA"[btoi(l.Take(t*unit, 1).Allowed)])
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// times is n times the same reading.
func times(n int, at Reading) []Reading {
	all := make([]Reading, n)
	for i := range all {
		all[i] = at
	}
	return all
}

// an admit is a cost that was admitted.
type admit struct {
	at   Reading
	cost int64
}

// worst is the most that was admitted in any window (t-w, t]; closed: [t-w, t].
func worst(admits []admit, w Reading, closed bool) (most int64) {
	first, sum := 0, int64(0)
	for _, a := range admits {
		sum += a.cost
		for admits[first].at < a.at-w || !closed && admits[first].at == a.at-w {
			sum -= admits[first].cost
			first++
		}
		most = max(most, sum)
	}
	return most
}

// admitted asks for one at each reading, in a unit, and returns what was admitted.
func admitted(l Limiter, unit Reading, at ...Reading) (admits []admit) {
	for _, t := range at {
		if l.Take(t*unit, 1).Allowed {
			admits = append(admits, admit{t * unit, 1})
		}
	}
	return admits
}

// ats are the instants of admits in a unit.
func ats(admits []admit, unit Reading) (at []Reading) {
	for _, a := range admits {
		at = append(at, a.at/unit)
	}
	return at
}

// every is from, from+step, ... up to and with until.
func every(from, step, until Reading) (at []Reading) {
	for t := from; t <= until; t += step {
		at = append(at, t)
	}
	return at
}
