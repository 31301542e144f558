package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// forwarding is what a limiter does between its decision and the service: it takes
// After, and nothing is decided in that time. A process that stops there lets through
// what was admitted for another window. Whoever looks at the clock again can decide
// again.
type forwarding struct {
	After   time.Duration // from the decision to the start; 0: at once
	Recheck time.Duration // a decision older than this, by the monotonic clock, is made again; 0: none is
}

func (p *Params) forwardProblems(found *kit.Errors) {
	if p.Forward < 0 || p.Forward > maxLength {
		found.Add("forward", "want 0s to %v, got %v", maxLength, p.Forward)
	}
	if p.Recheck < 0 || p.Recheck > maxLength {
		found.Add("recheck", "want 0s to %v, got %v", maxLength, p.Recheck)
	}
	if p.Recheck > 0 && p.Recheck <= p.Forward {
		found.Add("recheck", "want more than the %v that every request takes, got %v", p.Forward, p.Recheck)
	}
	if p.Forward == 0 && p.Recheck > 0 {
		found.Add("recheck", "a start at once has nothing to look at again: want forward above 0s")
	}
	if p.Forward > 0 && (p.Form != "local" || p.Algorithm.Algorithm == "leaky-queue") {
		found.Add("forward", "want form local, and no leaky-queue, which has turns")
	}
}

// admitLater notes the decision and goes on when forwarding is over.
func (f *forwarding) admitLater(in *sim.In[Msg], out *sim.Out[Msg], d ratelimit.Decision) {
	m := in.Msg
	out.Note(Msg{Kind: Admitted, ID: m.ID, Key: m.Key, Cost: m.Cost})
	out.After(f.After, Msg{Kind: forward, N: uint16(in.From), ID: m.ID, Key: m.Key, Cost: m.Cost, X: int64(in.Mono), Y: d.Remaining})
}

// forward starts a request, unless so much time has passed that it is decided again.
// What it was charged for then is lost to it.
func (l *Limiter) forward(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	client := sim.NodeID(m.N)
	if f := &l.forwarding; f.Recheck > 0 && in.Mono.Sub(sim.Mono(m.X)) > f.Recheck {
		if d := l.take(m.Key, reading(&in, l.Clock), int64(m.Cost)); !d.Allowed {
			reject(out, m, client, d.Wait)
			return
		}
	}
	out.Note(Msg{Kind: Started, ID: m.ID, Key: m.Key, Cost: m.Cost})
	out.Send(client, Msg{Kind: Response, OK: true, ID: m.ID, Y: m.Y})
}

// startLimit holds if no more than Bound of one key starts in any half-open window of
// true time: what the service behind the limiter sees. It is checked where a start takes
// time; elsewhere window-limit says the same.
type startLimit struct {
	Layout Layout

	Windows windows
}

func newStartLimit(l Layout) sim.Property[Msg] {
	return kit.NewProperty("start-limit", &startLimit{Layout: l}, Started)
}

// Bound implements [sim.Bounded].
func (p *startLimit) Bound() sim.Bound {
	if p.Layout.Forward == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: p.Layout.allowed("starts in any"), Loose: p.Layout.Bound > p.Layout.Limit}
}

// Begin implements [kit.Checker].
func (p *startLimit) Begin(*kit.Report[Msg]) { p.Windows.grow(&p.Layout) }

// Check implements [kit.Checker].
func (p *startLimit) Check(r *kit.Report[Msg]) {
	if p.Layout.Forward == 0 {
		return
	}
	r.Saw()
	sum := p.Windows[r.Msg.Key].Admit(r.Now(), int64(r.Msg.Cost))
	if sum > p.Layout.Bound && r.Violated(r.Node) {
		r.Why("with what %s let through at %v, %d of key %d started in %s; the bound is %d", r.Name(r.Node), r.Now(), sum, r.Msg.Key, values.Length(p.Layout.Window), p.Layout.Bound)
	}
}

// started tells of a start that is late for the first time.
func (t *teller) started(v *sim.View[Msg], limiter sim.NodeID, m *Msg) string {
	if t.layout.Forward == 0 {
		return ""
	}
	at := t.admittedAt.of(m.ID).asked
	if late := v.Now().Sub(at); late > t.layout.Forward && t.first(Started, m.Key, uint64(at)) {
		return fmt.Sprintf("%s lets %s through, %s after it was admitted", v.Name(limiter), v.Name(clientOf(m.ID)), values.Length(late))
	}
	return ""
}
