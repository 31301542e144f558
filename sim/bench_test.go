package sim

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// hop is the message of PHOLD: 24 bytes, like the floor's event.
type hop struct {
	kind Kind
	from NodeID
	arg  uint64
	last int64
}

func (h hop) Label() Kind          { return h.kind }
func (h hop) Fold(d Digest) Digest { return d.Fold(uint64(h.kind)<<32|uint64(h.from), h.arg) }
func (h hop) String() string       { return fmt.Sprintf("hop %d", h.arg) }

// player counts what it gets and sends one message on, to a random player.
type player struct {
	seed  uint64
	among uint64
	count uint64
	last  Mono
}

func (p *player) Step(in In[hop], out *Out[hop]) {
	p.count++
	p.last = in.Mono
	p.seed += 0x9E3779B97F4A7C15
	to := NodeID(below(mix(p.seed), p.among)) + 1
	out.Send(to, hop{kind: 1, from: in.Self, arg: in.Msg.arg + 1})
}

func phold(tb testing.TB, n int) *World[hop] {
	s := System[hop]{Kinds: []string{"start", "hop"}}
	for i := range n {
		s.Nodes = append(s.Nodes, Place[hop]("player", player{seed: mix(uint64(i)), among: uint64(n)}))
	}
	w, err := NewWorld(s, Config{Until: Never, Network: Network{Order: Free, Default: Link{Delay: Exponential(time.Millisecond)}}})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// forSteps runs the world until it has done so many steps.
func (w *World[M]) forSteps(n uint64) {
	for goal := w.steps + n; w.steps < goal; {
		if !w.next(Never) {
			panic("sim: no events are left")
		}
	}
}

// BenchmarkPHOLD is the workload of the C++ floor: n events are pending; each step
// draws an exponential delay and sends to a random node.
func BenchmarkPHOLD(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := phold(b, n)
			w.reset(1)
			w.forSteps(uint64(3 * n))
			runtime.GC()
			b.ReportAllocs()
			b.ResetTimer()
			w.forSteps(uint64(b.N))
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msteps/s")
		})
	}
}
