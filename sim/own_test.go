package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// marked is an [EventOrder] whose events are the notes of kind mark.
type marked struct{ rig *rig }

func (m marked) events() (list []observed) {
	for _, o := range m.rig.seen {
		if o.o.Event == Noted && o.o.Msg.kind == mark {
			list = append(list, o)
		}
	}
	return list
}

func (m marked) Clock() string        { return "none" }
func (m marked) Partial() bool        { return false }
func (m marked) Len() int             { return len(m.events()) }
func (m marked) Says(a, b int) string { return "<" }
func (m marked) Event(i int) OrderedEvent {
	return OrderedEvent{Node: m.events()[i].o.Node, From: -1}
}

// TestJournalHasEachEventOfTheModel: of a step that makes three events and sends between them, each is there with its
// note, and a message says after which of them it was sent.
func TestJournalHasEachEventOfTheModel(t *testing.T) {
	r := newRig(t, Config{Network: slow}, func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == start {
			out.Send(2, tm{kind: alpha, n: 1})
			out.Note(tm{kind: mark, n: 1})
			out.Note(tm{kind: mark, n: 2})
			out.Send(2, tm{kind: alpha, n: 2})
			out.Note(tm{kind: mark, n: 3})
		}
	}, idle)
	r.sys.Order = func(*View[tm]) EventOrder { return marked{r} }
	w, err := NewWorld(r.sys, Config{Network: slow, Until: at(1000)})
	require.NoError(t, err)
	r.w = w
	j := journalled(t, r)
	require.Len(t, j.Own, 3)
	for i, e := range j.Own {
		require.Equal(t, OwnEvent{Note: tm{kind: mark, n: int64(i + 1)}.String()}, e)
	}
	var senders []int
	for _, e := range j.Entries {
		if e.Kind == alpha {
			senders = append(senders, e.Sender)
		}
	}
	require.Equal(t, []int{0, 2}, senders)
}
