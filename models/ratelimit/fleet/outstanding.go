package fleet

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// OutstandingWithinLimit holds if at no instant what is leased and not over, and what
// has been admitted in the coordinator's window, are together more than the limit. It
// remembers what a coordinator forgets in a crash. Of fleets without leases it says
// nothing.
type OutstandingWithinLimit struct {
	Layout Layout

	sim.Check
	coordinator sim.NodeID // None until there is a lease
	keys        []outstanding
	key         uint64 // of the first violation
	leased      int64
	used        int64
}

// outstanding is what is known of one key.
type outstanding struct {
	begun  bool
	window int64 // its begin
	used   int64
	nodes  []held // by limiter
}

// held is what a limiter has leased and not used, and when that is over.
type held struct {
	tokens int64
	ends   sim.Time
}

// Name implements [sim.Property].
func (p *OutstandingWithinLimit) Name() string { return "outstanding-within-limit" }

// Reset implements [sim.Observer].
func (p *OutstandingWithinLimit) Reset(*sim.View[Msg]) {
	p.Clear()
	p.coordinator, p.key, p.leased, p.used = sim.None, 0, 0, 0
	if p.keys == nil {
		p.keys = make([]outstanding, p.Layout.Keys+1)
	}
	for i := range p.keys {
		p.keys[i] = outstanding{nodes: resized(p.keys[i].nodes, p.Layout.Limiters)}
	}
}

// Observe implements [sim.Observer].
func (p *OutstandingWithinLimit) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m := &o.Msg
	if o.Event != sim.Noted || m.Kind != Leased && m.Kind != Returned && m.Kind != Admitted {
		return
	}
	if m.Kind == Leased {
		p.coordinator = o.Node
	}
	if p.coordinator == sim.None {
		return
	}
	k := &p.keys[m.Key]
	k.roll(v.Read(p.coordinator, sim.WallClock), v.Now(), p.Layout.Window)
	switch m.Kind {
	case Leased:
		if h := &k.nodes[m.N-1]; !m.OK && m.X > 0 {
			h.tokens, h.ends = h.tokens+m.X, v.Now().Add(time.Duration(m.Y))
		}
	case Returned:
		h := &k.nodes[m.N-1]
		h.tokens = max(0, h.tokens-m.X)
		return
	case Admitted:
		h := &k.nodes[o.Node-p.Layout.First]
		h.tokens = max(0, h.tokens-int64(m.Cost))
		k.used += int64(m.Cost)
	}
	p.Saw()
	if leased := k.leased(); leased+k.used > p.Layout.Limit && p.Violate(v.Now(), o.Node) {
		p.key, p.leased, p.used = m.Key, leased, k.used
	}
}

// roll forgets leases that are over, and what was used in a window that is.
func (k *outstanding) roll(wall int64, now sim.Time, window time.Duration) {
	if w := floorTo(wall, window); !k.begun || w > k.window {
		k.begun, k.window, k.used = true, w, 0
		clear(k.nodes)
	}
	for i := range k.nodes {
		if now >= k.nodes[i].ends {
			k.nodes[i].tokens = 0
		}
	}
}

func (k *outstanding) leased() int64 {
	sum := int64(0)
	for _, h := range k.nodes {
		sum += h.tokens
	}
	return sum
}

// End implements [sim.Observer].
func (p *OutstandingWithinLimit) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *OutstandingWithinLimit) Why(v *sim.View[Msg]) string {
	f := p.Finding()
	return fmt.Sprintf("with what %s did at %v, %d of key %d are leased and %d admitted in the window; the limit is %d", v.Name(f.Nodes[0]), f.First, p.leased, p.key, p.used, p.Layout.Limit)
}
