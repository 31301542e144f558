package sim

import (
	"fmt"
	"time"
)

var _ = declare(FollowLog, FaultKind{
	Word: "follow-log", Plural: "clock steps", About: "the clocks are as wrong, and are corrected, as those of a real machine were",
	Clause: "has its clocks follow a log{length}", Subject: OneNode, Keys: "log at", Needs: "log",
	check: (*Fault).checkChanges,
	begin: func(w any, p *plan, i int, _ Time) { w.(clocked).followLog(p, i) },
})

// checkChanges refuses the changes of a log that no clock can follow.
func (f *Fault) checkChanges() (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	switch w := &f.When; {
	case len(f.Changes) == 0:
		bad("a log without changes")
	case w.onEffect() || !w.Every.IsZero() || len(w.Replay) > 0 || w.After != "":
		bad("a log begins once, at an instant")
	}
	for i, c := range f.Changes {
		switch {
		case c.At < 0 || i > 0 && c.At < f.Changes[i-1].At:
			bad("changes: number %d, at %v, is out of order", i+1, c.At)
		case c.Rate < -MaxPPB || c.Rate > MaxPPB:
			bad("changes: number %d: rate: want at most %v either way, got %v", i+1, MaxPPB, c.Rate)
		default:
			continue
		}
		return wrong // the rest is likely of the same kind, and there may be a million of them
	}
	return wrong
}

// followLog begins to follow the log of a plan.
func (w *World[M]) followLog(p *plan, i int) {
	w.latest++
	p.active, p.next, p.base, p.latest = 1, 0, w.now, w.latest
	w.follow(i)
}

// follow changes a node's clocks as the log says up to this instant, and plans the next
// change. A rate that another fault set later stays until that is over. An injection is a
// change that makes a difference; only steps are described, since a log has thousands of
// rates. The first one, which only puts the clock where that of the log was, is described as such.
func (w *World[M]) follow(i int) {
	p := &w.plans[i]
	c := &w.clocks[p.Node]
	var step int64
	for ; p.next < len(p.Changes) && p.base.Add(p.Changes[p.next].At) <= w.now; p.next++ {
		step = addSaturated(step, int64(p.Changes[p.next].Step))
	}
	if p.next < len(p.Changes) {
		w.at(p.base.Add(p.Changes[p.next].At), p.Node, i, advance)
	}
	rate := w.rate(p.Node)
	if step == 0 && rate == c.rate {
		return
	}
	switch described := w.inject(p); {
	case described && step != 0 && w.now == p.base:
		w.say(p, w.now, fmt.Sprintf(", with its wall clock moved by %v", time.Duration(step)))
	case described && step != 0:
		stepped := Fault{Do: StepClock, By: time.Duration(step)}
		w.sayFault(p.Node, Moment{Fault: p.Do.Row().Plural, Until: w.now, Text: stepped.Clause("", nil) + ", as its log says"})
	}
	if rate != c.rate {
		c.setRate(w.now, rate)
	}
	if c.step(time.Duration(step)); step != 0 {
		w.chart.mark(p.Node, None, MarkStepped)
	}
	w.clockChanged(p.Node)
}
