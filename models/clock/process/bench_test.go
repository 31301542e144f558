package process

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestStepsAllocateNothing: a process with a number for a clock allocates nothing, and
// one with a vector a page for every 64 events.
func TestStepsAllocateNothing(t *testing.T) {
	for kind, most := range map[string]float64{"wall": 0, "lamport": 0, "hlc": 0, "vector": 4.0 / pageSize, "pruned": 4.0 / pageSize} {
		p := busy(kind, "ring", func(*Params) {})
		c := p.clock(0, 8).Copy(nil) // as the engine does
		m := Stamp{L: 5}
		switch kind {
		case "vector":
			v := make(clock.Vector, 8)
			m.Vector = &v
		case "pruned": // whose entries are three numbers each
			v := clock.Vector{2, 5, 0, 3, 9, 0, 4, 7, 0}
			m.Vector = &v
		}
		pt := clock.Reading(0)
		got := testing.AllocsPerRun(1000, func() {
			pt++
			c.Tick(pt)
			c.Receive(m, pt)
		})
		assert.LessOrEqual(t, got, 2*most, kind)
	}
}

// A message fits into 48 bytes.
func TestMessagesAreSmall(t *testing.T) {
	assert.LessOrEqual(t, reflect.TypeOf(Msg{}).Size(), uintptr(48))
}

// BenchmarkRun is a whole run of 8 processes with 100 000 events, checked.
func BenchmarkRun(b *testing.B) {
	for _, kind := range []string{"wall", "lamport", "vector", "pruned", "hlc"} {
		b.Run(kind, func(b *testing.B) {
			p := with(func(p *Params) {
				gap := sim.Exponential(10 * ms)
				p.Clock, p.Pattern, p.Processes, p.Events, p.Gap = kind, "random", 8, ptr(6250), &gap
				p.Keep = 8
			})
			require.Empty(b, p.Problems())
			simtest.Benchmark(b, p.System, sim.Config{Until: at(600_000), Network: sim.Network{Default: sim.Link{Delay: sim.Exponential(5 * ms)}}})
		})
	}
}
