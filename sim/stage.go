package sim

import (
	"fmt"
	"slices"
	"time"
)

// A Symbolic node can be driven with time as a symbol: it compares readings with Before alone and
// keeps them whole. It says what a search may leave out, so that equal states are equal.
type Symbolic[M Message] interface {
	// Symbolic says why it cannot be, "" if it can.
	Symbolic() string
	// Forget clears what no later step reads, but for what its notes say.
	Forget()
	// Ignores reports whether the message that e carries has no effect, whenever it comes from now on.
	Ignores(e *Arrival[M]) bool
}

// A Renamer is a [Symbolic] node, the form of a property or a message that has numbers of nodes in
// it which are alike, or serial numbers, see [System]. Rename gives each of them the number that it has from now on.
type Renamer interface{ Rename(to Renaming) }

// A Renaming says which number each node has from now on, and each serial number of a node, which is
// given by the number that it had. Those of None are the node's own and, in a message, those of the end
// which has serial numbers. 0 stays 0.
type Renaming struct {
	Node   func(NodeID) NodeID
	Serial func(of NodeID, n uint32) uint32
}

// Arrival is a message that has not been handled.
type Arrival[M Message] struct {
	From NodeID // the node itself for a timer and an alarm
	Due  Wall   // of an alarm: the reading that it waits for
	Last bool   // no other message of the sender is on its way to the node, nor a copy of one
	Msg  M
}

// A Stage is a system of which a search keeps the states itself, and whose message type is
// forgotten. States and messages are what the pointers that it gives point to: the search writes
// there what it has kept, lets a node handle the message, and reads what has become of it.
type Stage interface {
	// Node and Property give pointers to the states of a node and of a property, by its index.
	Node(id NodeID) any
	Property(i int) any
	// Alike is the groups of nodes that may change places, and Serials those that have serial numbers: see [System].
	Alike() [][]NodeID
	Serials() []NodeID
	// Message is the pointer to the message that Step, Ignores and Tell are about.
	Message() any
	// RefusesNode and RefusesProperty say why a node, or a property, cannot be driven with time as a symbol; "": it can.
	RefusesNode(id NodeID) string
	RefusesProperty(i int) string
	// Step lets a node handle the message. A panic of the node is the caller's.
	Step(id, from NodeID, mono Mono, boot Boot, wall Wall) []StagedEffect
	Ignores(id, from NodeID, due Wall, last bool) bool
	Forget(id NodeID)
	// Restart makes of a node what it is after a crash: its first state, and what it keeps on disk.
	Restart(id NodeID)
	// Tell lets a property hear of something, and reports whether it is violated. End tells it that
	// the run is over. Watches reports whether it wants to hear of an event and, of a note, of the kind.
	Tell(property int, event Event, id NodeID, now Time) bool
	End(property int, now Time) bool
	Watches(property int, event Event, note Kind) bool
}

// StagedEffect is an [Effect] whose message type is forgotten.
type StagedEffect struct {
	Kind  EffectKind
	To    NodeID        // of Sends
	For   time.Duration // of Arms: the least, and
	Most  time.Duration // the greatest length
	Drawn *Dist         // of Arms: its distribution, nil if it is not drawn
	At    Wall          // of Sets
	Note  Kind          // the kind of the message
	Msg   any           // a pointer to it
}

// SaysNothing is why a node cannot be driven with time as a symbol that is not [Symbolic], or a part of which says as little.
const SaysNothing = "it does not say what a search with symbolic time may leave out"

// stage is the [Stage] of a system.
type stage[M Message] struct {
	trial   *Trial[M]
	system  System[M]
	message M
	effects []StagedEffect
	forms   []bool // by property: it is in its symbolic form
}

// NewStage makes the stage of a system, whose nodes and properties are in their first states.
func NewStage[M Message](s System[M]) (Stage, error) {
	if s.Err != nil {
		return nil, s.Err
	}
	t := NewTrial[M](len(s.Nodes))
	t.w.names, t.w.view.w, t.w.ranges = []string{"no node"}, &t.w, true
	s.Nodes = slices.Clone(s.Nodes)
	for i, n := range s.Nodes {
		t.w.names = append(t.w.names, n.Name)
		if n.slot == nil {
			return nil, fmt.Errorf("node %s has no state: want one by Put or Place", n.Name)
		}
		s.Nodes[i].slot = n.slot.fresh()
	}
	s.Properties = slices.Clone(s.Properties)
	forms := make([]bool, len(s.Properties))
	for i, p := range s.Properties {
		if q, ok := p.(symbolicProperty[M]); ok && q.Symbolic() != nil {
			s.Properties[i], forms[i] = q.Symbolic(), true
		}
		s.Properties[i].Reset(&t.w.view)
	}
	return &stage[M]{trial: t, system: s, forms: forms}, nil
}

func (s *stage[M]) node(id NodeID) Node[M] { return s.system.Nodes[id-1].slot.node() }

func (s *stage[M]) Node(id NodeID) any { return s.node(id) }

// rememberer is a property that says where what it remembers is.
type rememberer interface{ Remembers() any }

// symbolicProperty is a property that has a form which can be checked with time as a symbol.
type symbolicProperty[M Message] interface{ Symbolic() Property[M] }

func (s *stage[M]) Property(i int) any {
	if r, ok := s.system.Properties[i].(rememberer); ok {
		return r.Remembers()
	}
	return s.system.Properties[i]
}

func (s *stage[M]) Alike() [][]NodeID { return s.system.Alike }
func (s *stage[M]) Serials() []NodeID { return s.system.Serials }

func (s *stage[M]) Message() any { return &s.message }

func (s *stage[M]) RefusesNode(id NodeID) string {
	if n, ok := s.node(id).(Symbolic[M]); ok {
		return n.Symbolic()
	}
	return SaysNothing
}

func (s *stage[M]) RefusesProperty(i int) string {
	if s.forms[i] {
		return ""
	}
	if p, ok := s.system.Properties[i].(interface{ Refusal() string }); ok && p.Refusal() != "" {
		return p.Refusal()
	}
	return "it has no form that compares instants with Before alone"
}

func (s *stage[M]) Step(id, from NodeID, mono Mono, boot Boot, wall Wall) []StagedEffect {
	effects := s.trial.Step(s.node(id), In[M]{id, from, mono, boot, wall, s.message})
	s.effects = s.effects[:0]
	for i := range effects {
		e := &effects[i]
		f := StagedEffect{Kind: e.Kind, To: e.To, For: e.For, Most: e.For, Drawn: e.Drawn, At: e.At, Note: e.Msg.Label(), Msg: &e.Msg}
		if f.Drawn != nil {
			f.Most = f.Drawn.Most()
		}
		s.effects = append(s.effects, f)
	}
	return s.effects
}

func (s *stage[M]) Ignores(id, from NodeID, due Wall, last bool) bool {
	return s.node(id).(Symbolic[M]).Ignores(&Arrival[M]{from, due, last, s.message})
}

func (s *stage[M]) Forget(id NodeID) { s.node(id).(Symbolic[M]).Forget() }

func (s *stage[M]) Restart(id NodeID) { s.system.Nodes[id-1].slot.restart() }

func (s *stage[M]) Tell(property int, event Event, id NodeID, now Time) bool {
	p := s.system.Properties[property]
	s.trial.w.now = now
	p.Observe(&s.trial.w.view, &Observation[M]{Event: event, Node: id, Msg: s.message})
	return s.violated(p)
}

func (s *stage[M]) End(property int, now Time) bool {
	p := s.system.Properties[property]
	s.trial.w.now = now
	if e, ok := p.(Ender[M]); ok {
		e.End(&s.trial.w.view)
	}
	return s.violated(p)
}

// violated reports whether a property is, and then makes it forget that.
func (s *stage[M]) violated(p Property[M]) bool {
	if p.Finding().Verdict != Violated {
		return false
	}
	p.Reset(&s.trial.w.view)
	return true
}

func (s *stage[M]) Watches(property int, event Event, note Kind) bool {
	w, ok := s.system.Properties[property].(Selective)
	return !ok || w.Watches(event, note)
}
