package explain

import (
	"context"
	"fmt"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// Explanation is why a property was violated: the steps of the run that led to it and the
// faults that were injected at them, in order, in words.
type Explanation struct {
	Property string   `json:"property"`       // "" if a step panicked
	Goal     bool     `json:"goal,omitempty"` // the property is a goal, which the run reaches
	At       sim.Time `json:"at_ns"`
	Nodes    []string `json:"nodes"`
	Why      string   `json:"why"` // what happened at the violation
	Lines    []Line   `json:"lines"`

	Steps   int  `json:"steps"`   // of the run, up to the violation
	Kept    int  `json:"kept"`    // that led to it
	Replays int  `json:"replays"` // that it took to find out
	Whole   bool `json:"whole"`   // the cutting was not broken off: no line can be missed
}

// Line is one moment of an explanation: what nodes did, or what a fault did to them.
type Line struct {
	At    sim.Time `json:"at_ns"`
	To    sim.Time `json:"to_ns"`   // when the last of the nodes did it
	Nodes []string `json:"nodes"`   // nil: the network
	Mono  sim.Mono `json:"mono_ns"` // what the own clock of the first node read; the others differ as much from true time
	Wall  sim.Wall `json:"wall_ns"`
	What  string   `json:"what"` // a sentence
	Why   string   `json:"why,omitempty"`
	Fault bool     `json:"fault,omitempty"`
}

// Explain tells why a failure happened. It plays its schedule, and then again without
// some of the steps, at most 2,000 times, to leave out those that the violation does
// not need. When ctx is done the explanation is longer than it has to be, and says so. The
// world may be any of the failure's program and configuration.
func Explain(ctx context.Context, w sim.Runner, p *sim.Program, f *explore.Failure) (*Explanation, error) {
	s, ok, err := newSlice(ctx, w, f)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errGone(f)
	}
	explanation := &Explanation{At: s.first}
	if f.Property == explore.NoProperty {
		explanation.Why = fmt.Sprintf("%s panicked at %q: %s", f.Panic.Name, f.Panic.Message, f.Panic.Value)
		explanation.Nodes = []string{f.Panic.Name}
	} else {
		explanation.Goal = p.Aims(f.Property)
		explanation.Property, explanation.Why = p.Properties[f.Property], w.Why(f.Property)
		for _, id := range f.Finding.Nodes {
			if id != sim.None {
				explanation.Nodes = append(explanation.Nodes, p.Nodes[id-1])
			}
		}
	}
	if err := s.cut(); err != nil {
		return nil, err
	}
	if err := s.checkFaults(); err != nil {
		return nil, err
	}
	n := narrator{slice: s, names: p.Nodes, goal: explanation.Goal}
	n.shown = s.show()
	explanation.Lines = n.lines()
	for i := range s.entries {
		if e := &s.entries[i]; e.Step > 0 && e.At <= s.first {
			explanation.Steps++
			if s.in[i] {
				explanation.Kept++
			}
		}
	}
	explanation.Replays, explanation.Whole = s.replays, s.whole
	return explanation, nil
}
