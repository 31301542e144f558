package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// storm is a network and a set of pauses in which everything happens but crashes
// and clock faults.
func storm(c *sim.Config, p *sim.Program) {
	delay, err := sim.LogNormal(2*ms, 300*ms)
	if err != nil {
		panic(err)
	}
	c.Until, c.Twice = at(30_000), false
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: delay, Loss: 2e7, Duplicate: 2e7}}
	simtest.InjectAll(sim.Fault{Do: sim.Pause, When: sim.When{Every: sim.Exponential(3 * time.Second)}, For: sim.Exponential(700 * ms)})(c, p)
}

// contended is three clients that go for the lock again and again.
func contended(set func(*Params)) Params {
	p := Params{Service: "redlock", TTL: ptr(time.Second), Clients: 3, Rounds: []int{0}, PerNode: ptr(100 * ms),
		Work: []time.Duration{200 * ms}, Think: []time.Duration{50 * ms}}
	set(&p)
	return p
}

// TestRandomSchedules runs each lock through storms and checks what it promises in
// them, and that what it does not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	runs := whole.Of(500, 1000)
	for _, v := range []struct {
		name  string
		set   func(*Params)
		never []string
		some  []string
	}{
		{"redlock, script", func(*Params) {},
			[]string{"entitled-exclusion", "quorum-behind-holder", "owner-release"}, []string{"mutual-exclusion", "no-lost-update"}},
		{"redlock, lex, token registered first", func(p *Params) { p.Tokens, p.Fencing = "counter", "lex" },
			[]string{"entitled-exclusion", "owner-release", "fenced-order", "no-lost-update"}, []string{"mutual-exclusion", "increasing-tokens"}},
		{"redlock, lex, token not registered", func(p *Params) { p.Tokens, p.Fencing, p.FenceOp = "counter", "lex", ptr(false) },
			[]string{"fenced-order"}, []string{"no-lost-update", "increasing-tokens"}},
		{"redlock, tokens and no fencing", func(p *Params) { p.Tokens = "counter" },
			nil, []string{"fenced-order", "increasing-tokens"}},
		{"redlock, cas", func(p *Params) { p.Fencing = "cas" },
			[]string{"entitled-exclusion", "owner-release", "no-lost-update"}, []string{"mutual-exclusion"}},
		{"redis, script", func(p *Params) { p.Service = "redis" },
			[]string{"entitled-exclusion", "quorum-behind-holder", "owner-release"}, []string{"mutual-exclusion"}},
		{"redis, get and del", func(p *Params) { p.Service, p.Release = "redis", "get-del" }, nil, []string{"owner-release"}},
		{"redlock, extended", func(p *Params) { p.Extend, p.Work = 300*ms, []time.Duration{2 * time.Second} },
			[]string{"entitled-exclusion", "quorum-behind-holder", "owner-release"}, []string{"mutual-exclusion"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := contended(v.set)
			require.Empty(t, p.Problems())
			c := simtest.Count(t, p.System, sim.Config{}, runs, storm)
			c.Holds(v.never...)
			c.Violates(v.some...)
		})
	}
}
