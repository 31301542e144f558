package fleet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/central/limiter"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/certify/claim"
	"fencepost/sim/explore"
	"fencepost/sim/model/modeltest"
)

// counting is a limiter of limit per 100 ms by a counter that expires, and a client whose five requests come at any time
// up to 60 ms apart; no window may admit more than the bound.
func counting(limit, bound int64, fallback string) Params {
	p := atStore(1, "anchored-window", limit, 100*ms, central.StoreParams{Fallback: fallback}, asks(1, core.Phase{Count: ptr(5), Every: sim.Uniform(0, 60*ms+1)}))
	p.Bound = &bound
	return p
}

// proven is the search for a proof of window-limit, for all delays of a range.
func proven(t *testing.T, p Params, least, most time.Duration) *certify.Search {
	t.Helper()
	require.Empty(t, p.Problems())
	program := sim.NewProgram(p.System)
	c := sim.Config{Until: at(1000), Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(least, most+1)}}}
	s, err := claim.Of(program, c, explore.Budget{}, slices.Index(program.Properties, "window-limit"))
	require.NoError(t, err)
	return s
}

// The limit L holds in a window that begins at its first request. Any window has at most 2 L - 1, if every message takes as
// long: the last of one and all of the next, which begins more than a window after the first of the one before. Where
// messages take more or less time it has 2 L, since the limiter hears of the first late and of the last at once; and more
// where it admits what it does not hear of.
func TestACounterThatExpiresAdmitsTwiceItsLimit(t *testing.T) {
	for _, c := range []struct {
		name         string
		limit, bound int64
		least, most  time.Duration
		losses       int
		fallback     string
		want         certify.Verdict
	}{
		{"2 L - 1, delays that are the same", 2, 3, ms, ms, 0, "open", certify.Certified},
		{"one less", 2, 2, ms, ms, 0, "open", certify.Violated},
		{"2 L - 1, delays that differ", 2, 3, 0, ms, 0, "open", certify.Violated},
		{"2 L", 2, 4, 0, 5 * ms, 0, "open", certify.Certified},
		{"2 L, a message is lost and its request admitted", 2, 4, 0, 5 * ms, 1, "open", certify.Violated},
		{"2 L, a message is lost and its request rejected", 2, 4, 0, 5 * ms, 1, "closed", certify.Certified},
	} {
		s := proven(t, counting(c.limit, c.bound, c.fallback), c.least, c.most)
		s.Losses = c.losses
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, r.Verdict, c.name)
		t.Logf("%s: %d states", c.name, r.States)
	}
}

// What cannot be proven of a limiter says why.
func TestLimitersThatCannotBeProven(t *testing.T) {
	for want, set := range map[string]func(*Params){
		"the number of a window is what a clock reads":         func(p *Params) { p.Algorithm.Algorithm = "fixed-window" },
		"its algorithm takes readings for numbers":             func(p *Params) { p.Algorithm.Algorithm = "gcra" },
		"it looks at how long a key has left":                  func(p *Params) { p.Store.Script = "incr-expire" },
		"the algorithm of its fallback takes readings":         func(p *Params) { p.Store.Fallback = "local" },
		"a replica hears of expiries in whole milliseconds":    func(p *Params) { p.Store.Replica = true },
		"it looks at the retry-after":                          func(p *Params) { p.Clients[0].Obey = true },
		"its requests have no end":                             func(p *Params) { p.Clients[0].Phases[0].Count = ptr(0) },
		"property window-limit cannot be checked with time as": func(p *Params) { p.Bound = ptr(int64(17)) },
	} {
		p := counting(2, 4, "open")
		set(&p)
		require.Empty(t, p.Problems(), want)
		program := sim.NewProgram(p.System)
		_, err := claim.Of(program, sim.Config{Until: at(1000)}, explore.Budget{}, slices.Index(program.Properties, "window-limit"))
		assert.ErrorContains(t, err, want)
	}
}

// What the nodes say a proof may leave out has no effect, in storms of pauses, crashes, losses and copies.
func TestDeclarationsHold(t *testing.T) {
	p := counting(2, 4, "closed")
	p.Store.Retries, p.Store.Timeout = 1, ptr(8*ms)
	program := sim.NewProgram(func() sim.System[message.Msg] {
		s := p.System()
		stage, err := sim.NewStage(s)
		require.NoError(t, err)
		modeltest.Declared(t, &s, 1, stage.Node(1).(*core.Client))
		modeltest.Declared(t, &s, 2, stage.Node(2).(*limiter.Limiter))
		modeltest.Declared(t, &s, 3, stage.Node(3).(*store.Store))
		return s
	})
	c := sim.Config{Until: at(1000)}
	modeltest.Storm(&c, &program)
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	for seed := range uint64(30) {
		require.Nil(t, w.Run(seed).Panic)
	}
}

// No run of the engine violates what is certified, with pauses of the limiter and of the store; some violate what is not.
func TestNoRunViolatesWhatIsCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 9))
	modeltest.Sound(t, 6, 200, func() modeltest.Proof {
		limit := 1 + r.Int64N(2)
		bound := 2*limit - r.Int64N(3)/2
		least := time.Duration(r.IntN(2)) * ms
		most := least + time.Duration(r.IntN(3))*ms
		paused := sim.NodeID(2 + r.IntN(2))
		p := counting(limit, bound, []string{"open", "closed"}[r.IntN(2)])
		p.Clients[0].Phases[0].Count = ptr(4)
		s := proven(t, p, least, most)
		s.Faults = []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{paused}, Most: 40 * ms, Count: 1}}
		s.Limits.States = 6000
		return modeltest.Proof{Name: fmt.Sprintf("%d per 100ms, at most %d, delays %v to %v, a pause of %d", limit, bound, least, most, paused), Search: s, Seeds: 20, Hostile: func() sim.Config {
			c := s.Config
			f := sim.Fault{Name: "pause", Do: sim.Pause, Node: paused, For: sim.Constant(s.Faults[0].Most), When: sim.When{At: sim.Time(r.Int64N(int64(200 * ms)))}}
			if r.IntN(2) == 0 && f.For.Most() > 0 {
				f.When = sim.When{Before: []sim.Kind{message.Eval, message.StoreAnswer, message.Admitted}[r.IntN(3)], By: paused, Nth: 1 + r.IntN(3)}
			}
			if f.For.Most() > 0 {
				c.Faults = []sim.Fault{f}
			}
			return c
		}}
	})
}
