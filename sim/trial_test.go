package sim

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One transition: a table of {state, in} -> {state, effects}, without a world.
func TestTrial(t *testing.T) {
	saw := func(In[tm]) {}
	trial := NewTrial[tm](3)
	for _, c := range []struct {
		name  string
		state chatter
		in    In[tm]
		want  chatter
		does  []Effect[tm]
	}{
		{"a start begins the first round", chatter{Next: 2}, In[tm]{Self: 1, From: 1}, chatter{Next: 2, rounds: 1},
			[]Effect[tm]{{Kind: Sends, To: 2, Msg: tm{kind: alpha, n: 1}}, {Kind: Arms, For: 20 * ms, Msg: tm{kind: tick, n: 1}}, {Kind: Notes, Msg: tm{kind: mark, n: 1}}}},
		{"a tick the next one", chatter{Next: 3, rounds: 6}, In[tm]{Self: 2, From: 2, Msg: tm{kind: tick, n: 6}}, chatter{Next: 3, rounds: 7},
			[]Effect[tm]{{Kind: Sends, To: 3, Msg: tm{kind: alpha, n: 7}}, {Kind: Arms, For: 20 * ms, Msg: tm{kind: tick, n: 7}}, {Kind: Notes, Msg: tm{kind: mark, n: 7}}}},
		{"an alpha is answered", chatter{Next: 3}, In[tm]{Self: 2, From: 1, Msg: tm{kind: alpha, n: 6}}, chatter{Next: 3, heard: [4]int64{0, 6, 0, 0}},
			[]Effect[tm]{{Kind: Sends, To: 1, Msg: tm{kind: beta, n: 6}}}},
		{"a gamma is nothing", chatter{Next: 3}, In[tm]{Self: 2, From: 1, Msg: tm{kind: gamma}}, chatter{Next: 3}, nil},
	} {
		c.state.saw, c.want.saw = &saw, &saw
		assert.Equal(t, c.does, append([]Effect[tm](nil), trial.Step(&c.state, c.in)...), c.name)
		assert.Equal(t, c.want, c.state, c.name)
	}
}

// trying lets a node do something once.
func trying(trial *Trial[tm], do func(out *Out[tm])) []Effect[tm] {
	return trial.Step(&doer{func(_ In[tm], out *Out[tm]) { do(out) }}, In[tm]{Self: 1, From: 1})
}

// Effects come in the order of the calls, and timers that are drawn at their shortest.
func TestTrialEffects(t *testing.T) {
	trial := NewTrial[tm](2)
	got := trying(trial, func(out *Out[tm]) {
		out.Note(tm{n: 1})
		out.At(Wall(-5), tm{n: 2})
		out.Send(1, tm{n: 3})
		out.After(0, tm{n: 4})
		out.AfterDraw(Exponential(time.Second), tm{n: 5})
		out.AfterDraw(Uniform(3*ms, 9*ms), tm{n: 6})
		out.AfterDraw(Constant(7*ms), tm{n: 7})
		out.At(math.MaxInt64, tm{n: 8})
		out.Send(2, tm{n: 9})
	})
	require.Equal(t, []Effect[tm]{{Kind: Notes, Msg: tm{n: 1}}, {Kind: Sets, At: -5, Msg: tm{n: 2}}, {Kind: Sends, To: 1, Msg: tm{n: 3}}, {Kind: Arms, Msg: tm{n: 4}},
		{Kind: Arms, Msg: tm{n: 5}}, {Kind: Arms, For: 3 * ms, Msg: tm{n: 6}}, {Kind: Arms, For: 7 * ms, Msg: tm{n: 7}},
		{Kind: Sets, At: math.MaxInt64, Msg: tm{n: 8}}, {Kind: Sends, To: 2, Msg: tm{n: 9}}}, got)
	assert.Empty(t, trying(trial, func(*Out[tm]) {}), "nothing is left of the step before")
}

func TestTrialPanics(t *testing.T) {
	trial := NewTrial[tm](2)
	for _, to := range []NodeID{None, -1, 3} {
		assert.Panics(t, func() { trying(trial, func(out *Out[tm]) { out.Note(tm{}); out.Send(to, tm{}) }) }, "to %d", to)
	}
	assert.PanicsWithValue(t, "sim: a message to node 3, of 2 nodes", func() { trying(trial, func(out *Out[tm]) { out.Send(3, tm{}) }) })
	assert.PanicsWithValue(t, "sim: a timer of -1ns", func() { trying(trial, func(out *Out[tm]) { out.After(-1, tm{}) }) })
	assert.PanicsWithValue(t, "mine", func() { trying(trial, func(*Out[tm]) { panic("mine") }) })
	assert.Len(t, trying(trial, func(out *Out[tm]) { out.Send(2, tm{}) }), 1, "it goes on after a panic")
}

func TestTrialAllocatesNothing(t *testing.T) {
	saw := func(In[tm]) {}
	trial, node := NewTrial[tm](3), &chatter{Next: 2, saw: &saw}
	assert.Zero(t, testing.AllocsPerRun(100, func() { trial.Step(node, In[tm]{Self: 1, From: 1}) }))
}
