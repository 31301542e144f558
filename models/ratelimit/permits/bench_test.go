package permits

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestCoresAllocateNothing goes through each core until its memory is as large as it
// gets.
func TestCoresAllocateNothing(t *testing.T) {
	f := &Fixed{Permits: 2, Queue: 8}
	m := &AsWritten{Permits: 2, Queue: 8}
	m.Dispatch()
	m.Events()
	for name, round := range map[string]func(){
		"fixed": func() {
			for rid := range uint32(12) {
				f.Arrive(Waiter{rid, 1})
			}
			f.Leave(5)
			for f.InUse() > 0 {
				f.Release(0)
			}
		},
		"as written": func() {
			for rid := range uint32(12) {
				m.Arrive(rid + 1)
				m.Reach(rid + 1)
			}
			for m.InUse() > 0 {
				m.Release()
				m.Dispatch()
			}
			m.Events()
		},
	} {
		round()
		require.Zero(t, testing.AllocsPerRun(100, round), name)
	}
}

// BenchmarkRun is one run of the fixed algorithm under load, and of the middleware.
func BenchmarkRun(b *testing.B) {
	for _, algorithm := range []string{"fixed", "as-written", "leases"} {
		b.Run(algorithm, func(b *testing.B) {
			p := busy(algorithm, func(*Params) {})
			simtest.Benchmark(b, p.System, sim.Config{Until: at(20_000)})
		})
	}
}
