package sim

import (
	"reflect"

	"fencepost/sim/internal/fingerprint"
)

// NodeID names a node of a world: 1 and up, in the order of [System].Nodes.
type NodeID int32

// None is no node.
const None NodeID = 0

// Kind is what a message is, one small number per kind of a model. Kind 0 is the
// message that starts a node.
type Kind uint8

// A Message is everything that a model's nodes send, arm as timers and note: one
// flat struct per model, as small as it can be. Its zero value starts a node.
type Message interface {
	// Label is the kind of the message.
	Label() Kind
	// Fold takes every field into a digest, in the order of the type.
	Fold(Digest) Digest
	// String is the message in words, for a trace.
	String() string
}

// A Node is one process: a state machine that handles one message at a time. A
// step depends on the receiver and in alone, touches nothing else but out, and
// panics on a message that it does not expect.
type Node[M Message] interface {
	Step(in In[M], out *Out[M])
}

// In is what a step may look at: one message, and the node's own clocks.
type In[M Message] struct {
	Self, From NodeID // From is Self for a timer, an alarm and the start
	Mono       Mono
	Boot       Boot
	Wall       Wall
	Msg        M
}

// Recoverer is implemented by a node, N its state, that keeps something across a
// crash. After a restart the node is its initial value; Recover copies from the
// state before the crash what was durable, and nothing else.
type Recoverer[N any] interface {
	Recover(before *N)
}

// Resetter is implemented by a node that owns slices or maps. Reset makes the
// receiver equal to initial without sharing memory with it, and may keep its own
// for reuse.
type Resetter[N any] interface {
	Reset(initial *N)
}

// Spec is one node of a [System]. Make one with [Place].
type Spec[M Message] struct {
	Name string
	slot nodeSlot[M]
}

// nodeSlot is a node together with what the engine does to its state.
type nodeSlot[M Message] interface {
	fresh() nodeSlot[M] // one of a world: that of a Spec, which several may share, has no state
	node() Node[M]
	slot() *node[M]      // lies beside its state
	reset()              // to the initial state
	restart()            // to the initial state and what was durable
	twin() Node[M]       // a copy of the present state, to step once more
	same(n Node[M]) bool // whether the present state equals that of a twin
	// alike is same, but takes a nil slice or map for an empty one: a node that keeps its
	// memory for reuse has the one where a copy of it has the other.
	alike(n Node[M]) bool
	value() reflect.Value
}

// Place puts a node with the given initial state into a system. The state is
// copied by assignment; one that owns slices or maps implements [Resetter].
func Place[M Message, N any, P interface {
	*N
	Node[M]
}](name string, initial N) Spec[M] {
	return Spec[M]{Name: name, slot: &homeOf[M, N, P]{initial: &initial}}
}

// A record is what the engine needs of a node at each step, and the state of the node: of a
// small state both are in one cache line.
type record[M Message, N any] struct {
	state  N
	engine node[M]
}

type homeOf[M Message, N any, P interface {
	*N
	Node[M]
}] struct {
	*record[M, N]
	initial *N
}

func (h *homeOf[M, N, P]) fresh() nodeSlot[M] {
	f := &homeOf[M, N, P]{record: new(record[M, N]), initial: h.initial}
	f.reset()
	return f
}

func (h *homeOf[M, N, P]) node() Node[M] { return P(&h.state) }

func (h *homeOf[M, N, P]) slot() *node[M] { return &h.engine }

func (h *homeOf[M, N, P]) reset() { resetState(&h.state, h.initial) }

func (h *homeOf[M, N, P]) restart() {
	before := h.state
	var fresh N
	resetState(&fresh, h.initial)
	h.state = fresh
	if r, ok := any(&h.state).(Recoverer[N]); ok {
		r.Recover(&before)
	}
}

func (h *homeOf[M, N, P]) twin() Node[M] {
	var n N
	resetState(&n, &h.state)
	return P(&n)
}

func (h *homeOf[M, N, P]) same(n Node[M]) bool {
	return reflect.DeepEqual(&h.state, (*N)(n.(P)))
}

// alike compares bytes, then prints, and fields by reflection last: that takes several times as long.
func (h *homeOf[M, N, P]) alike(n Node[M]) (yes bool) {
	if fingerprint.SameBytes(&h.state, (*N)(n.(P))) {
		return true
	}
	defer func() {
		if recover() != nil { // a state that has no fingerprint
			yes = h.same(n)
		}
	}()
	var mine, its Print
	fingerprint.Value(&mine, h.value())
	fingerprint.Value(&its, reflect.ValueOf((*N)(n.(P))).Elem())
	return mine == its || h.same(n)
}

func (h *homeOf[M, N, P]) value() reflect.Value { return reflect.ValueOf(&h.state).Elem() }

func resetState[N any](state, initial *N) {
	if r, ok := any(state).(Resetter[N]); ok {
		r.Reset(initial)
		return
	}
	*state = *initial
}
