package reach

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"fencepost/sim"
)

// Message is a [sim.Message] that can be numbered: a flat struct without pointers.
type Message interface {
	comparable
	sim.Message
}

// Space is a system whose states are to be visited.
type Space[M Message] struct {
	Nodes  []Spec[M] // made with [Place]; 1 and up in their order
	Links  []Link    // a message takes the first that carries it; there must be one
	Pauses []Pause[M]

	Faults Faults

	// Tick is how much older an [Ager] becomes when a tick passes. It must be
	// positive if there is one.
	Tick time.Duration

	// Invariant says what is wrong with a state, or nothing. It must depend on the
	// view alone. Nil finds every state right.
	Invariant func(*View[M]) string
}

// Link carries messages from one node to another, or to itself.
type Link struct {
	From, To sim.NodeID

	// Kinds are the kinds of message that travel over it; none means all.
	Kinds []sim.Kind

	// Capacity is how many messages may be in flight, 0 to 16. A step that would
	// exceed it is not possible until there is room. With capacity 0 the receiver
	// handles a message within the step that sends it, and that step is not
	// possible while the receiver is suspended or not [Guard.Ready].
	//
	// Source: Holzmann, "The Model Checker SPIN", 1997 (rendezvous).
	Capacity int

	// Order says whether messages arrive in the order in which they were sent.
	Order sim.Order
}

// Pause is a way in which a node may be suspended: it then handles nothing and does
// not age. A node that is suspended is not suspended again before it resumes.
type Pause[M Message] struct {
	Node  sim.NodeID
	Ticks int                    // how long, 1 to 65535
	When  func(sim.Node[M]) bool // whether it may happen in this local state; nil is always
}

// Faults is what may go wrong besides, at any moment, and how often at most in all, each
// 0 to 255.
type Faults struct {
	Crashes    int          // a node loses what it does not keep and its own messages, and starts again
	Duplicates int          // a message between two nodes is handled and is still on its link
	Losses     int          // a message between two nodes that may arrive next does not
	Nodes      []sim.NodeID // that may crash; none means all
}

// Ager is implemented by a node that remembers readings of its clocks, which all read
// 0 while a space is visited. Age moves them into the past by a tick. States are few if
// it stops where nothing depends on them any more: max(deadline-tick, 0).
type Ager interface {
	Age(tick time.Duration)
}

// Guard is implemented by a node that leaves messages waiting. Ready says whether it
// would handle this one, and changes nothing.
type Guard[M Message] interface {
	Ready(in sim.In[M]) bool
}

// Limits bound a visit. To reach one is a result, not an error.
type Limits struct {
	Memory int64 // bytes for everything that grows; 0 is 1 GiB, and 3 MiB are little
	States int64 // 0 is no limit

	// Workers is on how many processors at most, 1 to 16, 0 being 1. With more than
	// one, Invariant is called by several goroutines at a time.
	Workers int

	// Progress, if not nil, is told now and then how many states were found, and how
	// many moves the farthest is away.
	Progress func(states int64, depth int)
}

// Result is what was visited. It depends on the space and the limits alone.
type Result struct {
	States      int64 // that were found, all different
	Transitions int64 // moves out of them; some may lead to the same state
	Ends        int64 // states without a move
	Held        int64 // steps not possible because a link was full: not 0 if a larger one may matter
	Depth       int   // moves to the farthest state that was looked at, or to the violation

	Exhausted bool   // every state was found, and the invariant holds in all of them
	Bound     string // the limit that was reached, if one was: "1000 states"

	Bytes int64 // that the visit took; an estimate but for the states themselves
	Bits  int   // that a state takes, packed

	// Violation is a shortest way to a state that the invariant finds wrong, or
	// to a step that panics, if there is one.
	Violation *Path
}

// TooWide is the bound of a visit that found more local states, or contents of links, than
// can be told apart in the 128 bits that a state has. More memory does not help; fewer nodes
// and links do, or nodes that remember less.
const TooWide = "a state that takes more than 128 bits"

const (
	maxCapacity   = 16
	maxTicks      = 1<<16 - 1
	maxNodes      = 1 << 10
	maxLinks      = 1 << 13
	maxFaults     = 1<<8 - 1
	defaultMemory = 1 << 30
)

// validate says what is wrong with a space.
func (s *Space[M]) validate() error {
	if len(s.Nodes) == 0 || len(s.Nodes) > maxNodes {
		return fmt.Errorf("nodes: must be 1 to %d, got %d", maxNodes, len(s.Nodes))
	}
	exists := func(id sim.NodeID) error {
		if id < 1 || int(id) > len(s.Nodes) {
			return fmt.Errorf("no node %d, of %d nodes", id, len(s.Nodes))
		}
		return nil
	}
	if err := plain(reflect.TypeFor[M]()); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	for i, n := range s.Nodes {
		if n.home == nil {
			return fmt.Errorf("nodes.%d: not made with Place", i)
		}
		if err := n.home().plain(s.Tick); err != nil {
			return fmt.Errorf("nodes.%d: %s: %w", i, n.name, err)
		}
	}
	if len(s.Links) > maxLinks {
		return fmt.Errorf("links: must be at most %d, got %d", maxLinks, len(s.Links))
	}
	for i, l := range s.Links {
		if err := errors.Join(exists(l.From), exists(l.To)); err != nil {
			return fmt.Errorf("links.%d: %w", i, err)
		}
		if l.Capacity < 0 || l.Capacity > maxCapacity {
			return fmt.Errorf("links.%d.capacity: must be 0 to %d, got %d", i, maxCapacity, l.Capacity)
		}
	}
	if len(s.Pauses) > maxLinks {
		return fmt.Errorf("pauses: must be at most %d, got %d", maxLinks, len(s.Pauses))
	}
	for i, p := range s.Pauses {
		if err := exists(p.Node); err != nil {
			return fmt.Errorf("pauses.%d: %w", i, err)
		}
		if p.Ticks < 1 || p.Ticks > maxTicks {
			return fmt.Errorf("pauses.%d.ticks: must be 1 to %d, got %d", i, maxTicks, p.Ticks)
		}
	}
	return s.Faults.validate(exists)
}

// validate says what is wrong with faults.
func (f *Faults) validate(exists func(sim.NodeID) error) error {
	for i, n := range []int{f.Crashes, f.Duplicates, f.Losses} {
		if n < 0 || n > maxFaults {
			return fmt.Errorf("faults.%s: must be 0 to %d, got %d", []string{"crashes", "duplicates", "losses"}[i], maxFaults, n)
		}
	}
	for i, id := range f.Nodes {
		if err := exists(id); err != nil {
			return fmt.Errorf("faults.nodes.%d: %w", i, err)
		}
	}
	return nil
}

// crashing are the nodes that may crash.
func (s *Space[M]) crashing() []sim.NodeID {
	if len(s.Faults.Nodes) > 0 {
		return s.Faults.Nodes
	}
	all := make([]sim.NodeID, len(s.Nodes))
	for i := range all {
		all[i] = sim.NodeID(i + 1)
	}
	return all
}

// plain says why values of a type cannot stand for themselves in a table.
func plain(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if err := plain(t.Field(i).Type); err != nil {
				return fmt.Errorf("%s: %w", t.Field(i).Name, err)
			}
		}
		return nil
	case reflect.Array:
		return plain(t.Elem())
	}
	kinds := []reflect.Kind{reflect.Pointer, reflect.UnsafePointer, reflect.Interface, reflect.Chan,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128}
	if slices.Contains(kinds, t.Kind()) {
		return fmt.Errorf("must be without pointers, interfaces and floats, got %s", t)
	}
	return nil
}
