package lease

import (
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// outstandingWithinLimit holds if at no instant what is leased and not over, and what
// has been admitted in the coordinator's window, are together more than the limit. It
// remembers what a coordinator forgets in a crash. Of fleets without leases it says
// nothing.
type outstandingWithinLimit struct {
	Layout core.Layout

	Coordinator sim.NodeID // None until there is a lease
	Keys        outstandingKeys
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

// outstandingKeys are the tables by key, of which fleets without leases have none.
type outstandingKeys []outstanding

// Reset forgets the leases of a run.
func (t outstandingKeys) Reset() {
	for i := range t {
		t[i] = outstanding{nodes: core.Resized(t[i].nodes, len(t[i].nodes))}
	}
}

// of is the table of a key.
func (t *outstandingKeys) of(key uint64, l *core.Layout) *outstanding {
	if *t == nil {
		*t = make([]outstanding, l.Keys+1)
		for i := range *t {
			(*t)[i].nodes = make([]held, l.Limiters)
		}
	}
	return &(*t)[key]
}

// NewOutstandingWithinLimit makes the property outstanding-within-limit: what is leased and what is used are within the limit.
func NewOutstandingWithinLimit(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("outstanding-within-limit", &outstandingWithinLimit{Layout: l}, message.Leased, message.Returned, message.Admitted).
		Needs("params.form must be lease, and a limiter must get a lease")
}

// Check implements [model.Checker].
func (p *outstandingWithinLimit) Check(r *model.Report[message.Msg]) {
	m := &r.Msg
	if m.Kind == message.Leased {
		p.Coordinator = r.Node
	}
	if p.Coordinator == sim.None {
		return
	}
	k := p.Keys.of(m.Key, &p.Layout)
	k.roll(r.Read(p.Coordinator, sim.WallClock), r.Now(), p.Layout.Window)
	switch m.Kind {
	case message.Leased:
		if h := &k.nodes[m.Holder()]; !m.GrantedBefore() && m.Tokens() > 0 {
			h.tokens, h.ends = h.tokens+m.Tokens(), r.Now().Add(m.LeaseLength())
		}
	case message.Returned:
		h := &k.nodes[m.Holder()]
		h.tokens = max(0, h.tokens-m.Tokens())
		return
	case message.Admitted:
		h := &k.nodes[r.Node-p.Layout.First]
		h.tokens = max(0, h.tokens-int64(m.Cost))
		k.used += int64(m.Cost)
	}
	r.Saw()
	if leased := k.leased(); leased+k.used > p.Layout.Limit && r.Violated(r.Node) {
		r.Why("with what %s did at %v, %d of key %d are leased and %d admitted in the window; the limit is %d", r.Name(r.Node), r.Now(), leased, m.Key, k.used, p.Layout.Limit)
	}
}

// roll forgets leases that are over, and what was used in a window that is.
func (k *outstanding) roll(wall int64, now sim.Time, window time.Duration) {
	if w := core.FloorTo(wall, window); !k.begun || w > k.window {
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
