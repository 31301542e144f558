package fleet

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/dimensions"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// client changes the one client of some parameters.
func client(change func(*core.ClientParams)) func(*Params) {
	return func(p *Params) {
		p.Clients = []core.ClientParams{{}}
		change(&p.Clients[0])
	}
}

func TestProblems(t *testing.T) {
	const (
		noLimit  = "limit: must be 1 to 1099511627776, got 0"
		noWindow = "window: must be 1ns to 640000h0m0s, got 0s"
	)
	nothing := func(algorithm string) func(*Params) {
		return func(p *Params) { p.Algorithm.Algorithm, p.Limit, p.Window = algorithm, 0, 0 }
	}
	for _, v := range []struct {
		name string
		set  func(*Params)
		want []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"a negative limit", func(p *Params) { p.Limit = -5 }, []string{"limit: must be 1 to 1099511627776, got -5"}},
		{"a limit that overflows", func(p *Params) { p.Limit = math.MaxInt64 }, []string{"limit: must be 1 to 1099511627776, got 9223372036854775807"}},
		{"a negative window", func(p *Params) { p.Window = -time.Second }, []string{"window: must be 1ns to 640000h0m0s, got -1s"}},
		{"a window that overflows", func(p *Params) { p.Window = math.MaxInt64 }, []string{"window: must be 1ns to 640000h0m0s, got 2562047h47m16.854775807s"}},
		{"fixed-window of nothing", nothing("fixed-window"), []string{noLimit, noWindow}},
		{"anchored-window of nothing", nothing("anchored-window"), []string{noLimit, noWindow}},
		{"sliding-log of nothing", nothing("sliding-log"), []string{noLimit, noWindow}},
		{"sliding-counter of nothing", nothing("sliding-counter"), []string{noLimit, noWindow}},
		{"sub-windows of nothing", nothing("sub-windows"), []string{noLimit, noWindow}},
		{"token-bucket of nothing", nothing("token-bucket"), []string{noLimit, noWindow}},
		{"interval-bucket of nothing", nothing("interval-bucket"), []string{noLimit, noWindow, "every: must be 1ns to 640000h0m0s, got 0s"}},
		{"leaky-meter of nothing", nothing("leaky-meter"), []string{noLimit, noWindow}},
		{"leaky-queue of nothing", nothing("leaky-queue"), []string{noLimit, noWindow}},
		{"gcra of nothing", nothing("gcra"), []string{noLimit, noWindow}},
		{"a bucket of no size", func(p *Params) { p.Algorithm.Algorithm, p.Burst = "gcra", ptr(int64(0)) }, []string{"burst: must be 1 to 1099511627776, got 0"}},
		{"a bucket too fine", func(p *Params) { p.Algorithm.Algorithm, p.Limit, p.Window = "token-bucket", 1<<40, 640000*time.Hour },
			[]string{"burst: 1099511627776 tokens at 1099511627776/640000h0m0s take more than 2^62 units of 1/274658203125 token"}},
		{"tokens to begin with", func(p *Params) { p.Algorithm.Algorithm, p.Tokens = "token-bucket", ptr(int64(-1)) }, []string{"tokens: want 0 or more, got -1"}},
		{"places in a queue", func(p *Params) { p.Algorithm.Algorithm, p.Places = "leaky-queue", ptr(int64(-1)) }, []string{"places: must be 0 to 1099511627776, got -1"}},
		{"no buckets", func(p *Params) { p.Algorithm.Algorithm, p.Buckets = "sub-windows", 0 }, []string{"buckets: must be 1 to 65536, got 0"}},
		{"buckets that do not divide", func(p *Params) { p.Algorithm.Algorithm, p.Buckets = "sub-windows", 7 }, []string{"buckets: 1m0s is not divided evenly by 7"}},
		{"nginx of ten seconds", func(p *Params) { p.Algorithm.Algorithm, p.Window = "nginx", 10*time.Second }, []string{"window: nginx has rates per second and per minute: want 1s or 1m, got 10s"}},
		{"nginx below zero", func(p *Params) { p.Algorithm.Algorithm, p.Burst = "nginx", ptr(int64(-1)) }, []string{"burst: must be 0 to 1099511627776, got -1 and 0"}},
		{"nodelay of another", func(p *Params) { p.NoDelay = true }, []string{"nodelay: algorithm is fixed-window, which does not use it: want nginx"}},
		{"a cost at nginx", func(p *Params) {
			p.Algorithm.Algorithm, p.Clients = "nginx", []core.ClientParams{{Cost: ptr(int64(2))}}
		}, []string{"clients.0.cost: nginx counts requests: want 1, got 2"}},
		{"a wish without a unit", func(p *Params) { p.Wish.Limit = 60 }, []string{"wish.window: a wish needs a unit: want the time in which 60 requests are allowed, as in window: 1m"}},
		{"a wish of nothing", func(p *Params) { p.Wish.Of = "key" }, []string{"wish.limit: want how many requests are allowed, and in which window, as in limit: 60, window: 1m"}},
		{"a wish of another", func(p *Params) {
			wishes(p)
			p.Wish.Of = "address"
		}, []string{`wish.of: want one of user, key, all, got "address"`}},
		{"users without a wish", client(func(c *core.ClientParams) { c.User = ptr(2) }),
			[]string{"clients.0.user: want 1 to 1, got 2", "clients.0.user: only a wish of users asks who a client is: want wish with of: user"}},
		{"a share of nothing", func(p *Params) { p.Limiters, p.Limit, p.Share = 4, 3, "divided" }, []string{"share: 3 divided by 4 limiters leaves none for each"}},
		{"counts", func(p *Params) { p.Limiters, p.FairFrom, p.Bound = 0, 1001, ptr(int64(0)) },
			[]string{"limiters: want 1 to 10000, got 0", "fair: want 0 to 1000, got 1001", "bound: want 1 or more, got 0"}},
		{"bounds of properties", func(p *Params) { p.AnswerWithin, p.Form, p.Shards.Even = -1, "shards", 1001 },
			[]string{"answer-within: want 0s to 10000h0m0s, got -1ns", "shards.even: want 0 to 1000, got 1001"}},
		{"aligned dimensions", func(p *Params) {
			p.Form, p.Aligned = "dimensions", true
			p.Dimensions.Limits = []dimensions.DimensionLimit{{Of: "all", Limit: 8}}
		},
			[]string{"aligned: dimensions have limits and windows of their own: want another form"}},
		{"too many clients", func(p *Params) { p.Clients = make([]core.ClientParams, 10_001) }, []string{"clients: want at most 10000, got 10001"}},
		{"a client", client(func(c *core.ClientParams) { c.Key, c.Cost, c.To = ptr(int64(1_000_001)), ptr(int64(0)), 2 }),
			[]string{"clients.0.key: want 1 to 1000000, got 1000001", "clients.0.cost: want 1 to 2147483648, got 0", "clients.0.to: want 1 to 1, got 2"}},
		{"regions that talk too much", func(p *Params) {
			p.Form, p.Limiters = "regions", 1000
			p.Clients = []core.ClientParams{{Keys: ptr(int64(5))}}
		}, []string{"limiters: 1000 regions that tell each other of each key send 5000000 messages at once: want at most 4000000"}},
		{"too many phases", client(func(c *core.ClientParams) { c.Phases = make([]core.Phase, 1001) }), []string{"clients.0.phases: want at most 1000, got 1001"}},
		{"phases", client(func(c *core.ClientParams) {
			c.Phases = []core.Phase{{At: core.MaxLength + 1, Count: ptr(-1), Burst: ptr(0)}, {Count: ptr(0)}, {At: -1, Count: ptr(1_000_001)}}
		}), []string{
			"clients.0.phases.0.at: want 0s to 10000h0m0s, got 10000h0m0.000000001s",
			"clients.0.phases.0.count: want 0 (without end) or more, got -1",
			"clients.0.phases.0.burst: want 1 to 1000000, got 0",
			"clients.0.phases.1.every: requests without end need time between them",
			"clients.0.phases.2.at: want 0s to 10000h0m0s, got -1ns",
			"clients.0.phases.2.count: want at most 1000000 with no time between them, got 1000001",
		}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			var got []string
			for _, found := range p.Problems() {
				got = append(got, found.Path+": "+found.Message)
			}
			assert.Equal(t, v.want, got)
		})
	}
}

// algorithms are all of them, with what their bound is of L a window.
var algorithms = []string{"token-bucket", "interval-bucket", "leaky-meter", "leaky-queue", "gcra",
	"fixed-window", "anchored-window", "sliding-log", "sliding-counter", "sub-windows"}

// eager is a limit of 5 a minute, and three clients that ask for more, of two keys.
func eager(algorithm string) Params {
	p := DefaultParams()
	p.Algorithm.Algorithm, p.Limit, p.Limiters = algorithm, 5, 2
	p.Clients = []core.ClientParams{
		{Phases: []core.Phase{{Count: ptr(0), Every: sim.Exponential(4 * time.Second)}}},
		{Phases: []core.Phase{{At: 59 * time.Second, Count: ptr(3), Every: sim.Constant(time.Minute), Burst: ptr(4)}}, Obey: true},
		{Key: ptr(int64(2)), Cost: ptr(int64(2)), Route: "key", Phases: []core.Phase{{Count: ptr(50), Every: sim.Uniform(0, 9*time.Second)}}},
	}
	return p
}

// TestAlgorithms plays each algorithm with pauses, a crash and a clock that is stepped:
// whatever happens, each step is pure, nobody waits without an answer, and a bound of
// the limit for each life of each limiter holds.
func TestAlgorithms(t *testing.T) {
	for _, name := range algorithms {
		t.Run(name, func(t *testing.T) {
			p := eager(name)
			p.Bound = ptr(int64(2 * 3 * 5)) // twice the limit, by two limiters of which one has two lives
			r := play(t, p, simtest.Delay(ms),
				simtest.Inject("limiter-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(20_000)}, For: sim.Constant(10 * time.Second)}),
				simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(90_000)}, For: sim.Constant(5 * time.Second)}),
				simtest.Inject("limiter-2", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(100_000)}, By: -30 * time.Second}))
			r.Holds("window-limit", "one-answer")
			assert.Greater(t, r.Measure("admitted"), int64(20))
			assert.Greater(t, r.Measure("rejected"), int64(20))
		})
	}
}

// TestClockGoesBack steps the wall clock of a limiter back by half a window again and
// again: no algorithm admits more than in windows of its own.
func TestClockGoesBack(t *testing.T) {
	for _, name := range algorithms {
		t.Run(name, func(t *testing.T) {
			p := DefaultParams()
			p.Algorithm.Algorithm, p.Limit, p.Clock, p.Bound = name, 5, "wall", ptr(int64(10))
			p.Clients = []core.ClientParams{{Phases: []core.Phase{{Count: ptr(0), Every: sim.Constant(time.Second)}}}}
			var steps []simtest.Change
			for i := range 8 {
				steps = append(steps, simtest.Inject("limiter-1", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(int64(i)*37_000 + 500)}, By: -30 * time.Second}))
			}
			play(t, p, steps...).Holds("window-limit", "one-answer")
		})
	}
}

// TestBackwardElapsedZero is CK-05 through the engine: a bucket that takes no care of a
// clock that goes back forgets when it was last asked, even by one that it rejects.
func TestBackwardElapsedZero(t *testing.T) {
	p := DefaultParams()
	p.Algorithm.Algorithm, p.Limit, p.Window, p.Clock = "token-bucket", 2, time.Second, "wall"
	p.Burst, p.Elapsed = ptr(int64(4)), "clamped"
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: 20 * time.Second, Burst: ptr(5)}, {At: 20_001 * ms}, {At: 20_002 * ms, Burst: ptr(5)}}}}
	back := []simtest.Change{
		simtest.Inject("limiter-1", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(20_001)}, By: -10 * time.Second}),
		simtest.Inject("limiter-1", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(20_002)}, By: 10 * time.Second}),
	}
	zero := play(t, p, back...)
	assert.Equal(t, "AAAARRAAAAR", zero.verdicts("client-1"))
	zero.Violated("burst-bound", at(20_002))
	p.Elapsed = ""
	monotone := play(t, p, back...)
	assert.Equal(t, "AAAARRRRRRR", monotone.verdicts("client-1"))
	monotone.Holds("burst-bound")
}

// TestImpossible asks for more than is ever admitted: rejected forever, and the story
// says so.
func TestImpossible(t *testing.T) {
	for _, name := range algorithms {
		t.Run(name, func(t *testing.T) {
			p := DefaultParams()
			p.Algorithm.Algorithm, p.Limit = name, 5
			p.Clients = []core.ClientParams{{Cost: ptr(int64(7)), Obey: true, Phases: []core.Phase{{Count: ptr(3), Every: sim.Constant(time.Minute)}}}}
			r := play(t, p)
			require.EqualValues(t, 3, r.Measure("rejected"), "it is not asked again: never is no time to wait")
			require.Contains(t, r.Log(), "limiter-1 rejects client-1 forever: a cost of 7 is more than is ever admitted")
			require.Contains(t, r.Trace(), "rejected 1.1 key 1 cost 7 forever")
		})
	}
}

// TestCrashForgets restarts a limiter that decides alone: its counters start at 0, and
// what was asked while it was down is answered by nobody.
func TestCrashForgets(t *testing.T) {
	p := DefaultParams()
	p.Limit, p.Algorithm.Algorithm = 5, "sliding-log"
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{Count: ptr(30), Every: sim.Constant(time.Second)}}}}
	r := play(t, p, simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(9_500)}, For: sim.Constant(3 * time.Second)}))
	require.EqualValues(t, 10, r.Measure("admitted"))
	require.EqualValues(t, 30-3, r.Measure("admitted")+r.Measure("rejected"))
	r.Violated("window-limit", at(13_000))
	r.Holds("one-answer")
}

// TestClientCrash: a client that crashes is owed no answer, and never uses the name of a
// request again.
func TestClientCrash(t *testing.T) {
	p := DefaultParams()
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{Count: ptr(3), Every: sim.Constant(time.Second)}}}}
	r := play(t, p, simtest.Delay(100*ms), simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(1_150)}, For: sim.Constant(10 * time.Second)}))
	require.EqualValues(t, 5, r.Measure("asked"))
	require.Equal(t, 1, strings.Count(r.Trace(), "notes asked 1.3 "))
	require.NotZero(t, strings.Count(r.Trace(), "notes asked 1.5 "))
	r.Holds("one-answer")
}

// limit_req with burst=20 admits 21 at once, one more than a bucket of 20. Without nodelay 20 of them wait.
func TestNginx(t *testing.T) {
	for nodelay, want := range map[bool]string{
		true:  strings.Repeat("A", 21) + strings.Repeat("R", 9),
		false: "A" + strings.Repeat("R", 9) + strings.Repeat("A", 20),
	} {
		p := DefaultParams()
		p.Algorithm = core.Algorithm{Algorithm: "nginx", Limit: 10, Window: time.Second, Burst: ptr(int64(20)), NoDelay: nodelay}
		p.Clients = []core.ClientParams{{Phases: []core.Phase{{Burst: ptr(30)}}}}
		r := play(t, p)
		r.Holds("one-answer")
		assert.Equal(t, want, r.verdicts("client-1"))
	}
}
