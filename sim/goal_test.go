package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bookkeeper records each note in four measures, and at the end 7 in a fifth.
type bookkeeper struct{}

func (m *bookkeeper) Reset(*View[tm])              {}
func (m *bookkeeper) End(v *View[tm])              { v.Record(4, 7) }
func (m *bookkeeper) Watches(e Event, _ Kind) bool { return e == Noted }
func (m *bookkeeper) Observe(v *View[tm], o *Observation[tm]) {
	for measure := range 4 {
		v.Record(measure, o.Msg.n)
	}
}

// noter notes 3, -1 and 5, each 10 ms after the one before.
type noter struct{ done int }

func (n *noter) Step(in In[tm], out *Out[tm]) {
	values := [...]int64{3, -1, 5}
	if in.Msg.kind == tick {
		out.Note(tm{mark, values[n.done]})
		n.done++
	}
	if n.done < len(values) {
		out.After(10*ms, tm{kind: tick})
	}
}

// noting is a system whose notes are measured in five ways.
func noting() System[tm] {
	return System[tm]{Kinds: kindNames, Nodes: []Spec[tm]{Place[tm]("noter", noter{})}, Meters: []Observer[tm]{&bookkeeper{}}, Measures: []Measure{
		{Name: "kept", Signed: true}, {Name: "sum", Total: true, Unit: Duration}, {Name: "balance", Total: true, Signed: true},
		{Name: "part", Per: "last", Total: true, Signed: true}, {Name: "last", Total: true},
	}}
}

// A goal is reached at the first instant at which it is certain: of a total that only grows, or a value, when it is recorded;
// of what may change again at the end.
func TestAGoalIsReached(t *testing.T) {
	program := NewProgram(noting)
	for _, v := range []struct {
		goal Goal
		at   Time // Never: it is not reached
		why  string
	}{
		{Goal{Measure: 0, Value: 5}, at(30), "kept is 5"},
		{Goal{Measure: 0, Value: 6}, Never, ""},
		{Goal{Measure: 0, AtMost: true, Value: -1}, at(20), "kept is -1"},
		{Goal{Measure: 0, AtMost: true, Value: -2}, Never, ""},
		{Goal{Measure: 1, Value: 3}, at(10), "sum is 0.000000007s"},
		{Goal{Measure: 1, Value: 7}, at(30), "sum is 0.000000007s"},
		{Goal{Measure: 1, AtMost: true, Value: 7}, at(50), "sum is 0.000000007s"},
		{Goal{Measure: 1, AtMost: true, Value: 6}, Never, ""},
		{Goal{Measure: 2, Value: 3}, at(50), "balance is 7"},
		{Goal{Measure: 3, Value: 1e9}, at(50), "part is 1"},
		{Goal{Measure: 3, Value: 1e9 + 1}, Never, ""},
		{Goal{Measure: 4, Value: 7}, at(50), "last is 7"},
	} {
		v.goal.Text = "the goal"
		p := program.Reaching(v.goal)
		require.Equal(t, []string{"the goal"}, p.Properties)
		require.True(t, p.Aims(0))
		w, err := p.NewWorld(Config{Until: at(50)})
		require.NoError(t, err)
		for range 2 { // the second run begins anew
			f := w.Run(1).Properties[0]
			assert.Equal(t, v.at, f.First, "%+v", v.goal)
			assert.Equal(t, v.why, w.Why(0))
			assert.Equal(t, v.at != Never, f.Verdict == Violated)
		}
	}
	assert.Empty(t, program.Properties, "the program itself has no goal")
	assert.False(t, program.Aims(0))
}

// A ratio is in billionths, rounded down; there is none to nothing, and a run without a value reaches no goal.
func TestRatioOfAGoal(t *testing.T) {
	measures := []Measure{{Name: "lost", Per: "asked"}, {Name: "asked", Total: true}, {Name: "kept"}}
	g := Goal{Measure: 0}
	best, ok := g.Best(measures, []Sample{{0, 1}, {1, 3}})
	assert.True(t, ok)
	assert.EqualValues(t, 333_333_333, best)
	assert.Equal(t, "0.333333333", g.Words(measures, best))
	assert.Equal(t, "2", g.Words(measures, 2e9))
	_, ok = g.Best(measures, []Sample{{0, 1}})
	assert.False(t, ok)
	best, ok = g.Best(measures, []Sample{{0, 1 << 62}, {1, 1}})
	assert.True(t, ok)
	assert.EqualValues(t, int64(1<<63-1), best)
	_, ok = (&Goal{Measure: 2}).Best(measures, nil)
	assert.False(t, ok)
}

// Two states that differ in what was measured so far are two, where there is a goal.
func TestAGoalIsPartOfTheState(t *testing.T) {
	print := func(p Program) Print {
		w, err := p.NewWorld(Config{Until: at(50)})
		require.NoError(t, err)
		return printAt(w.(*World[tm]), 1, from(at(20)))
	}
	other := func() System[tm] {
		s := noting()
		s.Meters = []Observer[tm]{&bookkeeper{}, &bookkeeper{}} // the total is twice as much
		return s
	}
	require.Equal(t, print(NewProgram(noting)), print(NewProgram(other)))
	goal := Goal{Measure: 1, Value: 100}
	require.NotEqual(t, print(NewProgram(noting).Reaching(goal)), print(NewProgram(other).Reaching(goal)))
}
