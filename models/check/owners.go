package check

import "fencepost/models/fact"

// Owners is whose key is on each instance, at the very instant. The key on an instance that is down stays its owner's:
// a loss shows when the instance restarts.
type Owners struct {
	Layout   Lock
	Owner    Table[fact.Holder] // by instance: none's is free
	Revision uint64             // of replicas: of the latest change
}

func newOwners(l Lock) Owners { return Owners{Layout: l, Owner: byInstance[fact.Holder](&l)} }

// hear takes in that a key is owned or freed. It reports whether it changed, on which instance, and whose it was. The first replica that tells of a revision
// changes it.
func (o *Owners) hear(f *fact.Fact) (moved bool, instance int, before fact.Holder) {
	i := int(f.Node - o.Layout.FirstServer)
	if o.Layout.Replicated {
		if f.ID <= o.Revision {
			return false, 0, none
		}
		o.Revision, i = f.ID, 0
	}
	before = o.Owner[i]
	if o.Owner[i] = none; f.Kind == fact.Owned {
		o.Owner[i] = f.By
	}
	return true, i, before
}

// Of is how many instances have a key of the holder.
func (o *Owners) Of(h fact.Holder) (n int) {
	for _, g := range o.Owner {
		if g == h {
			n++
		}
	}
	return n
}
