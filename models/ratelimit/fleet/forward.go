package fleet

import (
	"fmt"
	"time"

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

func (p *Params) forwardProblems(found *problems) {
	if p.Forward < 0 || p.Forward > maxLength {
		found.add("forward", "want 0s to %v, got %v", maxLength, p.Forward)
	}
	if p.Recheck < 0 || p.Recheck > maxLength {
		found.add("recheck", "want 0s to %v, got %v", maxLength, p.Recheck)
	}
	if p.Recheck > 0 && p.Recheck <= p.Forward {
		found.add("recheck", "want more than the %v that every request takes, got %v", p.Forward, p.Recheck)
	}
	if p.Forward == 0 && p.Recheck > 0 {
		found.add("recheck", "a start at once has nothing to look at again: want forward above 0s")
	}
	if p.Forward > 0 && (p.Form != "local" || p.Algorithm.Algorithm == "leaky-queue") {
		found.add("forward", "want form local, and no leaky-queue, which has turns")
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

// StartLimit holds if no more than Bound of one key starts in any half-open window of
// true time: what the service behind the limiter sees. It is judged where a start takes
// time; elsewhere window-limit says the same.
type StartLimit struct {
	Layout Layout

	sim.Check
	windows windows
	key     uint64 // of the first violation
	sum     int64
}

// Name implements [sim.Property].
func (p *StartLimit) Name() string { return "start-limit" }

// Bound implements [sim.Bounded].
func (p *StartLimit) Bound() sim.Bound {
	if p.Layout.Forward == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: p.Layout.allowed("starts in any"), Loose: p.Layout.Bound > p.Layout.Limit}
}

// Reset implements [sim.Observer].
func (p *StartLimit) Reset(*sim.View[Msg]) {
	p.Clear()
	p.windows.reset(p.Layout.Keys, p.Layout.Window)
	p.key, p.sum = 0, 0
}

// Observe implements [sim.Observer].
func (p *StartLimit) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if p.Layout.Forward == 0 || o.Event != sim.Noted || o.Msg.Kind != Started {
		return
	}
	p.Saw()
	sum := p.windows[o.Msg.Key].Admit(v.Now(), int64(o.Msg.Cost))
	if sum > p.Layout.Bound && p.Violate(v.Now(), o.Node) {
		p.key, p.sum = o.Msg.Key, sum
	}
}

// End implements [sim.Observer].
func (p *StartLimit) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *StartLimit) Why(v *sim.View[Msg]) string {
	f := p.Finding()
	return fmt.Sprintf("with what %s let through at %v, %d of key %d started in %s; the bound is %d", v.Name(f.Nodes[0]), f.First, p.sum, p.key, values.Length(p.Layout.Window), p.Layout.Bound)
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
