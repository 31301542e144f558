package redis

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestVectors are the test vectors that Redis 7.0.15 was seen to answer, as far as
// they need no network. Those with several clients run through the nodes as well.
func TestVectors(t *testing.T) {
	for id, test := range map[string]func(*testing.T){
		"RD-01": diesBeforeExpire, "RD-02": fractionOfASecond, "RD-03": nothingToLive, "RD-04": missingArgument,
		"RD-05": neverGivenOne, "RD-06": twoClients, "RD-08": frozenExpiry, "RD-09": collidingMembers, "RD-10": interleavedLogs,
		"RD-11": bytesOfALog, "RD-12": fullMemory, "RD-14": healing, "RD-15": refreshed, "RD-16": crossSlot, "RD-17": keySlots,
		"RD-18": chargeAll, "RD-19": scoresAreDoubles, "RD-20": endOfARange, "RD-21": bucketTTL, "RD-22": errors,
	} {
		t.Run(id, test)
	}
}

// source runs the source's script and says what it answers.
func source(d *DB[string], now int64, argv ...string) string {
	switch ok, err := d.SourceCount(wall(now), "k", argv...); {
	case err != nil:
		return "error"
	case ok:
		return "1"
	}
	return "0"
}

func sources(d *DB[string], times int, now int64, argv ...string) string {
	var list []string
	for range times {
		list = append(list, source(d, now, argv...))
	}
	return strings.Join(list, " ")
}

func value(t *testing.T, d *DB[string], now int64, key string) int64 {
	t.Helper()
	v, ok, err := d.Get(wall(now), key)
	require.NoError(t, err)
	require.True(t, ok, "the key %s does not exist", key)
	return v
}

// A A R R, and after 1.3 s still R: counter 6, TTL -1.
func diesBeforeExpire(t *testing.T) {
	var d DB[string]
	_, err := d.IncrBy(0, "k", 1) // the client dies before EXPIRE
	require.NoError(t, err)
	assert.Equal(t, "1 1 0 0", sources(&d, 4, 1, "3", "1"))
	assert.Equal(t, "0", source(&d, 1_301, "3", "1"))
	assert.EqualValues(t, 6, value(t, &d, 1_301, "k"))
	assert.EqualValues(t, -1, d.PTTL(wall(1_301), "k"))
}

// "INCR stays: no rollback".
func fractionOfASecond(t *testing.T) {
	var d DB[string]
	assert.Equal(t, "error 1 1 0 0", sources(&d, 5, 0, "3", "0.5"))
	assert.EqualValues(t, 5, value(t, &d, 0, "k"))
	assert.EqualValues(t, -1, d.PTTL(0, "k"))
}

// "unlimited, key does not exist".
func nothingToLive(t *testing.T) {
	for _, ttl := range []string{"0", "-5"} {
		var d DB[string]
		assert.Equal(t, "1 1 1 1 1 1", sources(&d, 6, 0, "3", ttl), ttl)
		assert.EqualValues(t, -2, d.PTTL(0, "k"), ttl)
	}
}

func missingArgument(t *testing.T) {
	var d DB[string]
	assert.Equal(t, "error", source(&d, 0, "3"))
	assert.EqualValues(t, 1, value(t, &d, 0, "k"))
	assert.Equal(t, "1", source(&d, 0, "3", "60"))
	assert.EqualValues(t, -1, d.PTTL(0, "k"))
	var x DB[string]
	assert.Equal(t, "error", source(&x, 0, "x", "60"))
	assert.EqualValues(t, 1, value(t, &x, 0, "k"))
	assert.EqualValues(t, 60_000, x.PTTL(0, "k"))
}

// "key that already exists without TTL is never given one".
func neverGivenOne(t *testing.T) {
	var d DB[string]
	require.NoError(t, d.Set(0, "k", 1))
	assert.Equal(t, "1 1 0 0 0", sources(&d, 5, 0, "3", "1"))
	assert.Equal(t, "0", source(&d, 1_200, "3", "1"))
	assert.EqualValues(t, -1, d.PTTL(wall(1_200), "k"))
}

// GET GET SET SET / GET GET INCR INCR / INCR INCR, counter 3, limit 4.
func twoClients(t *testing.T) {
	seen := func() (*DB[string], [2]int64) {
		d := &DB[string]{}
		require.NoError(t, d.Set(0, "k", 3))
		return d, [2]int64{value(t, d, 0, "k"), value(t, d, 0, "k")}
	}
	d, got := seen()
	for _, v := range got {
		require.Less(t, v, int64(4), "admitted")
		require.NoError(t, d.Set(0, "k", v+1))
	}
	assert.EqualValues(t, 4, value(t, d, 0, "k"), "the true number is 5")
	d, got = seen()
	for _, v := range got {
		require.Less(t, v, int64(4), "admitted")
		_, err := d.IncrBy(0, "k", 1)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 5, value(t, d, 0, "k"))
	d, _ = seen()
	for _, want := range []bool{true, false} {
		v, err := d.IncrBy(0, "k", 1)
		require.NoError(t, err)
		assert.Equal(t, want, v <= 4)
	}
	assert.EqualValues(t, 5, value(t, d, 0, "k"))
}

// "SET nil, INCR 1, key gone after: expiry frozen inside"; "servers that do not freeze
// it ... can still create an immortal key".
func frozenExpiry(t *testing.T) {
	for _, frozen := range []bool{true, false} {
		var d DB[string]
		require.NoError(t, d.SetPX(0, "k", 0, 50*time.Millisecond))
		set, count, err := d.SetNXIncr(wall(10), wall(110), "k", 1, time.Minute, frozen)
		require.NoError(t, err)
		assert.False(t, set)
		assert.EqualValues(t, 1, count)
		assert.Equal(t, map[bool]int64{true: -2, false: -1}[frozen], d.PTTL(wall(110), "k"))
	}
}

func collidingMembers(t *testing.T) {
	var d DB[string]
	for i := range uint64(5) {
		_, err := d.ZAdd(0, "timestamp", 1_000, 1_000)
		require.NoError(t, err)
		_, err = d.ZAdd(0, "unique", 1_000, i)
		require.NoError(t, err)
	}
	n, _ := d.ZCard(0, "timestamp")
	assert.Equal(t, 1, n)
	n, _ = d.ZCard(0, "unique")
	assert.Equal(t, 5, n)
}

// Limit 2, one place left.
func interleavedLogs(t *testing.T) {
	add := func(d *DB[string], member uint64) {
		_, err := d.ZAdd(0, "k", float64(member), member)
		require.NoError(t, err)
	}
	card := func(d *DB[string]) int { n, err := d.ZCard(0, "k"); require.NoError(t, err); return n }
	var d DB[string]
	add(&d, 1)
	add(&d, 2)
	add(&d, 3)
	assert.Equal(t, [2]int{3, 3}, [2]int{card(&d), card(&d)}, "both rejected")
	var e DB[string]
	add(&e, 1)
	assert.Equal(t, [2]int{1, 1}, [2]int{card(&e), card(&e)}, "both admitted")
}

func bytesOfALog(t *testing.T) {
	for n, want := range map[int]float64{100: 5_300, 200: 29_600, 1000: 142_000} {
		var z ZSet
		for i := range uint64(n) {
			z.Add(float64(i), i)
		}
		assert.InEpsilon(t, want, z.Bytes(), 0.02, n)
	}
}

func fullMemory(t *testing.T) {
	d := DB[string]{Max: 3_000}
	for i := range 3_000 {
		require.NoError(t, d.Set(0, fmt.Sprint(i), 1))
	}
	for _, key := range []string{"new", "7"} {
		_, err := d.IncrBy(0, key, 1)
		assert.Equal(t, OOM, err, key)
	}
	assert.EqualValues(t, 1, value(t, &d, 0, "7"), "GET works")
	d = DB[string]{Max: 3_000, Evict: true}
	require.NoError(t, d.SetPX(0, "user", 1_000, time.Minute))
	for i := range 3_000 {
		require.NoError(t, d.Set(0, fmt.Sprint(i), 1))
	}
	gone := d.TakeEvicted()
	assert.Equal(t, []Evicted[string]{{"user", 1}}, gone)
	assert.Empty(t, d.TakeEvicted(), "taken")
	n, err := d.Count(0, "user", 1, time.Minute)
	require.NoError(t, err)
	assert.EqualValues(t, 1, n, "a blocked user begins anew")
	assert.Equal(t, 3_000, d.Len())
}

func healing(t *testing.T) {
	var d DB[string]
	require.NoError(t, d.Set(0, "k", 50))
	n, err := d.Count(0, "k", 1, time.Second)
	require.NoError(t, err)
	assert.Greater(t, n, int64(50), "verdict 0")
	assert.EqualValues(t, 1_000, d.PTTL(0, "k"))
}

// Limit 3 per 1 s, two requests a second, EXPIRE 1 in every call.
func refreshed(t *testing.T) {
	var d DB[string]
	verdicts := ""
	for i := range int64(8) {
		now := wall(500 * i)
		n, err := d.IncrBy(now, "k", 1)
		require.NoError(t, err)
		require.NoError(t, d.Expire(now, "k", "1"))
		assert.Equal(t, i+1, n, "the counters are 1 to 8")
		verdicts += map[bool]string{true: "A", false: "R"}[n <= 3]
	}
	assert.Equal(t, "AAARRRRR", verdicts)
}

func crossSlot(t *testing.T) {
	assert.Equal(t, CrossSlot, SameSlot("rate:u:1", "rate:global"))
	assert.NoError(t, SameSlot("rate:{1}:u", "rate:{1}:ip"))
}

func keySlots(t *testing.T) {
	assert.Equal(t, 1467, KeySlot("rate:42:2"))
	assert.Equal(t, 8000, KeySlot("rate:{42}:0"))
	assert.Equal(t, 8000, KeySlot("rate:{42}:7"))
	slots := map[int]bool{}
	for i := range 10 {
		slots[KeySlot(fmt.Sprintf("rate:42:%d", i))] = true
	}
	assert.Len(t, slots, 10)
	assert.Equal(t, KeySlot("{}x"), int(crc16("{}x"))%Slots, "an empty tag is none")
	assert.EqualValues(t, 0x31c3, crc16("123456789"), "the check value of the specification")
}

// Limits 2, 5, 10, four calls: "nothing charged on rejection".
func chargeAll(t *testing.T) {
	var d DB[string]
	names, limits := []string{"a", "b", "c"}, []int64{2, 5, 10}
	var full []int
	for range 4 {
		f, err := d.ChargeAll(0, names, limits, time.Minute)
		require.NoError(t, err)
		full = append(full, f)
	}
	assert.Equal(t, []int{-1, -1, 0, 0}, full, "the vectors count dimensions from 1")
	for _, n := range names {
		assert.EqualValues(t, 2, value(t, &d, 0, n))
	}
}

func scoresAreDoubles(t *testing.T) {
	var z ZSet
	z.Add(float64(int64(1_700_000_000_000_000_001)), 1)
	z.Add(float64(int64(1_700_000_000_000_000_100)), 2)
	assert.Equal(t, z.Lowest(0), z.Lowest(1))
	assert.Equal(t, int64(1_700_000_000_000_001), int64(float64(int64(1_700_000_000_000_001))), "microseconds are exact")
}

func endOfARange(t *testing.T) {
	for open, left := range map[bool]int{false: 0, true: 1} {
		var z ZSet
		z.Add(40, 1)
		z.RemoveByScore(Bound{Score: math.Inf(-1)}, Bound{Score: 100 - 60, Open: open})
		assert.Equal(t, left, z.Card())
	}
}

func bucketTTL(t *testing.T) {
	assert.Zero(t, BucketTTL(1, 3))
	var d DB[string]
	for range 3 {
		assert.Equal(t, InvalidExpire, d.SetPX(0, "k", 1, BucketTTL(1, 3)), "every call errors")
	}
	require.NoError(t, d.Set(0, "k", 1))
	_, err := d.SetNX(0, "k", 1, BucketTTL(1, 3))
	assert.Equal(t, InvalidExpire, err, "also if the key is there")
	assert.Equal(t, 20*time.Second, BucketTTL(10, 1))
}

func errors(t *testing.T) {
	var s Scripts
	s.Eval("count")
	require.NoError(t, s.EvalSHA("count"))
	s.Flush()
	assert.Equal(t, NoScript, s.EvalSHA("count"))
	var d DB[string]
	require.NoError(t, d.Set(0, "n", math.MaxInt64))
	_, err := d.IncrBy(0, "n", 1)
	assert.Equal(t, Overflow, err)
	assert.EqualValues(t, int64(math.MaxInt64), value(t, &d, 0, "n"))
	require.NoError(t, d.SetText(0, "abc", "abc"))
	_, err = d.IncrBy(0, "abc", 1)
	assert.EqualError(t, err, "ERR value is not an integer or out of range")
	_, err = d.ZAdd(0, "n", 1, 1)
	assert.Equal(t, WrongType, err)
	_, err = d.ZAdd(0, "z", 1, 1)
	require.NoError(t, err)
	_, err = d.IncrBy(0, "z", 1)
	assert.Equal(t, WrongType, err)
	require.NoError(t, d.Set(0, "z", 5), "SET replaces whatever there is")
	assert.EqualValues(t, 5, value(t, &d, 0, "z"))
	assert.Equal(t, NotInteger, d.Expire(0, "n", "1e3"))
	assert.Equal(t, InvalidExpire, d.Expire(0, "n", "9223372036854775807"))
}

var _ error = Error(0)

// "INCR keeps TTL; SET drops it", KEEPTTL does not.
func TestExpiryOfWrites(t *testing.T) {
	var d DB[string]
	require.NoError(t, d.SetPX(0, "k", 1, time.Second))
	_, err := d.IncrBy(0, "k", 1)
	require.NoError(t, err)
	assert.EqualValues(t, 1_000, d.PTTL(0, "k"))
	require.NoError(t, d.SetKeepTTL(0, "k", 7, time.Minute))
	assert.EqualValues(t, 1_000, d.PTTL(0, "k"))
	require.NoError(t, d.Set(0, "k", 8))
	assert.EqualValues(t, -1, d.PTTL(0, "k"))
	ok, err := d.SetNX(0, "k", 9, time.Second)
	assert.False(t, ok)
	require.NoError(t, err)
	assert.True(t, d.PExpire(0, "k", 0))
	assert.EqualValues(t, -2, d.PTTL(0, "k"))
	assert.False(t, d.PExpire(0, "k", time.Second))
	assert.False(t, d.Del(0, "k"))
}

// Keys that have expired leave the memory, even if one that never does was used before
// them all.
func TestExpiredKeysLeave(t *testing.T) {
	var d DB[int]
	require.NoError(t, d.Set(0, -1, 1))
	for i := range 10_000 {
		_, err := d.Count(wall(int64(i)), i, 1, 50*time.Millisecond)
		require.NoError(t, err)
		require.Less(t, d.Len(), 150)
	}
	full := DB[int]{Max: 10}
	for i := range 10 {
		require.NoError(t, full.SetPX(0, i, 1, time.Second))
	}
	assert.Equal(t, OOM, full.Set(wall(1_000), 10, 1))
	assert.NoError(t, full.Set(wall(1_001), 10, 1), "all others have expired")
}

// A copy shares nothing, whatever was in its memory before.
func TestCopies(t *testing.T) {
	fill := func(d *DB[string], now sim.Wall, n int) {
		for i := range n {
			_, err := d.ZAdd(now, fmt.Sprint(i), 1, uint64(i))
			require.NoError(t, err)
			_, err = d.Count(now, fmt.Sprint("c", i), 1, time.Second)
			require.NoError(t, err)
		}
		d.Del(now, "1")
	}
	from := DB[string]{Max: 100, Evict: true}
	fill(&from, 0, 70)
	var into DB[string]
	fill(&into, 0, 5)
	into.CopyFrom(&from)
	var fresh DB[string]
	fresh.CopyFrom(&from)
	require.Equal(t, from, fresh)
	fill(&into, wall(5_000), 90)
	assert.Equal(t, from, fresh, "nothing is shared")
	into.CopyFrom(&from)
	fill(&into, wall(3), 2)
	fill(&fresh, wall(3), 2)
	assert.Equal(t, fresh.Len(), into.Len())
	fresh.Flush()
	assert.Zero(t, fresh.Len())
}

// FuzzDB compares the keyspace with plain maps, and checks that a full memory is never
// exceeded.
func FuzzDB(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 60, 70, 80, 90, 100, 110})
	f.Fuzz(func(t *testing.T, script []byte) {
		d, full := DB[byte]{}, DB[byte]{Max: 3, Evict: true}
		values, expiry := map[byte]int64{}, map[byte]int64{}
		now := int64(0)
		for i, b := range script {
			name := b & 7
			now += int64(b >> 6)
			if at, ok := expiry[name]; ok && now > at {
				delete(values, name)
				delete(expiry, name)
			}
			_, live := values[name]
			switch op := b >> 3 & 7; op {
			case 0, 1, 2:
				n, err := d.IncrBy(wall(now), name, int64(op))
				require.NoError(t, err)
				values[name] += int64(op)
				require.Equal(t, values[name], n, i)
			case 3:
				require.Equal(t, live, d.PExpire(wall(now), name, 5*time.Millisecond))
				if live {
					expiry[name] = now + 5
				}
			case 4:
				require.Equal(t, live, d.Del(wall(now), name))
				delete(values, name)
				delete(expiry, name)
			default:
				require.NoError(t, d.Set(wall(now), name, int64(b)))
				values[name] = int64(b)
				delete(expiry, name)
			}
			_, err := full.IncrBy(wall(now), name, 1)
			require.NoError(t, err)
			require.LessOrEqual(t, full.Len(), 3)
			v, ok, err := d.Get(wall(now), name)
			require.NoError(t, err)
			want, live := values[name]
			require.Equal(t, live, ok)
			require.Equal(t, want, v)
		}
	})
}
