package broadcast

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

var description = model.Describe(kinds, model.Facts[Msg]{
	"id":      model.Words(func(t *model.Told[Msg]) string { return fmt.Sprintf(" %d.%d", t.Msg.Sender, t.Msg.Seq) }),
	"sender":  model.Number(func(m *Msg) sim.NodeID { return m.Sender }),
	"seq":     model.Number(func(m *Msg) uint32 { return m.Seq }),
	"op":      model.Words(func(t *model.Told[Msg]) string { return t.Msg.Op.String() }),
	"stamp":   model.Number((*Msg).Stamp),
	"stamped": model.Words(func(t *model.Told[Msg]) string { return t.Msg.stamped() }),
	"balance": model.Words(func(t *model.Told[Msg]) string { return t.Msg.balance().String() }),
})

// stamped is the stamp of a broadcast in words, "" if its order has none.
func (m *Msg) stamped() string {
	switch {
	case m.Vector != nil:
		return fmt.Sprintf(", stamped %v", m.Vector)
	case m.Stamp() > 0:
		return fmt.Sprintf(", stamped %d", m.Stamp())
	}
	return ""
}

// describe says in words what is broadcast and delivered: "" where all messages are buffered and none of these is worth a line of the log.
func (p *Params) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event == sim.Noted && o.Msg.Kind == Buffered && p.Order == "total-lamport" {
		return ""
	}
	return description.Log(v, o)
}
