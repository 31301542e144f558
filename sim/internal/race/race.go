// Package race is a small system for the tests of what drives worlds: two players each note
// how long they took. Its property can be violated, a step of it can panic, and so can the
// property.
package race

import (
	"time"

	"fencepost/sim"
)

// Ball is the message of a race.
type Ball struct{ kind sim.Kind }

func (b Ball) Label() sim.Kind              { return b.kind }
func (b Ball) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(b.kind), 0) }
func (b Ball) String() string               { return [...]string{"start", "ready", "fell"}[b.kind] }

// Player is ready after a drawn time.
type Player struct{ Clumsy bool }

func (p *Player) Step(in sim.In[Ball], out *sim.Out[Ball]) {
	switch {
	case in.Msg.kind == 0:
		out.AfterDraw(sim.Exponential(10*time.Millisecond), Ball{1})
	case p.Clumsy && in.Mono > sim.Mono(60*time.Millisecond):
		panic("fell over")
	default:
		out.Note(Ball{1})
	}
}

// Quick is violated by a player that takes longer than 30 ms.
type Quick struct {
	sim.Check
	Panics bool // at the end of a run in which a runner took longer than 90 ms
	last   sim.Time
}

func (q *Quick) Name() string                 { return "quick" }
func (q *Quick) Reset(*sim.View[Ball])        { q.Clear() }
func (q *Quick) Why(v *sim.View[Ball]) string { return "slow" }
func (q *Quick) End(*sim.View[Ball]) {
	if q.Panics && q.last > sim.Time(90*time.Millisecond) {
		panic("a broken property")
	}
}

func (q *Quick) Observe(v *sim.View[Ball], o *sim.Observation[Ball]) {
	if o.Event != sim.Noted {
		return
	}
	q.last = v.Now()
	q.Saw()
	v.Record(0, int64(v.Now()))
	v.Record(1, 1)
	if v.Now() > sim.Time(30*time.Millisecond) {
		q.Violate(v.Now(), o.Node)
	}
}

// Program is the race. A clumsy player falls over once its monotonic clock is beyond 60 ms.
func Program(clumsy, panics bool) sim.Program {
	return sim.NewProgram(func() sim.System[Ball] {
		return sim.System[Ball]{
			Nodes:      []sim.Spec[Ball]{sim.Place[Ball]("ann", Player{}), sim.Place[Ball]("bob", Player{Clumsy: clumsy})},
			Kinds:      []string{"start", "ready", "fell"},
			Notes:      []sim.Kind{1},
			Properties: []sim.Property[Ball]{&Quick{Panics: panics}},
			Measures:   []sim.Measure{{Name: "time", Unit: sim.Duration}, {Name: "ready", Total: true}},
		}
	})
}

// Config is a second of it, in which ann is paused now and then.
func Config() sim.Config {
	return sim.Config{Until: sim.Time(time.Second), Faults: []sim.Fault{
		{Name: "pause", Do: sim.Pause, Node: 1, When: sim.When{Every: sim.Exponential(time.Second)}, For: sim.Constant(time.Millisecond)},
	}}
}
