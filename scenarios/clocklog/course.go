package clocklog

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// How far a clock can go wrong by itself, and how fast a daemon takes that away.
const (
	// MaxDrift is the rate error that an oscillator may have. The frequency that a kernel
	// corrects is bounded by it, too.
	MaxDrift sim.PPB = 500_000
	// MaxSlew is how fast a clock is slewed at most: one twelfth, by chrony.
	// Source: chrony.conf(5), maxslewrate, 83333.333 ppm.
	MaxSlew sim.PPB = 83_333_333
)

// Course is how a node's clocks change that follow the log from a place in it, given as
// true time since its first point: for [sim.FollowLog]. The wall clock begins with the
// error that it has there, and after the last point the error stays as it is. It is an
// error if the log has ended there.
//
// Each rate makes up for what was lost by rounding those before, so that at each point
// the wall clock is as wrong as the log says, to half a part per billion of the time
// since the point before.
func (l *Log) Course(from time.Duration) ([]sim.ClockChange, error) {
	if from < 0 || from >= l.Span() {
		return nil, fmt.Errorf("the log is %v long: it has ended at %v", l.Span(), from)
	}
	list := make([]sim.ClockChange, len(l.Points))
	var w walk
	for i := range l.Points {
		p, c := &l.Points[i], &list[i]
		c.At = p.At
		if i == 0 {
			c.Step = w.jump(p.Error)
		}
		if p.Stepped {
			c.Step += w.jump(-p.Error)
		}
		if i+1 < len(l.Points) {
			w.leg(c, &l.Points[i+1])
		}
	}
	return since(list, from), nil
}

// walk is the error of the clock while the log is gone through: ns + frac/1e9
// nanoseconds, with 0 <= frac < 1e9.
type walk struct{ ns, frac int64 }

// jump moves the clock at once.
func (w *walk) jump(by time.Duration) time.Duration {
	w.ns += int64(by)
	return by
}

// leg finds how the clock gets from where it is to what the next point reports.
func (w *walk) leg(c *sim.ClockChange, next *Point) {
	length, most := next.At-c.At, MaxSlew
	if next.Stepped { // no daemon slews a clock that far off
		most = MaxDrift
	}
	rate, ok := w.rate(next.Error, length, most)
	if !ok { // it jumps, and what was being slewed away when it did is slewed away
		c.Step += w.jump(next.Error)
		rate, ok = w.rate(next.Error, length, MaxSlew)
	}
	if !ok {
		c.Step += w.jump(next.Error - time.Duration(w.ns))
		rate = 0
	}
	c.Rate = rate
	w.run(length, rate)
}

// rate is the rate error with which the clock is as wrong as that after a length of
// time, false if that is more than the most.
func (w *walk) rate(target, length time.Duration, most sim.PPB) (sim.PPB, bool) {
	if length == 0 {
		return 0, int64(target) == w.ns
	}
	rate, rest := mulDiv(int64(target)-w.ns, 1e9, int64(length))
	if rest >= int64(length)-rest { // a half, or more
		rate++
	}
	return sim.PPB(rate), sim.PPB(rate) <= most && sim.PPB(rate) >= -most
}

// run lets a length of time pass.
func (w *walk) run(length time.Duration, rate sim.PPB) {
	ns, frac := mulDiv(int64(rate), int64(length), 1e9)
	w.ns, w.frac = w.ns+ns, w.frac+frac
	if w.frac >= 1e9 {
		w.ns, w.frac = w.ns+1, w.frac-1e9
	}
}

// since is the changes from a place in the log on: the first one brings the clock to
// where it is there.
func since(list []sim.ClockChange, from time.Duration) []sim.ClockChange {
	var w walk
	var now sim.ClockChange
	i := 0
	for ; i < len(list) && list[i].At <= from; i++ {
		w.run(list[i].At-now.At, now.Rate)
		w.jump(list[i].Step)
		now = list[i]
	}
	w.run(from-now.At, now.Rate)
	list = list[i-1:]
	list[0] = sim.ClockChange{Rate: now.Rate, Step: time.Duration(w.ns)}
	for k := 1; k < len(list); k++ {
		list[k].At -= from
	}
	return list
}
