package idempotency

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// small is two clients that send one intent, and two servers.
func small(p *Params) {
	p.Clients, p.Servers, p.Tasks = 2, 2, 2
	p.Intent, p.Key = []int{1}, []int{1}
	p.Lease, p.Timeout, p.StatementTimeout = ptr(300*ms), []time.Duration{200 * ms}, 150*ms
	p.Backoff, p.Attempts = []sim.Dist{sim.Constant(50 * ms)}, []int{12}
	p.Bounds.Within = ptr(3 * time.Second)
}

// TestAStepAllocatesNothing is a run of a world that is warm.
func TestAStepAllocatesNothing(t *testing.T) {
	got := simtest.Allocs(t, system(t, reference, small), sim.Config{Until: modeltest.At(5000)}, simtest.Delay(5*ms))
	if got > 0 {
		t.Errorf("a run allocates %v times", got)
	}
}

// BenchmarkReference is one run of two clients that send one intent.
func BenchmarkReference(b *testing.B) {
	simtest.Benchmark(b, system(b, reference, small), sim.Config{Until: modeltest.At(5000)}, simtest.Delay(5*ms))
}

// within is what may go wrong in the searches of these tests.
func within(pauses, crashes, lost int) explore.Budget {
	return explore.Budget{
		Pauses: pauses, Crashes: crashes, Lost: lost,
		PauseFor: explore.Lengths{List: []time.Duration{400 * ms}}, DownFor: explore.Lengths{List: []time.Duration{100 * ms}},
	}
}
