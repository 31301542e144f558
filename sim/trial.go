package sim

import "time"

// EffectKind is what an [Effect] does.
type EffectKind uint8

// The effects.
const (
	Sends EffectKind = iota // Msg travels to To
	Arms                    // Msg comes back when the monotonic clock has advanced by For
	Sets                    // Msg comes back when the wall clock reads At
	Notes                   // the observers are notified of Msg
)

// Effect is one thing that a step asked for.
type Effect[M Message] struct {
	Kind  EffectKind
	To    NodeID        // of Sends
	For   time.Duration // of Arms; a length that is drawn is the shortest of its distribution
	Drawn *Dist         // of Arms, on a [Stage]: the distribution of a length that is drawn
	At    Wall          // of Sets
	Msg   M
}

// Trial lets nodes handle single messages without a world: for tests of one step,
// and for searches that keep the state of the nodes themselves. It is not safe for
// concurrent use.
type Trial[M Message] struct {
	w       World[M]
	effects []Effect[M]
}

// NewTrial makes a trial of nodes that may send to nodes 1 to the given number.
func NewTrial[M Message](nodes int) *Trial[M] {
	t := &Trial[M]{}
	t.w.nodes, t.w.saved = make([]*node[M], nodes+1), make([]savedState[M], nodes+1)
	spare := new(node[M])
	for i := range t.w.nodes {
		t.w.nodes[i] = spare
	}
	t.w.src.minimal, t.w.src.special = true, true
	t.w.out = Out[M]{w: &t.w, mode: mocking}
	return t
}

// Step lets a node handle one message and returns what it asked for, in order. The
// effects hold until the next step. A panic of the node is the caller's.
func (t *Trial[M]) Step(n Node[M], in In[M]) []Effect[M] {
	t.w.mock, t.effects = t.w.mock[:0], t.effects[:0]
	t.w.out.self = in.Self
	n.Step(in, &t.w.out)
	for i := range t.w.mock {
		e := &t.w.mock[i]
		f := Effect[M]{Kind: EffectKind(e.kind), To: e.to, Msg: e.msg}
		switch f.Kind {
		case Arms:
			f.For = time.Duration(e.length)
			f.Drawn = e.drawn
		case Sets:
			f.At = Wall(e.length)
		}
		t.effects = append(t.effects, f)
	}
	return t.effects
}
