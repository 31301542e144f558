package fleet

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// CountersExpire holds if each counter and log in the store has an expiry, at most
// Slack after it was made or lost the one it had, and each expiry lies at most a window
// and Slack ahead of the store's clock.
type CountersExpire struct {
	Layout Layout

	sim.Check
	bare []bare
	key  uint64 // of the first violation
	ttl  time.Duration
}

// bare is a counter without expiry.
type bare struct {
	store sim.NodeID
	life  uint32
	key   uint64
	since sim.Time
}

// Slack is how long a counter may be without an expiry, and by how much its time to live
// may exceed the window.
const Slack = time.Second

// Name implements [sim.Property].
func (p *CountersExpire) Name() string { return "counters-expire" }

// Bound implements [sim.Bounded].
func (p *CountersExpire) Bound() sim.Bound {
	if p.Layout.KeyBytes == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("an expiry within %s, at most %s ahead", values.Length(Slack), values.Length(p.Layout.Window+Slack))}
}

// Reset implements [sim.Observer].
func (p *CountersExpire) Reset(*sim.View[Msg]) {
	p.Clear()
	p.bare = p.bare[:0]
	p.key, p.ttl = 0, 0
}

// Observe implements [sim.Observer].
func (p *CountersExpire) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.overdue(v.Now())
	m := &o.Msg
	switch {
	case o.Event == sim.Crashed:
		p.forget(func(b bare) bool { return b.store == o.Node })
	case o.Event != sim.Noted:
	case m.Kind == Evicted:
		p.forget(func(b bare) bool { return b.store == o.Node && b.life == m.Cost })
	case m.Kind == StoreOp && !m.OK: // there is no counter; a bare one cannot expire, and so that is another
	case m.Kind == StoreOp && m.Y >= 0:
		p.Saw()
		p.forget(func(b bare) bool { return b.store == o.Node && b.life == m.Cost })
		p.judge(v, o)
	case m.Kind == StoreOp && !slices.ContainsFunc(p.bare, func(b bare) bool { return b.store == o.Node && b.life == m.Cost }):
		p.Saw()
		p.bare = append(p.bare, bare{o.Node, m.Cost, m.Key, v.Now()})
	}
}

// judge looks at an expiry, which is in whole milliseconds and strict.
func (p *CountersExpire) judge(v *sim.View[Msg], o *sim.Observation[Msg]) {
	ttl := time.Duration(o.Msg.Y)
	if ttl > p.Layout.Window+Slack+time.Millisecond && p.Violate(v.Now(), o.Node) {
		p.key, p.ttl = o.Msg.Key, ttl
	}
}

func (p *CountersExpire) forget(which func(bare) bool) { p.bare = slices.DeleteFunc(p.bare, which) }

// overdue reports counters that have had no expiry for too long, the oldest first.
func (p *CountersExpire) overdue(now sim.Time) {
	for len(p.bare) > 0 && now.Sub(p.bare[0].since) > Slack {
		b := p.bare[0]
		p.bare = slices.Delete(p.bare, 0, 1)
		if p.Violate(b.since.Add(Slack), b.store) {
			p.key = b.key
		}
	}
}

// End implements [sim.Observer].
func (p *CountersExpire) End(v *sim.View[Msg]) { p.overdue(v.Now()) }

// Why implements [sim.Property].
func (p *CountersExpire) Why(*sim.View[Msg]) string {
	if p.ttl > 0 {
		return fmt.Sprintf("a counter of key %d is to live for %v, more than the window of %s and %s", p.key, p.ttl, values.Length(p.Layout.Window), values.Length(Slack))
	}
	return fmt.Sprintf("a counter of key %d has had no expiry for %s", p.key, values.Length(Slack))
}
