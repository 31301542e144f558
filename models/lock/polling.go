package lock

import (
	"time"

	"fencepost/sim"
)

// polling is how a client waits for a lock that has no queue: it asks again. An algorithm
// that waits so embeds it, and makes an attempt for each timer retry.
type polling struct {
	Retry sim.Dist      // pause between two attempts
	Tries int           // attempts per acquisition; 0: without end
	Wait  time.Duration // for the answer of a server; 0: forever

	attempt
	nth int // of the acquisition the present attempt is
}

// last reports whether there is to be no other attempt after this one.
func (p *polling) last() bool { return p.Tries > 0 && p.nth >= p.Tries }

// again ends an attempt that failed: another follows after a pause, or none.
func (p *polling) again(out *sim.Out[Msg]) Outcome {
	if p.last() {
		return GaveUp
	}
	out.AfterDraw(p.Retry, Msg{Kind: retry})
	return Pending
}

// await bounds the wait for an answer.
func (p *polling) await(out *sim.Out[Msg], about uint16) {
	if p.Wait > 0 {
		p.later(out, p.Wait, Msg{Kind: timeout, N: about})
	}
}

// longest is a pause between two attempts that none exceeds, in whole microseconds: a uniform
// one ends a nanosecond before what the parameter says.
func (p *polling) longest() time.Duration {
	return (p.Retry.Most() + time.Microsecond - 1).Truncate(time.Microsecond)
}

// leastRetry is the shortest pause between two attempts that are made without end.
const leastRetry = time.Microsecond

// atOnce reports whether all tries of an acquisition may take no time: then the network's
// delay is all that passes between two of them.
func (p *Params) atOnce() bool {
	return p.Tries != nil && *p.Tries == 1 || p.Retry != nil && p.Retry.Most() < leastRetry-1
}

// What a timeout is about, besides [theWrite]: the requests to every instance, to one of
// them from 1 on, those of a release, or those of the extension whose number is added.
const (
	everyone     = 0
	theRelease   = 1 << 14
	theExtension = 1 << 15
)
