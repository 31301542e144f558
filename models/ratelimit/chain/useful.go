package chain

import (
	"fmt"
	"math/bits"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// capacity is how many operations can be done in a length of time: by the database, or by
// the limiter if there is none. Without either it is as many as one likes.
func (p *Params) capacity(window time.Duration) int64 {
	n, per := uint64(p.Database.Workers), uint64(p.expected())
	switch {
	case p.Database.None && p.Limiter.Kind == "bucket":
		n, per = uint64(p.Limiter.Refill.Requests), uint64(p.Limiter.Refill.Per)
	case p.Database.None:
		return 1 << 62
	}
	hi, lo := bits.Mul64(uint64(window), n)
	if hi >= per {
		return 1 << 62
	}
	q, _ := bits.Div64(hi, lo, per)
	return int64(min(q, 1<<62))
}

// goodput holds if in each window as many operations succeed as began in it, or as can be
// done in it if that is less, but for 5%. What is carried out when its caller has gone
// is no success. Nor need there be more successes than operations that began before the
// last twentieth of the window: the others may be under way at its end.
type goodput struct {
	Layout   Layout
	Window   time.Duration
	Capacity int64    // operations per window
	From     sim.Time // windows before are not checked

	Counted            int64 // the window that is being counted
	Begun, Early, Done int64 // operations in it: that began, that did before its last twentieth, that succeeded
}

// Bound implements [sim.Bounded].
func (p *goodput) Bound() sim.Bound {
	text := fmt.Sprintf("95%% of what could succeed in each %v", p.Window)
	if p.From > 0 {
		text += fmt.Sprintf(", from %v on", p.From)
	}
	return sim.Bound{Text: text}
}

// Check implements [model.Checker].
func (p *goodput) Check(r *model.Report[Msg]) {
	p.End(r)
	if !p.Layout.isClient(r.Node) {
		return
	}
	switch r.Msg.Kind {
	case Begun:
		p.Begun++
		if into := int64(r.Now()) % int64(p.Window); into < int64(p.Window-p.Window/20) {
			p.Early++
		}
	case Succeeded:
		p.Done++
	}
}

// End looks at the window that was being counted, if it is over.
func (p *goodput) End(r *model.Report[Msg]) {
	current := int64(r.Now()) / int64(p.Window)
	if current == p.Counted {
		return
	}
	begin, end := sim.Time(p.Counted*int64(p.Window)), sim.Time((p.Counted+1)*int64(p.Window))
	if want := min(p.Begun, p.Capacity); want > 0 && begin >= p.From {
		r.Saw()
		if p.Done < min(p.Early, want-want/20) && r.ViolatedAt(end, p.Layout.Server) {
			r.Why("%d operations succeeded in the last %v, and %d could have", p.Done, p.Window, want)
		}
	}
	p.Counted, p.Begun, p.Early, p.Done = current, 0, 0, 0
}

// queueWait holds if no request is done by the database only after its caller has left. A caller
// is taken to wait as long as for a first call; that a deadline may leave less to a later one is
// not looked at.
//
// A queue keeps to it with at most mu*timeout - 1 places.
type queueWait struct{ Layout Layout }

// most is the longest wait after which the work is done in time.
func (p *queueWait) most() time.Duration { return p.Layout.Timeout - p.Layout.Expected }

// Bound implements [sim.Bounded].
func (p *queueWait) Bound() sim.Bound {
	if p.Layout.Timeout == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %v in the queue", p.most()), Worst: "queue-wait-time"}
}

// Check implements [model.Checker].
func (p *queueWait) Check(r *model.Report[Msg]) {
	if p.Layout.Timeout == 0 {
		return
	}
	r.Saw()
	if whose := caller(r.Msg.Root); r.Msg.waited() > p.most() && r.Violated(r.Node, whose) {
		r.Why("a request of %s had waited %v when its turn came, its caller waits %v and the work takes %v",
			r.Name(whose), r.Msg.waited(), p.Layout.Timeout, p.Layout.Expected)
	}
}
