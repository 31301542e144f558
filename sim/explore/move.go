package explore

import (
	"slices"

	"fencepost/sim"
)

// moved is the failure on another program, whose nodes, kinds and properties have the
// same names. What concerns a node that is gone is left out; without the nodes of the
// violation, or its property, there is no such failure.
func (f *Failure) moved(from, to *sim.Program) (*Failure, bool) {
	g := *f
	m := mover{from, to, true}
	if f.Property != NoProperty {
		g.Property = slices.Index(to.Properties, from.Properties[f.Property])
		for i, id := range f.Finding.Nodes {
			g.Finding.Nodes[i] = m.node(id)
		}
		if g.Property < 0 || !m.whole {
			return nil, false
		}
	} else {
		p := *f.Panic
		if p.Node = m.node(p.Node); !m.whole {
			return nil, false
		}
		g.Panic = &p
	}
	g.Faults, g.Overrides = nil, nil
	for _, x := range f.Faults {
		if y, ok := moveFault(x, from, to); ok {
			g.Faults = append(g.Faults, y)
		}
	}
	for _, o := range f.Overrides {
		m := mover{from, to, true}
		o.Draw.From, o.Draw.To = m.node(o.Draw.From), m.node(o.Draw.To)
		if m.whole {
			g.Overrides = append(g.Overrides, o)
		}
	}
	return &g, true
}

// mover translates the nodes and kinds of one program into those of another.
type mover struct {
	from, to *sim.Program
	whole    bool // there was one for each so far
}

func (m *mover) node(id sim.NodeID) sim.NodeID {
	if id == sim.None {
		return id
	}
	n := m.to.Node(m.from.Nodes[id-1])
	m.whole = m.whole && n != sim.None
	return n
}

func (m *mover) kind(k sim.Kind) sim.Kind {
	if k == 0 {
		return k
	}
	n := m.to.Kind(m.from.Kinds[k])
	m.whole = m.whole && n != 0
	return n
}

// moveFault is a fault on another program, false if it concerns what that has not.
func moveFault(f sim.Fault, from, to *sim.Program) (sim.Fault, bool) {
	m := mover{from, to, true}
	f.Node, f.When.By = m.node(f.Node), m.node(f.When.By)
	f.When.Note, f.When.Before = m.kind(f.When.Note), m.kind(f.When.Before)
	f.Msg.From, f.Msg.To, f.Msg.Kind = m.node(f.Msg.From), m.node(f.Msg.To), m.kind(f.Msg.Kind)
	var sides [][]sim.NodeID
	for _, side := range f.Sides {
		var left []sim.NodeID
		for _, id := range side {
			n := mover{from, to, true}
			if id := n.node(id); n.whole {
				left = append(left, id)
			}
		}
		m.whole = m.whole && len(left) > 0
		sides = append(sides, left)
	}
	f.Sides = sides
	return f, m.whole
}
