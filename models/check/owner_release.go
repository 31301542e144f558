package check

import (
	"slices"

	"fencepost/models/fact"
	"fencepost/sim"
)

// OwnerRelease holds if a client deletes no key but its own.
//
// Source: Redis documentation, "Distributed Locks with Redis", correct implementation with a single instance.
type OwnerRelease struct{ Ledger *LockLedger }

// Hears implements [fact.Checker].
func (*OwnerRelease) Hears() []fact.Kind {
	return []fact.Kind{fact.Freed}
}

// Check implements [fact.Checker].
func (c *OwnerRelease) Check(r *fact.Report) {
	news := c.Ledger.News()
	if !news.Moved || r.By == none {
		return
	}
	r.Saw()
	if by, owner := r.By.Node, news.Key.Node; by != owner && r.Violated(by, owner) {
		r.Why("%s deleted the key of %s", r.Name(by), r.Name(owner))
	}
}

// symbolicOwners is [OwnerRelease] with owners of its own.
type symbolicOwners struct{ Owners Owners }

// Symbolic is the form for a search with symbolic time.
func (c *OwnerRelease) Symbolic() fact.Checker {
	return &symbolicOwners{newOwners(c.Ledger.Layout)}
}

// Hears implements [fact.Checker].
func (*symbolicOwners) Hears() []fact.Kind { return []fact.Kind{fact.Owned, fact.Freed} }

// Check implements [fact.Checker].
func (c *symbolicOwners) Check(r *fact.Report) {
	moved, _, before := c.Owners.hear(r.Fact)
	if !moved || r.Kind != fact.Freed || r.By == none {
		return
	}
	r.Saw()
	if by, owner := r.By.Node, before.Node; by != owner {
		r.Violated(by, owner)
	}
}

// Rename implements [sim.Renamer].
func (c *symbolicOwners) Rename(to sim.Renaming) {
	o := &c.Owners
	before := slices.Clone(o.Owner)
	clear(o.Owner)
	for i, server := range o.Layout.ServerNodes() {
		at := &o.Owner[to.Node(server)-o.Layout.FirstServer]
		if owner := before[i].Renamed(to); owner.Compare(*at) > 0 {
			*at = owner
		}
	}
}
