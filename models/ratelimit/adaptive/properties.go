package adaptive

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// limitInRange holds if the limit never leaves its bounds.
//
// Source: Netflix/concurrency-limits, AIMDLimit.java, minLimit and maxLimit.
type limitInRange struct{ Bounds Bounds }

// Bound implements [sim.Bounded].
func (p *limitInRange) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("%d to %d", p.Bounds.Min, p.Bounds.Max)}
}

// Check implements [model.Checker].
func (p *limitInRange) Check(r *model.Report[Msg]) {
	r.Saw()
	if l := r.Msg.limit(); (l < p.Bounds.Min || l > p.Bounds.Max) && r.Violated(r.Node) {
		r.Why("the limit is %d, and should be %d to %d", l, p.Bounds.Min, p.Bounds.Max)
	}
}

// noGrowthUnused holds if the limit never grows while less than half of it is in use.
//
// Source: Netflix/concurrency-limits, AIMDLimit.java, "inflight * 2 >= currentLimit".
type noGrowthUnused struct{}

// Bound implements [sim.Bounded].
func (noGrowthUnused) Bound() sim.Bound { return sim.Bound{Text: "half of the limit in use"} }

// Check implements [model.Checker].
func (*noGrowthUnused) Check(r *model.Report[Msg]) {
	limit, before, inflight := r.Msg.limit(), r.Msg.before(), r.Msg.inflight()
	if before == 0 {
		return
	}
	r.Saw()
	if limit > before && 2*inflight < before && r.Violated(r.Node) {
		r.Why("the limit grows from %d to %d, and at most %d were under way", before, limit, inflight)
	}
}

// goodput holds if, from an instant on, the answers that came in time are at least nine
// tenths of what was asked for or, if that is less, of what the plant can do.
type goodput struct {
	Capacity int64 // requests a second; 0: not checked
	From     time.Duration

	Sent, Useful int64
}

// Bound implements [sim.Bounded].
func (p *goodput) Bound() sim.Bound {
	if p.Capacity == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("90%% of what was asked for or, if less, of %d a second, from %v on", p.Capacity, p.From)}
}

// Check implements [model.Checker].
func (p *goodput) Check(r *model.Report[Msg]) {
	switch {
	case time.Duration(r.Now()) < p.From:
	case r.Msg.Kind == Sent:
		p.Sent++
	case r.Msg.inTime():
		p.Useful++
	}
}

// End checks what was counted.
func (p *goodput) End(r *model.Report[Msg]) {
	whole := time.Duration(r.Now()) - p.From
	if p.Capacity == 0 || p.Sent == 0 || whole <= 0 {
		return
	}
	r.Saw()
	want := min(p.Sent, int64(whole/time.Millisecond)*p.Capacity/1000)
	if 10*p.Useful < 9*want && r.Violated(theLimiter, thePlant) {
		r.Why("%d answers came in time, of %d that could have", p.Useful, want)
	}
}

// settles holds if the load of the plant, or else the limit, is within a band from some
// time after the start on, and again that long after the service has changed.
//
// Source: Hellerstein, Diao, Parekh and Tilbury, Feedback Control of Computing Systems, 2004:
// settling time.
type settles struct {
	Judged    bool
	Low, High int64
	Within    time.Duration
	Change    time.Duration // 0: never
	OfLoad    bool          // it is about the load

	Value int64
}

// Bound implements [sim.Bounded].
func (p *settles) Bound() sim.Bound {
	if !p.Judged {
		return sim.Bound{}
	}
	what, unit := "a limit of", ""
	if p.OfLoad {
		what, unit = "a load of", "%"
	}
	return sim.Bound{Text: fmt.Sprintf("%s %d%s to %d%s, from %v on", what, p.Low, unit, p.High, unit, p.Within)}
}

// Check implements [model.Checker]. When a request is sent the limit is still what it was
// set to.
func (p *settles) Check(r *model.Report[Msg]) {
	switch {
	case !p.Judged || p.OfLoad != (r.Msg.Kind == Measured):
		return
	case p.OfLoad:
		p.Value = r.Msg.percent()
	case r.Msg.Kind == Limited:
		p.Value = r.Msg.limit()
	}
	if !p.resting(time.Duration(r.Now())) {
		return
	}
	r.Saw()
	if (p.Value < p.Low || p.Value > p.High) && r.Violated(theLimiter) {
		what, unit := "the limit", ""
		if p.OfLoad {
			what, unit = "the load", "%"
		}
		r.Why("%s is %d%s, and should have settled between %d and %d", what, p.Value, unit, p.Low, p.High)
	}
}

// resting reports whether everything should have settled.
func (p *settles) resting(now time.Duration) bool {
	if p.Change > 0 && now >= p.Change {
		now -= p.Change
	}
	return now > p.Within
}
