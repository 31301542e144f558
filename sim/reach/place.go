package reach

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"fencepost/sim"
)

// Spec is one node of a [Space]. Make one with [Place].
type Spec[M Message] struct {
	name string
	home func() home[M] // a new one for every visit
}

// Place puts a node with the given initial state into a space. A state is a comparable
// struct without pointers, interfaces and floats, so that equal states are one state.
func Place[M Message, N comparable, P interface {
	*N
	sim.Node[M]
}](name string, initial N) Spec[M] {
	return Spec[M]{name: name, home: func() home[M] {
		return &homeOf[M, N, P]{states: []N{initial}, index: map[N]uint32{initial: 0}}
	}}
}

// home numbers the local states of a node. The initial state, before it is started, is
// number 0.
type home[M Message] interface {
	plain(tick time.Duration) error // what is wrong with the type of the states
	step(t *sim.Trial[M], state uint32, in sim.In[M]) (reaction[M], error)
	crash(t *sim.Trial[M], state uint32, in sim.In[M]) (reaction[M], error)
	ages() bool
	age(state uint32, tick time.Duration) (next uint32, panicked string)
	node(state uint32) sim.Node[M]
	count() int
	bytes() int64
}

// reaction is what a local state makes of a message.
type reaction[M Message] struct {
	next     uint32
	effects  []sim.Effect[M]
	waits    bool   // the guard leaves the message on its link
	panicked string // what the node panicked with
}

type homeOf[M Message, N comparable, P interface {
	*N
	sim.Node[M]
}] struct {
	states []N
	index  map[N]uint32
}

func (h *homeOf[M, N, P]) plain(tick time.Duration) error {
	if h.ages() && tick <= 0 {
		return fmt.Errorf("ages, so tick must be positive, got %v", tick)
	}
	return plain(reflect.TypeFor[N]())
}

// number is the number of a state, a new one if it was not seen before.
func (h *homeOf[M, N, P]) number(n N) uint32 {
	i, known := h.index[n]
	if !known {
		i = uint32(len(h.states))
		h.states = append(h.states, n)
		h.index[n] = i
	}
	return i
}

// step lets the state handle a message, unless its guard leaves it.
func (h *homeOf[M, N, P]) step(t *sim.Trial[M], state uint32, in sim.In[M]) (reaction[M], error) {
	var r reaction[M]
	n, again := h.states[state], h.states[state]
	r.panicked = caught(func() {
		if g, ok := any(P(&n)).(Guard[M]); ok && !g.Ready(in) {
			r.waits = true
		}
	})
	if n != again {
		return r, errors.New("the guard of the node changes it")
	}
	if r.waits || r.panicked != "" {
		return r, nil
	}
	return h.twice(t, n, in)
}

// crash lets what is left of a state after a crash handle the start.
func (h *homeOf[M, N, P]) crash(t *sim.Trial[M], state uint32, in sim.In[M]) (reaction[M], error) {
	n, before := h.states[0], h.states[state]
	if k, ok := any(P(&n)).(sim.Recoverer[N]); ok {
		if panicked := caught(func() { k.Recover(&before) }); panicked != "" {
			return reaction[M]{panicked: panicked}, nil
		}
	}
	return h.twice(t, n, in)
}

// twice lets two copies of a node handle a message, since a step that is tabled must be a
// function.
func (h *homeOf[M, N, P]) twice(t *sim.Trial[M], n N, in sim.In[M]) (r reaction[M], err error) {
	again := n
	r.panicked = caught(func() { r.effects = slices.Clone(t.Step(P(&n), in)) })
	var effects []sim.Effect[M]
	panicked := caught(func() { effects = t.Step(P(&again), in) })
	if n != again || panicked != r.panicked || panicked == "" && !slices.Equal(effects, r.effects) {
		return r, fmt.Errorf("the same step twice gives different results")
	}
	if panicked == "" {
		r.next = h.number(n)
	}
	return r, nil
}

func (h *homeOf[M, N, P]) ages() bool {
	_, ages := any(P(nil)).(Ager)
	return ages
}

func (h *homeOf[M, N, P]) age(state uint32, tick time.Duration) (next uint32, panicked string) {
	n := h.states[state]
	a, ok := any(P(&n)).(Ager)
	if !ok {
		return state, ""
	}
	if panicked = caught(func() { a.Age(tick) }); panicked != "" {
		return state, panicked
	}
	return h.number(n), ""
}

func (h *homeOf[M, N, P]) node(state uint32) sim.Node[M] { return P(&h.states[state]) }

func (h *homeOf[M, N, P]) count() int { return len(h.states) }

// bytes is an estimate: the states are in a slice and, with their number, in a map,
// both of which are half empty at worst.
func (h *homeOf[M, N, P]) bytes() int64 {
	return int64(len(h.states)) * (4*int64(reflect.TypeFor[N]().Size()) + 16)
}

// caught is what a function of a node panicked with, if it did.
func caught(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint("panic: ", r)
		}
	}()
	f()
	return ""
}
