package ratelimit

import (
	"reflect"
	"testing"
	"time"
)

// benchmarkCore is one key, asked once a millisecond; 100 a second are admitted, so
// nine decisions in ten are refusals.
func benchmarkCore[S any, R Rule[S]](b *testing.B, name string, every Reading, build func() (R, error)) {
	r, err := build()
	if err != nil {
		b.Fatal(err)
	}
	b.Run(name, func(b *testing.B) {
		now := Reading(1_700_000_000_000_000_000)
		k := r.Start(now)
		for range 20_000 { // a log and its ring reach their size
			now += every
			r.Take(&k, now, 1)
		}
		b.ReportAllocs()
		admitted := 0
		for b.Loop() {
			now += every
			if r.Take(&k, now, 1).Allowed {
				admitted++
			}
		}
		b.ReportMetric(100*float64(admitted)/float64(b.N), "%admitted")
		bytes := reflect.TypeFor[S]().Size()
		switch k := any(&k).(type) {
		case *SlidingLogState:
			bytes += uintptr(len(k.ring)) * reflect.TypeFor[logEntry]().Size()
		case *SubWindowsState:
			bytes += uintptr(len(k.counts)) * 4
		}
		b.ReportMetric(float64(bytes), "B/key")
	})
}

// BenchmarkCores is ns per decision for one key, mostly refused and all admitted.
func BenchmarkCores(b *testing.B) {
	perSecond := Rate{100, time.Second}
	for _, l := range []struct {
		load  string
		every Reading
	}{{"/refusing", Reading(time.Millisecond)}, {"/admitting", Reading(11 * time.Millisecond)}} {
		load, every := l.load, l.every
		benchmarkCore[TokenBucketState](b, "token-bucket"+load, every, func() (*TokenBucket, error) {
			return NewTokenBucket(TokenBucketParams{Capacity: 100, Refill: perSecond})
		})
		benchmarkCore[TokenBucketState](b, "token-bucket-7-per-minute"+load, every, func() (*TokenBucket, error) {
			return NewTokenBucket(TokenBucketParams{Capacity: 7, Refill: Rate{7, time.Minute}})
		})
		benchmarkCore[IntervalBucketState](b, "interval-bucket"+load, every, func() (*IntervalBucket, error) { return NewIntervalBucket(IntervalBucketParams{100, 100, time.Second}) })
		benchmarkCore[LeakyMeterState](b, "leaky-meter"+load, every, func() (*LeakyMeter, error) { return NewLeakyMeter(LeakyMeterParams{100, perSecond}) })
		benchmarkCore[LeakyQueueState](b, "leaky-queue"+load, every, func() (*LeakyQueue, error) {
			return NewLeakyQueue(LeakyQueueParams{Places: 99, Service: 10 * time.Millisecond})
		})
		benchmarkCore[GCRAState](b, "gcra"+load, every, func() (*GCRA, error) { return NewGCRA(GCRAParams{100, perSecond}) })
		benchmarkCore[FixedWindowState](b, "fixed-aligned"+load, every, func() (*FixedWindow, error) {
			return NewFixedWindow(FixedWindowParams{Limit: 100, Window: time.Second})
		})
		benchmarkCore[FixedWindowState](b, "fixed-anchored"+load, every, func() (*FixedWindow, error) {
			return NewFixedWindow(FixedWindowParams{Limit: 100, Window: time.Second, Anchored: true})
		})
		benchmarkCore[SlidingLogState](b, "sliding-log"+load, every, func() (*SlidingLog, error) { return NewSlidingLog(SlidingLogParams{Limit: 100, Window: time.Second}) })
		benchmarkCore[SlidingLogState](b, "sliding-log-retain"+load, every, func() (*SlidingLog, error) {
			return NewSlidingLog(SlidingLogParams{Limit: 100, Window: time.Second, Retain: true})
		})
		benchmarkCore[SlidingCounterState](b, "sliding-counter"+load, every, func() (*SlidingCounter, error) {
			return NewSlidingCounter(SlidingCounterParams{Limit: 100, Window: time.Second})
		})
		benchmarkCore[SlidingCounterState](b, "sliding-counter-strict"+load, every, func() (*SlidingCounter, error) {
			return NewSlidingCounter(SlidingCounterParams{Limit: 100, Window: time.Second, Rounding: Strict})
		})
		benchmarkCore[SubWindowsState](b, "sub-windows"+load, every, func() (*SubWindows, error) {
			return NewSubWindows(SubWindowsParams{Limit: 100, Window: time.Second, Buckets: 50})
		})
	}
}
