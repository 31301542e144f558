package format

import (
	"slices"
	"strings"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// Usual is a fault that a model is usually asked about: a search of a file without a budget takes one of each.
type Usual struct {
	Says  string // "one pause of a client"
	Do    sim.Action
	Nodes string // how the names of its nodes begin, as in "client-|api-"; after a !, how they do not; "": all nodes
}

// Asked says about which faults a model is usually asked.
func (m Model) Asked(list ...Usual) Model {
	m.Usual = list
	return m
}

// UsualBudget is the budget of a search of a file without one, and its faults in words. It leaves out faults that the mode
// cannot do, and those for which the scenario has no node; where none is left it is one pause. An exhaustive search takes one
// pause: more faults are more schedules than it can run, and it has one list of nodes for all of them.
func (s *Scenario) UsualBudget(mode explore.Mode) (b explore.Budget, says []string) {
	i := slices.IndexFunc(s.Models(), func(m Model) bool { return m.Name == s.Model })
	if i >= 0 && mode != explore.Exhaustive {
		for _, u := range s.Models()[i].Usual {
			nodes, ok := u.nodes(s.Program.Nodes)
			if ok && (mode == explore.Random || u.Do.Row().AtChoice()) {
				u.into(&b, nodes)
				says = append(says, u.Says)
			}
		}
	}
	if len(says) == 0 {
		return explore.Budget{Pauses: 1}, []string{"one pause"}
	}
	return b, says
}

// nodes are those that the fault may be injected into, nil for all; it returns false if there are none.
func (u *Usual) nodes(names []string) (list []sim.NodeID, ok bool) {
	if u.Nodes == "" {
		return nil, true
	}
	prefixes, except := strings.CutPrefix(u.Nodes, "!")
	for i, name := range names {
		begins := slices.ContainsFunc(strings.Split(prefixes, "|"), func(p string) bool { return strings.HasPrefix(name, p) })
		if begins != except {
			list = append(list, sim.NodeID(i+1))
		}
	}
	return list, len(list) > 0
}

// into adds the fault to a budget.
func (u *Usual) into(b *explore.Budget, nodes []sim.NodeID) {
	f := b.Allow(u.Do)
	*f.Count = 1
	if u.Do.Of() != sim.OneMessage {
		*f.Nodes = nodes
	}
}
