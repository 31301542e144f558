package version

import (
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

// valueOf is the value that a write makes where the store knows nothing of its type: the client
// makes a cart of all siblings that it has read, and adds or removes an element.
func valueOf(wall sim.Wall, context *Object, w Write) Value {
	v := Value{Write: w.ID, Data: w.Data}
	switch w.Op {
	case Delete:
		return Value{Write: w.ID, Tombstone: true, At: wall}
	case Add:
		v.Data = union(context.Values()) | w.Data
	case Remove:
		v.Data = union(context.Values()) &^ w.Data
	}
	return v
}

// union is all elements of carts.
func union(carts []Value) (all uint64) {
	for _, v := range carts {
		all |= v.Data
	}
	return all
}
