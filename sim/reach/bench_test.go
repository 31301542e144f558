package reach_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim/reach"
)

// BenchmarkVisit visits the 8 694 980 states of the lease space. It reports how many per
// second, how long each takes and how many bytes.
func BenchmarkVisit(b *testing.B) {
	for _, c := range []struct {
		name      string
		invariant bool
		workers   int
	}{{"states", false, 1}, {"invariant", true, 1}, {"workers", false, 2}} {
		b.Run(c.name, func(b *testing.B) {
			space := leaseSpace(large, true)
			if !c.invariant {
				space.Invariant = nil
			}
			b.ReportAllocs()
			var r reach.Result
			var err error
			states := int64(0)
			for b.Loop() {
				r, err = reach.Visit(b.Context(), space, reach.Limits{Workers: c.workers})
				require.NoError(b, err)
				states += r.States
			}
			require.Equal(b, int64(wholeStates), r.States)
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(states), "ns/state")
			b.ReportMetric(float64(r.Bytes)/1e6, "MB")
			b.ReportMetric(float64(r.Bytes)/float64(r.States), "B/state")
		})
	}
}
