package replicas

import (
	"fmt"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// NoResurrection holds if no client reads a cart in which something is that was taken out,
// by who had seen it there, and that nobody has put in again.
//
// Source: "Dynamo", 2007, section 4.4.
type NoResurrection struct {
	sim.Check
	watcher
	items uint64 // the first
}

// Name implements [sim.Property].
func (p *NoResurrection) Name() string { return "no-resurrection" }

// Reset implements [sim.Observer].
func (p *NoResurrection) Reset(*sim.View[Msg]) {
	*p = NoResurrection{watcher: p.watcher}
	p.watcher.reset()
}

// Observe implements [sim.Observer].
func (p *NoResurrection) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.follow(v, o)
	if o.Event != sim.Noted || o.Msg.Kind != Read {
		return
	}
	if p.goneFrom(o.Msg.Set.values) != 0 {
		p.Saw()
	}
	if p.reappears != 0 && p.Violate(v.Now(), o.Node) {
		p.items = p.reappears
	}
}

// End implements [sim.Observer].
func (p *NoResurrection) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoResurrection) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s finds %s in the cart, which had been taken out", v.Name(p.Finding().Nodes[0]), p.layout.cart(p.items))
}

// Converges holds if at the end all replicas that are up keep the same values. It is judged
// if there was time enough for that: see [Params]. An observer sees crashes and pauses, but
// no network: replicas that are cut off from each other to the end do not converge.
type Converges struct {
	sim.Check
	watcher
}

// Name implements [sim.Property].
func (p *Converges) Name() string { return "converges" }

// Bound implements [sim.Bounded].
func (p *Converges) Bound() sim.Bound {
	if p.layout.Settle == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("the same values %v after the last write or fault", p.layout.Settle)}
}

// Reset implements [sim.Observer].
func (p *Converges) Reset(*sim.View[Msg]) {
	*p = Converges{watcher: p.watcher}
	p.watcher.reset()
}

// Observe implements [sim.Observer].
func (p *Converges) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) { p.follow(v, o) }

// End implements [sim.Observer].
func (p *Converges) End(v *sim.View[Msg]) {
	if p.layout.Settle == 0 || v.Now().Sub(p.last) < p.layout.Settle || len(p.writes) == 0 {
		return
	}
	one := sim.None
	for i := 1; i <= p.layout.Replicas; i++ {
		id := sim.NodeID(i)
		_, paused := v.PausedSince(id)
		switch {
		case v.Down(id) || paused || p.kept[id] == nil:
		case one == sim.None:
			one = id
		default:
			p.Saw()
			if !alike(p.kept[one].values, p.kept[id].values) {
				p.Violate(v.Now(), one, id)
				return
			}
		}
	}
}

// alike reports whether two replicas keep the same values, in whatever order.
func alike(a, b []Value) bool {
	within := func(a, b []Value) bool {
		for _, v := range a {
			found := false
			for _, w := range b {
				found = found || v == w
			}
			if !found {
				return false
			}
		}
		return true
	}
	return within(a, b) && within(b, a)
}

// Why implements [sim.Property].
func (p *Converges) Why(v *sim.View[Msg]) string {
	a, b := p.Finding().Nodes[0], p.Finding().Nodes[1]
	return fmt.Sprintf("%s keeps %s, and %s keeps %s", v.Name(a), p.text(p.kept[a]), v.Name(b), p.text(p.kept[b]))
}

// Final is what a replica is to keep at the end, as a text.
type Final struct {
	Replica string `yaml:"replica,required"`
	Keeps   string `yaml:"keeps"` // as {a,3,[C B]}; see the text of the way to version
}

// ClockOf is the version that a value is to have, as a text.
type ClockOf struct {
	Value   string `yaml:"value,required"`
	Version string `yaml:"version,required"` // as {Sx:2,Sy:1}
}

// AsWritten holds if the replicas end up with what the source writes, and the values have
// the versions that it gives.
type AsWritten struct {
	sim.Check
	watcher
	got, want string // the first difference
}

// Name implements [sim.Property].
func (p *AsWritten) Name() string { return "as-written" }

// Reset implements [sim.Observer].
func (p *AsWritten) Reset(*sim.View[Msg]) {
	*p = AsWritten{watcher: p.watcher}
	p.watcher.reset()
}

// Observe implements [sim.Observer].
func (p *AsWritten) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) { p.follow(v, o) }

// End implements [sim.Observer].
func (p *AsWritten) End(v *sim.View[Msg]) {
	for i := 1; i <= p.layout.Replicas; i++ {
		for _, f := range p.layout.Final {
			if f.Replica == p.layout.Names[i] {
				p.compare(v, p.text(p.kept[i]), f.Keeps, f.Replica)
			}
		}
	}
	names := p.names()
	for _, c := range p.layout.Clocks {
		got := "no version"
		for i := range p.writes {
			if id := clock.WriteID(i); p.writeName(id) == c.Value && p.version(id) != nil {
				got = names.vector(p.version(id)).String()
			}
		}
		p.compare(v, got, c.Version, c.Value)
	}
}

func (p *AsWritten) compare(v *sim.View[Msg], got, want, whose string) {
	p.Saw()
	got, want = strings.TrimSpace(got), strings.TrimSpace(want)
	if got != want && p.Violate(v.Now()) {
		p.got, p.want = whose+": "+got, want
	}
}

// Why implements [sim.Property].
func (p *AsWritten) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("%s, and the source has %s", p.got, p.want)
}
