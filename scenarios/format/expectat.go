package format

import (
	"fmt"
	"slices"

	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// AtKey is the key of a row of `expect-at:` that says at which points it holds.
const AtKey = "at"

// expectAt reads a row of `expect-at:`, and reports whether it is about the point that is
// decoded. A row is checked in every pass, wherever it holds.
func (d *decoding) expectAt(row *strict.Value) (list []Expectation, here bool) {
	if row.Kind() != strict.Mapping || row.Field(AtKey) == nil || row.Field(AtKey).Kind() != strict.Mapping || row.Field(AtKey).Len() == 0 {
		row.Reject("a row of expect-at", "where it holds and what is expected, as in {at: {params.ttl: 10s}, lost-updates: 1}")
		return nil, false
	}
	var entries strict.Map[*strict.Value]
	for i, key := range row.Keys() {
		if key != AtKey {
			entries = append(entries, strict.Entry[*strict.Value]{Pos: row.KeyPos(key), Key: key, Value: row.Items()[i]})
		}
	}
	if len(entries) == 0 {
		row.Errorf("nothing is expected there: want a property or measure beside at")
	}
	list = d.expected(entries)
	for i := range list {
		list[i].Row = true
	}
	return list, d.isAt(row.Field(AtKey))
}

// isAt reports whether the point has one of the values that are given for each axis.
func (d *decoding) isAt(at *strict.Value) bool {
	here := true
	for i, axis := range at.Keys() {
		k := slices.IndexFunc(d.format.Vary, func(e strict.Entry[grid.Values]) bool { return e.Key == axis })
		if k < 0 {
			var all []string
			for _, e := range d.format.Vary {
				all = append(all, e.Key)
			}
			if len(all) == 0 {
				at.Errorf("expect-at is about points of a grid, and the file has no vary: want expect")
				return false
			}
			d.unknown(at.KeyPos(axis), axis, fmt.Sprintf("vary has no axis %q", strict.Excerpt(axis)), all)
			here = false
			continue
		}
		values := []*strict.Value{at.Items()[i]}
		if values[0].Kind() == strict.List {
			values = values[0].Items()
		}
		if d.point == nil {
			d.areValues(&d.format.Vary[k], values)
		}
		here = here && slices.ContainsFunc(values, func(v *strict.Value) bool { return d.hasValue(axis, strict.Flow(v, false)) })
	}
	return here
}

// hasValue reports whether the point has a value on an axis.
func (d *decoding) hasValue(axis, value string) bool {
	for i := len(d.point) - 1; i >= 0; i-- {
		if d.point[i].Path == axis {
			return d.point[i].Value == value
		}
	}
	return false
}

// areValues reports the values that an axis does not have.
func (d *decoding) areValues(a *strict.Entry[grid.Values], values []*strict.Value) {
	if n := a.Value.Size(); n == 0 || n > grid.MaxPoints {
		return // which is reported
	}
	var all []string
	for _, c := range a.Value.Choices(a.Pos, a.Key) {
		all = append(all, c.Setting.Value)
	}
	for _, v := range values {
		if text := strict.Flow(v, false); !slices.Contains(all, text) {
			d.doc.Add(v.Pos(), text, fmt.Sprintf("%s has no value %s at any point", strict.Excerpt(a.Key), strict.Excerpt(text)), all...)
		}
	}
}

// overlaid are expectations in which those of a row take the place of others of the same
// name.
func overlaid(list, row []Expectation) []Expectation {
	for _, e := range row {
		i := slices.IndexFunc(list, func(o Expectation) bool { return o.Property == e.Property && o.Measure == e.Measure })
		if i < 0 {
			list = append(list, e)
		} else {
			list[i] = e
		}
	}
	return list
}

// shown reads `show:`, properties and measures that are reported and of which nothing is
// expected.
func (d *decoding) shown() (list []string) {
	p := d.words.program
	if p == nil {
		return nil
	}
	valid := names(p)
	for _, v := range d.format.Show {
		name, ok := strict.Read[string](v)
		switch {
		case !ok:
		case !slices.Contains(valid, name):
			d.unknown(v.Pos(), name, fmt.Sprintf("there is no property or measure %q", strict.Excerpt(name)), valid)
		case slices.Contains(list, name):
			v.Errorf("%s is shown twice", name)
		default:
			list = append(list, name)
		}
	}
	return list
}

// names are those of the properties and measures.
func names(p *sim.Program) []string {
	list := slices.Clone(p.Properties)
	for _, m := range p.Measures {
		list = append(list, m.Name)
	}
	return list
}

// noteVacuous points out an expectation that nothing can fail.
func (d *decoding) noteVacuous(at strict.Position, e *Expectation, m *sim.Measure) {
	name, why := e.Property, ""
	switch {
	case e.Low != nil && e.High != nil && *e.Low == 0 && *e.High == sim.Certain:
		why = "every share is from 0% to 100%"
	case m == nil || e.Want.Least == nil && e.Want.Most == nil:
		return
	default:
		name = m.Name
		below := e.Want.Least == nil || *e.Want.Least <= 0 && !m.Signed
		above := e.Want.Most == nil || m.Most > 0 && *e.Want.Most >= m.Most
		switch {
		case !below || !above:
			return
		case m.Most > 0 && e.Want.Most != nil:
			why = fmt.Sprintf("it is never less than 0 or more than %d", m.Most)
		default:
			why = "it is never less than 0"
		}
	}
	d.note(at, "%s: this expectation cannot fail, %s: leave it out, and name it under show", name, why)
}
