package idempotency

import "slices"

// table is what a property remembers by number: of an intent, a key, a row. Entries are in the
// order of their numbers, so that two runs in which the same has happened remember the same.
type table[E any] struct {
	Numbers []Value
	Entries []E
}

// Reset forgets all.
func (t *table[E]) Reset() { t.Numbers, t.Entries = t.Numbers[:0], t.Entries[:0] }

// at is the entry of a number, which is made if there is none. It is good until the next.
func (t *table[E]) at(number Value) *E {
	i, there := slices.BinarySearch(t.Numbers, number)
	if !there {
		var none E
		t.Numbers = slices.Insert(t.Numbers, i, number)
		t.Entries = slices.Insert(t.Entries, i, none)
	}
	return &t.Entries[i]
}

// find is the entry of a number, nil if there is none.
func (t *table[E]) find(number Value) *E {
	if i, there := slices.BinarySearch(t.Numbers, number); there {
		return &t.Entries[i]
	}
	return nil
}

// scope is a key as a server knows it: of a tenant, and for one content.
type scope struct{ tenant, key, fingerprint Value }

func scopeOf(d demand) scope { return scope{d.tenant, d.key, d.fingerprint} }
