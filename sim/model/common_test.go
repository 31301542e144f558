package model_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/certify/claim"
	"fencepost/sim/explore"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// turn is what workers say: its kind, and the number of an order.
type turn struct {
	Kind  sim.Kind
	Order int64
}

const (
	begin sim.Kind = iota + 1 // a timer
	end                       // a timer
	enters
	leaves
)

var turns = model.Kinds{model.MessageKind("start"), begin: model.TimerKind("begin"), end: model.TimerKind("end"), enters: model.NoteKind("enters"), leaves: model.NoteKind("leaves")}

func (m turn) Label() sim.Kind              { return m.Kind }
func (m turn) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), uint64(m.Order)) }
func (m turn) String() string               { return turns.Name(m.Kind) }
func (m *turn) order() int64                { return m.Order }

// worker enters after some time, and works for some time.
type worker struct {
	After, Work time.Duration
	Order       int64
}

// Step implements [sim.Node].
func (w *worker) Step(in sim.In[turn], out *sim.Out[turn]) {
	switch in.Msg.Kind {
	case 0:
		out.After(w.After, turn{Kind: begin})
	case begin:
		out.Note(turn{Kind: enters, Order: w.Order})
		out.After(w.Work, turn{Kind: end})
	case end:
		out.Note(turn{Kind: leaves, Order: w.Order})
	}
}

func (w *worker) Recover(before *worker)          { w.Order = before.Order + 10 }
func (w *worker) Symbolic() string                { return "" }
func (w *worker) Forget()                         {}
func (w *worker) Ignores(*sim.Arrival[turn]) bool { return false }

// shift is two workers, the second of which begins after some time, and a property.
func shift(p func() sim.Property[turn], second worker) func() sim.System[turn] {
	return func() sim.System[turn] {
		s := model.Of(turns, p())
		sim.Put(&s, s.Node("first"), worker{After: time.Second, Work: time.Second, Order: 1})
		sim.Put(&s, s.Node("second"), second)
		return s
	}
}

func oneWorks() sim.Property[turn] { return model.AtMostOne[turn]("one-works", enters, leaves) }
func once() sim.Property[turn]     { return model.AtMostOnce("once", enters, (*turn).order) }
func ends() sim.Property[turn] {
	return model.EventuallyAfter[turn]("ends", enters, leaves, 1500*time.Millisecond)
}

// Each property holds, and a change of the second worker violates it: in a run of the engine and with time as a symbol.
func TestCommonPropertiesHoldAndAreViolated(t *testing.T) {
	good := worker{After: 3 * time.Second, Work: time.Second, Order: 2}
	early, same, slow := good, good, good
	early.After = 1900 * time.Millisecond
	same.Order = 1
	slow.Work = 1501 * time.Millisecond
	for _, c := range []struct {
		property func() sim.Property[turn]
		second   worker
		why      string // "" if it holds
		at       time.Duration
	}{
		{oneWorks, good, "", 0},
		{oneWorks, early, "second notes enters while first is still in", 1900 * time.Millisecond},
		{once, good, "", 0},
		{once, same, "second notes enters, which first had noted before", 3 * time.Second},
		{ends, good, "", 0},
		{ends, slow, "1.5s after its cause, which second noted at 3.000s, the effect is missing", 4500 * time.Millisecond},
	} {
		system := shift(c.property, c.second)
		r := simtest.Play(t, system, sim.Config{Until: sim.Time(10 * time.Second)})
		want := certify.Certified
		if f := r.Finding(system().Properties[0].Name()); c.why == "" {
			assert.Equal(t, sim.Holds, f.Verdict, r)
		} else {
			want = certify.Violated
			assert.Equal(t, sim.Violated, f.Verdict, r)
			assert.Equal(t, sim.Time(c.at), f.First)
			assert.Contains(t, r.String(), c.why)
		}
		assert.Equal(t, want, proven(t, system, 0), c.why)
	}
}

// proven is the verdict of a search with time as a symbol, over a pause of any node up to a length.
func proven(t *testing.T, system func() sim.System[turn], pause time.Duration) certify.Verdict {
	t.Helper()
	budget := explore.Budget{}
	if pause > 0 {
		budget = explore.Budget{Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{pause}}}
	}
	s, err := claim.Of(sim.NewProgram(system), sim.Config{Until: sim.Time(10 * time.Second)}, budget, 0)
	require.NoError(t, err)
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	return r.Verdict
}

// The first worker leaves a second before the other enters, or a pause after that.
func TestAtMostOneIsProvenUpToAnEdge(t *testing.T) {
	system := shift(oneWorks, worker{After: 3 * time.Second, Work: time.Second})
	assert.Equal(t, certify.Certified, proven(t, system, 999*time.Millisecond))
	assert.Equal(t, certify.Violated, proven(t, system, 1001*time.Millisecond))
}

// The first worker crashes while it is in: it is out, and the second may enter.
func TestAWorkerThatCrashesIsOut(t *testing.T) {
	crash := simtest.Inject("first", sim.Fault{Do: sim.Crash, When: sim.When{At: sim.Time(1500 * time.Millisecond)}, For: sim.Constant(5 * time.Second)})
	r := simtest.Play(t, shift(oneWorks, worker{After: 1900 * time.Millisecond, Work: time.Second}), sim.Config{Until: sim.Time(4 * time.Second)}, crash)
	r.Holds("one-works")
}

// What is due after the end of the run shows nothing.
func TestACauseAtTheEndOfARunShowsNothing(t *testing.T) {
	r := simtest.Play(t, shift(ends, worker{After: 3 * time.Second, Work: time.Second}), sim.Config{Until: sim.Time(1900 * time.Millisecond)})
	assert.Equal(t, sim.NotExercised, r.Finding("ends").Verdict)
}

// A system of Of says each note in its log.
func TestOfSaysEachNote(t *testing.T) {
	r := simtest.Play(t, shift(oneWorks, worker{After: 3 * time.Second, Work: time.Second}), sim.Config{Until: sim.Time(10 * time.Second)})
	r.Logs("1.000s first notes enters", "2.000s first notes leaves", "3.000s second notes enters", "4.000s second notes leaves")
}
