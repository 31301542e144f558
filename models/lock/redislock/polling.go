package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Polling is how a client waits for a lock that has no queue: it asks again. An algorithm
// that waits so embeds it, and makes an attempt for each timer retry.
type Polling struct {
	Retry sim.Dist      // pause between two attempts
	Tries int           // attempts per acquisition; 0: without end
	Wait  time.Duration // for the answer of a server; 0: forever

	core.Attempt
	nth int // of the acquisition the present attempt is
}

// last reports whether there is to be no other attempt after this one.
func (p *Polling) last() bool { return p.Tries > 0 && p.nth >= p.Tries }

// again ends an attempt that failed: another follows after a pause, or none.
func (p *Polling) again(out *sim.Out[core.Msg]) core.Outcome {
	if p.last() {
		return core.GaveUp
	}
	out.AfterDraw(p.Retry, core.New(core.Retry))
	return core.Pending
}

// await bounds the wait for an answer.
func (p *Polling) await(out *sim.Out[core.Msg], about uint16) {
	if p.Wait > 0 {
		p.Later(out, p.Wait, core.NewTimeout(about))
	}
}

// Longest is a pause between two attempts that none exceeds, in whole microseconds: a uniform
// one ends a nanosecond before what the parameter says.
func (p *Polling) Longest() time.Duration {
	return (p.Retry.Most() + time.Microsecond - 1).Truncate(time.Microsecond)
}

// What a timeout is about, besides [lock.theWrite]: the requests to every instance, to one of
// them from 1 on, those of a release, or those of the extension whose number is added.
const (
	everyone     = 0
	theRelease   = 1 << 14
	theExtension = 1 << 15
)
