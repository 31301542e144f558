package reach

import (
	"context"
	"fmt"
	"strings"
)

// Model is a space that a catalog lists: with parameters and named properties, whatever
// its messages are. Make one with [NewModel].
type Model struct {
	Name   string
	About  string
	Source string
	Params []Param

	Properties []Claim // that it makes
	visit      func(context.Context, Choice, Limits) (Result, error)
}

// Param is a parameter of a model: a whole number.
type Param struct {
	Name, About        string
	Value, Least, Most int // Value is the default

	Beyond string // why no value is above Most, if that is not plain
}

// Claim is the name of a property and what it says.
type Claim struct{ Name, About string }

// Property says what is wrong with a state, or nothing; see [Space.Invariant].
type Property[M Message] struct {
	Claim
	Wrong func(*View[M]) string
}

// Choice is what of a model to visit.
type Choice struct {
	Values     map[string]int // of parameters; others have their defaults
	Properties []string       // none means all
	Faults     Faults
}

// NewModel makes a model of what makes its space and its properties from values of its
// parameters. The space's own invariant is not used.
func NewModel[M Message](m Model, make func(value map[string]int) (Space[M], []Property[M])) Model {
	_, properties := make(m.values(nil))
	for _, p := range properties {
		m.Properties = append(m.Properties, p.Claim)
	}
	m.visit = func(ctx context.Context, c Choice, limits Limits) (Result, error) {
		space, properties := make(m.values(c.Values))
		space.Faults = c.Faults
		space.Invariant = func(v *View[M]) string {
			for _, p := range properties {
				if why := p.Wrong(v); why != "" && c.wants(p.Name) {
					return p.Name + ": " + why
				}
			}
			return ""
		}
		return Visit(ctx, space, limits)
	}
	return m
}

func (c *Choice) wants(property string) bool {
	for _, p := range c.Properties {
		if p == property {
			return true
		}
	}
	return len(c.Properties) == 0
}

// values are those of all parameters.
func (m *Model) values(given map[string]int) map[string]int {
	all := map[string]int{}
	for _, p := range m.Params {
		all[p.Name] = p.Value
		if v, ok := given[p.Name]; ok {
			all[p.Name] = v
		}
	}
	return all
}

// Check says what is wrong with a choice: a parameter or a property that is not there, or a
// value out of range.
func (m *Model) Check(c *Choice) error {
	left := len(c.Values)
	for _, p := range m.Params {
		v, given := c.Values[p.Name]
		if !given {
			continue
		}
		left--
		if v < p.Least || v > p.Most {
			return p.refuse(v)
		}
	}
	if left > 0 {
		return fmt.Errorf("%s has no such parameter", m.Name)
	}
	for _, name := range c.Properties {
		if !m.claims(name) {
			return fmt.Errorf("%s has no property %q", m.Name, name)
		}
	}
	return nil
}

// refuse is the error for a value out of range.
func (p *Param) refuse(v int) error {
	err := fmt.Errorf("%s: must be %d to %d, got %d", p.Name, p.Least, p.Most, v)
	if v > p.Most && p.Beyond != "" {
		err = fmt.Errorf("%w: %s", err, p.Beyond)
	}
	return err
}

func (m *Model) claims(name string) bool {
	for _, p := range m.Properties {
		if p.Name == name {
			return true
		}
	}
	return false
}

// Visit visits the states of a model, as [Visit] does of its space.
func (m *Model) Visit(ctx context.Context, c Choice, limits Limits) (Result, error) {
	if err := m.Check(&c); err != nil {
		return Result{}, fmt.Errorf("reach: %w", err)
	}
	r, err := m.visit(ctx, c, limits)
	if r.Violation != nil {
		if name, why, _ := strings.Cut(r.Violation.Why, ": "); m.claims(name) {
			r.Violation.Property, r.Violation.Why = name, why
		}
	}
	return r, err
}
