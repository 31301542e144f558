package broadcast

import (
	"slices"

	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what a broadcast costs, and what the replicas have in the end.
type meter struct {
	Broadcasts   model.Measure `measure:"broadcasts,counts=sent"`
	Messages     model.Measure `measure:"messages,total"` // that were sent over the network, acknowledgments included
	PerBroadcast model.Measure `measure:"messages-per-broadcast,per=broadcasts"`
	Deliveries   model.Measure `measure:"deliveries,counts=delivered"`
	Buffered     model.Measure `measure:"buffered,counts=buffered"` // messages that had come and had to wait
	Latency      model.Measure `measure:"latency,duration"`         // from a broadcast to a delivery at another process
	Undelivered  model.Measure `measure:"undelivered,total"`        // messages, times processes that have not crashed and not delivered them, at the end
	Balances     model.Measure `measure:"balances"`                 // different ones at the end, of processes that have not crashed
	Least        model.Measure `measure:"least-balance"`            // at the end, in hundredths
	Greatest     model.Measure `measure:"greatest-balance"`

	Ledger *ledger
	Seen   []Account // balances at the end
}

// Kinds are the notes that it looks at.
func (*meter) Kinds() []sim.Kind { return []sim.Kind{Sent, Acked, Delivered} }

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Sent, Acked:
		m.Messages.Record(v, o.Msg.messages())
		m.PerBroadcast.Record(v, o.Msg.messages())
	case Delivered:
		if o.Msg.Sender != o.Node {
			m.Latency.RecordDuration(v, v.Now().Sub(m.Ledger.casts[m.Ledger.ids[o.Msg.Sender][o.Msg.Seq-1]].at))
		}
	}
}

// End looks at the replicas of processes that have not crashed.
func (m *meter) End(v *sim.View[Msg]) {
	missing := int64(0)
	low, high := maxBalance, -maxBalance
	for _, r := range m.Ledger.replicas[1:] {
		if r.crashed {
			continue
		}
		missing += int64(len(m.Ledger.casts)) - int64(r.count)
		low, high = min(low, int64(r.balance)), max(high, int64(r.balance))
		m.Seen = append(m.Seen, r.balance)
	}
	if len(m.Seen) == 0 {
		return
	}
	m.Undelivered.Record(v, missing)
	slices.Sort(m.Seen)
	m.Balances.Record(v, int64(len(slices.Compact(m.Seen))))
	m.Least.Record(v, low)
	m.Greatest.Record(v, high)
}
