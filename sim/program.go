package sim

import "slices"

// Runner is a [World] whose message type is forgotten: what a command line, a
// search or a test needs of it.
type Runner interface {
	Run(seed uint64) *Result
	Why(property int) string
	Near(property int) int64
	Order() EventOrder
	Watch(o Watch)
	SetAdversary(a Adversary)
	Vary(v Variation) error
	Fingerprint() Print
	Stop()
}

// Program is a system whose message type is forgotten, as often as it is needed.
type Program struct {
	Nodes      []string // names; the NodeID of Nodes[i] is i+1
	Kinds      []string // names by [Kind]
	Notes      []string // those of Kinds that are noted
	Properties []string
	Bounds     []Bound // by property; the zero Bound where it has none
	Levels     []Level // by property; the zero Level where it has none
	Measures   []Measure
	States     []string // in which a timeline shows nodes: of the model, then [StatePaused] and [StateDown]
	Marks      []string // what a timeline shows at instants
	Exclusive  []string // those of States that no two nodes should be in at once
	Shows      bool     // nodes show what they answer outside, see [Out.Show]
	Ordered    bool     // the model has events of its own, whose order [Runner.Order] is

	// NewWorld makes a world of its own for each caller.
	NewWorld func(Config) (Runner, error)
	// NewStage makes a stage of its own for each caller.
	NewStage func() (Stage, error)
	// Reaching is the program with one more property, the last: that of a goal.
	Reaching func(Goal) Program
	Goal     *Goal // of a program that Reaching made, else nil
}

// NewProgram describes the system that build makes; build is called once for the
// description and once for each world.
func NewProgram[M Message](build func() System[M]) Program {
	s := build()
	p := Program{Kinds: s.Kinds, Measures: s.Measures, Ordered: s.Order != nil, Shows: s.Show != nil}
	for _, n := range s.Nodes {
		p.Nodes = append(p.Nodes, n.Name)
	}
	for _, k := range s.Notes {
		p.Notes = append(p.Notes, s.Kinds[k])
	}
	for _, state := range s.States {
		p.States = append(p.States, state.Name)
		if state.Exclusive {
			p.Exclusive = append(p.Exclusive, state.Name)
		}
	}
	p.States = append(p.States, StatePaused, StateDown)
	for _, mark := range s.Marks {
		p.Marks = append(p.Marks, mark.Name)
	}
	for _, q := range s.Properties {
		p.Properties = append(p.Properties, q.Name())
		b := Bound{}
		if bounded, ok := q.(Bounded); ok {
			b = bounded.Bound()
		}
		p.Bounds = append(p.Bounds, b)
		level := Level{}
		if leveled, ok := q.(Leveled); ok {
			level = leveled.Level()
		}
		p.Levels = append(p.Levels, level)
	}
	p.NewWorld = func(c Config) (Runner, error) {
		w, err := NewWorld(build(), c)
		if err != nil {
			return nil, err
		}
		return w, nil
	}
	p.NewStage = func() (Stage, error) { return NewStage(build()) }
	p.Reaching = func(g Goal) Program {
		aimed := NewProgram(func() System[M] {
			s := build()
			s.Properties = append(slices.Clip(s.Properties), &goal[M]{Goal: g, measures: s.Measures})
			return s
		})
		aimed.Goal = &g
		return aimed
	}
	return p
}

// Aims reports whether a property is the goal of the program.
func (p *Program) Aims(property int) bool { return p.Goal != nil && property == len(p.Properties)-1 }

// Node is the NodeID of a name, None if there is no such node.
func (p *Program) Node(name string) NodeID {
	for i, n := range p.Nodes {
		if n == name {
			return NodeID(i + 1)
		}
	}
	return None
}

// Bound is what a property allows, by its index.
func (p *Program) Bound(property int) Bound {
	if property >= len(p.Bounds) {
		return Bound{}
	}
	return p.Bounds[property]
}

// Kind is the number of a kind of message, 0 if there is no such kind.
func (p *Program) Kind(name string) Kind {
	for i, k := range p.Kinds {
		if k == name {
			return Kind(i)
		}
	}
	return 0
}
