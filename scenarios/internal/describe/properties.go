package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/glossary"
	"fencepost/sim"
)

const propertiesHead = `# Properties and measures

<!-- go generate ./scenarios writes this page: do not edit it. -->

What is checked and what is measured, by model. A property holds or is violated; one of which a run has nothing to check is not exercised.
A word with a capital letter, such as Within, is a bound that the parameters give: [the reference](scenarios.md#models) has these. Time is
true time where nothing else is said.

A property without a source is the definition of its name, made for fencepost. A measure is a **total** of the run, a **ratio** of two
totals, or **each** value that is observed: a report has its mean and its quantiles. ` + "`N` in a name stands for a number, `NAME` for a name and `T`\nfor a duration.\n"

// checked is a model whose properties have types.
type checked interface {
	Checkers() map[string]reflect.Type
}

// description is what a model may have, whatever its parameters.
type description struct {
	properties []string
	types      map[string]reflect.Type
	measures   []sim.Measure
}

// propertiesPage makes the page docs/properties.md: of the properties from the comments on their types, of the
// measures from package glossary. It looks at the default parameters and at all scenarios that ship.
func propertiesPage(c Comment) (page []byte, err error) {
	defined, err := glossary.All()
	if err != nil {
		return nil, err
	}
	has, err := describeAll(c)
	if err != nil {
		return nil, err
	}
	r := &pageWriter{}
	r.WriteString(propertiesHead)
	var errs []error
	for _, m := range scenarios.Models() {
		d := has[m.Name]
		used := map[string]bool{}
		r.heading(2, "Model "+m.Name)
		r.printf("%s.\n\n| property | holds if | source |\n|---|---|---|\n", sentence(m.About)[:len(m.About)])
		for _, p := range d.properties {
			about, source, ok := definitionOf(c, d.types[p])
			if !ok {
				about, ok = lookUp(defined[m.Name], p, used)
				about = strings.TrimPrefix(about, "holds if ")
			}
			if !ok {
				errs = append(errs, fmt.Errorf("model %s: nothing defines the property %s: want a comment on its type that says what it holds if", m.Name, p))
			}
			r.printf("| `%s` | %s | %s |\n", p, cell(about), cell(source))
		}
		r.printf("\n| measure | what it is | unit |\n|---|---|---|\n")
		seen := map[string]bool{}
		for _, measure := range d.measures {
			i := slices.IndexFunc(defined[m.Name], func(d glossary.Definition) bool { return d.Of(measure.Name) })
			if i < 0 {
				errs = append(errs, fmt.Errorf("model %s: glossary.txt has no measure %s", m.Name, measure.Name))
				continue
			}
			def := defined[m.Name][i]
			used[def.Name] = true
			if row := fmt.Sprintf("| `%s` | %s | %s |\n", def.Name, cell(def.Text), unitText(measure)); !seen[def.Name] {
				seen[def.Name] = true
				r.WriteString(row)
			}
		}
		for _, def := range defined[m.Name] {
			if !used[def.Name] && !def.Several() {
				errs = append(errs, fmt.Errorf("model %s: glossary.txt defines %s, which no scenario has", m.Name, def.Name))
			}
		}
	}
	return []byte(r.String()), errors.Join(errs...)
}

// lookUp finds the definition of a name.
func lookUp(list []glossary.Definition, name string, used map[string]bool) (text string, ok bool) {
	for _, d := range list {
		if d.Of(name) {
			used[d.Name] = true
			return d.Text, true
		}
	}
	return "", false
}

var docLink = regexp.MustCompile(`\[(\w+)\]`)

// definitionOf takes what a property holds if from the comment on its type, and its source.
func definitionOf(c Comment, t reflect.Type) (about, source string, ok bool) {
	if t == nil {
		return "", "", false
	}
	_, about, ok = strings.Cut(c(t, ""), " holds if")
	about, source, _ = strings.Cut(about, " Source: ")
	return docLink.ReplaceAllString(strings.TrimLeft(about, ", "), "$1"), source, ok
}

// describeAll describes each model. Where a property is of a type that has no definition, since the default
// parameters leave it nothing to check, it takes the type that it has in a scenario.
func describeAll(c Comment) (map[string]*description, error) {
	all := map[string]*description{}
	for _, m := range scenarios.Models() {
		params := m.New()
		p := params.Program()
		d := &description{properties: p.Properties, types: map[string]reflect.Type{}}
		d.add(c, params, p.Measures)
		all[m.Name] = d
	}
	for _, name := range scenarios.Names() {
		s, err := scenarios.Load(name, format.Options{})
		if err != nil {
			return nil, err
		}
		d := all[s.Model]
		var params format.Params
		if d.incomplete(c) {
			params = s.Params()
		}
		d.add(c, params, s.Program.Measures)
		for _, v := range s.Variants {
			d.add(c, nil, v.Scenario.Program.Measures)
		}
	}
	return all, nil
}

// incomplete reports whether a property has no type with a definition yet.
func (d *description) incomplete(c Comment) bool {
	for _, t := range d.types {
		if _, _, ok := definitionOf(c, t); !ok {
			return true
		}
	}
	return false
}

// add takes the types of the properties that parameters give, and measures that are new.
func (d *description) add(c Comment, params format.Params, measures []sim.Measure) {
	if p, ok := params.(checked); ok {
		for name, t := range p.Checkers() {
			if _, _, ok := definitionOf(c, d.types[name]); !ok {
				d.types[name] = t
			}
		}
	}
	for _, m := range measures {
		if !slices.ContainsFunc(d.measures, func(old sim.Measure) bool { return old.Name == m.Name }) {
			d.measures = append(d.measures, m)
		}
	}
}

// unitText is what the values of a measure are.
func unitText(m sim.Measure) string {
	unit := "number"
	switch {
	case m.Unit == sim.Duration:
		unit = "duration"
	case m.Unit == sim.Code:
		return "code"
	case strings.Contains(m.Name, "bytes"):
		unit = "bytes"
	}
	if m.Signed {
		unit += ", signed"
	}
	switch {
	case m.Per != "":
		return unit + ", ratio to `" + m.Per + "`"
	case m.Total:
		return unit + ", total"
	}
	return unit + ", each"
}
