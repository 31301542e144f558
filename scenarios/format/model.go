package format

import (
	"reflect"

	"fencepost/sim"
)

// Model is a family of algorithms that scenarios name in `model:`.
type Model struct {
	Name  string
	About string        // in one line
	New   func() Params // with the defaults

	// Counts are the parameters that count nodes or operations: what can be made
	// smaller, those first that make most of it. Lists are those with as many values as
	// there are nodes of a kind, or fewer.
	Counts []Count
	Lists  []string

	Usual []Usual // faults that it is usually asked about
}

// Count is an integer parameter that counts nodes or operations, or a list of such.
type Count struct {
	Path    string // below params
	Default int    // what it is where a file leaves it out
	Least   int    // below that it is another algorithm; 0 is as 1
	Endless bool   // 0 is without end
}

// Params are the parameters of a model for one scenario.
type Params interface {
	// Target points to the struct that `params:` is decoded into; its fields have
	// yaml tags.
	Target() any
	// Validate returns what is wrong with the values, in a fixed order.
	Validate() []Mistake
	// Program is the system that the values describe. They have been validated,
	// and do not change any more.
	Program() sim.Program
}

// Mistake is what a model finds wrong with a value of its parameters. A message about a
// place in a text begins with it, as "line 3, column 5: ".
type Mistake struct{ Path, Message string } // Path as in "ttl" or "clients.0.work"

// With says what of a model can be made smaller.
func (m Model) With(counts []Count, lists ...string) Model {
	m.Counts, m.Lists = counts, lists
	return m
}

// ModelOf makes a Model of what a model package offers: its parameters P with
// their defaults, their check, and the system that they describe. system is called
// for each world, perhaps by several goroutines at once, on a copy of the
// parameters, and must not change what they point to.
func ModelOf[P any, Q ~struct{ Path, Message string }, M sim.Message](name, about string,
	defaults func() P, problems func(*P) []Q, system func(*P) sim.System[M]) Model {
	return Model{Name: name, About: about, New: func() Params {
		return &paramsOf[P, Q, M]{values: defaults(), problems: problems, system: system}
	}}
}

type paramsOf[P any, Q ~struct{ Path, Message string }, M sim.Message] struct {
	values   P
	problems func(*P) []Q
	system   func(*P) sim.System[M]
}

// Target implements [Params].
func (p *paramsOf[P, Q, M]) Target() any { return &p.values }

// Validate implements [Params].
func (p *paramsOf[P, Q, M]) Validate() (mistakes []Mistake) {
	for _, q := range p.problems(&p.values) {
		mistakes = append(mistakes, Mistake(q))
	}
	return mistakes
}

// Checkers are the types of the properties by name; of one that package model has made, the type of its checker.
func (p *paramsOf[P, Q, M]) Checkers() map[string]reflect.Type {
	values := p.values
	types := map[string]reflect.Type{}
	for _, q := range p.system(&values).Properties {
		if made, ok := q.(interface{ Type() reflect.Type }); ok {
			types[q.Name()] = made.Type()
		} else {
			types[q.Name()] = reflect.Indirect(reflect.ValueOf(q)).Type()
		}
	}
	return types
}

// Program implements [Params].
func (p *paramsOf[P, Q, M]) Program() sim.Program {
	return sim.NewProgram(func() sim.System[M] {
		values := p.values
		return p.system(&values).Told()
	})
}

// NodelessOf makes a Model of a package that has no nodes, such as one that replays requests,
// and says itself what runs. program is called on a copy of the parameters.
func NodelessOf[P any, Q ~struct{ Path, Message string }](name, about string,
	defaults func() P, problems func(*P) []Q, program func(*P) sim.Program) Model {
	return Model{Name: name, About: about, New: func() Params {
		return &nodelessParams[P, Q]{values: defaults(), problems: problems, program: program}
	}}
}

type nodelessParams[P any, Q ~struct{ Path, Message string }] struct {
	values   P
	problems func(*P) []Q
	program  func(*P) sim.Program
}

// Target implements [Params].
func (p *nodelessParams[P, Q]) Target() any { return &p.values }

// Validate implements [Params].
func (p *nodelessParams[P, Q]) Validate() (mistakes []Mistake) {
	for _, q := range p.problems(&p.values) {
		mistakes = append(mistakes, Mistake(q))
	}
	return mistakes
}

// Program implements [Params].
func (p *nodelessParams[P, Q]) Program() sim.Program {
	values := p.values
	return p.program(&values)
}
