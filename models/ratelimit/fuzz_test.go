package ratelimit

import (
	"encoding/binary"
	"testing"
	"time"
)

// word takes nine bytes off the data, a shift and a number, so that numbers of every
// size come; zeros when there are none left.
func word(data *[]byte) int64 {
	var b [9]byte
	*data = (*data)[copy(b[:], *data):]
	return int64(binary.LittleEndian.Uint64(b[1:])) >> (b[0] & 63)
}

// add appends a limiter unless its parameters were refused.
func add[S any](all *[]Limiter, now Reading, r Rule[S], err error) {
	if err == nil {
		*all = append(*all, One(r, now))
	}
}

// cores are all algorithms with the same numbers; those that the numbers do not suit are
// left out.
func cores(limit, tokens int64, length time.Duration, options uint8, now Reading) (all []Limiter) {
	flag := func(bit int) bool { return options>>bit&1 == 1 }
	b, err := NewTokenBucket(TokenBucketParams{limit, Rate{tokens, length}, Elapsed(options & 3)})
	add(&all, now, b, err)
	i, err := NewIntervalBucket(IntervalBucketParams{limit, tokens, length})
	add(&all, now, i, err)
	m, err := NewLeakyMeter(LeakyMeterParams{limit, Rate{tokens, length}})
	add(&all, now, m, err)
	g, err := NewGCRA(GCRAParams{limit, Rate{tokens, length}})
	add(&all, now, g, err)
	q, err := NewLeakyQueue(LeakyQueueParams{limit, length, flag(2)})
	add(&all, now, q, err)
	w, err := NewFixedWindow(FixedWindowParams{limit, length, flag(2), flag(3)})
	add(&all, now, w, err)
	l, err := NewSlidingLog(SlidingLogParams{limit, length, flag(2), flag(3)})
	add(&all, now, l, err)
	c, err := NewSlidingCounter(SlidingCounterParams{limit, length, Rounding(options & 3), flag(3)})
	add(&all, now, c, err)
	s, err := NewSubWindows(SubWindowsParams{limit, length, tokens, flag(2)})
	add(&all, now, s, err)
	return all
}

// FuzzCores: whatever the parameters, costs and readings, no core panics, every
// decision is well-formed, and every invariant holds after it. Nothing is admitted
// that is dearer than the limit.
func FuzzCores(f *testing.F) {
	seed := func(words ...int64) {
		var data []byte
		for _, w := range words {
			data = binary.LittleEndian.AppendUint64(append(data, 0), uint64(w))
		}
		f.Add(data)
	}
	seed(5, 5, int64(time.Second), 0, 0, 0, 1, int64(time.Second), 1, 1, 6)
	seed(3, 7, int64(time.Minute), 3, -1<<61, 1<<60, 2, -1<<60, 3, 1<<61, 1)
	seed(MaxLimit, MaxLimit, int64(MaxWindow), 255, 1<<61, 0, MaxLimit, -1<<62, MaxLimit)
	seed(1, 1, 1, 6, 5, 0, 1, 1, 1, 1, 1)
	seed(0, -1, 0, 9, 0)
	f.Fuzz(func(t *testing.T, data []byte) {
		limit, tokens, length := word(&data), word(&data), time.Duration(word(&data))
		options, now := uint8(word(&data)), Reading(word(&data)>>2)
		all := cores(limit, tokens, length, options, now)
		for range 100 {
			if len(data) == 0 {
				return
			}
			step, cost := word(&data), word(&data)
			now = max(-1<<61, min(now/2+Reading(step>>2), 1<<61)) // half the range, so that what is promised fits
			for _, l := range all {
				d := l.Take(now, cost)
				if err := d.check(); err != nil {
					t.Fatalf("%T: %v", l, err)
				}
				if err := l.Check(); err != nil {
					t.Fatalf("%T: %v", l, err)
				}
				if d.Allowed && (cost < 0 || cost > l.Limit()) || d.Remaining > l.Limit() {
					t.Fatalf("%T: %+v for %d of %d", l, d, cost, l.Limit())
				}
			}
		}
	})
}
