package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// selective counts what it is told of, and watches one kind of note, and crashes.
type selective struct{ notes, crashes, others int }

func (l *selective) Reset(*View[tm]) { *l = selective{} }
func (l *selective) End(*View[tm])   {}
func (l *selective) Watches(event Event, note Kind) bool {
	return event == Crashed || event == Noted && note == tm{kind: mark}.Label()
}
func (l *selective) Observe(_ *View[tm], o *Observation[tm]) {
	switch {
	case o.Event == Crashed:
		l.crashes++
	case o.Event == Noted && o.Msg.kind == mark:
		l.notes++
	default:
		l.others++
	}
}

// A selective observer is told of what it watches, and of nothing else.
func TestASelectiveObserver(t *testing.T) {
	note := func(_ In[tm], out *Out[tm]) {
		out.Note(tm{kind: mark})
		out.Note(tm{kind: tick})
	}
	r := newRig(t, Config{Until: at(50), Faults: []Fault{{Do: Crash, Node: 1, When: When{At: at(10)}, For: Constant(ms)}}}, note)
	l := &selective{}
	r.w.observers = append(r.w.observers, l)
	r.w.listen()
	r.run(t, 1)
	require.Equal(t, selective{notes: 2, crashes: 1}, *l, "it starts twice")
}

// scribe writes down what it is told, and awaits the instant of a mark.
type scribe struct {
	name string
	to   *[]string
}

func (s *scribe) Reset(*View[tm])              {}
func (s *scribe) End(*View[tm])                {}
func (s *scribe) Name() string                 { return s.name }
func (s *scribe) Finding() Finding             { return Finding{} }
func (s *scribe) Why(*View[tm]) string         { return "" }
func (s *scribe) Watches(e Event, k Kind) bool { return e == Noted || e == Elapsed }
func (s *scribe) Observe(v *View[tm], o *Observation[tm]) {
	what := "elapsed"
	if o.Event == Noted {
		what = o.Msg.String()
		if o.Msg.kind == mark {
			v.Await(v.Now())
		}
	}
	*s.to = append(*s.to, fmt.Sprint(v.Now(), " ", s.name, " ", what))
}

// Ledgers are told before properties, and these before meters. What is awaited is told once,
// before what happens next after it.
func TestObserversAreToldInTurn(t *testing.T) {
	step := func(in In[tm], out *Out[tm]) {
		if in.Msg.n < 4 {
			out.After(10*ms, tm{kind: tick, n: in.Msg.n + 1})
		}
		if in.Msg.n == 1 {
			out.Note(tm{kind: mark})
		}
		if in.Msg.n != 2 {
			out.Note(tm{kind: tick, n: in.Msg.n})
		}
	}
	r := newRig(t, Config{Until: at(50)}, step)
	var told []string
	r.sys.Ledgers = []Observer[tm]{&scribe{"ledger", &told}}
	r.sys.Properties = []Property[tm]{&scribe{"property", &told}}
	r.sys.Meters = []Observer[tm]{&scribe{"meter", &told}}
	w, err := NewWorld(r.sys, Config{Until: at(50)})
	require.NoError(t, err)
	require.Nil(t, w.Run(1).Panic)
	var want []string
	for _, now := range []struct{ at, what string }{
		{"0.000s", "tick 0"}, {"0.010s", "mark 0"}, {"0.010s", "tick 1"}, {"0.030s", "elapsed"}, {"0.030s", "tick 3"}, {"0.040s", "tick 4"},
	} {
		for _, who := range []string{"ledger", "property", "meter"} {
			want = append(want, now.at+" "+who+" "+now.what)
		}
	}
	require.Equal(t, want, told)
}

// pendings is a meter that asks for what is pending at each note.
type pendings struct{ found []tm }

func (a *pendings) Reset(*View[tm]) {}
func (a *pendings) Observe(v *View[tm], o *Observation[tm]) {
	if o.Event == Noted {
		v.Pending(func(m *tm) { a.found = append(a.found, *m) })
	}
}
func (a *pendings) End(*View[tm]) {}

func TestPendingIsWhatWaitsAnywhere(t *testing.T) {
	c := Config{Network: net(5), Costs: []Dist{{}, forMillis(100)}, Until: at(500)}
	r := newRig(t, c, func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start:
			out.Send(2, tm{alpha, 1})
			out.After(50*ms, tm{tick, 3})
			out.After(200*ms, tm{gamma, 5})
		case tick:
			out.Note(tm{mark, 4})
		}
	}, onStart(func(out *Out[tm]) { out.Send(1, tm{beta, 2}) }))
	a := &pendings{}
	r.sys.Meters = append(r.sys.Meters, a)
	var err error
	r.w, err = NewWorld(r.sys, c)
	require.NoError(t, err)
	r.run(t, 1)
	assert.ElementsMatch(t, []tm{{tick, 3}, {gamma, 5}, {alpha, 1}, {beta, 2}, {}}, a.found,
		"at hand, on its way, at a node that is busy, not emitted yet, and that the node is free again")
}

// linesman writes down which of three nodes are connected whenever the network changes.
type linesman struct{ told []string }

func (l *linesman) Reset(*View[tm])              { l.told = nil }
func (l *linesman) End(*View[tm])                {}
func (l *linesman) Watches(e Event, _ Kind) bool { return e == NetworkChanged }
func (l *linesman) Observe(v *View[tm], o *Observation[tm]) {
	l.told = append(l.told, fmt.Sprint(v.Now(), " ", o.Node, " ", v.Connected(1, 2), v.Connected(2, 1), v.Connected(1, 3), v.Connected(2, 2)))
}

// An observer hears when a cut and a hold begin and end, and sees who is partitioned, on both sides of a cut of one way
// too. One that does not watch that hears nothing of it.
func TestAnObserverSeesPartitions(t *testing.T) {
	r := newRig(t, Config{Until: at(100), Faults: []Fault{
		{Do: Cut, Sides: [][]NodeID{{1}, {2}}, OneWay: true, When: When{At: at(10)}, For: forMillis(20)},
		{Do: Hold, Sides: [][]NodeID{{1}, {3}}, When: When{At: at(20)}, Forever: true},
	}}, nil, nil, nil)
	l, deaf := &linesman{}, &selective{}
	r.w.observers = append(r.w.observers, l, deaf)
	r.w.listen()
	r.run(t, 1)
	require.Equal(t, []string{"0.010s 0 false false true true", "0.020s 0 false false false true", "0.030s 0 true true false true"}, l.told)
	require.Zero(t, *deaf)
}
