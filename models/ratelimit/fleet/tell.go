package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// teller says in words what happens in a fleet, for one run: bursts of decisions in one
// sentence each, as they would be too many otherwise.
type teller struct {
	*story
	windows    windows
	overs      int       // how often one was
	over       []bool    // by key: the last window told was over the bound
	turned     []bool    // by client: its last request was rejected
	admittedAt questions // when
	rows       []int     // by client: how often it was rejected after an admission
	stored     storeTeller
	counters   counters
}

func newTeller(l Layout) *teller {
	t := &teller{story: newStory(l), over: make([]bool, l.Keys+1), turned: make([]bool, l.Clients+1), rows: make([]int, l.Clients+1)}
	t.stored.story = t.story
	t.windows.grow(&l)
	t.counters.reset(l)
	t.admittedAt.grow(l.Clients)
	return t
}

// enough is how many rows of rejections are told of a client, and how many windows that
// are over the bound.
const enough = 3

// tell returns "" for what is not worth telling.
func (t *teller) tell(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event == sim.Restarted {
		clear(t.said) // it all begins anew
	}
	if t.layout.Counts {
		t.counters.observe(v, o)
	}
	if o.Event == sim.Ended {
		t.worst(v)
	}
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Admitted:
		return t.admitted(v, o.Node, m)
	case Rejected:
		return t.rejected(v, o.Node, m)
	case Started:
		return t.started(v, o.Node, m)
	case Dropped:
		return t.dropped(v, o.Node, m)
	case Changed:
		return fmt.Sprintf("%s takes the algorithm %s, with nothing counted", v.Name(o.Node), t.layout.Later)
	case Moved:
		return fmt.Sprintf("%s has %d of %d keys go to another limiter", v.Name(o.Node), m.X, m.Y)
	case Counted:
		return tellCounted(t.story, v, o)
	case Leased, Returned, Lapsed:
		return tellLeases(t.story, v, o)
	case Heard:
		return tellHeard(t.story, v, o)
	case StoreOp, Evicted, TakenOver, FellBack, Opened, Closed:
		return t.stored.tell(v, o)
	}
	return ""
}

// admitted tells of a client that gets in again, and of each window that is over the
// bound, when it first is.
func (t *teller) admitted(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	t.admittedAt.ask(m.ID, v.Now(), limiter)
	sum := t.windows[m.Key].Admit(v.Now(), int64(m.Cost))
	who := v.Name(clientOf(m.ID))
	was, again := t.over[m.Key], t.turned[clientOf(m.ID)]
	t.over[m.Key], t.turned[clientOf(m.ID)] = sum > t.layout.Bound, false
	switch {
	case sum > t.layout.Bound && !was:
		if t.overs++; t.overs > enough {
			return ""
		}
		return fmt.Sprintf("%s admits %s: now %d of key %d in %v, over the bound of %d", v.Name(limiter), who, sum, m.Key, values.Length(t.layout.Window), t.layout.Bound)
	case again && t.rows[clientOf(m.ID)] <= enough:
		return fmt.Sprintf("%s admits %s again", v.Name(limiter), who)
	}
	return ""
}

// worst describes the fullest window, if one was over the bound.
func (t *teller) worst(v *sim.View[Msg]) {
	if t.overs == 0 {
		return
	}
	key, most, end := 0, int64(0), sim.Time(0)
	for k := range t.windows {
		if sum, at := t.windows[k].Worst(); sum > most {
			key, most, end = k, sum, at
		}
	}
	from := sim.Time(0) // of a window that begins before the run
	if start := end.Add(-t.layout.Window); start > 0 {
		from = start
	}
	v.Describe(end, fmt.Sprintf("the worst window of key %d is (%v, %v]: %d admitted in %s, and the limit is %d",
		key, from, end, most, values.Length(t.layout.Window), t.layout.Limit))
}

// rejected tells of the first rejection of each of a client's first rows.
func (t *teller) rejected(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	client := clientOf(m.ID)
	if t.turned[client] {
		return ""
	}
	t.turned[client] = true
	if t.rows[client]++; t.rows[client] > enough {
		return ""
	}
	text := fmt.Sprintf("%s rejects %s", v.Name(limiter), v.Name(client))
	if t.layout.Dimensions != nil {
		text += " by the limit " + t.layout.Dimensions[m.Y].Name
	}
	if m.X < 0 && int64(m.Cost) > t.layout.Limit {
		return text + fmt.Sprintf(" forever: a cost of %d is more than is ever admitted", m.Cost)
	}
	text += fmt.Sprintf(": %d of key %d in %v", t.windows[m.Key].Sum(v.Now()), m.Key, values.Length(t.layout.Window))
	if m.X > 0 {
		text += fmt.Sprintf(", retry after %s", values.Length(time.Duration(m.X)))
	} else if m.X < 0 {
		text += ", forever: the counter does not expire"
	}
	return text
}

// dropped tells of the first that waits in vain of each client.
func (t *teller) dropped(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	if !t.first(Dropped, m.Key, uint64(clientOf(m.ID))) {
		return ""
	}
	return fmt.Sprintf("%s drops a request of %s, which does not wait any more", v.Name(limiter), v.Name(clientOf(m.ID)))
}

// started tells of a start that is late for the first time.
func (t *teller) started(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	if t.layout.Forward == 0 {
		return ""
	}
	at := t.admittedAt.of(m.ID).asked
	if late := v.Now().Sub(at); late > t.layout.Forward && t.first(Started, m.Key, uint64(at)) {
		return fmt.Sprintf("%s lets %s through, %s after it was admitted", v.Name(limiter), v.Name(clientOf(m.ID)), values.Length(late))
	}
	return ""
}
