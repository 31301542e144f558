package sim

import "time"

// arm puts a timer of the given length into the queue.
func (w *World[M]) arm(self NodeID, length int64, m *M) {
	n := w.nodes[self]
	at, due := w.now.Add(time.Duration(length)), addSaturated(int64(w.now), length)
	if n.state&skewed != 0 {
		c := &w.clocks[self]
		due = addSaturated(int64(c.mono(w.now)), length)
		if !c.steady() {
			at = c.when(MonoClock, due, w.now)
		}
	}
	e := &w.q.Push(int64(at)).Body
	e.due, e.to, e.from, e.incarnation, e.class, e.msg = due, self, self, n.incarnation, timer, *m
}

// set puts an alarm at the given reading of the wall clock into the queue.
func (w *World[M]) set(self NodeID, reading int64, m *M) {
	at := w.clocks[self].when(WallClock, reading, w.now)
	e := &w.q.Push(int64(at)).Body
	e.due, e.to, e.from, e.incarnation, e.class, e.msg = reading, self, self, w.nodes[self].incarnation, alarm, *m
}

// drawTimer is the next draw of a node's timers. When a step is run a second time
// it gives the same draws again.
func (w *World[M]) drawTimer(self NodeID, mode outMode) uint64 {
	i := &w.saved[self].drawn
	if mode == mocking {
		i = &w.mockDrawn
	}
	*i++
	return w.src.at(Timers, self, None, *i-1)
}
