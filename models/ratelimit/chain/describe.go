package chain

import (
	"fmt"

	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
	"fencepost/sim/model"
)

var facts = model.Facts[Msg]{
	"operation": model.Number(func(m *Msg) uint32 { return uint32(m.ID) }),
	"caller":    model.Number(func(m *Msg) sim.NodeID { return caller(m.ID) }),
	"it":        model.Words(func(t *model.Told[Msg]) string { return named(t, t.Msg.ID) }),
	"root":      model.Words(func(t *model.Told[Msg]) string { return named(t, t.Msg.Root) }),
	"attempt":   model.Number(func(m *Msg) uint32 { return m.Attempt }),
	"status":    model.Number(func(m *Msg) uint16 { return m.Status }),
	"sleep":     model.Number((*Msg).sleep),
	"took":      model.Number((*Msg).took),
	"waited":    model.Number((*Msg).waited),
	"after":     model.Number((*Msg).retryAfter),
	"told":      model.Which((*Msg).told, " and says nothing", ": {status}", ": {status}, retry after {after}"),
	"waiting":   model.Number((*Msg).Waiting),
	"lets-in":   model.Words(func(t *model.Told[Msg]) string { return letsIn(t.Msg.Shed()) }),
}

var description = model.Describe(kinds, facts)

// named is an operation of a caller.
func named(t *model.Told[Msg], id uint64) string {
	return fmt.Sprintf("operation %d of %s", uint32(id), t.Who(caller(id)))
}

// describer says in words what happens to a chain, for one run: of each kind the first, and
// then the thousandth, ten-thousandth and so on, since there are many.
type describer struct {
	layout Layout
	count  [64]int         // by kind
	done   map[uint64]bool // operations that are carried out, if once is enough
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted || o.Msg.Kind == Served && !t.again(&o.Msg) {
		return ""
	}
	t.count[o.Msg.Kind]++
	n := t.count[o.Msg.Kind]
	often := n <= 10 && (o.Msg.Kind == Shedding || o.Msg.Kind == Served)
	if n > 1 && !often && (!milestone(n) || o.Msg.Kind == Served) {
		return ""
	}
	text := description.Log(v, o)
	if milestone(n) && text != "" {
		text += fmt.Sprintf(", the %dth time", n)
	}
	return text
}

// again reports whether an operation is carried out again that must not be.
func (t *describer) again(m *Msg) bool {
	if t.layout.Operation == retry.Idempotent {
		return false
	}
	was := t.done[m.Root]
	t.done[m.Root] = true
	return was
}

// milestone reports whether n is 1000 or ten times another.
func milestone(n int) bool {
	for n > 1000 && n%10 == 0 {
		n /= 10
	}
	return n == 1000
}
