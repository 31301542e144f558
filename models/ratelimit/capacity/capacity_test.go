package capacity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBytesPerKey(t *testing.T) {
	want := map[string][2]int64{
		"counter, 34-byte key, TTL":    {133, 136},
		"counter, 34-byte key, no TTL": {90, 90},
		"counter, 9-byte key, TTL":     {101, 101},
		"GCRA, a string":               {149, 149},
		"token bucket, a hash {t, ts}": {181, 181},
	}
	found := 0
	for _, k := range Keys() {
		if w, ok := want[k.Name]; ok {
			t.Run("CP-01/"+k.Name, func(t *testing.T) { assert.Equal(t, w, [2]int64{k.Least, k.Most}) })
			found++
		}
	}
	assert.Equal(t, len(want), found)
}

// "1 M users * 1 counter = 101-136 MB; times endpoints; 1 M users * log of 100 = 5.3 GB".
func TestMillionUsers(t *testing.T) {
	of := func(name string, users, limits int64) (int64, int64) {
		for _, k := range Keys() {
			if k.Name == name {
				return k.Of(users, limits)
			}
		}
		t.Fatal(name)
		return 0, 0
	}
	short, _ := of("counter, 9-byte key, TTL", 1_000_000, 1)
	_, long := of("counter, 34-byte key, TTL", 1_000_000, 1)
	assert.Equal(t, []int64{101_000_000, 136_000_000}, []int64{short, long})
	_, ten := of("counter, 34-byte key, TTL", 1_000_000, 10)
	assert.EqualValues(t, 1_360_000_000, ten)
	log, _ := of("log of 100, UUID members", 1_000_000, 1)
	assert.EqualValues(t, int64(5_300_000_000), log)
	least, most := of("GCRA, a string", 1<<62, 1<<62)
	assert.Equal(t, []int64{1<<63 - 1, 1<<63 - 1}, []int64{least, most}, "more than fits")
}

// "148 B/entry: 200 -> 29.6 kB, 1000 -> 142 kB".
func TestLongLogs(t *testing.T) {
	assert.EqualValues(t, 29_600, 200*PerEntry)
	assert.InDelta(t, 142_000, 1000*PerEntry, 6_000, "measured; 148 is that of the shorter one")
}

func TestLoad(t *testing.T) {
	traffic := Traffic{PerSecond: 100_000, Blocked: 900, Limit: 100, Window: time.Minute, Limiters: 10}
	l, err := Of(traffic)
	require.NoError(t, err)
	t.Run("CP-02", func(t *testing.T) {
		assert.EqualValues(t, 10_000, l.Admitted, "per second")
		assert.EqualValues(t, 6_000, l.Users, "saturated")
		assert.EqualValues(t, 1_000, l.UserPerWindow, "per minute each")
		assert.EqualValues(t, 100_000, l.Limiter, "\"the limiter and its store still see 100 k/s\"")
		assert.Greater(t, Servers(l.Limiter, IncrMost), int64(1), "\"above one node here\"")
		assert.EqualValues(t, 1, Servers(l.Limiter, IncrPipelined))
	})
	t.Run("CP-03", func(t *testing.T) { assert.EqualValues(t, 11_000, l.Store) })
	traffic.Blocked = 0
	l, err = Of(traffic)
	require.NoError(t, err)
	assert.Equal(t, []int64{100_000, 60_000, 100, 100_000}, []int64{l.Admitted, l.Users, l.UserPerWindow, l.Store}, "nobody is refused: nothing is saved")
}

func TestLoadRefusesNonsense(t *testing.T) {
	_, err := Of(Traffic{PerSecond: 0, Blocked: 1001, Limit: -1, Window: 1500 * time.Millisecond, Limiters: 0})
	require.Error(t, err)
	for _, want := range []string{"requests per second: must be 1 to", "blocked, in thousandths: must be 0 to 1000, got 1001", "limit: must be 1 to", "limiters: must be 1 to", "window: must be whole seconds"} {
		assert.ErrorContains(t, err, want)
	}
	l, err := Of(Traffic{PerSecond: most, Blocked: 0, Limit: 1, Window: mostWindow, Limiters: mostLimiter})
	require.NoError(t, err)
	assert.Positive(t, l.Users)
	assert.EqualValues(t, int64(most), l.Store)
}
