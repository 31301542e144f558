package simtest_test

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

func BenchmarkHandOver(b *testing.B) { simtest.Benchmark(b, handOver, minute, often) }

func TestBenchmark(t *testing.T) {
	often := flag.Lookup("test.benchtime").Value
	before := often.String()
	require.NoError(t, often.Set("1x"))
	defer func() { require.NoError(t, often.Set(before)) }()
	r := testing.Benchmark(func(b *testing.B) {
		simtest.Benchmark(b, handOver, sim.Config{Until: at(6)}, simtest.Once())
	})
	assert.Positive(t, r.Extra["ns/step"])
	assert.EqualValues(t, simtest.Play(t, handOver, sim.Config{Until: at(6)}).Result.Steps, r.Extra["steps/run"])
}

func TestAllocs(t *testing.T) {
	assert.Zero(t, simtest.Allocs(t, handOver, minute))
	wasteful := func() sim.System[Msg] {
		s := handOver()
		s.Meters = append(s.Meters, &waste{})
		return s
	}
	assert.Positive(t, simtest.Allocs(t, wasteful, minute))
}

// waste is a meter that allocates at each observation.
type waste struct{ seen *int }

func (w *waste) Reset(*sim.View[Msg])                              {}
func (w *waste) End(*sim.View[Msg])                                {}
func (w *waste) Observe(_ *sim.View[Msg], _ *sim.Observation[Msg]) { w.seen = new(int) }
