package lock

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// BenchmarkHerd is a herd on each lock, with all properties and measures: so many clients
// want it at the start, and hold it for 1 ms. It shows how the price of a step grows with
// the number of clients.
func BenchmarkHerd(b *testing.B) {
	for i := range services[1:] {
		for _, clients := range []int{10, 100, 1_000, 10_000} {
			name := services[i+1].name
			b.Run(fmt.Sprint(name, "/", clients), func(b *testing.B) {
				p := DefaultParams()
				p.Service, p.Clients, p.Work = name, clients, []time.Duration{ms}
				require.Empty(b, p.Problems())
				simtest.Benchmark(b, p.System, sim.Config{Until: at(5_000)}, simtest.Delay(ms))
			})
		}
	}
}
