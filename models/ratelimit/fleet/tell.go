package fleet

import (
	"fmt"
	"strings"
	"time"

	"fencepost/sim"
)

// teller says in words what happens in a fleet, for one run: bursts of decisions in one
// sentence each, as they would be too many otherwise.
type teller struct {
	layout  Layout
	windows windows
	over    []bool // by key: the last window told was over the bound
	turned  []bool // by client: its last request was rejected, and that has been told
	said    map[told]bool
}

func newTeller(l Layout) *teller {
	t := &teller{layout: l, over: make([]bool, l.Keys+1), turned: make([]bool, l.Clients+1)}
	t.windows.reset(l.Keys, l.Window)
	return t
}

// tell returns "" for what is not worth telling.
func (t *teller) tell(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Admitted:
		return t.admitted(v, o.Node, m)
	case Rejected:
		return t.rejected(v, o.Node, m)
	case Counted, Leased, Returned, Lapsed, Heard:
		return t.together(v, o)
	}
	return ""
}

// admitted tells of a client that gets in again, and of each window that is over the
// bound, when it first is.
func (t *teller) admitted(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	sum := t.windows[m.Key].Admit(v.Now(), int64(m.Cost))
	who := v.Name(clientOf(m.ID))
	was, again := t.over[m.Key], t.turned[clientOf(m.ID)]
	t.over[m.Key], t.turned[clientOf(m.ID)] = sum > t.layout.Bound, false
	switch {
	case sum > t.layout.Bound && !was:
		return fmt.Sprintf("%s admits %s: now %d of key %d in %v, over the bound of %d", v.Name(limiter), who, sum, m.Key, length(t.layout.Window), t.layout.Bound)
	case again:
		return fmt.Sprintf("%s admits %s again", v.Name(limiter), who)
	}
	return ""
}

// rejected tells of the first rejection of a row.
func (t *teller) rejected(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	client := clientOf(m.ID)
	if t.turned[client] {
		return ""
	}
	t.turned[client] = true
	text := fmt.Sprintf("%s rejects %s", v.Name(limiter), v.Name(client))
	if m.X < 0 {
		return text + fmt.Sprintf(" for ever: a cost of %d is more than is ever admitted", m.Cost)
	}
	text += fmt.Sprintf(": %d of key %d in %v", t.windows[m.Key].Sum(v.Now()), m.Key, length(t.layout.Window))
	if m.X > 0 {
		text += fmt.Sprintf(", retry after %s", length(time.Duration(m.X)))
	}
	return text
}

// length is a duration without the zeros at its end: 1m, not 1m0s.
func length(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
