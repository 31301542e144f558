package certify_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// BenchmarkFischer proves Fischer's mutual exclusion for n processes.
func BenchmarkFischer(b *testing.B) {
	for _, n := range []int{2, 4, 6, 8, 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := certify.Search{Program: fischer(n, 10*time.Millisecond, 10*time.Millisecond+1), Config: sim.Config{Until: sim.Time(time.Second), Network: sim.Network{Order: sim.Free}}}
			for b.Loop() {
				r, err := s.Run(b.Context())
				require.NoError(b, err)
				require.Equal(b, certify.Certified, r.Verdict)
				b.ReportMetric(float64(r.States), "states")
				b.ReportMetric(float64(r.Memory)/float64(r.States), "B/state")
			}
		})
	}
}
