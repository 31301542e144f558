package broadcast

import "fencepost/sim"

// The measures, in the order in which they are declared.
const (
	broadcasts   = iota
	messages     // that were sent over the network, acknowledgments included
	perBroadcast // messages
	deliveries
	held        // messages that had come and had to wait
	latency     // from a broadcast to a delivery at another process
	undelivered // messages, times processes that have not crashed and not delivered them, at the end
	balances    // different ones at the end, of processes that have not crashed
	least       // balance at the end, in hundredths
	greatest
)

var measures = []sim.Measure{
	broadcasts:   {Name: "broadcasts", Total: true},
	messages:     {Name: "messages", Total: true},
	perBroadcast: {Name: "messages-per-broadcast", Per: "broadcasts"},
	deliveries:   {Name: "deliveries", Total: true},
	held:         {Name: "held-back", Total: true},
	latency:      {Name: "latency", Unit: sim.Duration},
	undelivered:  {Name: "undelivered", Total: true},
	balances:     {Name: "balances"},
	least:        {Name: "least-balance"},
	greatest:     {Name: "greatest-balance"},
}

// meter records what a broadcast costs, and what the replicas come to.
type meter struct{ ledger *ledger }

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Sent:
		v.Record(broadcasts, 1)
		m.sent(v, o.Msg.C)
	case Acked:
		m.sent(v, o.Msg.C)
	case Held:
		v.Record(held, 1)
	case Delivered:
		v.Record(deliveries, 1)
		if o.Msg.Sender != o.Node {
			v.RecordDuration(latency, v.Now().Sub(m.ledger.casts[m.ledger.ids[o.Msg.Sender][o.Msg.Seq-1]].at))
		}
	}
}

func (m *meter) sent(v *sim.View[Msg], n uint64) {
	v.Record(messages, int64(n))
	v.Record(perBroadcast, int64(n))
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	different, missing, up := int64(0), int64(0), 0
	low, high := maxBalance, -maxBalance
	for p := 1; p < len(m.ledger.replicas); p++ {
		r := &m.ledger.replicas[p]
		if r.crashed {
			continue
		}
		up++
		missing += int64(len(m.ledger.casts)) - int64(r.count)
		low, high = min(low, int64(r.balance)), max(high, int64(r.balance))
		if m.firstWith(p) {
			different++
		}
	}
	if up == 0 {
		return
	}
	v.Record(undelivered, missing)
	v.Record(balances, different)
	v.Record(least, low)
	v.Record(greatest, high)
}

// firstWith reports whether no process before p has its balance.
func (m *meter) firstWith(p int) bool {
	for q := 1; q < p; q++ {
		if r := &m.ledger.replicas[q]; !r.crashed && r.balance == m.ledger.replicas[p].balance {
			return false
		}
	}
	return true
}
