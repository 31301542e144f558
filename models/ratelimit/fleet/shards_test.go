package fleet

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/shards"
	"fencepost/sim"
	"fencepost/sim/simtest"
	"fencepost/sim/stats"
)

// sharded is a limit counted in shards, asked for at once.
func sharded(limit int64, requests int, set func(*shards.ShardParams)) Params {
	p := DefaultParams()
	p.Form, p.Limit = "shards", limit
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: time.Second, Burst: &requests}}}}
	set(&p.Shards)
	return p
}

// HK-01 and HK-02: by the key all is in one shard, in turn it is exact, and undivided it
// is ten times the limit.
func TestShardVectors(t *testing.T) {
	for _, v := range []struct {
		id       string
		set      func(*Params)
		admitted int64
		jain     int64 // of the shards
	}{
		{"HK-01", func(p *Params) { p.Shards.By, p.Shards.Each, p.Clients[0].Key = "user", "whole", ptr(int64(42)) }, 100, 100},
		{"HK-02", func(*Params) {}, 100, 1000},
		{"HK-02 undivided", func(p *Params) { p.Shards.Each = "whole" }, 1000, 1000},
	} {
		t.Run(v.id, func(t *testing.T) {
			p := sharded(100, 1000, func(*shards.ShardParams) {})
			v.set(&p)
			r := play(t, p)
			assert.Equal(t, v.admitted, r.Measure("admitted"))
			assert.Equal(t, v.jain, r.Measure("store-jain-index"))
		})
	}
}

// TestSourceKeyIsOfTheUserAlone is HK-01's arithmetic: user 42 is in shard 2 of 10,
// whatever the request.
func TestSourceKeyIsOfTheUserAlone(t *testing.T) {
	p := sharded(100, 1000, func(s *shards.ShardParams) { s.By, s.Each = "user", "whole" })
	p.Clients[0].Key = ptr(int64(42))
	r := play(t, p)
	assert.Contains(t, r.Trace(), "sends shard-3: charge 1.1000 key 42", "the shards are numbered from 1")
	assert.NotContains(t, r.Trace(), "sends shard-2:")
}

// expected is how much of n requests that fall into k shards at random passes, on
// average, if each takes at most l: k E[min(l, Binomial(n, 1/k))].
func expected(n, k, l int64) *big.Rat {
	sum := new(big.Int)
	others := big.NewInt(k - 1)
	for x := int64(0); x <= n; x++ {
		ways := new(big.Int).Binomial(n, x)
		ways.Mul(ways, new(big.Int).Exp(others, big.NewInt(n-x), nil))
		sum.Add(sum, ways.Mul(ways, big.NewInt(min(l, x))))
	}
	sum.Mul(sum, big.NewInt(k))
	return new(big.Rat).SetFrac(sum, new(big.Int).Exp(big.NewInt(k), big.NewInt(n), nil))
}

// HK-03 and HK-04: with random shards fewer pass than the limit, by exact rationals, and
// the mean of many runs lies about them.
func TestRandomShards(t *testing.T) {
	for _, v := range []struct {
		id          string
		limit, part int64
		requests    int
		want        string
	}{
		{"HK-03, 100", 100, 10, 100, "88.1321"},
		{"HK-03, 150", 100, 10, 150, "98.8698"},
		{"HK-03, 200", 100, 10, 200, "99.9440"},
		{"HK-04, 1000", 1000, 100, 1000, "962.1849"},
		{"HK-04, 12 each", 100, 12, 100, "95.2702"},
	} {
		t.Run(v.id, func(t *testing.T) {
			exact := expected(int64(v.requests), 10, v.part)
			require.Equal(t, v.want, exact.FloatString(4))
			p := sharded(v.limit, v.requests, func(s *shards.ShardParams) { s.By, s.Part = "random", &v.part })
			require.Empty(t, p.Problems())
			program := sim.NewProgram(p.System)
			w, err := program.NewWorld(sim.Config{Until: at(2_000)})
			require.NoError(t, err)
			tally := stats.NewTally(&program, 0)
			for seed := range uint64(400) {
				tally.Add(w.Run(seed))
			}
			mean, ok := tally.Measures[measureNamed(&program, "admitted")].MeanInterval()
			require.True(t, ok)
			want, _ := exact.Float64()
			// 400 seeds that do not change: the interval has the exact mean in it, or in
			// one of twenty such tests is off by little.
			half := (mean.High - mean.Low) / 2
			assert.InDelta(t, want, (mean.High+mean.Low)/2, 1.5*half)
		})
	}
}

// TestNegativeCache is CP-03 with a thousandth of its users: what is admitted goes to the
// store, and of what is rejected one request of each user, limiter and window.
func TestNegativeCache(t *testing.T) {
	p := sharded(100, 1, func(s *shards.ShardParams) { s.Count, s.Negative = 1, true })
	p.Limiters = 10
	p.Clients = nil
	for user := range 6 {
		p.Clients = append(p.Clients, core.ClientParams{Key: ptr(int64(user + 1)),
			Phases: []core.Phase{{Count: ptr(1000), Every: sim.Constant(60 * ms)}}})
	}
	r := play(t, p, simtest.Until(at(60_000)))
	assert.EqualValues(t, 6*100+6*10, r.Measure("store-operations"), "11 000 a second for 6 000 users are 660 a minute for 6")
	assert.EqualValues(t, 600, r.Measure("admitted"))
	p.Shards.Negative = false
	assert.EqualValues(t, 6000, play(t, p, simtest.Until(at(60_000))).Measure("store-operations"))
}

// TestSoftSum counts in any shard and adds up four times a second, in all phases of the
// requests and the sums. The worst has 99 when the shards are asked, which lets one more
// pass, and those of the 252 ms until the next sum is there, 26 of them: 125, not the 126
// of one more than 25 (R13).
func TestSoftSum(t *testing.T) {
	most, worst := int64(0), []time.Duration(nil)
	for phase := time.Duration(0); phase < 250*ms; phase += ms {
		p := sharded(100, 1, func(s *shards.ShardParams) { s.Each, s.Soft = "weighs", 250*ms })
		p.Clients[0].Phases = []core.Phase{{At: phase, Count: ptr(150), Every: sim.Constant(10 * ms)}}
		n := play(t, p, simtest.Delay(ms), simtest.Until(at(2_000)), simtest.Once()).Measure("worst-window")
		if n > most {
			most, worst = n, nil
		}
		if n == most {
			worst = append(worst, phase)
		}
	}
	assert.EqualValues(t, 125, most)
	assert.Equal(t, []time.Duration{9 * ms, 10 * ms, 11 * ms}, worst)
}

// TestShardsEven: all of one user is in one shard, and in turn each has a tenth (T3).
func TestShardsEven(t *testing.T) {
	p := sharded(100, 1000, func(s *shards.ShardParams) { s.Even = 900 })
	play(t, p).Holds("shards-even")
	p.Shards.By = "user"
	r := play(t, p)
	r.Violated("shards-even", at(300_000))
	assert.Contains(t, r.Why[slices.Index(r.Program.Properties, "shards-even")], "an index of 100, less than 900; by shard: [0 1000 0 0 0 0 0 0 0 0]")
}

func TestShardProblems(t *testing.T) {
	for _, v := range []struct {
		name string
		set  func(*Params)
		want []string
	}{
		{"none", func(*Params) {}, nil},
		{"no shards", func(p *Params) { p.Shards.Count = 0 }, []string{"shards.count: want 1 to 32, got 0"}},
		{"a part of nothing", func(p *Params) { p.Limit = 9 }, []string{"shards.count: 9 divided by 10 shards leaves none for each"}},
		{"part", func(p *Params) { p.Shards.Part = ptr(int64(0)) }, []string{"shards.part: want 1 or more, got 0"}},
		{"soft for nothing", func(p *Params) { p.Shards.Soft = time.Second }, []string{"shards.soft: want how often the counts are added up where each weighs, and only there"}},
		{"weighs and never adds up", func(p *Params) { p.Shards.Each = "weighs" }, []string{"shards.soft: want how often the counts are added up where each weighs, and only there"}},
		{"negative", func(p *Params) { p.Shards.Negative = true }, []string{"shards.negative: a no of one of 10 shards is no no of the others: want count 1"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			p.Form = "shards"
			v.set(&p)
			var got []string
			for _, found := range p.Problems() {
				got = append(got, found.Path+": "+found.Message)
			}
			assert.Equal(t, v.want, got)
		})
	}
}
