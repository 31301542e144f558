package replicas

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// NoFalseSiblings holds if no replica keeps a value beside one that replaces it.
type NoFalseSiblings struct {
	sim.Check
	watcher
	first struct {
		pair [2]clock.WriteID
		all  int
	}
}

// Name implements [sim.Property].
func (p *NoFalseSiblings) Name() string { return "no-false-siblings" }

// Reset implements [sim.Observer].
func (p *NoFalseSiblings) Reset(*sim.View[Msg]) {
	*p = NoFalseSiblings{watcher: p.watcher}
	p.watcher.reset()
}

// Observe implements [sim.Observer].
func (p *NoFalseSiblings) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.follow(v, o)
	if p.changed && len(o.Msg.Set.values) > 0 {
		p.Saw()
	}
	if p.hasFalse && p.Violate(v.Now(), o.Node, p.writer(p.falsePair[0])) {
		p.first.pair, p.first.all = p.falsePair, len(o.Msg.Set.values)
	}
}

// End implements [sim.Observer].
func (p *NoFalseSiblings) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoFalseSiblings) Why(v *sim.View[Msg]) string {
	old, by := p.first.pair[0], p.first.pair[1]
	return fmt.Sprintf("%s keeps %s beside %s, which replaces it: %d siblings",
		v.Name(p.Finding().Nodes[0]), p.writeName(old), p.writeName(by), p.first.all)
}

// NoLostValue holds if no replica drops a value, or refuses one, while it keeps none that
// replaces it. What is gone with a disk is not dropped.
type NoLostValue struct {
	sim.Check
	watcher
	lost clock.WriteID // the first
	set  *Kept
}

// Name implements [sim.Property].
func (p *NoLostValue) Name() string { return "no-lost-value" }

// Reset implements [sim.Observer].
func (p *NoLostValue) Reset(*sim.View[Msg]) {
	*p = NoLostValue{watcher: p.watcher}
	p.watcher.reset()
}

// Observe implements [sim.Observer].
func (p *NoLostValue) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.follow(v, o)
	if o.Event == sim.Noted && (o.Msg.Kind == Stored || p.changed && len(o.Msg.Set.values) > 0) {
		p.Saw()
	}
	for _, id := range p.Ledger.lost {
		if p.Violate(v.Now(), o.Node, p.writer(id)) {
			p.lost, p.set = id, o.Msg.Set
		}
	}
}

// End implements [sim.Observer].
func (p *NoLostValue) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoLostValue) Why(v *sim.View[Msg]) string {
	nodes := p.Finding().Nodes
	return fmt.Sprintf("%s drops %s of %s, and nothing that it keeps replaces it: it keeps %s",
		v.Name(nodes[0]), p.writeName(p.lost), v.Name(nodes[1]), p.set.versions.Text(p.names()))
}

// NoEqualVersions holds if no two values ever have the same version: the same vector, or
// the same dot. Of two that do each replica keeps the one that it has met first, and drops
// the other.
type NoEqualVersions struct {
	sim.Check
	watcher
	pair [2]clock.WriteID // the first
}

// Name implements [sim.Property].
func (p *NoEqualVersions) Name() string { return "no-equal-versions" }

// Reset implements [sim.Observer].
func (p *NoEqualVersions) Reset(*sim.View[Msg]) {
	*p = NoEqualVersions{watcher: p.watcher}
	p.watcher.reset()
}

// Observe implements [sim.Observer].
func (p *NoEqualVersions) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.follow(v, o)
	if o.Event != sim.Noted || o.Msg.Kind != Stored {
		return
	}
	if p.version(p.id(o.Msg.Write.Value)) != nil {
		p.Saw()
	}
	if p.hasSame && p.Violate(v.Now(), p.writer(p.samePair[1]), p.writer(p.samePair[0])) {
		p.pair = p.samePair
	}
}

// End implements [sim.Observer].
func (p *NoEqualVersions) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoEqualVersions) Why(v *sim.View[Msg]) string {
	names := p.names()
	return fmt.Sprintf("%s of %s has the version %v, which is that of %s", p.writeName(p.pair[1]), v.Name(p.Finding().Nodes[0]),
		names.vector(p.version(p.pair[0])), p.writeName(p.pair[0]))
}
