package format

import (
	"slices"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
)

// apart are the keys that are about a file, how often it runs and what is expected.
var apart = []string{"about", "source", "seed", "runs", "budget", "expect", "expect-at", "show", "control", "vary", "plots"}

// Says reports whether the file has the value of a setting already. It is false of a key that [Scenario.Values] leaves out.
func (s *Scenario) Says(set result.Setting) bool {
	if key, _, _ := strings.Cut(set.Path, "."); slices.Contains(apart, key) {
		return false
	}
	without := Scenario{Name: s.Name, Text: s.Text}
	with := Scenario{Name: s.Name, Text: s.Text, Sets: []result.Setting{set}}
	values := with.Values()
	return values != nil && slices.Equal(values, without.Values())
}

// Values lists what the file says, with the values of Sets in place: each block on one
// line, and of params each parameter. What is about the file, how often it runs and
// what is expected is left out. A scenario that was not read from a file has none.
func (s *Scenario) Values() (list []result.Setting) {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil {
		return nil
	}
	for _, set := range s.Sets {
		if grid.Set(doc, set) != nil {
			return nil
		}
	}
	root := doc.Root()
	for i, key := range root.Keys() {
		v := root.Items()[i]
		switch {
		case slices.Contains(apart, key):
		case key == "params" && v.Kind() == strict.Mapping:
			for j, name := range v.Keys() {
				list = append(list, result.Setting{Path: key + "." + name, Value: strict.Flow(v.Items()[j], false)})
			}
		default:
			list = append(list, result.Setting{Path: key, Value: strict.Flow(v, false)})
		}
	}
	return list
}
