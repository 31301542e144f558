package clock

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fencepost/internal/text"
)

// Actor is an id for dots: a node, and how often it has begun without its memory. A
// replica that has lost its disk and keeps its id gives out dots that are in use: the
// others take its new value for an old one, and drop it. A new epoch is a new id.
//
// Source: riak_kv, per-key actor epochs.
type Actor uint64

// NewActor is a node in an epoch, 0 for the first.
func NewActor(node, epoch uint32) Actor { return Actor(node)<<32 | Actor(epoch) }

// Node is the node.
func (a Actor) Node() uint32 { return uint32(a >> 32) }

// Epoch is how often the node has lost its memory.
func (a Actor) Epoch() uint32 { return uint32(a & math.MaxUint32) }

// Next is the node in its next epoch. It has 2^32 of them.
func (a Actor) Next() Actor {
	if a.Epoch() == math.MaxUint32 {
		panic("clock: node " + a.String() + " has used up its epochs")
	}
	return a + 1
}

// String is node.epoch, as 3.1.
func (a Actor) String() string { return fmt.Sprintf("%d.%d", a.Node(), a.Epoch()) }

// MarshalText implements [encoding.TextMarshaler].
func (a Actor) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *Actor) UnmarshalText(b []byte) error {
	node, epoch, ok := strings.Cut(string(b), ".")
	n, err := strconv.ParseUint(node, 10, 32)
	e, err2 := strconv.ParseUint(epoch, 10, 32)
	if !ok || err != nil || err2 != nil {
		return fmt.Errorf("%q is not an actor, as 3.1: node 3, epoch 1", text.Excerpt(string(b), 20))
	}
	*a = NewActor(uint32(n), uint32(e))
	return nil
}
