package ratelimit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestInvariants breaks each invariant once: a check that cannot fail proves nothing.
func TestInvariants(t *testing.T) {
	b, g := bucket(4, 1, 20), must(NewGCRA(GCRAParams{4, Rate{3, time.Second}}))
	i, m := must(NewIntervalBucket(IntervalBucketParams{4, 4, 60})), must(NewLeakyMeter(LeakyMeterParams{4, Rate{1, 60}}))
	q, w := must(NewLeakyQueue(LeakyQueueParams{4, 60, true})), fixedWindow(4, 60, false)
	l, r := slidingLog(4, 60, false), slidingLog(4, 60, true)
	c, s := slidingCounter(4, 60, Strict), must(NewSubWindows(SubWindowsParams{4, 60, 2, true}))
	log := func(last Reading, sum int64, entries ...logEntry) *SlidingLogState {
		return &SlidingLogState{ring: append(entries, make([]logEntry, 4-len(entries))...), n: len(entries), sum: sum, last: last}
	}
	for want, err := range map[string]error{
		"token bucket, 1: level 81 of 80":                              b.Check(&TokenBucketState{level: b.full + 1}),
		"token bucket, 2: level -1":                                    b.Check(&TokenBucketState{level: -1}),
		"interval bucket, 1: 5 tokens of 4":                            i.Check(&IntervalBucketState{tokens: 5}),
		"interval bucket, 1: -1 tokens of 4":                           i.Check(&IntervalBucketState{tokens: -1}),
		"leaky meter, 1: level 241 of 240":                             m.Check(&LeakyMeterState{level: 241}),
		"leaky meter, 1: level -1 of 240":                              m.Check(&LeakyMeterState{level: -1}),
		"GCRA, 1: 3/3 ns":                                              g.Check(&GCRAState{part: 3}),
		"GCRA, 1: -1/3 ns":                                             g.Check(&GCRAState{part: -1}),
		"leaky queue, 1: 61 is no multiple of 60":                      q.Check(&LeakyQueueState{61}),
		"fixed window, 1: 5 of 4":                                      w.Check(&FixedWindowState{0, 5}),
		"fixed window, 1: -1 of 4":                                     w.Check(&FixedWindowState{0, -1}),
		"fixed window, 2: start 1":                                     w.Check(&FixedWindowState{1, 0}),
		"sliding log, 1: entry 0 at 9, last 8":                         l.Check(log(8, 1, logEntry{9, 1})),
		"sliding log, 1: entry 0 at 8, last 68":                        l.Check(log(68, 1, logEntry{8, 1})),
		"sliding log, 1: entry 1 at 8, last 9":                         l.Check(log(9, 2, logEntry{8, 1}, logEntry{8, 1})),
		"sliding log, 2: cost 0":                                       l.Check(log(8, 0, logEntry{8, 0})),
		"sliding log, 2: sum 2, is 1":                                  l.Check(log(8, 2, logEntry{8, 1})),
		"sliding log, 3: sum 5 of 4":                                   l.Check(log(8, 5, logEntry{8, 5})),
		"sliding log, 3: sum 6 of 4":                                   r.Check(log(8, 6, logEntry{7, 1}, logEntry{8, 5})),
		"sliding counter, 1: start 1":                                  c.Check(&SlidingCounterState{start: 1}),
		"sliding counter, 2: 5 and 0 of 4":                             c.Check(&SlidingCounterState{prev: 5}),
		"sliding counter, 2: 0 and -1 of 4":                            c.Check(&SlidingCounterState{cur: -1}),
		"sub-windows, 1: start 1":                                      s.Check(&SubWindowsState{start: 1}),
		"sub-windows, 2: 1 of 4, is 0":                                 s.Check(&SubWindowsState{sum: 1}),
		"sub-windows, 2: 5 of 4, is 5":                                 s.Check(&SubWindowsState{counts: []uint32{5, 0}, last: 1, sum: 5}),
		"sub-windows, 3: bucket 1 of 0 to 0 has 4":                     s.Check(&SubWindowsState{counts: []uint32{0, 4}, sum: 4}),
		"refused, but retry after 0s":                                  Decision{}.check(),
		"allowed, but delayed by -1ns":                                 Decision{Allowed: true, Wait: -1}.check(),
		"negative: {Allowed:true Remaining:-1 Wait:0s ResetAfter:0s}":  Decision{Allowed: true, Remaining: -1}.check(),
		"negative: {Allowed:true Remaining:0 Wait:0s ResetAfter:-1ns}": Decision{Allowed: true, ResetAfter: -1}.check(),
	} {
		if assert.Error(t, err, want) {
			assert.Equal(t, want, err.Error())
		}
	}
	assert.NoError(t, r.Check(log(8, 5, logEntry{7, 1}, logEntry{8, 4})))
	assert.NoError(t, must(NewTokenBucket(TokenBucketParams{4, Rate{3, time.Minute}, Signed})).Check(&TokenBucketState{level: -1}))
	greedy := must(NewFixedWindow(FixedWindowParams{Limit: 4, Window: 60, ChargesRejected: true}))
	assert.NoError(t, greedy.Check(&FixedWindowState{0, 5}))
}
