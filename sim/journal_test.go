package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// journalled runs a rig with a journal.
func journalled(t *testing.T, r *rig) *Journal {
	t.Helper()
	j := &Journal{}
	r.w.Watch(Watch{Journal: j})
	r.run(t, 1)
	return j
}

// entry is the nth entry from 0 that is a step of a node with a kind of message.
func entry(t *testing.T, j *Journal, id NodeID, k Kind) (Entry, int) {
	t.Helper()
	for i, e := range j.Entries {
		if e.Step > 0 && e.Node == id && e.Kind == k {
			return e, i
		}
	}
	require.Fail(t, "no such step", "%v %v", id, k)
	return Entry{}, 0
}

// entries are those that are no steps, as text.
func remarks(j *Journal) []Entry {
	var list []Entry
	for _, e := range j.Entries {
		if e.Step == 0 {
			list = append(list, e)
		}
	}
	return list
}

// ticker arms a tick for 100 ms, and then notes and sends alpha to b.
func ticker(in In[tm], out *Out[tm]) {
	switch in.Msg.kind {
	case start:
		out.After(100*ms, tm{kind: tick})
	case tick:
		out.Note(tm{kind: mark})
		out.Send(2, tm{kind: alpha, n: 7})
	}
}

var slow = Network{Default: Link{Delay: forMillis(5)}}

// TestJournalOfLateSteps: who armed and sent a message, when, when it was due, and when
// a paused node came to it.
func TestJournalOfLateSteps(t *testing.T) {
	r := newRig(t, Config{Network: slow, Faults: []Fault{{Name: "p", Do: Pause, Node: 2, When: When{At: at(50)}, For: forMillis(1000)}}}, ticker, idle)
	j := journalled(t, r)
	tick, i := entry(t, j, 1, tick)
	require.Equal(t, []Time{at(100), at(100), 0}, []Time{tick.At, tick.Due, tick.Sent})
	require.Equal(t, NodeID(1), j.Entries[tick.Cause].Node)
	require.True(t, tick.Noted)
	require.Equal(t, "tick 0", tick.Msg)
	got, _ := entry(t, j, 2, alpha)
	require.Equal(t, []Time{at(1050), at(105), at(100)}, []Time{got.At, got.Due, got.Sent})
	require.Equal(t, i, got.Cause)
	require.Equal(t, "alpha 7", got.Msg)

	list := remarks(j)
	require.Len(t, list, 2)
	require.Equal(t, []any{"is paused for 1s", 1, false, -1}, []any{list[0].Text, list[0].Fault, list[0].Ends, list[0].Cause})
	require.Equal(t, []any{"resumes", 0, true}, []any{list[1].Text, list[1].Fault, list[1].Ends})
}

// TestJournalOfHeldEffects: what a pause buffers keeps its cause, and is emitted later.
func TestJournalOfHeldEffects(t *testing.T) {
	r := newRig(t, Config{Network: slow, Faults: []Fault{{Name: "p", Do: Pause, Node: 1, When: When{Before: mark, Nth: 1}, For: forMillis(1000)}}}, ticker, idle)
	r.w.system.Detail = func() func(*View[tm], *Observation[tm]) string {
		return func(_ *View[tm], o *Observation[tm]) string {
			if o.Event == Noted {
				return "notes something"
			}
			return ""
		}
	}
	j := journalled(t, r)
	_, step := entry(t, j, 1, tick)
	got, _ := entry(t, j, 2, alpha)
	require.Equal(t, []Time{at(1105), at(1105), at(1100)}, []Time{got.At, got.Due, got.Sent})
	require.Equal(t, step, got.Cause)
	list := remarks(j)
	require.Len(t, list, 3)
	require.Equal(t, []any{1, step, at(100)}, []any{list[0].Fault, list[0].Cause, list[0].At}, "it struck in the midst of the step")
	note := list[2]
	require.Equal(t, []any{at(1100), step, true, []string{"notes something"}}, []any{note.At, note.Cause, note.Noted, note.Detail})
}

// TestJournalOfLostMessages: what became of a message, and which fault did it.
func TestJournalOfLostMessages(t *testing.T) {
	for name, f := range map[string]Fault{
		"sends b alpha 7, which is lost":                  {Do: Lose, Msg: MsgChoice{Kind: alpha, From: 1, Nth: 1}},
		"sends b alpha 7, which takes 3s":                 {Do: Delay, Msg: MsgChoice{Kind: alpha}, For: forMillis(3000)},
		"sends b alpha 7, which is buffered until 1.000s": {Do: Hold, Sides: [][]NodeID{{1}, {2}}, For: forMillis(1000)},
	} {
		t.Run(name, func(t *testing.T) {
			f.Name = "f"
			j := journalled(t, newRig(t, Config{Network: slow, Faults: []Fault{f}}, ticker, idle))
			_, step := entry(t, j, 1, tick)
			found := false
			for _, e := range remarks(j) {
				if e.To != None {
					require.Equal(t, []any{name, NodeID(1), NodeID(2), alpha, 1, step}, []any{e.Text, e.Node, e.To, e.Kind, e.Fault, e.Cause})
					found = true
				}
			}
			require.True(t, found)
		})
	}
	lossy := Network{Default: Link{Loss: Certain}}
	list := remarks(journalled(t, newRig(t, Config{Network: lossy}, ticker, idle)))
	require.Len(t, list, 1)
	require.Equal(t, []any{"sends b alpha 7, which is lost", NodeID(2), 0}, []any{list[0].Text, list[0].To, list[0].Fault})
}

// TestJournalOfAlarms: an alarm says for which reading it was set.
func TestJournalOfAlarms(t *testing.T) {
	r := newRig(t, Config{Faults: []Fault{{Name: "s", Do: StepClock, Node: 1, By: 10 * time.Second, When: When{At: at(50)}}}},
		onStart(func(out *Out[tm]) { out.At(Wall(5e9), tm{kind: beta}) }))
	e, _ := entry(t, journalled(t, r), 1, beta)
	require.Equal(t, []any{at(50), true, Wall(5e9), Wall(10.05e9), Time(0)}, []any{e.At, e.Alarm, e.Reading, e.Wall, e.Sent})
}

// TestSkip: a step that is skipped has no effects, and everything else goes on.
func TestSkip(t *testing.T) {
	r := newRig(t, Config{Network: slow}, ticker, ticker)
	var asked []Handling
	skip := func(h Handling) bool {
		asked = append(asked, h)
		return h.Node == 1 && h.Kind == tick
	}
	require.NoError(t, r.w.Vary(Variation{Skip: skip}))
	r.run(t, 1)
	require.Equal(t, []string{"0.100s b<b tick 0", "0.105s b<b alpha 7"}, r.stepsOf(None))
	require.Len(t, asked, 5)
	require.Equal(t, Handling{at(100), 1, 1, tick, tm{kind: tick}.Fold(0)}, asked[2])
	require.NoError(t, r.w.Vary(Variation{}))
	r.run(t, 1)
	require.Len(t, r.stepsOf(None), 4, "it is taken back")
}

// TestUntil: a run may end earlier than it is configured to.
func TestUntil(t *testing.T) {
	r := newRig(t, Config{Network: slow}, ticker, idle)
	require.NoError(t, r.w.Vary(Variation{Until: at(105)}))
	require.Equal(t, at(105), r.run(t, 1).End)
	require.Equal(t, []string{"0.100s a<a tick 0"}, r.stepsOf(None))
	require.NoError(t, r.w.Vary(Variation{}))
	require.Equal(t, at(100_000), r.run(t, 1).End)
}

// TestForkForgetsOverrides: up to the fork draws are overridden or minimal, from there on
// they are neither.
func TestForkForgetsOverrides(t *testing.T) {
	again := func(in In[tm], out *Out[tm]) { out.AfterDraw(Uniform(ms, 1000*ms), tm{kind: tick}) }
	r := newRig(t, Config{Until: at(3000)}, again)
	run := func(v Variation) []string {
		require.NoError(t, r.w.Vary(v))
		r.run(t, 1)
		return r.stepsOf(None)[:3]
	}
	first := Override{Draw: Draw{Purpose: Timers, From: 1}, Value: 1 << 63}
	second := Override{Draw: Draw{Purpose: Timers, From: 1, Index: 1}, Value: 1 << 63}
	free := run(Variation{Fork: 2, ForkSeed: 9, Minimal: true, Overrides: []Override{first, second}})
	require.Equal(t, "0.5005s a<a tick 0", free[0])
	require.NotEqual(t, "1.001s a<a tick 0", free[1])
	require.Equal(t, free, run(Variation{Fork: 2, ForkSeed: 9, Minimal: true, Overrides: []Override{first, second}}), "again the same")
	require.Equal(t, []string{"0.5005s a<a tick 0", "0.5015s a<a tick 0", "0.5025s a<a tick 0"},
		run(Variation{Fork: 2, ForkSeed: 9, ForkMinimal: true, Overrides: []Override{first, second}}))
}

// patient holds until something is noted.
type patient struct{ Check }

func (p *patient) Name() string         { return "patient" }
func (p *patient) Reset(*View[tm])      { p.Clear() }
func (p *patient) End(*View[tm])        {}
func (p *patient) Why(*View[tm]) string { return "" }
func (p *patient) Observe(v *View[tm], o *Observation[tm]) {
	if o.Event == Noted && o.Msg.kind == mark {
		p.Violate(v.Now(), o.Node)
	}
}

// TestJournalOfVerdicts: the entry with which a verdict turned, -1 if none did.
func TestJournalOfVerdicts(t *testing.T) {
	r := newRig(t, Config{Network: slow}, ticker, idle)
	r.w.system.Properties = []Property[tm]{&patient{}}
	r.w.observers = append(r.w.observers, r.w.system.Properties[0])
	r.w.listen()
	j := journalled(t, r)
	_, step := entry(t, j, 1, tick)
	require.Equal(t, []int{step}, j.Turned)
	require.NoError(t, r.w.Vary(Variation{Until: at(50)}))
	require.Equal(t, []int{-1}, journalled(t, r).Turned)
}
