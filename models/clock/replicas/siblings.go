package replicas

import (
	"fencepost/sim/model"
)

// noFalseSiblings holds if no replica keeps a value beside one that replaces it.
//
// Source: Preguica et al., "Dotted Version Vectors: Logical Clocks for Optimistic Replication",
// 2010.
type noFalseSiblings struct{ *Ledger }

// Begin begins the ledger anew, which this property keeps for the others.
func (p *noFalseSiblings) Begin(*model.Report[Msg]) { p.reset() }

// Check implements [model.Checker].
func (p *noFalseSiblings) Check(r *model.Report[Msg]) {
	p.observe(r.View, r.Observation)
	if p.changed && len(r.Msg.Set.values) > 0 {
		r.Saw()
	}
	if !p.hasFalse {
		return
	}
	old, by := p.falsePair[0], p.falsePair[1]
	if r.Violated(r.Node, p.writer(old)) {
		r.Why("%s keeps %s beside %s, which replaces it: %d siblings", r.Name(r.Node), p.writeName(old), p.writeName(by), len(r.Msg.Set.values))
	}
}

// noLostValue holds if no replica drops a value, or refuses one, while it keeps none that
// replaces it. What is gone with a disk is not dropped.
//
// Source: DeCandia et al., "Dynamo: Amazon's Highly Available Key-value Store", 2007, section
// 4.4: a version replaces another only if that is its ancestor.
type noLostValue struct{ *Ledger }

// Check implements [model.Checker].
func (p *noLostValue) Check(r *model.Report[Msg]) {
	if r.Msg.Kind == Stored || p.changed && len(r.Msg.Set.values) > 0 {
		r.Saw()
	}
	for _, id := range p.lost {
		if r.Violated(r.Node, p.writer(id)) {
			r.Why("%s drops %s of %s, and nothing that it keeps replaces it: it keeps %s",
				r.Name(r.Node), p.writeName(id), r.Name(p.writer(id)), keeping{p.Ledger, r.Msg.Set})
		}
	}
}

// noEqualVersions holds if no two values ever have the same version: the same vector, or
// the same dot. Of two that do each replica keeps the one that it has met first, and drops
// the other.
//
// Source: Preguica et al., "Dotted Version Vectors: Logical Clocks for Optimistic Replication",
// 2010: a dot names one write.
type noEqualVersions struct{ *Ledger }

// Check implements [model.Checker].
func (p *noEqualVersions) Check(r *model.Report[Msg]) {
	if p.version(p.id(r.Msg.Write.Value)) != nil {
		r.Saw()
	}
	if !p.hasSame {
		return
	}
	first, second := p.samePair[0], p.samePair[1]
	if r.Violated(p.writer(second), p.writer(first)) {
		names := p.names()
		r.Why("%s of %s has the version %v, which is that of %s", p.writeName(second), r.Name(p.writer(second)), names.vector(p.version(first)), p.writeName(first))
	}
}

// keeping is what a replica keeps, to be said in words.
type keeping struct {
	ledger *Ledger
	kept   *Kept
}

// String is it in words.
func (k keeping) String() string { return k.ledger.text(k.kept) }
