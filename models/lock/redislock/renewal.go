package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// renewal is the extension of a lease, again and again. The next is counted from the end
// of the one before.
type renewal struct {
	number uint16 // of the extension under way, 0 for none: answers to earlier ones do not count
	count  uint16 // extensions of this lease so far
	t1     int64  // reading before the requests were sent
}

// plan sets the timer of the next extension; every 0 is never.
func (r *renewal) plan(a *core.Attempt, out *sim.Out[core.Msg], every time.Duration) {
	if every > 0 {
		a.Later(out, every, core.New(core.Renew))
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
func (r *renewal) end(a *core.Attempt, out *sim.Out[core.Msg], every time.Duration) {
	r.number = 0
	r.plan(a, out, every)
}
