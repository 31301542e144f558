package adaptive

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// LimitInRange holds if the limit never leaves its bounds.
type LimitInRange struct {
	Bounds Bounds

	sim.Check
	limit int32 // at the first violation
}

// Name implements [sim.Property].
func (p *LimitInRange) Name() string { return "limit-in-range" }

// Bound implements [sim.Bounded].
func (p *LimitInRange) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("%d to %d", p.Bounds.Min, p.Bounds.Max)}
}

// Reset implements [sim.Observer].
func (p *LimitInRange) Reset(*sim.View[Msg]) { p.Clear(); p.limit = 0 }

// Observe implements [sim.Observer].
func (p *LimitInRange) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Limited {
		return
	}
	p.Saw()
	if l := int64(o.Msg.N); (l < p.Bounds.Min || l > p.Bounds.Max) && p.Violate(v.Now(), o.Node) {
		p.limit = o.Msg.N
	}
}

// End implements [sim.Observer].
func (p *LimitInRange) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *LimitInRange) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("the limit is %d, and should be %d to %d", p.limit, p.Bounds.Min, p.Bounds.Max)
}

// NoGrowthUnused holds if the limit never grows while less than half of it is in use.
type NoGrowthUnused struct {
	sim.Check
	first Msg
}

// Name implements [sim.Property].
func (p *NoGrowthUnused) Name() string { return "no-growth-unused" }

// Bound implements [sim.Bounded].
func (p *NoGrowthUnused) Bound() sim.Bound {
	return sim.Bound{Text: "half of the limit in use"}
}

// Reset implements [sim.Observer].
func (p *NoGrowthUnused) Reset(*sim.View[Msg]) { p.Clear(); p.first = Msg{} }

// Observe implements [sim.Observer].
func (p *NoGrowthUnused) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m := &o.Msg
	if o.Event != sim.Noted || m.Kind != Limited || m.X == 0 {
		return
	}
	p.Saw()
	if int64(m.N) > m.X && 2*m.Y < m.X && p.Violate(v.Now(), o.Node) {
		p.first = *m
	}
}

// End implements [sim.Observer].
func (p *NoGrowthUnused) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoGrowthUnused) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("the limit grows from %d to %d, and at most %d were under way", p.first.X, p.first.N, p.first.Y)
}

// Goodput holds if, from an instant on, the answers that came in time are at least nine
// tenths of what was asked for or, if that is less, of what the plant can do.
type Goodput struct {
	Capacity int64 // requests a second; 0: not judged
	From     time.Duration

	sim.Check
	sent, useful, want int64
}

// Name implements [sim.Property].
func (p *Goodput) Name() string { return "goodput" }

// Bound implements [sim.Bounded].
func (p *Goodput) Bound() sim.Bound {
	if p.Capacity == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("90%% of what was asked for or, if less, of %d a second, from %v on", p.Capacity, p.From)}
}

// Reset implements [sim.Observer].
func (p *Goodput) Reset(*sim.View[Msg]) { p.Clear(); p.sent, p.useful, p.want = 0, 0, 0 }

// Observe implements [sim.Observer].
func (p *Goodput) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || time.Duration(v.Now()) < p.From {
		return
	}
	switch {
	case o.Msg.Kind == Sent:
		p.sent++
	case o.Msg.Kind == Answered && o.Msg.OK:
		p.useful++
	}
}

// End implements [sim.Observer].
func (p *Goodput) End(v *sim.View[Msg]) {
	whole := time.Duration(v.Now()) - p.From
	if p.Capacity == 0 || p.sent == 0 || whole <= 0 {
		return
	}
	p.Saw()
	p.want = min(p.sent, int64(whole/time.Millisecond)*p.Capacity/1000)
	if 10*p.useful < 9*p.want {
		p.Violate(v.Now(), theLimiter, thePlant)
	}
}

// Why implements [sim.Property].
func (p *Goodput) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("%d answers came in time, of %d that could have", p.useful, p.want)
}

// Settles holds if the load of the plant, or else the limit, is within a band from some
// time after the start on, and again that long after the service has changed.
type Settles struct {
	Judged    bool
	Low, High int64
	Within    time.Duration
	Change    time.Duration // 0: never
	OfLoad    bool          // it is about the load

	sim.Check
	value, first int64
}

// Name implements [sim.Property].
func (p *Settles) Name() string { return "settles" }

// Bound implements [sim.Bounded].
func (p *Settles) Bound() sim.Bound {
	if !p.Judged {
		return sim.Bound{}
	}
	what, unit := "a limit of", ""
	if p.OfLoad {
		what, unit = "a load of", "%"
	}
	return sim.Bound{Text: fmt.Sprintf("%s %d%s to %d%s, from %v on", what, p.Low, unit, p.High, unit, p.Within)}
}

// Reset implements [sim.Observer].
func (p *Settles) Reset(*sim.View[Msg]) { p.Clear(); p.value, p.first = 0, 0 }

// Observe implements [sim.Observer].
func (p *Settles) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || !p.Judged {
		return
	}
	switch {
	case o.Msg.Kind == Measured && p.OfLoad, o.Msg.Kind == Limited && !p.OfLoad:
		p.value = int64(o.Msg.N)
		p.judge(v)
	case o.Msg.Kind == Sent && !p.OfLoad:
		p.judge(v) // the limit has been what it is since it was set
	}
}

func (p *Settles) judge(v *sim.View[Msg]) {
	if !p.resting(time.Duration(v.Now())) {
		return
	}
	p.Saw()
	if (p.value < p.Low || p.value > p.High) && p.Violate(v.Now(), theLimiter) {
		p.first = p.value
	}
}

// resting reports whether everything should have come to rest.
func (p *Settles) resting(now time.Duration) bool {
	if p.Change > 0 && now >= p.Change {
		now -= p.Change
	}
	return now > p.Within
}

// End implements [sim.Observer].
func (p *Settles) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *Settles) Why(*sim.View[Msg]) string {
	what, unit := "the limit", ""
	if p.OfLoad {
		what, unit = "the load", "%"
	}
	return fmt.Sprintf("%s is %d%s, and should have come to rest between %d and %d", what, p.first, unit, p.Low, p.High)
}
