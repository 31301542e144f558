package fleet

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/balancer"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/dimensions"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/fleet/shards"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// storm is a network in which messages are late, lost and doubled, and limiters that
// stop, and crash if they may.
func storm(crashes bool) simtest.Change {
	return func(c *sim.Config, p *sim.Program) {
		delay, err := sim.LogNormal(2*ms, 300*ms)
		if err != nil {
			panic(err)
		}
		c.Until = at(120_000)
		c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: delay, Loss: 2e7, Duplicate: 2e7}}
		simtest.Inject("limiter-2", sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(10 * time.Second)}, For: sim.Exponential(2 * time.Second)})(c, p)
		if crashes {
			simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(20 * time.Second)}, For: sim.Constant(time.Second)})(c, p)
			simtest.Inject("client-2", sim.Fault{Do: sim.Crash, When: sim.When{At: at(70_000)}, For: sim.Constant(time.Second)})(c, p)
		}
	}
}

// fleets are eager clients of each algorithm, and of the forms before the limiters.
func fleets() (list []struct {
	name   string
	params Params
}) {
	add := func(name string, p Params) {
		list = append(list, struct {
			name   string
			params Params
		}{name, p})
	}
	for _, name := range algorithms {
		add(name, eager(name))
	}
	for _, stick := range []string{"none", "cookie", "key"} {
		p := eager("fixed-window")
		p.Form, p.Share, p.Limit, p.Limiters, p.Balancer.Stick = "balancer", "divided", 12, 3, stick
		p.Clients[2].Route = ""
		p.Balancer.Members, p.Balancer.Scale = 2, []balancer.ScaleParams{{At: 30 * time.Second, To: 3}, {At: 60 * time.Second, To: 1}, {At: 80 * time.Second, To: 3}}
		add("balancer, "+stick, p)
	}
	for _, by := range []string{"turn", "random", "user"} {
		p := eager("fixed-window")
		p.Form, p.Shards = "shards", shards.ShardParams{Count: 3, By: by, Part: ptr(int64(4))}
		add("shards, "+by, p)
		if by == "turn" {
			p.Shards.Each, p.Shards.Soft = "weighs", time.Second
			add("shards, soft", p)
			p.Shards = shards.ShardParams{Count: 1, Negative: true}
			add("shards, negative", p)
		}
	}
	for _, mode := range []string{"seq-charge", "seq-refund", "check-all", "charge-all", "reserve"} {
		p := eager("fixed-window")
		p.Form, p.Dimensions.Mode = "dimensions", mode
		p.Dimensions.Limits = []dimensions.DimensionLimit{{Of: "all", Limit: 8}, {Of: "client", Limit: 6}, {Of: "key", Limit: 5}}
		add("dimensions, "+mode, p)
	}
	p := eager("leaky-queue")
	p.Form, p.DropExpired = "line", true
	p.Clients[0].Timeout, p.Clients[1].Timeout, p.Clients[2].Cost = 20*time.Second, 30*time.Second, nil
	add("line", p)
	p = eager("sliding-log")
	p.Forward, p.Recheck = 50*ms, time.Second
	add("forward", p)
	return list
}

// TestKinds: every kind of message has a name, and a message in words.
func TestKinds(t *testing.T) {
	for kind, name := range message.Kinds.Names() {
		require.Contains(t, message.Msg{Kind: sim.Kind(kind), Cost: 1}.String(), name)
	}
}

// TestFleetsArePure steps each node twice, and runs every fleet twice with one digest.
func TestFleetsArePure(t *testing.T) {
	for _, f := range fleets() {
		t.Run(f.name, func(t *testing.T) {
			pause := simtest.Inject("limiter-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(20_000)}, For: sim.Constant(10 * time.Second)})
			crash := simtest.Inject("limiter-2", sim.Fault{Do: sim.Crash, When: sim.When{At: at(50_000)}, For: sim.Constant(5 * time.Second)})
			one := play(t, f.params, simtest.Delay(ms), pause, crash)
			require.Equal(t, one.Result.Digest, play(t, f.params, simtest.Delay(ms), pause, crash).Result.Digest)
			require.NotZero(t, one.Measure("admitted"))
			require.NotZero(t, one.Measure("rejected"))
			one.Holds("one-answer")
		})
	}
}

// TestResetForgetsEverything runs each algorithm through storms.
func TestResetForgetsEverything(t *testing.T) {
	for _, f := range fleets() {
		t.Run(f.name, func(t *testing.T) { simtest.Forgets(t, f.params.System, sim.Config{}, storm(true)) })
	}
}

// allocatesWords checks that runs after the first allocate nothing but what a property that is
// violated says of it.
func allocatesWords(t *testing.T, name string, w sim.Runner) {
	t.Helper()
	violated := 0
	for seed := range uint64(5) {
		for _, f := range w.Run(seed).Properties {
			if f.Verdict == sim.Violated {
				violated++
			}
		}
	}
	seed := uint64(0)
	assert.LessOrEqual(t, testing.AllocsPerRun(5, func() { w.Run(seed % 5); seed++ }), float64(8*violated)/5, name)
}

// TestRunsAllocateNothing counts the allocations of runs after the first. Where a node
// crashes the engine makes a new one.
func TestRunsAllocateNothing(t *testing.T) {
	for _, f := range fleets() {
		program := sim.NewProgram(f.params.System)
		var c sim.Config
		storm(false)(&c, &program)
		w, err := program.NewWorld(c)
		require.NoError(t, err)
		allocatesWords(t, f.name, w)
	}
}

// TestRandomTraffic gives each algorithm random parameters and traffic, and checks what
// it promises for every limit and every traffic.
func TestRandomTraffic(t *testing.T) {
	// Admitted in any window, of a limit of L.
	bounds := map[string]func(l int64) int64{
		"sliding-log":     func(l int64) int64 { return l },
		"sub-windows":     func(l int64) int64 { return l },
		"fixed-window":    func(l int64) int64 { return 2 * l },
		"anchored-window": func(l int64) int64 { return 2*l - 1 },
		"sliding-counter": func(l int64) int64 { return max(1, 2*l-1) },
		"token-bucket":    func(l int64) int64 { return 2*l - 1 },
		"leaky-meter":     func(l int64) int64 { return 2*l - 1 },
		"gcra":            func(l int64) int64 { return 2*l - 1 },
		"interval-bucket": func(l int64) int64 { return 2 * l },
		"leaky-queue":     func(l int64) int64 { return 2*l + 1 }, // L waiting, one in service, and those that start in the window
	}
	r := rand.New(rand.NewPCG(4, 4))
	for _, name := range algorithms {
		for range 25 {
			p := DefaultParams()
			p.Algorithm.Algorithm, p.Limit = name, 1+r.Int64N(20)
			p.Bound = ptr(bounds[name](p.Limit))
			for range 1 + r.IntN(3) {
				c := core.ClientParams{Obey: r.IntN(2) == 0}
				for range 1 + r.IntN(4) {
					c.Phases = append(c.Phases, core.Phase{
						At: time.Duration(r.Int64N(180)) * time.Second, Count: ptr(1 + r.IntN(30)), Burst: ptr(1 + r.IntN(8)),
						Every: sim.Exponential(time.Duration(r.Int64N(int64(10 * time.Second)))),
					})
				}
				p.Clients = append(p.Clients, c)
			}
			text, _ := json.Marshal(p)
			require.Empty(t, p.Problems(), string(text))
			program := sim.NewProgram(p.System)
			w, err := program.NewWorld(sim.Config{Until: at(300_000)})
			require.NoError(t, err)
			got := w.Run(1)
			require.Nil(t, got.Panic, string(text))
			for i, property := range program.Properties {
				if property != "no-false-rejection" || name == "sliding-log" {
					require.NotEqual(t, sim.Violated, got.Properties[i].Verdict, "%s: %s\n%s", property, text, w.Why(i))
				}
			}
		}
	}
}

// FuzzParams turns bytes into parameters: whatever they are, there are problems or there
// is a system that runs, and no panic.
func FuzzParams(f *testing.F) {
	for i := range algorithms {
		f.Add(uint8(i), int64(5), int64(60e9), int64(5), int64(60), uint8(2), int64(1), int64(1), int64(1e9), 3)
	}
	f.Add(uint8(0), int64(1<<40), int64(640_000*3600)*1e9, int64(1<<40), int64(1<<16), uint8(32), int64(256), int64(1<<31), int64(1), 0)
	f.Fuzz(func(t *testing.T, algorithm uint8, limit, window, burst, buckets int64, flags uint8, key, cost, every int64, count int) {
		p := DefaultParams()
		p.Algorithm = core.Algorithm{Algorithm: algorithms[int(algorithm)%len(algorithms)], Limit: limit, Window: time.Duration(window), Burst: &burst, Buckets: buckets,
			Tokens: &burst, Places: &burst, Retain: flags&1 > 0, Closed: flags&2 > 0, Ticks: flags&4 > 0,
			Round:   []string{"inclusive", "strict", "half-up", "off-by-one"}[flags>>3&3],
			Partial: []string{"keep", "drop"}[flags>>5&1], Elapsed: []string{"monotone", "clamped", "signed", "unchanged"}[flags>>6&3]}
		p.Limiters = int(flags % 5)
		p.Share = []string{"whole", "divided"}[flags&1]
		p.Clients = []core.ClientParams{{Key: &key, Cost: &cost, Obey: flags&8 > 0, Phases: []core.Phase{{Count: &count, Every: sim.Constant(time.Duration(every))}}}}
		if len(p.Problems()) > 0 {
			return
		}
		program := sim.NewProgram(p.System)
		c := sim.Config{Until: sim.Time(min(max(every, 1), 1<<40) * 50)}
		if count == 0 || every == 0 && count > 1000 {
			c.Until = 1 // as many as there are at once would take long
		}
		simtest.Inject("limiter-1", sim.Fault{Do: sim.StepClock, When: sim.When{At: c.Until / 2}, By: -time.Hour})(&c, &program)
		w, err := program.NewWorld(c)
		require.NoError(t, err)
		r := w.Run(1)
		if r.Panic != nil {
			t.Fatalf("%s: %s\n%s", r.Panic.Message, r.Panic.Value, r.Panic.Stack)
		}
	})
}

// FuzzForms does the same to the forms before the limiters, with numbers of its choice.
func FuzzForms(f *testing.F) {
	for i := range fleets() {
		f.Add(uint8(i), int64(12), int64(60e9), int64(3), int64(2), int64(1e9), uint8(1))
	}
	f.Fuzz(func(t *testing.T, form uint8, limit, window, count, members, every int64, share uint8) {
		list := fleets()
		p := list[int(form)%len(list)].params
		p.Limit, p.Window, p.Limiters = limit, time.Duration(window), int(count%40)
		p.Share = []string{"whole", "divided"}[share&1]
		p.Balancer.Members, p.Balancer.Health, p.Balancer.Announce = int(members), time.Duration(every), time.Duration(window)
		p.Balancer.Scale = []balancer.ScaleParams{{At: time.Duration(every), To: int(count)}}
		p.Shards.Count, p.Shards.Part = int(count), &members
		p.Dimensions.TTL = time.Duration(every)
		if len(p.Dimensions.Limits) > 0 {
			p.Dimensions.Limits[0] = dimensions.DimensionLimit{Limit: members, Window: ptr(time.Duration(every))}
		}
		p.Recheck, p.Forward = p.Recheck*time.Duration(count), p.Forward*time.Duration(count)
		if len(p.Problems()) > 0 {
			return
		}
		program := sim.NewProgram(p.System)
		c := sim.Config{Until: at(min(60_000, every/1e6*20)) + 1}
		simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: c.Until / 2}, For: sim.Constant(time.Second)})(&c, &program)
		w, err := program.NewWorld(c)
		require.NoError(t, err)
		if r := w.Run(1); r.Panic != nil {
			t.Fatalf("%s: %s\n%s", r.Panic.Message, r.Panic.Value, r.Panic.Stack)
		}
	})
}

// BenchmarkRun is whole runs, with all properties and measures, worlds reused: a limit
// of 100 a minute, asked for 3 000 times by three clients in 5 minutes.
func BenchmarkRun(b *testing.B) {
	for _, name := range algorithms {
		b.Run(name, func(b *testing.B) {
			p := DefaultParams()
			p.Algorithm.Algorithm = name
			for range 3 {
				p.Clients = append(p.Clients, core.ClientParams{Phases: []core.Phase{{Count: ptr(1000), Every: sim.Exponential(300 * ms)}}})
			}
			simtest.Benchmark(b, p.System, sim.Config{Until: at(300_000)}, simtest.Delay(ms))
		})
	}
}
