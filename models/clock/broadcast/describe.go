package broadcast

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

var description = kit.Describe(kinds, kit.Facts[Msg]{
	"id":      kit.Words(func(t *kit.Told[Msg]) string { return fmt.Sprintf(" %d.%d", t.Msg.Sender, t.Msg.Seq) }),
	"sender":  kit.Number(func(m *Msg) sim.NodeID { return m.Sender }),
	"seq":     kit.Number(func(m *Msg) uint32 { return m.Seq }),
	"op":      kit.Words(func(t *kit.Told[Msg]) string { return t.Msg.Op.String() }),
	"stamp":   kit.Number((*Msg).Stamp),
	"stamped": kit.Words(func(t *kit.Told[Msg]) string { return t.Msg.stamped() }),
	"balance": kit.Words(func(t *kit.Told[Msg]) string { return t.Msg.balance().String() }),
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
