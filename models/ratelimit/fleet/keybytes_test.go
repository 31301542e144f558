package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// What a store keeps of a key is the state of its algorithm, and of a log its members
// besides: as in the comparison of package compare.
func TestKeyBytes(t *testing.T) {
	for _, c := range []struct {
		algorithm, script string
		want              int64
	}{
		{"token-bucket", "", 16},
		{"interval-bucket", "", 16},
		{"leaky-meter", "", 16},
		{"leaky-queue", "", 8},
		{"gcra", "", 16},
		{"fixed-window", "", 16},
		{"anchored-window", "", 16},
		{"anchored-window", "record", 24},
		{"sliding-counter", "", 24},
		{"sub-windows", "", 56 + 61*4},
		{"sliding-log", "", 56 + 16*128}, // 100 members
		{"sliding-log", "zcard-zadd", 56 + 16*128},
		{"sliding-log", "zadd-zcard", 56 + 16*256}, // 150: what is rejected stays
	} {
		t.Run(c.algorithm+" "+c.script, func(t *testing.T) {
			p := atStore(1, c.algorithm, 100, time.Minute, central.StoreParams{Script: c.script}, asks(1, each(0, 150, ms)))
			assert.Equal(t, c.want, play(t, p, simtest.Delay(10*time.Microsecond)).Measure("key-bytes"))
		})
	}
}

// The longest log counts, however short it is at the end, and of several keys the busiest.
func TestKeyBytesAtMost(t *testing.T) {
	two := int64(2)
	p := atStore(1, "sliding-log", 100, time.Second, central.StoreParams{}, asks(1, each(0, 20, ms), each(2*time.Second, 1, ms)),
		core.ClientParams{Key: &two, Phases: []core.Phase{each(0, 40, ms)}})
	assert.Equal(t, ratelimit.SlidingLogBytes(40), play(t, p).Measure("key-bytes"))
}

// Without a store nothing is kept there.
func TestNoKeyBytes(t *testing.T) {
	p := atStore(1, "gcra", 100, time.Minute, central.StoreParams{}, asks(1, each(0, 5, ms)))
	p.Form = "local"
	assert.Zero(t, play(t, p).Measure("key-bytes"))
}

// TestManyKeys: a fleet has as many users as the engine has nodes, and says what they take
// in a Redis; beyond that it says why (coverage row 5: it stopped at 256, with "want 1 to 1").
func TestManyKeys(t *testing.T) {
	const many = 6000
	users := core.ClientParams{Keys: ptr[int64](many), Phases: []core.Phase{each(0, many, 10*time.Microsecond)}}
	p := atStore(1, "fixed-window", 100, time.Minute, central.StoreParams{}, users)
	require.Empty(t, p.Problems())
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(300_000)}) // play does each step twice, and compares what is kept of all keys
	require.NoError(t, err)
	r := w.Run(1)
	require.Nil(t, r.Panic)
	measured := map[int]int64{}
	for _, s := range r.Samples {
		measured[s.Measure] += s.Value
	}
	assert.EqualValues(t, many, measured[measureNamed(&program, "store-keys")])
	assert.EqualValues(t, many*136, measured[measureNamed(&program, "redis-bytes")])

	problem := func(limiters int, key, keys int64) string {
		p := DefaultParams()
		p.Limiters, p.Clients = limiters, []core.ClientParams{{Key: &key, Keys: &keys}}
		found := p.Problems()
		if len(found) == 0 {
			return ""
		}
		return found[0].Path + ": " + found[0].Message
	}
	assert.Empty(t, problem(1, 1, 1_000_000))
	assert.Equal(t, "clients.0.keys: want 1 to 1000000, got 1000001", problem(1, 1, 1_000_001))
	assert.Equal(t, "clients.0.keys: 250 keys from 999800 on end at 1000049: want at most 1000000", problem(1, 999_800, 250))
	assert.Equal(t, "clients.0.keys: 1000000 keys on each of 5 limiters are 5000000 states: want at most 4000000", problem(5, 1, 1_000_000))
}
