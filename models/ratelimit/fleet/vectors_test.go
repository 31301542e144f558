package fleet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// once asks at each of these instants, in milliseconds.
func once(ms ...int64) (list []core.Phase) {
	for _, m := range ms {
		list = append(list, core.Phase{At: time.Duration(m) * time.Millisecond})
	}
	return list
}

// alone is one client of one limiter.
func alone(algorithm string, limit int64, window time.Duration, phases []core.Phase) Params {
	p := DefaultParams()
	p.Algorithm.Algorithm, p.Limit, p.Window = algorithm, limit, window
	p.Clients = []core.ClientParams{{Phases: phases}}
	return p
}

// The vectors of section A that are answers to requests at given instants, through the
// engine: a client, a limiter, and its clocks.
func TestVerdicts(t *testing.T) {
	figure46 := once(0, 5_000, 5_000, 5_000, 20_000, 60_000, 60_000, 60_000, 60_000, 60_000)
	for _, v := range []struct {
		id     string
		params Params
		set    func(*Params)
		want   string
		worst  int64
	}{
		{"RL-01", alone("token-bucket", 4, time.Minute, figure46), nil, "AAAAAAAARR", 7},
		{"RL-02", alone("interval-bucket", 4, time.Minute, figure46), nil, "AAAARAAAAR", 7},
		{"RL-14", alone("fixed-window", 3, time.Second, once(0, 0, 0, 1000, 1000, 1000, 1000, 1000, 1000, 2000, 2000, 2000, 2000, 3000, 3000, 4000, 4000, 4000, 4000, 4000)), nil,
			"AAA" + "AAARRR" + "AAAR" + "AA" + "AAARR", 3},
		{"RL-15", alone("fixed-window", 5, time.Minute, once(37_000, 37_000, 37_000, 51_000, 51_000, 67_000, 79_000, 79_000, 79_000, 79_000)), nil, "AAAAAAAAAA", 10},
		{"RL-20", alone("sliding-log", 2, time.Minute, once(1_000, 30_000, 50_000, 100_000)), func(p *Params) { p.Retain = true }, "AARA", 2},
		{"RL-21", alone("sliding-log", 2, time.Minute, once(1_000, 30_000, 50_000, 100_000)), nil, "AARA", 2},
		{"RL-22 retained", alone("sliding-log", 2, time.Minute, once(1_000, 30_000, 50_000, 100_000, 105_000)), func(p *Params) { p.Retain = true }, "AARAR", 2},
		{"RL-22", alone("sliding-log", 2, time.Minute, once(1_000, 30_000, 50_000, 100_000, 105_000)), nil, "AARAA", 2},
		{"RL-24 half-open", alone("sliding-log", 1, time.Minute, once(0, 60_000)), nil, "AA", 1},
		{"RL-24 closed", alone("sliding-log", 1, time.Minute, once(0, 60_000)), func(p *Params) { p.Closed = true }, "AR", 1},
		{"RL-26", alone("fixed-window", 2, time.Second, once(0, 0, 0)), nil, "AAR", 2},
		{"RL-36 dropped", alone("sub-windows", 5, time.Minute, once(900, 900, 900, 900, 900, 59_999, 60_000)), func(p *Params) { p.Partial = "drop" }, "AAAAARA", 6},
		{"RL-36 kept", alone("sub-windows", 5, time.Minute, once(900, 900, 900, 900, 900, 60_999, 61_000)), nil, "AAAAARA", 5},
		{"RL-36 exact", alone("sliding-log", 5, time.Minute, once(900, 900, 900, 900, 900, 60_899, 60_900)), nil, "AAAAARA", 5},
	} {
		t.Run(v.id, func(t *testing.T) {
			if v.set != nil {
				v.set(&v.params)
			}
			r := play(t, v.params)
			assert.Equal(t, v.want, r.verdicts("client-1"))
			assert.Equal(t, v.worst, r.Measure("worst-window"))
			r.Holds("one-answer")
		})
	}
}

// RL-05: `last` never updated: 1134 of 1210, "per second 0..10: 4,0,1,3,2,4,4,4,6,6,6; from
// 14 on 10 of 10". The row was seen in doubles: ten times 8/60 after a remainder come to a
// little less than 1, and one request of second 2 waits for second 3. Exact arithmetic
// has 2 and 2, and the same in all.
func TestBucketThatStoresNoTime(t *testing.T) {
	p := alone("token-bucket", 4, time.Minute, []core.Phase{{Count: ptr(121), Every: sim.Constant(time.Second), Burst: ptr(10)}})
	p.Elapsed = "unchanged"
	got := play(t, p).verdicts("client-1")
	assert.Equal(t, 1134, strings.Count(got, "A"))
	tokens, doubles := 4.0, 0
	for second := range 121 {
		n := 0
		for range 10 {
			if tokens = min(4, tokens+float64(float64(second)*(4.0/60))); tokens >= 1 { // no processor may fuse the two
				tokens--
				n++
			}
		}
		doubles += n
		if second <= 10 {
			assert.Equal(t, []int{4, 0, 1, 3, 2, 4, 4, 4, 6, 6, 6}[second], n, "in doubles, second %d", second)
			assert.Equal(t, []int{4, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6}[second], strings.Count(got[10*second:][:10], "A"), "second %d", second)
		}
	}
	assert.Equal(t, 1134, doubles)
	assert.NotContains(t, got[10*14:], "R")
}

// RL-06: the worst half-open window of the exact bucket, floor((b*p + n*(W-1))/p) in
// milliseconds: reached, and never exceeded.
func TestWorstWindowOfBucket(t *testing.T) {
	for _, v := range []struct {
		burst, limit int64 // of the bucket, and per window
		window       time.Duration
		worst        int64
	}{
		{4, 4, time.Minute, 7},
		{10, 5, time.Second, 14},
		{1, 10, 10 * time.Second, 10},
		{100, 100, time.Minute, 199},
	} {
		t.Run(fmt.Sprint("RL-06 ", v.worst), func(t *testing.T) {
			p := alone("token-bucket", v.limit, v.window, []core.Phase{{At: 10 * time.Millisecond, Burst: ptr(int(v.burst))}, {At: 10*ms + v.window/time.Duration(v.limit), Count: ptr(int(3 * v.limit)), Every: sim.Constant(v.window / time.Duration(v.limit))}})
			p.Burst, p.Bound = &v.burst, &v.worst
			r := play(t, p, simtest.Once())
			assert.Equal(t, v.worst, r.Measure("worst-window"))
			r.Holds("burst-bound", "window-limit")
		})
	}
}

// RL-11 and RL-12: when the requests in a leaky queue start.
func TestStarts(t *testing.T) {
	for _, v := range []struct {
		id       string
		ticks    bool
		arrivals []int64
		starts   []string
	}{
		{"RL-11", false, []int64{0, 0, 0, 0, 0, 1000, 1500, 9000}, []string{"0.000s", "1.000s", "2.000s", "3.000s", "4.000s", "9.000s"}},
		{"RL-12", true, []int64{10, 10, 10, 10, 10, 1500, 9000}, []string{"1.000s", "2.000s", "3.000s", "4.000s", "9.000s"}},
	} {
		t.Run(v.id, func(t *testing.T) {
			p := alone("leaky-queue", 1, time.Second, once(v.arrivals...))
			p.Places, p.Ticks = ptr(int64(3)), v.ticks
			r := play(t, p)
			var starts []string
			for line := range strings.SplitSeq(r.Trace(), "\n") {
				if strings.Contains(line, "notes started") {
					starts = append(starts, strings.Fields(line)[0])
				}
			}
			assert.Equal(t, v.starts, starts)
			r.Holds("spacing", "one-answer")
		})
	}
}

// RL-33: L at 59.999 s, then greedy every millisecond: the worst window.
func TestWorstWindowOfCounter(t *testing.T) {
	for round, more := range map[string]int64{"strict": 0, "inclusive": -1, "half-up": 0, "off-by-one": 1} {
		for _, limit := range []int64{5, 7, 100} {
			t.Run(fmt.Sprintf("RL-33 %s %d", round, limit), func(t *testing.T) {
				p := alone("sliding-counter", limit, time.Minute, []core.Phase{{At: 59_999 * ms, Burst: ptr(int(limit) + 1)}, {At: time.Minute, Count: ptr(60_000), Every: sim.Constant(ms)}})
				p.Round = round
				program := sim.NewProgram(p.System)
				w, err := program.NewWorld(sim.Config{Until: at(120_000)})
				require.NoError(t, err)
				got := w.Run(1)
				for _, s := range got.Samples {
					if s.Measure == measureNamed(&program, "worst-window") {
						assert.Equal(t, 2*limit+more, s.Value)
					}
				}
			})
		}
	}
}

// RL-48: "bucket restarted full every second, b=10, 5/s, saturating: <= 15 A per second".
// One that starts empty after each restart gives nothing away.
func TestRestartFull(t *testing.T) {
	p := alone("token-bucket", 5, time.Second, []core.Phase{{Count: ptr(0), Every: sim.Constant(ms)}})
	p.Burst = ptr(int64(10))
	restarts := simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Constant(time.Second)}, For: sim.Constant(0)})
	calm := simtest.Once()
	full := play(t, p, simtest.Until(at(10_000)), calm, restarts)
	assert.LessOrEqual(t, full.Measure("worst-window"), int64(15))
	assert.EqualValues(t, 140, full.Measure("admitted"))
	assert.EqualValues(t, 59, play(t, p, simtest.Until(at(10_000)), calm).Measure("admitted"))
	p.Tokens = ptr(int64(0))
	assert.LessOrEqual(t, play(t, p, simtest.Until(at(10_000)), calm, restarts).Measure("admitted"), int64(50))
}
