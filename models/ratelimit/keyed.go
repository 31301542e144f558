package ratelimit

import (
	"math/bits"
	"reflect"
	"slices"

	"fencepost/internal/splitmix"
)

// Keyed is a rule with many keys, in one table: 8 bytes beside each state, and from 60%
// to 75% of the slots taken while keys come. A decision allocates nothing, unless it is
// the first for a key; then the table may grow, which takes as long as it is large.
//
// A key that is as if it had never been heard of is forgotten: each new key pays for a
// look at two slots, so that the table grows with the keys that are in use and not with
// all that ever were. (It does not shrink.) What a forgotten key loses is how far its
// clock had come: that matters only if the clock then goes back.
//
// Keys are numbers that no client chooses, or hashes of names. A client that can choose them can
// make the table slow, as with every table whose hash is known: then hash them with a
// secret first.
//
// Source: Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithms L
// and R (open addressing with linear probing, deletion).
type Keyed[S any] struct {
	rule   Rule[S]
	slots  []keyState[S] // a key is in the first slot from its home on that was free
	vacant uint64        // the tag of slots that are free; no key has it
	keys   int
	hand   int // the slot that is looked at next
}

type keyState[S any] struct {
	tag   uint64
	state S
}

// forgettable is a rule that knows better than its ResetAfter whether a key is as new.
type forgettable[S any] interface {
	// AsNew reports whether a key will be decided like one that is not heard of before now.
	AsNew(key *S, now Reading) bool
}

// NewKeyed is a rule without keys.
func NewKeyed[S any](rule Rule[S]) *Keyed[S] {
	k := &Keyed[S]{rule: rule}
	k.resize(8)
	return k
}

// Take decides a request of a key and charges the key for it, as [Rule] says.
func (k *Keyed[S]) Take(key uint64, now Reading, cost int64) Decision {
	return k.rule.Take(k.state(key, now), now, cost)
}

// Len is the number of keys that are remembered.
func (k *Keyed[S]) Len() int { return k.keys }

// Bytes is the memory of the table and of what its states hold, used or not.
func (k *Keyed[S]) Bytes() int64 {
	sum := int64(len(k.slots)) * int64(reflect.TypeFor[keyState[S]]().Size())
	for i := range k.slots {
		h, ok := any(&k.slots[i].state).(interface{ held() int64 })
		if !ok {
			break
		}
		sum += h.held()
	}
	return sum
}

// state is that of a key; of a new one, from now on.
func (k *Keyed[S]) state(key uint64, now Reading) *S {
	tag := splitmix.Hash(key)
	if tag == k.vacant {
		k.vacate()
	}
	i := k.find(tag)
	if s := &k.slots[i]; s.tag == tag {
		return &s.state
	}
	k.sweep(now)
	if k.keys++; 4*k.keys > 3*len(k.slots) {
		k.resize(len(k.slots) + len(k.slots)/4)
		k.hand += k.hand / 4 // about the same keys are before it
	}
	s := &k.slots[k.find(tag)]
	*s = keyState[S]{tag, k.rule.Start(now)}
	return &s.state
}

// find is the slot of a tag, or the one where it would be.
func (k *Keyed[S]) find(tag uint64) int {
	i := k.home(tag)
	for k.slots[i].tag != tag && k.slots[i].tag != k.vacant {
		i = k.after(i)
	}
	return i
}

// home is where a tag's slot is looked for first: larger tags have later ones.
func (k *Keyed[S]) home(tag uint64) int {
	hi, _ := bits.Mul64(tag, uint64(len(k.slots)))
	return int(hi)
}

// after is the slot after slot i, round and round.
func (k *Keyed[S]) after(i int) int {
	if i++; i == len(k.slots) {
		return 0
	}
	return i
}

// from is how many slots j comes after i.
func (k *Keyed[S]) from(i, j int) int {
	if j < i {
		j += len(k.slots)
	}
	return j - i
}

// sweep looks at two slots and forgets their keys if they are as new.
func (k *Keyed[S]) sweep(now Reading) {
	for range 2 {
		if s := &k.slots[k.hand]; s.tag != k.vacant && k.asNew(&s.state, now) {
			k.remove(k.hand) // another may be in its place now: it is next
		} else {
			k.hand = k.after(k.hand)
		}
	}
}

func (k *Keyed[S]) asNew(key *S, now Reading) bool {
	if r, ok := k.rule.(forgettable[S]); ok {
		return r.AsNew(key, now)
	}
	return k.rule.Take(key, now, 0).ResetAfter == 0
}

// remove empties a slot, and moves up the keys that are no longer found because of it.
func (k *Keyed[S]) remove(i int) {
	for j := k.after(i); k.slots[j].tag != k.vacant; j = k.after(j) {
		if k.from(k.home(k.slots[j].tag), j) >= k.from(i, j) {
			k.slots[i] = k.slots[j]
			i = j
		}
	}
	k.slots[i] = keyState[S]{tag: k.vacant}
	k.keys--
}

// resize moves all keys to a table of that many slots.
func (k *Keyed[S]) resize(n int) {
	old := k.slots
	k.slots = make([]keyState[S], n)
	if k.vacant != 0 {
		for i := range k.slots {
			k.slots[i].tag = k.vacant
		}
	}
	for i := range old {
		if old[i].tag != k.vacant {
			k.slots[k.find(old[i].tag)] = old[i]
		}
	}
}

// vacate gives free slots another tag, as a key has come that has theirs: one of 2^64.
func (k *Keyed[S]) vacate() {
	old := k.vacant
	for k.vacant++; slices.ContainsFunc(k.slots, func(s keyState[S]) bool { return s.tag == k.vacant }); {
		k.vacant++
	}
	for i := range k.slots {
		if k.slots[i].tag == old {
			k.slots[i].tag = k.vacant
		}
	}
}

func (k *SlidingLogState) held() int64 {
	return int64(cap(k.ring)) * int64(reflect.TypeFor[logEntry]().Size())
}

func (k *SubWindowsState) held() int64 { return int64(cap(k.counts)) * 4 }
