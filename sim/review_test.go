package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scheme is an adversary that does one fault at each of the given choices at Stepping, by
// node and instant.
type scheme struct {
	at     map[Choice]FaultChoice
	faults []Fault
}

func (s *scheme) Choose(c Choice) (FaultChoice, bool) {
	d, ok := s.at[Choice{Point: c.Point, At: c.At, Node: c.Node}]
	if ok {
		s.faults = append(s.faults, c.Fault(d))
	}
	return d, ok
}

// A fault at an instant is injected before the effects that a pause or the cost of a step held
// back until then, before the alarms of that instant, and not after a restart: as the
// fault does that it is.
func TestDeedsStrikeWhenTheInstantBegins(t *testing.T) {
	sender := onStart(func(out *Out[tm]) {
		out.Send(2, tm{kind: alpha})
		out.Send(2, tm{kind: alpha})
		out.At(20_000_000, tm{kind: gamma})
		out.After(20*ms, tm{kind: tick})
		out.At(25_000_000, tm{kind: gamma, n: 1})
	})
	echo := func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == alpha {
			out.Send(1, tm{kind: beta})
		}
	}
	held := Fault{Do: Pause, Node: 1, When: When{Before: alpha, Nth: 2}, For: forMillis(12)}
	down := Fault{Do: Crash, Node: 1, When: When{At: at(3)}, For: forMillis(7)}
	for _, v := range []struct {
		name   string
		script Fault
		at     Choice
		deed   FaultChoice
		asked  bool
	}{
		{"paused again before its effects leave", held, Choice{At: at(12), Node: 1}, FaultChoice{Do: Pause, For: 5 * ms}, true},
		{"crashes before its effects leave", held, Choice{At: at(12), Node: 1}, FaultChoice{Do: Crash, For: 5 * ms}, true},
		{"its clock is set back as its alarm is due", Fault{Do: Lose, Msg: MsgChoice{Kind: beta}}, Choice{At: at(20), Node: 1}, FaultChoice{Do: StepClock, By: -5 * ms}, true},
		{"its clock is set forward", Fault{Do: Lose, Msg: MsgChoice{Kind: beta}}, Choice{At: at(20), Node: 1}, FaultChoice{Do: StepClock, By: 5 * ms}, true},
		{"crashes before its effects leave, and a message comes", Fault{Do: Pause, Node: 1, When: When{Before: alpha, Nth: 2}, For: forMillis(10)}, Choice{At: at(10), Node: 1}, FaultChoice{Do: Crash, For: 5 * ms}, true},
		{"has just restarted", down, Choice{At: at(10), Node: 1}, FaultChoice{Do: Pause, For: 5 * ms}, false},
	} {
		r := newRig(t, Config{Until: at(100), Network: net(5), Faults: []Fault{v.script}}, sender, echo)
		s := &scheme{at: map[Choice]FaultChoice{v.at: v.deed}}
		r.w.SetAdversary(s)
		r.run(t, 1)
		require.Equal(t, v.asked, len(s.faults) == 1, v.name)
		with := *r
		r.w.SetAdversary(nil)
		require.NoError(t, r.w.Vary(Variation{Faults: append([]Fault{v.script}, s.faults...)}))
		r.run(t, 1)
		assert.Empty(t, differ(&with, r), v.name)
	}
}

// blunder is an adversary that always does the same.
type blunder struct {
	at   Point
	deed FaultChoice
}

func (b blunder) Choose(c Choice) (FaultChoice, bool) { return b.deed, c.Point == b.at }

// An adversary that does to a node what is for messages breaks a promise; that is not the
// finding that a step panics.
func TestAdversaryThatBlunders(t *testing.T) {
	r := newRig(t, Config{Until: at(10), Network: net(5)}, onStart(func(out *Out[tm]) { out.Send(1, tm{kind: alpha}) }))
	for p, d := range map[Point]FaultChoice{Stepping: {Do: Lose}, Leaving: {Do: Delay}, Sending: {Do: Pause, For: time.Second}} {
		r.w.SetAdversary(blunder{p, d})
		assert.Panics(t, func() { r.w.Run(1) }, d.Do)
	}
	r.w.SetAdversary(blunder{Sending, FaultChoice{Do: Delay, For: -time.Second}})
	assert.Equal(t, []string{"0.000s a<a alpha 0"}, func() []string { r.run(t, 1); return r.stepsOf(1) }(), "not before it was sent")
	assert.ErrorContains(t, r.w.Vary(Variation{Until: -1}), "until: must not be negative")
}

// Of many nodes only the links that were used have a state: other links that stand alike
// are another state, and the order of their first use is none.
func TestFingerprintOfManyLinks(t *testing.T) {
	print := func(first, second NodeID) Print {
		r := newRig(t, Config{}, make([]does, fewNodes+10)...)
		for i := range r.sys.Nodes {
			r.sys.Nodes[i] = Place[tm](r.sys.Nodes[i].Name, doer{func(in In[tm], out *Out[tm]) {
				if in.Msg.kind == start && in.Self == 1 {
					out.Send(first, tm{kind: alpha})
					out.Send(second, tm{kind: alpha})
					out.After(5*ms, tm{kind: tick})
				}
			}})
		}
		w, err := NewWorld(r.sys, Config{Until: at(100), Minimal: true, Network: net(5)})
		require.NoError(t, err)
		return printAt(w, 1, func(c Choice) bool { return c.Kind == tick })
	}
	assert.Equal(t, print(2, 3), print(3, 2))
	assert.NotEqual(t, print(2, 3), print(2, 4))
}
