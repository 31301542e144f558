package replicas

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// storm is a network in which messages overtake each other, arrive twice and get lost,
// cuts, pauses and crashes; all of it over before the end.
func storm(c *sim.Config, p *sim.Program) {
	late, err := sim.LogNormal(2*ms, 100*ms)
	if err != nil {
		panic(err)
	}
	c.Until, c.Twice = at(8000), false
	c.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: late}}
	for i := range 4 {
		from := at(200 + 500*int64(i))
		f := sim.Fault{Do: sim.Cut, When: sim.When{At: from}, For: sim.Exponential(300 * ms), Name: p.Nodes[i]}
		simtest.Part(f, []string{p.Nodes[i%3]}, []string{p.Nodes[(i+1)%3]})(c, p)
		simtest.Inject(p.Nodes[i%3], sim.Fault{Do: sim.Pause, When: sim.When{Note: Stored, Nth: 5 + i}, For: sim.Exponential(100 * ms)})(c, p)
		simtest.Disturb("", "", sim.Fault{Do: sim.Duplicate, Msg: sim.MsgChoice{Kind: Sync, Nth: 9 + 20*i}, For: sim.Exponential(300 * ms)})(c, p)
		simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Sync, Nth: 11 + 20*i}})(c, p)
	}
	simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Put, Nth: 7}})(c, p)
	for i := range 3 {
		for n := range 2 {
			simtest.Inject(p.Nodes[i], sim.Fault{Do: sim.Crash, When: sim.When{Note: Stored, Nth: 10*(n+1) + i}, For: sim.Exponential(100 * ms)})(c, p)
		}
	}
	simtest.Inject(p.Nodes[3], sim.Fault{Do: sim.Crash, When: sim.When{Note: Wrote, Nth: 4}, For: sim.Exponential(100 * ms)})(c, p)
}

// loads are clients at three replicas that read and write, some of them where they have
// not read, and one that has read nothing.
func loads(versioning string, set func(*Params)) Params {
	client := func(lines ...string) ClientParams {
		twenty := 20
		return ClientParams{Steps: steps(lines...), Repeat: &twenty, Think: sim.Exponential(50 * ms)}
	}
	p := DefaultParams()
	p.Versioning, p.Sync, p.Patience = versioning, 100*ms, 200*ms
	p.Clients = []ClientParams{
		client("read a", "write a"), client("read b", "write b", "read b", "write c"), client("read c", "read a", "write c"),
		client("read a", "write b"), client("blind-write a"),
	}
	set(&p)
	return p
}

// TestRandomSchedules runs each way to version values through storms and checks what it
// promises in them, and that what it does not promise does go wrong there.
func TestRandomSchedules(t *testing.T) {
	const (
		nfs, nlv, equal, agree = "no-false-siblings", "no-lost-value", "no-equal-versions", "converges"
	)
	same := func(*Params) {}
	lost := func(actor string) func(*Params) {
		return func(p *Params) { p.Disk, p.Actor = "lost", actor }
	}
	for _, v := range []struct {
		name        string
		params      Params
		never, some []string
	}{
		{"dvvset", loads("dvvset", same), []string{nfs, nlv, equal, agree}, nil},
		{"dvv", loads("dvv", same), []string{nfs, nlv, equal, agree}, nil},
		{"vnode", loads("vnode", same), []string{nlv, agree}, []string{nfs}},
		{"dvvset, disks are lost, new ids", loads("dvvset", lost("epoch")), []string{nfs, nlv, equal, agree}, nil},
		{"dvvset, disks are lost, old ids", loads("dvvset", lost("node")), nil, []string{nlv, equal}},
		{"server-vectors", loads("server-vectors", same), []string{nfs, equal, agree}, []string{nlv}},
		{"server-vectors, pruned", loads("server-vectors", func(p *Params) { p.Prune = &Prune{Small: 2, Big: 2} }), []string{agree}, []string{nfs, nlv}},
		{"client-vectors", loads("client-vectors", same), []string{nfs}, []string{nlv, equal}},
		{"client-vectors, own counters", loads("client-vectors", func(p *Params) { p.Counter = "own" }), []string{nfs, equal, agree}, []string{nlv}},
		{"last-write-wins", loads("last-write-wins", same), []string{nfs, agree}, []string{nlv}},
	} {
		t.Run(v.name, func(t *testing.T) {
			require.Empty(t, v.params.Problems())
			c := simtest.Count(t, v.params.System, sim.Config{}, whole.Of(40, 100), storm)
			c.Holds(v.never...)
			c.Violates(v.some...)
		})
	}
}

// TestPure takes each step of some runs twice, on copies.
func TestPure(t *testing.T) {
	for _, versioning := range []string{"client-vectors", "server-vectors", "vnode", "dvv", "dvvset", "last-write-wins"} {
		t.Run(versioning, func(t *testing.T) {
			p := loads(versioning, func(*Params) {})
			system := func() sim.System[Msg] { q := p; return q.System() }
			simtest.Run(t, simtest.Case[Msg]{System: system, Runs: 3, Properties: []string{"converges"},
				Config: sim.Config{Until: at(10_000), Network: sim.Network{Default: sim.Link{Delay: sim.Exponential(5 * ms)}}}})
		})
	}
}

// TestResetForgetsEverything runs each way through storms and crashes.
func TestResetForgetsEverything(t *testing.T) {
	for _, versioning := range []string{"client-vectors", "server-vectors", "vnode", "dvv", "dvvset", "last-write-wins"} {
		t.Run(versioning, func(t *testing.T) {
			p := loads(versioning, func(p *Params) { p.Disk = "lost" })
			simtest.Forgets(t, p.System, sim.Config{}, storm)
		})
	}
	t.Run("carts", func(t *testing.T) {
		p := busy()
		simtest.Forgets(t, p.System, sim.Config{Until: at(1000)})
	})
}

// TestConvergesIsNotCheckedTooEarly: replicas that had no time to agree are not blamed.
func TestConvergesIsNotCheckedTooEarly(t *testing.T) {
	p := busy()
	r := play(t, p, simtest.Until(at(150)))
	assert.Equal(t, sim.NotExercised, r.Finding("converges").Verdict)
	p.Settle = time.Millisecond
	r = play(t, p, simtest.Until(at(45)))
	assert.Equal(t, sim.Violated, r.Finding("converges").Verdict)

	p = params("dvvset", []string{"a", "b"}, script("c", "at 10ms", "write a x"))
	p.Settle = 5 * ms
	for until, want := range map[int64]sim.Verdict{14: sim.NotExercised, 15: sim.Violated} {
		assert.Equal(t, want, play(t, p, simtest.Until(at(until))).Finding("converges").Verdict, "%d ms", until)
	}
}

// TestNothingToCheck: where nothing is written, nothing is kept, and nothing is lost with a
// disk.
func TestNothingToCheck(t *testing.T) {
	p := params("dvvset", []string{"a", "b"}, script("c", "read a", "sync a b", "at 20ms", "sync b a"))
	p.Disk = "lost"
	r := play(t, p, simtest.Inject("a", sim.Fault{Do: sim.Crash, When: sim.When{At: at(10)}, For: sim.Constant(ms)}))
	assert.Len(t, r.Verdicts(sim.NotExercised), len(r.Program.Properties), r)
}

// TestExhaustively plays all schedules in which one node crashes and one message is late.
func TestExhaustively(t *testing.T) {
	for _, versioning := range []string{"dvv", "dvvset"} {
		t.Run(versioning, func(t *testing.T) {
			p := concurrent(versioning)
			simtest.Explore(t, simtest.Case[Msg]{
				System: func() sim.System[Msg] { q := p; return q.System() },
				Config: sim.Config{Until: at(100)}, Mode: explore.Exhaustive,
				Budget:     explore.Budget{Crashes: 1, Late: 1},
				Properties: []string{"no-false-siblings", "no-lost-value", "no-equal-versions"},
			})
		})
	}
}

// TestStepsLeftOut leaves out each step of a run, as a search for what matters does: the
// model goes on without it.
func TestStepsLeftOut(t *testing.T) {
	p := busy()
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(200)})
	require.NoError(t, err)
	all := int(w.Run(1).Steps)
	require.Greater(t, all, 20)
	for left := range all {
		n := -1
		require.NoError(t, w.Vary(sim.Variation{Skip: func(sim.Handling) bool {
			n++
			return n == left
		}}))
		r := w.Run(1)
		require.Nil(t, r.Panic, "without step %d", left)
	}
}
