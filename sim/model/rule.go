package model

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/sim"
)

// recording is how a measure is recorded by notes, as its tag says.
type recording struct{ name, form, kinds, number, condition string }

// rule is that for a system.
type rule[M sim.Message] struct {
	measure Measure
	form    string                           // last, peak or least if it records at the end, else ""
	number  func(*M) int64                   // nil: 1
	holds   func(o *sim.Observation[M]) bool // nil: always
	value   int64                            // of last, peak and least: so far
	any     bool                             // there was one
}

// addRule adds a rule to a meter, of the facts that its tag names.
func addRule[M sim.Message](m *meter[M], s *sim.System[M], by recording, r *rule[M], facts []Facts[M]) {
	fact := func(word string) (f Fact[M]) {
		for _, some := range facts {
			if known, ok := some[word]; ok {
				f = known
			}
		}
		return f
	}
	if by.form != "counts" && by.number != "" {
		if r.number = fact(by.number).number; r.number == nil {
			panic(fmt.Sprintf("model: measure %s: no fact is the number %q", by.name, by.number))
		}
	}
	if by.condition != "" {
		word, not := strings.CutPrefix(by.condition, "!")
		holds := fact(word).holds
		if r.holds = holds; not && holds != nil {
			r.holds = func(o *sim.Observation[M]) bool { return !holds(o) }
		}
		if holds == nil {
			panic(fmt.Sprintf("model: measure %s: no fact is the condition %q", by.name, by.condition))
		}
	}
	for name := range strings.SplitSeq(by.kinds, "|") {
		kind := slices.Index(s.Kinds, name)
		if kind < 0 || !slices.Contains(s.Notes, sim.Kind(kind)) {
			panic(fmt.Sprintf("model: measure %s: the system has no note %q", by.name, name))
		}
		m.rules[kind] = append(m.rules[kind], r)
	}
	if by.form != "counts" && by.form != "of" {
		r.form = by.form
		m.atEnd = append(m.atEnd, r)
	}
}

// note takes a note into the measure.
func (r *rule[M]) note(v *sim.View[M], o *sim.Observation[M]) {
	if r.holds != nil && !r.holds(o) {
		return
	}
	n := int64(1)
	if r.number != nil {
		n = r.number(&o.Msg)
	}
	switch r.form {
	case "":
		r.measure.Record(v, n)
		return
	case "peak":
		n = max(n, r.value)
	case "least":
		if r.any {
			n = min(n, r.value)
		}
	}
	r.value, r.any = n, true
}

// Count adds a measure to a system that has no field, since there is one for each client, say: how many notes of a
// kind there are of which a condition holds.
func Count[M sim.Message](s *sim.System[M], name string, kind sim.Kind, holds func(o *sim.Observation[M]) bool) {
	m := newMeter(s)
	m.rules[kind] = []*rule[M]{{measure: Declare(s, sim.Measure{Name: name, Total: true}), holds: holds}}
	s.Meters = append(s.Meters, m)
}
