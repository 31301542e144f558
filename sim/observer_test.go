package sim

import (
	"testing"

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
	r.w.watch()
	r.run(t, 1)
	require.Equal(t, selective{notes: 2, crashes: 1}, *l, "it starts twice")
}
