package sim

// Node adds a node to a system and returns the number by which others know it. [Put] gives it its
// state: nodes that know each other are all added first.
//
//	primary, standby := s.Node("primary"), s.Node("standby")
//	sim.Put(&s, primary, Primary{Standby: standby})
//	sim.Put(&s, standby, Standby{})
func (s *System[M]) Node(name string) NodeID {
	s.Nodes = append(s.Nodes, Spec[M]{Name: name})
	return NodeID(len(s.Nodes))
}

// Put gives a node of a system its initial state, in place of the one that it has. The state is
// copied by assignment; one that owns slices or maps implements [Resetter].
func Put[M Message, N any, P interface {
	*N
	Node[M]
}](s *System[M], id NodeID, initial N) {
	n := &s.Nodes[id-1]
	*n = Place[M, N, P](n.Name, initial)
}
