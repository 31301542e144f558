package certify

import (
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
)

// A copy of a message keeps no order with others and, unless a search says within what time it comes,
// may come at any moment after it was sent. So that its instant is not left behind by all others, a
// copy that is pending is not before what happens at any node, and not only at its own: in a run each
// event that fires is before all that fire later, so that the path which has the order of the run has it.

// never is the instant of what does not happen, and the longest time where there is none.
const never = -1

// send is a message. It may come again, each time with a copy, as often as there are copies left, and be lost
// or not besides.
func (r *reaction) send(d *draft, h *heldEffect, then func(*draft) error) error {
	h, err := r.carried(d, h)
	if err != nil {
		return err
	}
	losses, copies := len(r.faults), len(r.faults)+1
	if r.senders != nil && !slices.Contains(r.senders, d.at) {
		r.sent(d, h)
		return then(d)
	}
	if d.left[copies] > 0 {
		if c := d.copied(); c.goes(twice) {
			c.left[copies]--
			r.again(c, h)
			if err := r.send(c, h, then); err != nil {
				return err
			}
		}
	}
	if d.left[losses] > 0 {
		if l := d.copied(); l.goes(lost) {
			l.left[losses]--
			if l.record != nil {
				l.record.sent(l, h, never, true)
			}
			if err := then(l); err != nil {
				return err
			}
		}
	}
	if (d.left[losses] > 0 || d.left[copies] > 0) && !d.goes(happens) {
		return nil
	}
	r.sent(d, h)
	return then(d)
}

// sent is a message on its way.
func (r *reaction) sent(d *draft, h *heldEffect) {
	delay, link := r.delays[d.at][h.to], label{n: int(d.at), m: int(h.to)}
	low, high := link, link
	low.kind, high.kind = delayLeast, delayMost
	at := d.variable(d.now, dbm.AtMost(-delay.least), dbm.AtMost(delay.most), low, high)
	e := event{class: message, to: h.to, from: d.at, msg: h.msg, symbols: h.symbols, at: at}
	for i := range d.pending {
		if f := &d.pending[i]; r.fifo && e.sameLink(f) {
			d.constrain(f.at, at, dbm.Zero, label{kind: ordered}) // the one before is at most as long on its way as this one may be
		}
	}
	d.push(e)
	if d.record != nil {
		d.record.sent(d, h, at, delay.least < delay.most)
	}
}

// again is a copy of a message that is sent now.
func (r *reaction) again(d *draft, h *heldEffect) {
	most := dbm.Unbounded
	if r.copyWithin > 0 {
		most = dbm.AtMost(int64(r.copyWithin))
	}
	at := d.variable(d.now, dbm.Zero, most, label{kind: copying}, label{kind: copying})
	d.push(event{class: second, to: h.to, from: d.at, msg: h.msg, symbols: h.symbols, at: at})
	if d.record != nil {
		d.record.copied(d, h, at)
	}
}

// choice is the message that is sent next, as a fault names it.
func (r *recorder) choice(d *draft, h *heldEffect) (sim.MsgChoice, kindOf) {
	k := kindOf{r.of(d.at), r.of(h.to), h.note}
	return sim.MsgChoice{Kind: h.note, From: k.node, To: k.to, Nth: r.kinds[k] + 1}, k
}

// sent is a message that is sent now, and arrives at a variable, or never. What is no choice, a run has by itself.
func (r *recorder) sent(d *draft, h *heldEffect, at int, choice bool) {
	msg, k := r.choice(d, h)
	if r.kinds[k]++; choice {
		r.delays = append(r.delays, delayed{msg, d.now, at})
	}
}

// copied is a copy of the message that is sent next.
func (r *recorder) copied(d *draft, h *heldEffect, at int) {
	msg, _ := r.choice(d, h)
	r.copies = append(r.copies, delayed{msg, d.now, at})
}
