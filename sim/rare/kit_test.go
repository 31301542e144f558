package rare

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// tick is the only message of the worker.
type tick struct{ Kind sim.Kind }

const (
	start sim.Kind = iota
	done
)

func (m tick) Label() sim.Kind              { return m.Kind }
func (m tick) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), 0) }
func (m tick) String() string               { return [...]string{"start", "done"}[m.Kind] }

// worker is done after a second, unless it is paused, or panics if it may.
type worker struct{ Panics bool }

// Step implements [sim.Node].
func (w *worker) Step(in sim.In[tick], out *sim.Out[tick]) {
	if in.Msg.Kind == start {
		out.After(time.Second, tick{done})
		return
	}
	if w.Panics && in.Mono > sim.Mono(2*time.Second) {
		panic("too late")
	}
	out.Note(in.Msg)
}

// inTime is violated if all workers are done after the lease.
type inTime struct {
	sim.Check
	lease   time.Duration
	workers int

	earliest int64
	done     int
}

func (p *inTime) Name() string               { return "in-time" }
func (p *inTime) Why(*sim.View[tick]) string { return "all were late" }
func (p *inTime) End(*sim.View[tick])        {}

// Reset implements [sim.Observer].
func (p *inTime) Reset(*sim.View[tick]) {
	p.Clear()
	p.done = 0
}

// Level implements [sim.Leveled].
func (p *inTime) Level() sim.Level {
	return sim.Level{Text: "by how much the first worker is late", Unit: sim.Duration}
}

// Near implements [sim.Leveled].
func (p *inTime) Near() int64 {
	if p.done < p.workers {
		return sim.Unreached
	}
	return p.earliest
}

// Observe implements [sim.Observer].
func (p *inTime) Observe(v *sim.View[tick], o *sim.Observation[tick]) {
	if o.Event != sim.Noted {
		return
	}
	p.Saw()
	late := int64(v.Now()) - int64(p.lease)
	if p.done == 0 {
		p.earliest = late
	}
	if p.done++; p.done == p.workers && p.earliest > 0 {
		p.Violate(v.Now(), o.Node)
	}
}

// unleveled is a property without a level.
type unleveled struct{ sim.Check }

func (p *unleveled) Name() string                                    { return "unleveled" }
func (p *unleveled) Why(*sim.View[tick]) string                      { return "" }
func (p *unleveled) End(*sim.View[tick])                             {}
func (p *unleveled) Reset(*sim.View[tick])                           { p.Clear() }
func (p *unleveled) Observe(*sim.View[tick], *sim.Observation[tick]) {}

// paused is workers that are paused half a second into their work of a second, each for a time that is drawn: all
// are late with the probability that a pause is longer than the lease less half a second, to the power of how many there are.
func paused(lease time.Duration, pause sim.Dist, workers int) *Options {
	names := []string{"a", "b", "c"}
	o := &Options{
		Program: sim.NewProgram(func() sim.System[tick] {
			s := sim.System[tick]{Kinds: []string{"start", "done"}, Notes: []sim.Kind{done},
				Properties: []sim.Property[tick]{&inTime{lease: lease, workers: workers}, &unleveled{}}}
			for _, name := range names[:workers] {
				s.Nodes = append(s.Nodes, sim.Place[tick](name, worker{}))
			}
			return s
		}),
		Config: sim.Config{Until: sim.Time(1000 * time.Hour)},
		Seed:   1, Population: 200, Moves: UsualMoves,
	}
	for i, name := range names[:workers] {
		o.Config.Faults = append(o.Config.Faults, sim.Fault{Name: name, Do: sim.Pause, Node: sim.NodeID(i + 1),
			When: sim.When{At: sim.Time(time.Second / 2)}, For: pause})
	}
	return o
}

// repetitions are those of some options, with the thresholds of their pilot.
func repetitions(t testing.TB, o *Options, n int) []Repetition {
	t.Helper()
	require.NoError(t, o.Check())
	l, err := Pilot(context.Background(), o)
	require.NoError(t, err)
	list, err := Repetitions(context.Background(), o, l, 0, n, nil)
	require.NoError(t, err)
	return list
}
