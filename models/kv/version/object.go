package version

import (
	"cmp"
	"math/bits"
	"strconv"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Value is a sibling.
type Value struct {
	Write     uint32 // see [NewID]
	Data      uint64
	Tombstone bool
	At        sim.Wall // of a tombstone, the wall clock of the coordinator that wrote it; else 0
}

// Object is what a replica stores of a key: siblings and what orders them. It is immutable. The
// nil object is a key that was never written.
type Object struct {
	state    state
	values   []Value
	digest   uint64
	data     int // bytes of the values
	metadata int // bytes of the clocks
}

// state is what a policy stores of a key beside the siblings.
type state interface {
	// heads appends the latest writes.
	heads(into []uint32) []uint32
	text(name func(clock.Actor) string) string
}

// newObject is an object of a policy whose values have valueBytes bytes each; d is the digest of
// its state.
func newObject(s state, values []Value, d sim.Digest, valueBytes, metadata int) Object {
	o := Object{state: s, values: values, digest: d.Sum(), metadata: metadata}
	for _, v := range values {
		if !v.Tombstone {
			o.data += valueBytes
		}
	}
	if o.digest == 0 { // 0 is the digest of a key that was never written
		o.digest = 1
	}
	return o
}

// Values are the siblings, which the caller must not change.
func (o *Object) Values() []Value {
	if o == nil {
		return nil
	}
	return o.values
}

// Digest is equal exactly if the state is the same; it is 0 for nil.
func (o *Object) Digest() uint64 {
	if o == nil {
		return 0
	}
	return o.digest
}

// Print implements [sim.Printer]: the state of an object refers to the object.
func (o *Object) Print(p *sim.Print) { p.Fold(o.Digest()) }

// Bytes are the values and the clocks on the wire.
func (o *Object) Bytes() int {
	if o == nil {
		return 0
	}
	return o.data + o.metadata
}

// Metadata is how many of the bytes are clocks.
func (o *Object) Metadata() int {
	if o == nil {
		return 0
	}
	return o.metadata
}

// Heads appends the writes that are the latest in it: those of its siblings; of a counter and of
// a set the last one of each actor. All that they have replaced, directly or not, is in it too.
func (o *Object) Heads(into []uint32) []uint32 {
	if o == nil {
		return into
	}
	return o.state.heads(into)
}

// Deleted reports whether all siblings are tombstones, and the latest wall clock of the
// coordinators that wrote them: from then on counts the time after which they are collected.
func (o *Object) Deleted() (at sim.Wall, deleted bool) {
	if o == nil || len(o.values) == 0 {
		return 0, false
	}
	at = o.values[0].At
	for _, v := range o.values {
		if !v.Tombstone {
			return 0, false
		}
		if at.Before(v.At) {
			at = v.At
		}
	}
	return at, true
}

// Text is the siblings and their clocks in words, with the names of actors.
func (o *Object) Text(name func(clock.Actor) string) string {
	if o == nil {
		return "nothing"
	}
	return o.state.text(name)
}

func foldValue(d sim.Digest, v Value) sim.Digest {
	word := uint64(v.Write)
	if v.Tombstone {
		word |= 1 << 32
	}
	return d.Fold(word, v.Data).Fold(uint64(v.At), 0)
}

// String is the data, or "deleted".
func (v Value) String() string {
	if v.Tombstone {
		return "deleted"
	}
	return strconv.FormatUint(v.Data, 10)
}

// headsOf appends the writes of siblings.
func headsOf(siblings []Value, into []uint32) []uint32 {
	for _, v := range siblings {
		into = append(into, v.Write)
	}
	return into
}

// order is of siblings: by write.
func order(a, b Value) int { return cmp.Compare(a.Write, b.Write) }

// varint is how many bytes a number takes in base 128.
func varint(n uint64) int { return max(1, (bits.Len64(n)+6)/7) }

// vectorBytes is a vector on the wire: how many entries, and each.
func vectorBytes(v clock.VersionVector[clock.Actor]) int {
	size := varint(uint64(len(v)))
	for _, e := range v {
		size += 8 + varint(e.N)
	}
	return size
}

// named is a vector with the names of actors.
func named(v clock.VersionVector[clock.Actor], name func(clock.Actor) string) clock.VersionVector[string] {
	words := make(clock.VersionVector[string], len(v))
	for i, e := range v {
		words[i] = clock.Entry[string]{ID: name(e.ID), N: e.N}
	}
	return words
}

func foldVector(d sim.Digest, v clock.VersionVector[clock.Actor]) sim.Digest {
	d = d.Fold(uint64(len(v)), 0)
	for _, e := range v {
		d = d.Fold(uint64(e.ID), e.N)
	}
	return d
}
