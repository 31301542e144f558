package process

import (
	"time"

	"fencepost/models/clock"
)

// hybrid is a hybrid logical clock with such limits as there are; without any it is the
// one of the paper. After a crash it begins at (0,0), or above the bound that it had made
// durable.
//
// Source: Kulkarni et al. 2014, figure 5.
type hybrid struct {
	durable bool
	ahead   time.Duration // of l, that a bound is made durable

	guard clock.GuardedHLC
	bound clock.Reading // the durable one
}

func newHybrid(limits clock.HLCParams, ahead time.Duration) *hybrid {
	g, err := clock.NewGuardedHLC(limits)
	if err != nil {
		panic("process: " + err.Error()) // the parameters have been checked
	}
	return &hybrid{durable: limits.Durable, ahead: ahead, guard: *g}
}

func (c *hybrid) Tick(pt clock.Reading) (Stamp, Refusal) { return stamped(c.guard.Tick(pt)) }

func (c *hybrid) Receive(m Stamp, pt clock.Reading) (Stamp, Refusal) {
	return stamped(c.guard.Receive(m.timestamp(), pt))
}

func stamped(t clock.Timestamp, err error) (Stamp, Refusal) {
	if err != nil {
		return Stamp{}, Refusal(err.(*clock.HLCError).Why) + 1
	}
	return hybridStamp(t), 0
}

// Persist makes a bound durable that lies ahead of all stamps so far.
func (c *hybrid) Persist(pt clock.Reading) (clock.Reading, bool) {
	if !c.durable {
		return 0, false
	}
	c.bound = max(c.bound, max(c.guard.Last().L, pt)+clock.Reading(c.ahead))
	c.guard.Persisted(c.bound)
	return c.bound, true
}

func (c *hybrid) Recover(before Clock) {
	if c.durable {
		c.bound = before.(*hybrid).bound
		c.guard.Restart(c.bound)
	}
}

func (c *hybrid) Copy(old Clock) Clock {
	n, ok := old.(*hybrid)
	if !ok {
		n = &hybrid{}
	}
	*n = *c
	return n
}
