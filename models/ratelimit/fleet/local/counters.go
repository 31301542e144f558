package local

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Counters are those of limiters that count in fixed windows, as an observer sees them:
// what each admits in a window, and when the window ends. A limiter that is asked again
// only later sets its counter to 0 only then, but as from the end of the window on.
type Counters struct {
	layout core.Layout
	list   []counter // by limiter, then by key
	ended  int       // windows described
}

// counter is that of one key on one limiter.
type counter struct {
	sum         int64
	first, last sim.Time // admission in the window
	end         int64    // of the window, on the clock of the limiter
	until       sim.Time // that is then
}

// Limits of what is described.
const (
	enoughWindows = 12     // in a run
	MaxCounters   = 10_000 // of a fleet: of a larger one no windows are
)

// Reset forgets all counters, and makes room for those of a layout.
func (c *Counters) Reset(l core.Layout) {
	c.layout, c.ended = l, 0
	if l.Counts {
		c.list = make([]counter, l.Limiters*(l.Keys+1))
	}
}

// of is the counter of a key on a limiter.
func (c *Counters) of(node sim.NodeID, key int) *counter {
	return &c.list[int(node-c.layout.First)*(c.layout.Keys+1)+key]
}

// Observe follows what is admitted, and describes each window that has ended.
func (c *Counters) Observe(v *sim.View[message.Msg], o *sim.Observation[message.Msg]) {
	limiter := o.Node >= c.layout.First && o.Node < c.layout.First+sim.NodeID(c.layout.Limiters)
	switch {
	case o.Event == sim.Ended:
		for i := range c.layout.Limiters {
			for key := 1; key <= c.layout.Keys; key++ {
				c.close(v, c.layout.First+sim.NodeID(i), key, true)
			}
		}
	case !limiter:
	case o.Event == sim.Crashed: // it forgets them all
		for key := 1; key <= c.layout.Keys; key++ {
			*c.of(o.Node, key) = counter{}
		}
	case o.Event == sim.ClockChanged: // windows under way end at another instant
		for key := 1; key <= c.layout.Keys; key++ {
			if s := c.of(o.Node, key); s.sum > 0 && s.until > v.Now() {
				s.until = v.When(o.Node, c.layout.Clock, s.end)
			}
		}
	case o.Event == sim.Noted && o.Msg.Kind == message.Admitted:
		key := int(o.Msg.Key)
		c.close(v, o.Node, key, false)
		c.of(o.Node, key).admit(v, o, c.layout)
	}
}

func (s *counter) admit(v *sim.View[message.Msg], o *sim.Observation[message.Msg], l core.Layout) {
	if s.sum == 0 {
		reading, window := v.Read(o.Node, l.Clock), int64(l.Window)
		into := (reading%window + window) % window // a wall clock may be before its zero
		s.first, s.end = v.Now(), reading-into+window
		s.until = v.When(o.Node, l.Clock, s.end)
	}
	s.sum, s.last = s.sum+int64(o.Msg.Cost), v.Now()
}

// close describes a window of a counter if it has ended, or if the run has.
func (c *Counters) close(v *sim.View[message.Msg], node sim.NodeID, key int, over bool) {
	s := c.of(node, key)
	ended := s.until <= v.Now()
	if s.sum == 0 || !ended && !over {
		return
	}
	if c.ended++; c.ended <= enoughWindows {
		when := fmt.Sprintf("between %v and %v", s.first, s.last)
		if s.first == s.last {
			when = fmt.Sprintf("at %v", s.first)
		}
		v.Describe(s.last, fmt.Sprintf("%s has admitted %d of key %d %s: its counter is %d of %d", v.Name(node), s.sum, key, when, s.sum, c.layout.Share))
		if ended {
			v.Describe(s.until, fmt.Sprintf("a window ends on %s, and the next begins: the counter of key %d goes from %d to 0", v.Name(node), key, s.sum))
		}
	}
	*s = counter{}
}
