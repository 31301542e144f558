package explain

import (
	"slices"

	"fencepost/sim"
)

// show is which entries the explanation tells of: of the steps that are left the violation
// itself, what a node concerned has to tell, those that matter by the state that they
// left behind, and those whose messages matter; but not those that only armed a timer,
// which explains itself, nor what these were made of. And what faults did to them.
func (s *slice) show() []bool {
	shown := make([]bool, len(s.entries))
	user := map[sim.NodeID]int{} // the next step of a node that sets something off, or is one of the violation
	for i := len(s.entries) - 1; i >= 0; i-- {
		e := &s.entries[i]
		root := slices.Contains(s.roots, i)
		leads := s.leads(i)
		switch {
		case !s.in[i] && !root:
			continue
		case root, s.soft[i] && !s.spine[i]:
			shown[i] = true
		case !leads && e.Step > 0 && !s.spine[i]:
			next, used := user[e.Node]
			shown[i] = shown[i] || len(e.Description)+len(e.Detail) > 0 || !used || shown[next]
		}
		if e.Step > 0 && (leads || shown[i] && len(e.Description) > 0) {
			user[e.Node] = i
		}
		if c := e.Cause; shown[i] && c >= 0 && (e.From != e.Node || e.Step == 0) {
			shown[c] = true
		}
	}
	s.showExpiries(shown)
	s.showFaults(shown)
	return shown
}

// causes reports whether a step set off another one.
func (s *slice) causes(step int) bool {
	for i := step + 1; i < len(s.entries); i++ {
		if s.entries[i].Step > 0 && s.entries[i].Cause == step {
			return true
		}
	}
	return false
}

// leads reports whether a step is left that another one set off.
func (s *slice) leads(step int) bool {
	for i := step + 1; i < len(s.entries); i++ {
		if s.in[i] && s.entries[i].Step > 0 && s.entries[i].Cause == step {
			return true
		}
	}
	return false
}

// showExpiries shows, between two steps of a node, the last timer that set nothing off
// and of which there is something to say. The violation does not need it, for what has
// expired is so whether or not a timer says it; but who reads does.
func (s *slice) showExpiries(shown []bool) {
	last := map[sim.NodeID]int{} // the timer since the last step shown, from 1; 0: none, but a step was shown
	for i := range s.entries {
		e := &s.entries[i]
		if e.Step == 0 {
			continue
		}
		before, begun := last[e.Node]
		switch {
		case shown[i]:
			if before > 0 {
				shown[before-1] = true
			}
			last[e.Node] = 0
		case begun && e.From == e.Node && len(e.Description)+len(e.Detail) > 0 && !s.causes(i):
			last[e.Node] = i + 1
		}
	}
}

// showFaults shows what faults, and links, did to the steps that are shown, and every
// injection without which there is no violation.
func (s *slice) showFaults(shown []bool) {
	in := map[sim.NodeID]bool{} // the nodes of the explanation
	for i := range s.entries {
		if shown[i] {
			in[s.entries[i].Node] = true
		}
	}
	partitions := slices.Clone(s.needed)
	for i := range s.entries {
		e := &s.entries[i]
		if e.Step > 0 || e.To == sim.None || e.At > s.first || e.Cause < 0 || !shown[e.Cause] || !in[e.To] {
			continue
		}
		if e.Fault > 0 && s.failure.Faults[e.Fault-1].Do.Of() == sim.TwoSides {
			partitions[e.Fault] = true
		} else {
			shown[i] = true
		}
	}
	for i := range s.entries {
		if e := &s.entries[i]; e.Step == 0 && e.To == sim.None && e.Fault > 0 && e.At <= s.first {
			shown[i] = e.Node == sim.None && partitions[e.Fault] || in[e.Node] && s.matters(i, shown) || s.needed[e.Fault] && s.delayed(i, s.spine)
			if c := e.Cause; shown[i] && c >= 0 && s.entries[c].At == e.At {
				shown[c] = true // the step in the midst of which it was injected
			}
		}
	}
	stopped := map[sim.NodeID]bool{}
	for i := range s.entries {
		e := &s.entries[i]
		if e.Step == 0 && e.Fault > 0 && shown[i] {
			stopped[e.Node] = true
		}
		if e.Step == 0 && e.Fault == 0 && e.Ends && e.At <= s.first && stopped[e.Node] {
			shown[i], stopped[e.Node] = true, false
		}
	}
}

// matters reports whether an injection at a node belongs to the explanation.
func (s *slice) matters(injection int, shown []bool) bool {
	e := &s.entries[injection]
	f := &s.failure.Faults[e.Fault-1]
	if f.Do.Row().Stops {
		return s.delayed(injection, shown) || s.needed[e.Fault] && f.When.Every.IsZero() && len(f.When.Replay) == 0
	}
	if s.needed[e.Fault] {
		return true
	}
	for i := injection + 1; i < len(s.entries); i++ {
		if shown[i] && s.entries[i].Step > 0 && s.entries[i].Node == e.Node {
			return true
		}
	}
	return false
}

// delayed reports whether a pause made one of some steps late, or was not yet
// over at the violation for a node that it concerns.
func (s *slice) delayed(pause int, steps []bool) bool {
	p, end := &s.entries[pause], s.resumes(pause)
	if !s.stops(p) {
		return false
	}
	if end > s.first && slices.Contains(s.failure.Finding.Nodes[:], p.Node) {
		return true
	}
	for i := pause + 1; i < len(s.entries); i++ {
		e := &s.entries[i]
		if !steps[i] || e.Step == 0 {
			continue
		}
		if e.Node == p.Node && p.At <= e.Due && e.Due < end && end <= e.At {
			return true
		}
		if c := e.Cause; c >= 0 && s.entries[c].Node == p.Node && s.entries[c].At <= p.At && end <= e.Sent {
			return true
		}
	}
	return false
}
