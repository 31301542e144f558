package chain

import (
	"fmt"
	"math/bits"
	"time"

	"fencepost/sim"
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

// Goodput holds if in each window as many operations succeed as began in it, or as can be
// done in it if that is less, but for 5%. What is carried out when its caller has gone
// is no success. Nor need there be more successes than operations that began before the
// last twentieth of the window: the others may be under way at its end.
type Goodput struct {
	Layout   Layout
	Window   time.Duration
	Capacity int64    // operations per window
	From     sim.Time // windows before are not checked

	sim.Check
	window        int64 // that is being counted
	begun, useful int64 // in it
	early         int64 // of those begun, before the last twentieth of it
	bad           [2]int64
}

// Name implements [sim.Property].
func (p *Goodput) Name() string { return "goodput" }

// Bound implements [sim.Bounded].
func (p *Goodput) Bound() sim.Bound {
	text := fmt.Sprintf("95%% of what could succeed in each %v", p.Window)
	if p.From > 0 {
		text += fmt.Sprintf(", from %v on", p.From)
	}
	return sim.Bound{Text: text}
}

// Reset implements [sim.Observer].
func (p *Goodput) Reset(*sim.View[Msg]) {
	p.Clear()
	p.window, p.begun, p.early, p.useful, p.bad = 0, 0, 0, 0, [2]int64{}
}

// Observe implements [sim.Observer].
func (p *Goodput) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.check(v.Now())
	if o.Event != sim.Noted || !p.Layout.isClient(o.Node) {
		return
	}
	switch o.Msg.Kind {
	case Begun:
		p.begun++
		if into := int64(v.Now()) % int64(p.Window); into < int64(p.Window-p.Window/20) {
			p.early++
		}
	case Succeeded:
		p.useful++
	}
}

// check looks at the windows that are over.
func (p *Goodput) check(now sim.Time) {
	current := int64(now) / int64(p.Window)
	if current == p.window {
		return
	}
	begin, end := sim.Time(p.window*int64(p.Window)), sim.Time((p.window+1)*int64(p.Window))
	if want := min(p.begun, p.Capacity); want > 0 && begin >= p.From {
		p.Saw()
		if p.useful < min(p.early, want-want/20) && p.Violate(end, p.Layout.Server) {
			p.bad = [2]int64{p.useful, want}
		}
	}
	p.window, p.begun, p.early, p.useful = current, 0, 0, 0
}

// End implements [sim.Observer].
func (p *Goodput) End(v *sim.View[Msg]) { p.check(v.Now()) }

// Why implements [sim.Property].
func (p *Goodput) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("%d operations succeeded in the last %v, and %d could have", p.bad[0], p.Window, p.bad[1])
}

// QueueWait holds if no request is done by the database only after its caller has left. A caller is taken to wait as long as for a first call; that a
// deadline may leave less to a later one is not looked at.
//
// A queue keeps to it with at most mu*timeout - 1 places.
type QueueWait struct {
	Layout Layout

	sim.Check
	waited time.Duration
}

// Name implements [sim.Property].
func (p *QueueWait) Name() string { return "queue-wait" }

// Bound implements [sim.Bounded].
func (p *QueueWait) Bound() sim.Bound {
	if p.Layout.Timeout == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %v in the queue", p.Layout.Timeout-p.Layout.Expected), Worst: "queue-wait-time"}
}

// Reset implements [sim.Observer].
func (p *QueueWait) Reset(*sim.View[Msg]) {
	p.Clear()
	p.waited = 0
}

// Observe implements [sim.Observer].
func (p *QueueWait) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Taken || p.Layout.Timeout == 0 {
		return
	}
	p.Saw()
	waited := o.Msg.Wait
	if waited > p.Layout.Timeout-p.Layout.Expected && p.Violate(v.Now(), o.Node, caller(o.Msg.Root)) {
		p.waited = waited
	}
}

// End implements [sim.Observer].
func (p *QueueWait) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *QueueWait) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("a request of %s had waited %v when its turn came, its caller waits %v and the work takes %v",
		v.Name(p.Finding().Nodes[1]), p.waited, p.Layout.Timeout, p.Layout.Expected)
}
