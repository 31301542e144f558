package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

var (
	_ = declare(StepClock, FaultKind{
		Word: "step-clock", Plural: "clock steps", About: "the wall clock moves",
		Clause: "has its wall clock stepped by {amount}{length}", Begins: "the clock of {node} is stepped", Subject: OneNode,
		Keys: "by at after on before nth", Needs: "by", Triggered: true,
		Amount: Amount{Key: "by", Form: "signed-duration", Example: "by: 10s or by: -3s", Grain: int64(time.Millisecond)},
		Budget: Allowing{
			Count: "clock-steps", CountAbout: "of wall clocks: 0", Amount: "step-by", AmountAbout: "the search chooses",
			Nodes: "step-nodes", NodesAbout: "the nodes of clock-steps: nodes", At: "clock steps at", One: "clock step", Many: "clock steps",
		},
		begin: func(w any, p *plan, _ int, _ Time) { w.(clocked).stepClock(p) },
	})
	_ = declare(SetRate, FaultKind{
		Word: "set-rate", Plural: "changes of the clock rate", About: "the oscillator runs at another rate; without `for` to the end",
		Clause: "has its clocks run at {amount}{length}", Subject: OneNode, Lasting: true,
		Keys: "to at after on before by nth for", Needs: "to", Triggered: true,
		Amount: Amount{Key: "to", Form: "clock-error", About: "The rate error from then on.", Example: "to: -500ppm", Grain: 1000},
		Budget: Allowing{
			Count: "slews", CountAbout: "clocks that run at another rate, from the start: 0", Amount: "slew-to", AmountAbout: "the search chooses",
			Nodes: "slew-nodes", NodesAbout: "the nodes of slews: nodes", At: "slews at", One: "slew", Many: "slews",
		},
		begin: func(w any, p *plan, i int, until Time) { w.(clocked).slew(p, i, until) },
		end:   func(w any, p *plan) { w.(clocked).unslew(p) },
	})
)

// clocked is a [World], as faults need it that change clocks.
type clocked interface {
	stepClock(p *plan)
	slew(p *plan, i int, until Time)
	unslew(p *plan)
	followLog(p *plan, i int)
}

// stepClock moves a node's wall clock.
func (w *World[M]) stepClock(p *plan) {
	if w.inject(p) {
		w.say(p, w.now, "")
	}
	w.clocks[p.Node].step(p.By)
	w.chart.mark(p.Node, None, MarkStepped)
	w.clockChanged(p.Node)
}

// slew gives a node's oscillator a rate until an instant.
func (w *World[M]) slew(p *plan, i int, until Time) {
	if until <= w.now {
		return
	}
	if w.inject(p) {
		w.say(p, until, lasting(w.now, until))
	}
	p.active++
	w.latest++
	p.latest = w.latest
	w.clocks[p.Node].setRate(w.now, p.Rate)
	w.clockChanged(p.Node)
	w.at(until, p.Node, i, end)
}

// unslew gives a node's oscillator the rate back that it has without a fault that is over.
func (w *World[M]) unslew(p *plan) {
	rate := w.rate(p.Node)
	if w.describing() {
		w.sayEnd(p.Node, SetRate, fmt.Sprintf("has its clocks run at %v again", rate))
	}
	w.clocks[p.Node].setRate(w.now, rate)
	w.clockChanged(p.Node)
}

// rate is the rate error of a node's oscillator: that of the fault that began last of
// those that say one and are not over, else that of the configuration.
func (w *World[M]) rate(id NodeID) PPB {
	last := w.last(id, func(p *plan) bool { return p.Do == SetRate || p.Do == FollowLog && p.next > 0 }) // before its first change a log says nothing
	switch {
	case last != nil && last.Do == SetRate:
		return last.Rate
	case last != nil:
		return last.Changes[last.next-1].Rate
	case int(id) <= len(w.config.Clocks):
		return w.config.Clocks[id-1].Rate
	}
	return 0
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
