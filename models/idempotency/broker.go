package idempotency

import (
	"time"

	"fencepost/sim"
)

// Broker keeps events until a consumer has acknowledged them, and delivers each again, to the
// next consumer, when that takes longer than Redelivery. All that it has is durable: it
// delivers at least once, in any order.
//
// Source: RabbitMQ documentation, "Consumer acknowledgements"; Amazon SQS, "Visibility
// timeout".
type Broker struct {
	Consumers   [2]sim.NodeID // first and last; none if the first is 0
	Redelivery  time.Duration
	Connections connections

	numbers uint32 // of deliveries: durable
	events  []delivery
}

// delivery is an event that is not acknowledged.
type delivery struct {
	event, amount Value
	number        uint32
	times         uint16
}

// Reset implements [sim.Resetter].
func (b *Broker) Reset(initial *Broker) {
	events, last := append(b.events[:0], initial.events...), b.Connections
	last.reset(&initial.Connections)
	*b = *initial
	b.events, b.Connections = events, last
}

// Recover implements [sim.Recoverer].
func (b *Broker) Recover(before *Broker) {
	b.numbers = before.numbers
	b.events = append(b.events[:0], before.events...)
}

// Step implements [sim.Node].
func (b *Broker) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		for i := range b.events {
			b.deliver(out, &b.events[i])
		}
	case Publish:
		if b.Connections.fresh(&in) {
			b.store(out, m.Values[0], m.Values[1])
			out.Send(in.From, m.answerTo(Stored))
		}
	case Request: // of a client that sends events: the key is the event's identifier
		b.store(out, m.key(), m.Values[3])
		out.Send(in.From, response(m.Call, 202, Null))
	case Consumed:
		b.consumed(out, m.Call)
	case redelivery:
		if i := b.find(m.Call); i >= 0 && b.events[i].times == m.Attempt {
			b.deliver(out, &b.events[i])
		}
	default:
		panic("idempotency: the broker got " + m.String())
	}
}

// store takes an event in, and delivers it.
func (b *Broker) store(out *sim.Out[Msg], event, amount Value) {
	b.numbers++
	b.events = append(b.events, delivery{event: event, amount: amount, number: b.numbers})
	out.Note(happening(Published, b.numbers, event, amount))
	b.deliver(out, &b.events[len(b.events)-1])
}

// deliver sends an event to the next consumer.
func (b *Broker) deliver(out *sim.Out[Msg], d *delivery) {
	if b.Consumers[0] == sim.None {
		return
	}
	d.times++
	note := happening(Delivered, d.number, d.event, d.amount)
	note.Attempt = d.times
	out.Note(note)
	consumers := uint32(b.Consumers[1]-b.Consumers[0]) + 1
	to := (d.number + uint32(d.times) - 2) % consumers
	out.Send(b.Consumers[0]+sim.NodeID(to), happening(Deliver, d.number, d.event, d.amount))
	out.After(b.Redelivery, Msg{Kind: redelivery, Call: d.number, Attempt: d.times})
}

// consumed forgets an event that is acknowledged, if it has not been before.
func (b *Broker) consumed(out *sim.Out[Msg], number uint32) {
	i := b.find(number)
	if i < 0 {
		return
	}
	out.Note(happening(Acknowledged, number, b.events[i].event, b.events[i].amount))
	b.events = append(b.events[:i], b.events[i+1:]...)
}

// find is the place of a delivery, -1 if it is acknowledged.
func (b *Broker) find(number uint32) int {
	for i := range b.events {
		if b.events[i].number == number {
			return i
		}
	}
	return -1
}
