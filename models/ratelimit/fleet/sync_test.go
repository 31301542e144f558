package fleet

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/fleet/sync"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// together is a fleet of four that has 100 a second between them, and a request every
// so often, half a millisecond beside the instants at which they synchronise.
func together(form string, every time.Duration) Params {
	p := DefaultParams()
	p.Form, p.Limiters, p.Limit, p.Window = form, 4, 100, time.Second
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: 500 * time.Microsecond, Every: sim.Constant(every), Count: ptr(0)}}}}
	return p
}

// slow is how long messages to and from a node take.
func slow(node string, d time.Duration) simtest.Change {
	return func(c *sim.Config, p *sim.Program) {
		id := []sim.NodeID{p.Node(node)}
		link := sim.Link{Delay: sim.Constant(d)}
		c.Network.Rules = append(c.Network.Rules, sim.LinkRule{From: id, Link: link}, sim.LinkRule{To: id, Link: link})
	}
}

// tamper adds a fault of messages of a kind from a node.
func tamper(do sim.Action, kind sim.Kind, from string, nth int) simtest.Change {
	return simtest.Disturb(from, "", sim.Fault{Do: do, Msg: sim.MsgChoice{Kind: kind, Nth: nth}})
}

// cut keeps a node apart from others for a while.
func cut(at sim.Time, d time.Duration, who string, from ...string) simtest.Change {
	return simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at}, For: sim.Constant(d)}, []string{who}, from)
}

func TestSyncVectors(t *testing.T) {
	for _, v := range []struct {
		id     string
		every  time.Duration // between requests
		sync   time.Duration
		change func(*Params)
		rtt    time.Duration
		want   int64
	}{
		{"LG-01", ms, 100 * ms, nil, 0, 175},
		{"LG-02 staggered", ms, 100 * ms, func(p *Params) { p.Sync.Phase = "staggered" }, 0, 193},
		{"LG-02 RTT 20ms", ms, 100 * ms, nil, 20 * ms, 190},
		{"LG-03 10ms", ms, 10 * ms, nil, 0, 108},
		{"LG-03 50ms", ms, 50 * ms, nil, 0, 138},
		{"LG-03 200ms", ms, 200 * ms, nil, 0, 250},
		{"LG-03 500ms", ms, 500 * ms, nil, 0, 400},
		{"LG-04 400", 125 * time.Microsecond, 100 * ms, func(p *Params) { p.Clients[0].Phases[0].Count = ptr(400) }, 0, 400},
		{"LG-04 2000", 25 * time.Microsecond, 100 * ms, func(p *Params) { p.Clients[0].Phases[0].Count = ptr(2000) }, 0, 400},
		{"LG-05 200", 5 * ms, 100 * ms, nil, 0, 115},
		{"LG-05 100", 10 * ms, 100 * ms, nil, 0, 100},
		// "process push phase then pull phase for 100 instead of 175"
		{"B6 push, then pull", ms, 100 * ms, func(p *Params) { p.Sync.Answer = "after-all" }, 0, 100},
		// "local fair share cap ceil(L/n) until first ack": of the first period, not of what follows
		{"B6 fair share, LG-04", 125 * time.Microsecond, 100 * ms, func(p *Params) { p.Sync.Share = true; p.Clients[0].Phases[0].Count = ptr(400) }, 0, 100},
		{"B6 fair share, LG-01", ms, 100 * ms, func(p *Params) { p.Sync.Share = true }, 0, 175},
		{"B6 fair share and slack", 125 * time.Microsecond, 100 * ms, func(p *Params) {
			p.Sync.Share, p.Sync.Slack, p.Clients[0].Phases[0].Count = true, 5, ptr(400)
		}, 0, 120},
	} {
		t.Run(v.id, func(t *testing.T) {
			p := together("sync", v.every)
			p.Sync.Every = sim.Constant(v.sync)
			if v.change != nil {
				v.change(&p)
			}
			r := play(t, p, simtest.Until(at(1000)), slow("store", v.rtt/2))
			assert.Equal(t, v.want, r.Measure("admitted"))
			assert.Equal(t, v.want, r.Measure("worst-window"))
			r.Holds("one-answer", "no-false-rejection")
		})
	}
}

// LG-06: the store's work does not depend on the traffic.
func TestSyncStoreOperations(t *testing.T) {
	for _, every := range []time.Duration{ms, 100 * time.Microsecond} {
		p := together("sync", every)
		r := play(t, p, simtest.Until(at(1000)+1))
		assert.EqualValues(t, 40, r.Measure("store-operations"), "40 a second")
	}
}

// "Bound: admitted <= L + sum_i min(L, a_i*(S+RTT)); absolute worst n*L", of a fleet
// that synchronises in phase, with a_i the requests of limiter i in the busiest S+RTT.
// With a round trip longer than S the next delta waits for the answer to the last: S is
// then the first multiple of it that is not shorter than the round trip.
func TestSyncBound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	full := play(t, together("sync", 125*time.Microsecond), simtest.Until(at(1000))).Measure("worst-window") == 400
	for range 50 {
		p := together("sync", 0)
		p.Limiters, p.Clients = 1+r.IntN(6), nil
		every, rtt := time.Duration(1+r.IntN(300))*ms, time.Duration(2*r.IntN(20))*ms
		p.Sync.Every = sim.Constant(every)
		period := max(every, (rtt+every-1)/every*every)
		bound, most := p.Limit, p.Limit*int64(p.Limiters)
		for i := range p.Limiters {
			gap := time.Duration(1_000+r.IntN(20_000)) * time.Microsecond
			p.Clients = append(p.Clients, core.ClientParams{Route: "fixed", To: i + 1,
				Phases: []core.Phase{{At: time.Duration(r.IntN(10_000)) * time.Microsecond, Every: sim.Constant(gap), Count: ptr(0)}}})
			bound += min(p.Limit, int64((period+rtt)/gap)+1)
		}
		got := play(t, p, simtest.Until(at(1000)), slow("store", rtt/2)).Measure("worst-window")
		require.LessOrEqual(t, got, min(bound, most), "%d limiters, every %v, round trip %v, %+v", p.Limiters, every, rtt, p.Clients)
		full = full || p.Limiters > 1 && got == most
	}
	require.True(t, full, "n*L is reached")
}

// The bound of B6 is none where the limiters do not speak at the same instant: what one
// has admitted may be S old when it is told, and what another was told S old when it
// decides. So it takes 2S. Here 8 limiters admit 565, and the bound with S would be 460.
func TestSyncBoundStaggered(t *testing.T) {
	fleet := func(n int, every, gap time.Duration) (got, bound, wide int64) {
		p := together("sync", 0)
		p.Limiters, p.Clients, p.Sync.Every, p.Sync.Phase = n, nil, sim.Constant(every), "staggered"
		for i := range n {
			at := time.Duration(i) * gap / time.Duration(n)
			p.Clients = append(p.Clients, core.ClientParams{Route: "fixed", To: i + 1, Phases: []core.Phase{{At: at, Every: sim.Constant(gap), Count: ptr(0)}}})
		}
		part := func(s time.Duration) int64 { return p.Limit + int64(n)*min(p.Limit, int64(s/gap)+1) }
		return play(t, p, simtest.Until(at(1000))).Measure("worst-window"), part(every), part(2 * every)
	}
	got, bound, _ := fleet(8, 108*ms, 2_414*time.Microsecond)
	assert.Equal(t, [2]int64{565, 460}, [2]int64{got, bound})
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		n, every, gap := 2+r.IntN(7), time.Duration(10+r.IntN(200))*ms, time.Duration(1_000+r.IntN(10_000))*time.Microsecond
		got, _, wide := fleet(n, every, gap)
		require.LessOrEqual(t, got, min(wide, int64(n)*100), "%d limiters, every %v, a request every %v", n, every, gap)
	}
}

// What is not told when a window ends no longer matters to a fixed window, unless it is
// held against the next one.
func TestSyncLate(t *testing.T) {
	operations := map[string]int64{"old-window": 4, "dropped": 3, "new-window": 3} // at 1.2, 1.5 and 1.8 s, and of the old window at 1.2 s
	for late, admitted := range map[string]int64{"old-window": 140, "dropped": 140, "new-window": 100} {
		t.Run(late, func(t *testing.T) {
			p := together("sync", 0)
			p.Limiters, p.Sync.Every, p.Sync.Late = 1, sim.Constant(300*ms), late
			p.Clients[0].Phases = []core.Phase{{At: 910 * ms, Count: ptr(40)}, {At: 1_950 * ms, Count: ptr(200)}}
			r := play(t, p, simtest.Until(at(1990)))
			assert.Equal(t, admitted, r.Measure("admitted"))
			assert.Equal(t, operations[late], r.Measure("store-operations"))
			if late == "new-window" {
				r.Violated("no-false-rejection", at(1950))
				return
			}
			r.Holds("no-false-rejection")
		})
	}
}

// What travels is numbered, and told again under its number until it is answered.
func TestSyncLostAndDoubled(t *testing.T) {
	for _, v := range []struct {
		name     string
		once     bool
		fault    simtest.Change
		admitted int64
		honest   bool // no false rejection
	}{
		{"no fault", true, nil, 100, true},
		{"the acknowledgement is lost", true, tamper(sim.Lose, message.SyncAck, "store", 1), 100, true},
		{"the acknowledgement is lost, and nothing numbered", false, tamper(sim.Lose, message.SyncAck, "store", 1), 80, false},
		{"the message is lost", true, tamper(sim.Lose, message.Sync, "limiter-1", 1), 100, true},
		{"the message is lost, and nothing numbered", false, tamper(sim.Lose, message.Sync, "limiter-1", 1), 100, true},
		{"the message is doubled", true, tamper(sim.Duplicate, message.Sync, "limiter-1", 1), 100, true},
		{"the message is doubled, and nothing numbered", false, tamper(sim.Duplicate, message.Sync, "limiter-1", 1), 80, false},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := together("sync", 0)
			p.Limiters, p.Sync.Once = 1, ptr(v.once)
			p.Clients[0].Phases = []core.Phase{{At: 10 * ms, Count: ptr(20)}, {At: 450 * ms, Count: ptr(200)}}
			change := []simtest.Change{simtest.Until(at(900)), slow("store", ms)}
			if v.fault != nil {
				change = append(change, v.fault)
			}
			r := play(t, p, change...)
			assert.Equal(t, v.admitted, r.Measure("admitted"))
			assert.Equal(t, v.honest, r.Finding("no-false-rejection").Verdict == sim.Holds)
		})
	}
}

// "sync partition of node j for D: it admits its own L per window, total <= 2L; GC pause
// of the store: all nodes run on stale known"
func TestSyncFailures(t *testing.T) {
	p := together("sync", 20*ms) // so slow that without a fault nothing is too many
	p.Window, p.Sync.Every = 10*time.Second, sim.Constant(10*ms)
	for _, v := range []struct {
		name  string
		fault []simtest.Change
		want  int64
	}{
		{"no fault", nil, 100},
		{"a limiter is apart", []simtest.Change{cut(0, time.Hour, "limiter-4", "store")}, 200},
		// In 4 s limiter-4 admits 50, and the others all that there is.
		{"a limiter is apart for 4s", []simtest.Change{cut(0, 4*time.Second, "limiter-4", "store")}, 150},
		// Limiter-1, which speaks first, knows of 49, the others of 50. Each admits the rest.
		{"the store stops at 1s", []simtest.Change{simtest.Inject("store", sim.Fault{Do: sim.Pause, When: sim.When{At: at(1000)}, For: sim.Constant(time.Hour)})}, 251},
		// Of the 100 by then limiter-1 hears at once of those that it had told itself.
		{"the store stops at 1s for 1s", []simtest.Change{simtest.Inject("store", sim.Fault{Do: sim.Pause, When: sim.When{At: at(1000)}, For: sim.Constant(time.Second)})}, 101},
	} {
		t.Run(v.name, func(t *testing.T) {
			assert.Equal(t, v.want, play(t, p, append(v.fault, simtest.Until(at(10_000)))...).Measure("admitted"))
		})
	}
}

// After a crash a limiter has forgotten what it had admitted since it last spoke to the
// store, and its numbers are not taken for old ones.
func TestSyncCrash(t *testing.T) {
	p := together("sync", 0)
	p.Limiters = 1
	p.Clients[0].Phases = []core.Phase{{At: 10 * ms, Count: ptr(30)}, {At: 150 * ms, Count: ptr(20)}, {At: 200 * ms}, {At: 450 * ms, Count: ptr(200)}}
	r := play(t, p, simtest.Until(at(900)), simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(160)}, For: sim.Constant(10 * ms)}))
	assert.EqualValues(t, 120, r.Measure("admitted"), "20 are forgotten, and 31 the store has told it")
}

// synchronised is the case of the library's own tests with two limiters.
//
// Source: RussellLuo/slidingwindow, TestLimiter_Blocking_SyncWindow_AllowN.
type synchronised struct {
	Cases []struct {
		ID     string
		Config struct {
			Size  int64 `json:"size_ms"`
			Limit int64
			Sync  int64 `json:"sync_interval_ms"`
		}
		Steps []struct {
			T, N   int64
			Expect struct{ OK bool }
		}
	}
}

// Two limiters that round down, synchronise with the request that finds it is time, and
// never tell the store what was admitted last in a window.
func TestSyncWindowOfRussellLuo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "vectors", "sliding_window_russellluo.json"))
	require.NoError(t, err)
	var file synchronised
	require.NoError(t, json.Unmarshal(text, &file))
	played := false
	for _, c := range file.Cases {
		if c.ID != "two_limiters_synchronised" {
			continue
		}
		played = true
		p := DefaultParams()
		p.Form, p.Limiters, p.Limit, p.Window = "sync", 2, c.Config.Limit, time.Duration(c.Config.Size)*ms
		p.Algorithm.Algorithm, p.Round = "sliding-counter", "strict"
		p.Sync = sync.Params{Every: sim.Constant(time.Duration(c.Config.Sync) * ms), On: "request", Late: "dropped"}
		for _, s := range c.Steps {
			for to := range 2 {
				p.Clients = append(p.Clients, core.ClientParams{Route: "fixed", To: to + 1, Cost: ptr(s.N), Phases: []core.Phase{{At: time.Duration(s.T) * ms}}})
			}
		}
		r := play(t, p)
		for i, s := range c.Steps {
			want := map[bool]string{true: "A", false: "R"}[s.Expect.OK]
			assert.Equal(t, want, r.verdicts(fmt.Sprintf("client-%d", 2*i+1)), "at %d ms, limiter 1", s.T)
			assert.Equal(t, want, r.verdicts(fmt.Sprintf("client-%d", 2*i+2)), "at %d ms, limiter 2", s.T)
		}
	}
	require.True(t, played)
}

func TestSyncProblems(t *testing.T) {
	p := together("sync", ms)
	p.Algorithm.Algorithm, p.Sync.Every, p.Sync.Slack, p.Share = "gcra", sim.Constant(time.Microsecond), -1, "divided"
	assert.ElementsMatch(t, []model.ValidationError{
		{Path: "algorithm", Message: "limiters that synchronise count windows: want fixed-window or sliding-counter, got gcra"},
		{Path: "share", Message: "limiters that synchronise share the whole limit"},
		{Path: "sync.every", Message: "want 1ms to 10000h0m0s, got 1µs"},
		{Path: "sync.slack", Message: "want 0 to 100, got -1"},
	}, p.Problems())
	p = together("sync", ms)
	p.Sync.Every, p.Sync.Slack, p.Sync.On, p.Sync.Phase = sim.Dist{}, 5, "request", "staggered"
	assert.ElementsMatch(t, []model.ValidationError{
		{Path: "sync.every", Message: "want 1ms to 10000h0m0s, got 0s"},
		{Path: "sync.slack", Message: "it is beyond a fair share: want sync.fair-share: true"},
		{Path: "sync.phase", Message: "it is of a timer, and requests are what makes these limiters synchronise"},
	}, p.Problems())
	p = together("sync", ms)
	p.Algorithm.Algorithm, p.Round = "sliding-counter", "half-up"
	assert.Equal(t, []model.ValidationError{{Path: "round", Message: "limiters that synchronise round inclusive or strict, got half-up"}}, p.Problems())
}
