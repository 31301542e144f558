package explore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/lock"
	"fencepost/sim"
)

// token goes round among players, each of whom passes it on after a while.
type token struct {
	Kind sim.Kind
	Hops uint64
	_    uint64 // 24 bytes, as the messages of the engine's other benchmarks
}

func (m token) Label() sim.Kind              { return m.Kind }
func (m token) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), m.Hops) }
func (m token) String() string               { return fmt.Sprint("hop ", m.Hops) }

type passer struct {
	Among uint64

	hops, at uint64
}

func (p *passer) Step(in sim.In[token], out *sim.Out[token]) {
	p.hops += in.Msg.Hops
	p.at = (p.at + uint64(in.Self)) % p.Among
	out.Send(sim.NodeID(p.at+1), token{Kind: 1, Hops: in.Msg.Hops + 1})
}

// ring is players of whom each begins with a token; a run has about 1 000 events.
func ring(players int) (sim.Program, sim.Config) {
	p := sim.NewProgram(func() sim.System[token] {
		s := sim.System[token]{Kinds: []string{"start", "hop"}}
		for i := range players {
			s.Nodes = append(s.Nodes, sim.Place[token](fmt.Sprint("player-", i+1), passer{Among: uint64(players)}))
		}
		return s
	})
	return p, sim.Config{Until: sim.Time(1000 * time.Millisecond / time.Duration(players)),
		Network: sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(time.Millisecond)}}}
}

// redlock is two clients and five instances, as in the scenario of the pause.
func redlock() (sim.Program, sim.Config) {
	ttl := 10 * time.Second
	params := lock.DefaultParams()
	params.TTL = &ttl
	return sim.NewProgram(params.System), sim.Config{Until: sim.Time(time.Minute),
		Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * time.Millisecond)}}}
}

// BenchmarkSearch does runs of about 1 000 events without a fault: what a search costs
// besides the model.
func BenchmarkSearch(b *testing.B) {
	for _, players := range []int{3, 10} {
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("players=%d/jobs=%d", players, jobs), func(b *testing.B) {
				p, c := ring(players)
				benchmark(b, Search{Program: p, Config: c, Jobs: jobs})
			})
		}
	}
}

// BenchmarkRedlock searches a correct Redlock for what no run can show, in each mode.
func BenchmarkRedlock(b *testing.B) {
	p, c := redlock()
	target := -1
	for i, name := range p.Properties {
		if name == "fenced-order" {
			target = i
		}
	}
	for _, v := range []struct {
		mode   Mode
		budget Budget
	}{{Random, Budget{}}, {Random, Budget{Pauses: 1}}, {PCT, Budget{Pauses: 1}}, {Exhaustive, Budget{Pauses: 1, Crashes: 1}}} {
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("%v/faults=%d/jobs=%d", v.mode, v.budget.Faults(), jobs), func(b *testing.B) {
				benchmark(b, Search{Program: p, Config: c, Jobs: jobs, Mode: v.mode, Budget: v.budget, Targets: []int{target}})
			})
		}
	}
}

func benchmark(b *testing.B, s Search) {
	b.ReportAllocs()
	s.Seed, s.Runs = 1, b.N
	r, err := Find(context.Background(), s)
	require.NoError(b, err)
	require.Nil(b, r.Found)
	took := b.Elapsed().Seconds()
	b.ReportMetric(float64(r.Runs)/took, "runs/s")
	b.ReportMetric(float64(r.Steps)/float64(r.Runs), "events/run")
	if r.States > 0 {
		b.ReportMetric(float64(r.States)/took, "states/s")
	}
}
