package ratelimit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/internal/whole"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keyedRule is a rule of any state, for lists.
type keyedRule struct {
	name    string
	compare func(t *testing.T, r *rand.Rand) // with a map of states
	crowd   func(keys uint64) (most int)
	allocs  func() float64
	forgets bool
}

func keyed[S any](name string, forgets bool, rule Rule[S]) keyedRule {
	return keyedRule{name, func(t *testing.T, r *rand.Rand) { compareKeyed(t, r, rule) },
		func(keys uint64) int { return crowd(NewKeyed(rule), keys) },
		func() float64 { return keyedAllocs(NewKeyed(rule)) }, forgets}
}

// keyedRules are all cores, with windows of about 50 ns.
func keyedRules() (all []keyedRule) {
	all = append(all,
		keyed("token-bucket", true, bucket(4, 5, 50)),
		keyed("interval-bucket", false, must(NewIntervalBucket(IntervalBucketParams{4, 2, 50}))),
		keyed("leaky-meter", true, must(NewLeakyMeter(LeakyMeterParams{4, Rate{5, 50}}))),
		keyed("gcra", true, must(NewGCRA(GCRAParams{4, Rate{7, 50}}))),
		keyed("leaky-queue", true, must(NewLeakyQueue(LeakyQueueParams{Places: 3, Service: 13}))),
		keyed("leaky-queue-ticks", true, must(NewLeakyQueue(LeakyQueueParams{Places: 3, Service: 13, Ticks: true}))),
		keyed("sub-windows", true, must(NewSubWindows(SubWindowsParams{Limit: 4, Window: 50, Buckets: 5}))),
		keyed("sub-windows-drop", true, must(NewSubWindows(SubWindowsParams{Limit: 4, Window: 50, Buckets: 5, DropPartial: true}))))
	for _, both := range []bool{false, true} {
		tail := fmt.Sprintf("-%t", both)
		all = append(all,
			keyed("fixed-window"+tail, true, must(NewFixedWindow(FixedWindowParams{4, 50, both, !both}))),
			keyed("sliding-log"+tail, true, must(NewSlidingLog(SlidingLogParams{4, 50, both, !both}))))
		for rounding := Inclusive; rounding <= OffByOne; rounding++ {
			all = append(all, keyed(fmt.Sprintf("sliding-counter-%d%s", rounding, tail), true, must(NewSlidingCounter(SlidingCounterParams{4, 50, rounding, both}))))
		}
	}
	return all
}

// compareKeyed asks a Keyed and a map of states the same.
func compareKeyed[S any](t *testing.T, r *rand.Rand, rule Rule[S]) {
	t.Helper()
	table, states := NewKeyed(rule), map[uint64]*S{}
	now, most := Reading(-500), int64(0)
	for i := range 5000 {
		now += Reading(in(r, 0, 1<<in(r, 0, 7)))
		key := uint64(in(r, 0, 20)) * uint64(in(r, 0, 20)) << (60 * in(r, 0, 1))
		if i%97 == 0 {
			key = r.Uint64() // and some that come once
		}
		if i%701 == 0 {
			table.vacate()
		}
		k := states[key]
		if k == nil {
			s := rule.Start(now)
			k, states[key] = &s, &s
		}
		cost := in(r, 0, 1<<in(r, 0, 3))
		require.Equal(t, rule.Take(k, now, cost), table.Take(key, now, cost), "request %d, key %d at %d, cost %d", i, key, now, cost)
		require.NoError(t, rule.Check(table.state(key, now)))
		most = max(most, int64(table.Len()))
	}
	checkTable(t, table)
	require.LessOrEqual(t, most, int64(len(states)))
}

// checkTable is what a table promises of itself.
func checkTable[S any](t *testing.T, k *Keyed[S]) {
	t.Helper()
	taken := 0
	for i := range k.slots {
		if k.slots[i].tag != k.vacant {
			taken++
			require.Equal(t, i, k.find(k.slots[i].tag), "each key is where it is looked for")
		}
	}
	require.Equal(t, taken, k.Len())
	require.LessOrEqual(t, 4*taken, 3*len(k.slots))
}

// "Keyed equals a map of states", for every core.
func TestKeyedEqualsMap(t *testing.T) {
	for _, k := range keyedRules() {
		t.Run(k.name, func(t *testing.T) {
			for seed := range uint64(whole.Of(3, 10)) {
				k.compare(t, rand.New(rand.NewPCG(seed, 1)))
			}
		})
	}
}

// crowd sends one request of each of many keys, a nanosecond apart, and returns the most
// keys that were remembered at once.
func crowd[S any](k *Keyed[S], keys uint64) (most int) {
	for key := range keys {
		k.Take(key, Reading(key), 1)
		most = max(most, k.Len())
	}
	return most
}

// "The table grows with the keys that are in use and not with all that ever were": of the
// keys that come once, at most 150 at a time are not as new; 512 slots hold
// them and those that are not looked at yet.
func TestKeyedForgets(t *testing.T) {
	for _, k := range keyedRules() {
		t.Run(k.name, func(t *testing.T) {
			most := k.crowd(100_000)
			if k.forgets {
				assert.LessOrEqual(t, most, 384)
			} else {
				assert.Equal(t, 100_000, most)
			}
		})
	}
}

func keyedAllocs[S any](k *Keyed[S]) float64 {
	now, key := Reading(0), uint64(0)
	round := func() {
		for range 1000 {
			now += 3
			key = (key + 1) % 500
			k.Take(key, now, 1)
		}
	}
	for range 20 {
		round()
	}
	return testing.AllocsPerRun(20, round)
}

// Rules whose states hold memory of their own allocate it for each new key.
func TestKeyedAllocatesNothing(t *testing.T) {
	for _, k := range keyedRules() {
		if !strings.HasPrefix(k.name, "sub-windows") && !strings.HasPrefix(k.name, "sliding-log") {
			assert.Zero(t, k.allocs(), k.name)
		}
	}
	log := NewKeyed(slidingLog(4, time.Hour, false))
	assert.Zero(t, keyedAllocs(log), "keys that are in use keep their log")
}

// A key whose tag is that of free slots is a key like others.
func TestKeyedVacantTag(t *testing.T) {
	odd := uint64(0x61C8864680B583EB) // plus the constant of tagOf it is 0
	require.Zero(t, splitmix.Hash(odd))
	k := NewKeyed(fixedWindow(1, time.Second, false))
	for key := range uint64(100) {
		k.Take(key, 0, 1)
	}
	assert.True(t, k.Take(odd, 0, 1).Allowed)
	assert.False(t, k.Take(odd, 0, 1).Allowed)
	for key := range uint64(400) {
		assert.Equal(t, key >= 100, k.Take(key, 0, 1).Allowed)
	}
	assert.False(t, k.Take(odd, 0, 1).Allowed)
	assert.Equal(t, 401, k.Len())
	checkTable(t, k)
}

func TestKeyedBytes(t *testing.T) {
	k := NewKeyed(bucket(1, 1, time.Hour))
	assert.EqualValues(t, 8*24, k.Bytes())
	for key := range uint64(1000) {
		k.Take(key, 0, 1)
	}
	assert.EqualValues(t, len(k.slots)*24, k.Bytes())
	assert.LessOrEqual(t, k.Bytes()/1000, int64(40), "three slots in five are taken at least")
	log := NewKeyed(slidingLog(100, time.Hour, false))
	before := log.Bytes()
	log.Take(1, 0, 1)
	assert.EqualValues(t, before+4*16, log.Bytes())
	sub := NewKeyed(must(NewSubWindows(SubWindowsParams{Limit: 4, Window: 60, Buckets: 6})))
	before = sub.Bytes()
	sub.Take(1, 0, 1)
	assert.EqualValues(t, before+7*4, sub.Bytes())
}

// BenchmarkKeyed is ns per decision with a million keys of a Zipf law, all in use.
func BenchmarkKeyed(b *testing.B) {
	const keys = 1 << 20
	draw := make([]uint64, 1<<22)
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.01, 1, keys-1)
	for i := range draw {
		draw[i] = zipf.Uint64()
	}
	k := NewKeyed(bucket(100, 100, time.Hour))
	for key := range uint64(keys) {
		k.Take(key, 0, 1)
	}
	b.ReportAllocs()
	now, i := Reading(0), 0
	for b.Loop() {
		now += 100
		k.Take(draw[i&(len(draw)-1)], now, 1)
		i++
	}
	b.ReportMetric(float64(k.Bytes())/float64(k.Len()), "B/key")
}
