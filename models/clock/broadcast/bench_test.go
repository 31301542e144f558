package broadcast

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestRunsAllocate: a world that has run once has the memory for the next runs, but for
// the pages of vectors in causal order and the words for the first violation of a property.
func TestRunsAllocate(t *testing.T) {
	for _, order := range orders {
		for _, change := range []simtest.Change{simtest.Delay(ms), lossy} {
			p := busy(order, nil)
			c := sim.Config{Until: at(10_000)}
			r := simtest.Play(t, p.System, c, change)
			want := 5 * float64(len(r.Verdicts(sim.Violated)))
			if order == "causal" {
				want += float64(r.Measure("broadcasts"))/stampsPerPage + float64(p.Processes)
			}
			require.LessOrEqual(t, simtest.Allocs(t, p.System, c, change), want, order)
		}
	}
}

// lossy loses one message of a hundred.
func lossy(c *sim.Config, _ *sim.Program) {
	c.Network.Default = sim.Link{Delay: sim.Exponential(5 * ms), Loss: sim.Certain / 100}
}

// BenchmarkRun is one run of ten processes that broadcast over and over.
func BenchmarkRun(b *testing.B) {
	for _, order := range orders {
		b.Run(order, func(b *testing.B) {
			p := busy(order, func(p *Params) { p.Processes = 10 })
			simtest.Benchmark(b, p.System, sim.Config{Until: at(10_000)}, simtest.Delay(ms))
		})
	}
}

// BenchmarkLoss is one run in which a message is lost now and then, and nobody sends it
// again: the longer the run, the more waits behind it.
func BenchmarkLoss(b *testing.B) {
	for _, order := range []string{"fifo", "causal"} {
		for _, messages := range []int{500, 2000, 8000} {
			b.Run(fmt.Sprintf("%s/%d", order, messages), func(b *testing.B) {
				p := params(order, func(p *Params) { p.Processes, p.Messages = 5, []int{messages} })
				simtest.Benchmark(b, p.System, sim.Config{Until: at(int64(messages) * 110)}, lossy)
			})
		}
	}
}
