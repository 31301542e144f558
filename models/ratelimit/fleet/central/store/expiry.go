package store

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// countersExpire holds if each counter and log in the store has an expiry, at most
// Slack after it was made or lost the one it had, and each expiry lies at most a window
// and Slack ahead of the store's clock.
type countersExpire struct {
	Layout core.Layout

	Bare []bare
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

// NewCountersExpire makes the property counters-expire: every counter of the store has an expiry, and goes in time.
func NewCountersExpire(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("counters-expire", &countersExpire{Layout: l}).Also(sim.Paused, sim.Resumed, sim.Crashed, sim.Restarted, sim.ClockChanged).
		Needs("params.form must be central, and the store must make a counter")
}

// Bound implements [sim.Bounded].
func (p *countersExpire) Bound() sim.Bound {
	if p.Layout.KeyBytes == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("an expiry within %s, at most %s ahead", values.Length(Slack), values.Length(p.Layout.Window+Slack))}
}

// Check implements [model.Checker].
func (p *countersExpire) Check(r *model.Report[message.Msg]) {
	p.overdue(r)
	m := &r.Msg
	this := func(b bare) bool { return b.store == r.Node && b.life == m.Cost }
	switch {
	case r.Event == sim.Crashed:
		p.forget(func(b bare) bool { return b.store == r.Node })
	case r.Event != sim.Noted:
	case m.Kind == message.Evicted:
		p.forget(this)
	case m.Kind == message.StoreOp && !m.OK: // there is no counter; a bare one cannot expire, and so that is another
	case m.Kind == message.StoreOp && m.TTL() >= 0:
		r.Saw()
		p.forget(this)
		p.check(r, time.Duration(m.TTL()))
	case m.Kind == message.StoreOp && !slices.ContainsFunc(p.Bare, this):
		r.Saw()
		p.Bare = append(p.Bare, bare{r.Node, m.Cost, m.Key, r.Now()})
	}
}

// check looks at an expiry, which is in whole milliseconds and strict.
func (p *countersExpire) check(r *model.Report[message.Msg], ttl time.Duration) {
	if ttl > p.Layout.Window+Slack+time.Millisecond && r.Violated(r.Node) {
		r.Why("a counter of key %d is to live for %v, more than the window of %s and %s", r.Msg.Key, ttl, values.Length(p.Layout.Window), values.Length(Slack))
	}
}

func (p *countersExpire) forget(which func(bare) bool) { p.Bare = slices.DeleteFunc(p.Bare, which) }

// overdue reports counters that have had no expiry for too long, the oldest first.
func (p *countersExpire) overdue(r *model.Report[message.Msg]) {
	for len(p.Bare) > 0 && r.Now().Sub(p.Bare[0].since) > Slack {
		b := p.Bare[0]
		p.Bare = slices.Delete(p.Bare, 0, 1)
		if r.ViolatedAt(b.since.Add(Slack), b.store) {
			r.Why("a counter of key %d has had no expiry for %s", b.key, values.Length(Slack))
		}
	}
}

// End implements [model.Checker].
func (p *countersExpire) End(r *model.Report[message.Msg]) { p.overdue(r) }
