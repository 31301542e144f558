package lock

import (
	"time"

	"fencepost/sim"
)

// renewal is the extension of a lease, again and again. The next is counted from the end
// of the one before.
type renewal struct {
	number uint16 // of the extension under way, 0 for none: answers to earlier ones do not count
	count  uint16 // extensions of this lease so far
	t1     int64  // reading before the requests were sent
}

// extendBy is the script that extends a lock.
//
// Source: redsync 4.13, WithSetNXOnExtend, which also takes a lock that was lost: another client
// may have had it in the meantime.
func (p *Params) extendBy() sim.Kind {
	if p.ExtendBy == "set-nx" {
		return ExtendOrSet
	}
	return Extend
}

// plan sets the timer of the next extension; every 0 is never.
func (r *renewal) plan(a *attempt, out *sim.Out[Msg], every time.Duration) {
	if every > 0 {
		a.later(out, every, Msg{Kind: renew})
	}
}

// begin starts an extension, and returns its number.
func (r *renewal) begin(reading int64) uint16 {
	r.t1 = reading
	r.count = r.count%(theRelease-1) + 1
	r.number = r.count
	return r.number
}

// is reports whether an answer is to the extension under way.
func (r *renewal) is(number uint16) bool { return number != 0 && number == r.number }

// end ends the extension under way.
func (r *renewal) end(a *attempt, out *sim.Out[Msg], every time.Duration) {
	r.number = 0
	r.plan(a, out, every)
}
