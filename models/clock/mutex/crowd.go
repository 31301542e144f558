package mutex

import (
	"slices"

	"fencepost/sim"
)

// crowd is who waits for the critical section and who is in it, as the notes tell it.
type crowd struct {
	since  []sim.Time // by process, from 1: when it asked, or has come back waiting; Never if it does not wait
	stamps []uint64   // of its last request
	in     []sim.NodeID
}

func newCrowd(processes int) crowd {
	c := crowd{since: make([]sim.Time, processes+1), stamps: make([]uint64, processes+1)}
	c.Reset()
	return c
}

// Reset forgets all of them.
func (c *crowd) Reset() {
	for i := range c.since {
		c.since[i] = sim.Never
	}
	clear(c.stamps)
	c.in = c.in[:0]
}

// observe brings the crowd up to date.
func (c *crowd) observe(now sim.Time, o *sim.Observation[Msg]) {
	if o.Event == sim.Crashed { // what it was at is over, unless it comes back and says it is not
		c.since[o.Node] = sim.Never
		c.gone(o.Node)
	}
	if o.Event != sim.Noted {
		return
	}
	switch m := &o.Msg; m.Kind {
	case Requested, Resumed:
		c.since[o.Node], c.stamps[o.Node] = now, m.Stamp
	case Entered:
		c.since[o.Node] = sim.Never
		c.in = append(c.in, o.Node)
	case Left:
		c.gone(o.Node)
	}
}

// gone is a process that is no longer in the critical section, if it was.
func (c *crowd) gone(id sim.NodeID) {
	if i := slices.Index(c.in, id); i >= 0 {
		c.in = slices.Delete(c.in, i, i+1)
	}
}

// other is another process in the critical section, None if there is none.
func (c *crowd) other(id sim.NodeID) sim.NodeID {
	for _, in := range c.in {
		if in != id {
			return in
		}
	}
	return sim.None
}

// waits reports whether a process waits.
func (c *crowd) waits(id sim.NodeID) bool { return c.since[id] != sim.Never }

// waiting is how many processes wait.
func (c *crowd) waiting() (n int) {
	for _, since := range c.since {
		if since != sim.Never {
			n++
		}
	}
	return n
}
