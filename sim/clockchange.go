package sim

import (
	"cmp"
	"slices"
)

// slew gives a node's oscillator a rate until an instant.
func (w *World[M]) slew(i int, until Time) {
	p := &w.plans[i]
	if until <= w.now {
		return
	}
	if w.inject(p) {
		w.say(p, until, lasting(w.now, until))
	}
	p.active++
	w.slews++
	p.latest = w.slews
	w.clocks[p.Node].setRate(w.now, p.Rate)
	w.clockChanged(p.Node)
	w.at(until, p.Node, i, end)
}

// rate is the rate error of a node's oscillator: that of the fault that began last of
// those that say one and are not over, else that of the configuration.
func (w *World[M]) rate(id NodeID) PPB {
	var rate PPB
	if int(id) <= len(w.config.Clocks) {
		rate = w.config.Clocks[id-1].Rate
	}
	var latest uint64
	for i := range w.plans {
		p := &w.plans[i]
		if p.Node != id || p.active == 0 || p.latest <= latest {
			continue
		}
		switch {
		case p.Do == SetRate:
			rate, latest = p.Rate, p.latest
		case p.Do == FollowLog && p.next > 0: // before its first change it says nothing
			rate, latest = p.Changes[p.next-1].Rate, p.latest
		}
	}
	return rate
}

// unsuspend ends the suspension of a machine; the process resumes with [World.unblock].
func (w *World[M]) unsuspend(id NodeID) {
	if a := &w.saved[id]; w.now >= a.frozen && w.clocks[id].suspended {
		w.clocks[id].resume(w.now)
		w.clockChanged(id)
	}
}

// clockChanged moves a node's timers and alarms to where its clocks, which have just
// been changed, will reach them.
func (w *World[M]) clockChanged(id NodeID) {
	w.readClocks(id)
	w.kept.pending.forget()
	c, life := &w.clocks[id], w.nodes[id].incarnation
	var due []turn
	w.q.Move(func(e *event[M]) {
		b := &e.Body
		if b.to != id || b.incarnation != life {
			return
		}
		switch b.class {
		case timer:
			e.At = int64(c.when(MonoClock, b.due, w.now))
		case alarm:
			if e.At = int64(c.when(WallClock, b.due, w.now)); e.At == int64(w.now) {
				due = append(due, turn{b.due, e.Seq})
			}
		}
	})
	if len(due) > 1 {
		w.reorder(due)
	}
	var none M
	w.notify(ClockChanged, id, &none)
}

// turn is where an alarm stands among those that are due at the same instant.
type turn struct {
	reading int64
	seq     uint64
}

// reorder makes alarms that a step of the clock has made due ring in the order of
// their readings, not in that in which they were set.
func (w *World[M]) reorder(due []turn) {
	seqs := make([]uint64, len(due))
	for i := range due {
		seqs[i] = due[i].seq
	}
	slices.Sort(seqs)
	slices.SortFunc(due, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.reading, b.reading), cmp.Compare(a.seq, b.seq))
	})
	to := make(map[uint64]uint64, len(due))
	for i := range due {
		to[due[i].seq] = seqs[i]
	}
	w.q.Move(func(e *event[M]) {
		if seq, ok := to[e.Seq]; ok {
			e.Seq = seq
		}
	})
	w.renumber(due, seqs)
}

// readClocks refreshes what a step needs to know of the clocks.
func (w *World[M]) readClocks(id NodeID) {
	n := w.nodes[id]
	n.state &^= skewed
	if !w.clocks[id].isTrue(w.now) {
		n.state |= skewed
	}
}
