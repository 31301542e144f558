package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fencepost/scenarios/internal/strict"
)

// Limits of an axis of cases.
const (
	maxCases    = 100
	maxChanges  = 50  // of a case
	maxCaseName = 100 // characters, of an axis or of a case
)

const (
	nameChars = "abcdefghijklmnopqrstuvwxyz0123456789-"
	wantCases = "cases such as {small: {params.ttl: 1s}, large: {params.ttl: 9s}}"
)

// Case is one of an axis of cases.
type Case struct {
	Name    string
	Changes []Setting // in the file; none is the file as it is
}

// Cases lists the cases of an axis, in the order of the file; there are none if the axis
// has values.
func (s *Scenario) Cases(axis string) (list []Case) {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil || !isAxisName(axis) {
		return nil
	}
	v := doc.Lookup("vary." + axis)
	if v == nil || !isCases(v) {
		return nil
	}
	for _, c := range casesOf(axis, v) {
		one := Case{Name: c.setting.Value}
		for _, ch := range c.changes {
			one.Changes = append(one.Changes, Setting{ch.path, flow(ch.value, false)})
		}
		list = append(list, one)
	}
	return list
}

// isCases reports whether the values of an axis are cases, which change several values
// of the file at once: some of them is a mapping, and it is no range.
func isCases(v *strict.Value) bool {
	if v.Kind() != strict.Mapping {
		return false
	}
	for _, end := range []string{"from", "to"} {
		if e := v.Field(end); e != nil && e.Kind() != strict.Mapping {
			return false
		}
	}
	return slices.ContainsFunc(v.Items(), func(item *strict.Value) bool { return item.Kind() == strict.Mapping })
}

// checkCases reports what is wrong with cases as such: names, and how many there are.
func checkCases(v *strict.Value) bool {
	if n := v.Len(); n > maxCases {
		v.Errorf("%d cases: want at most %d", n, maxCases)
		return false
	}
	good := true
	bad := func(at *strict.Value, format string, args ...any) {
		good = false
		at.Errorf(format, args...)
	}
	for i, name := range v.Keys() {
		c := v.Items()[i]
		switch {
		case name == "" || name != strings.TrimSpace(name) || utf8.RuneCountInString(name) > maxCaseName ||
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
			bad(c, "the name of the case is %q: want 1 to %d characters on one line, without a blank at its ends", excerpt(name), maxCaseName)
		case c.Kind() != strict.Mapping:
			good = false
			c.Reject("a case", "its changes, as in {params.ttl: 1s}, or {} for the file as it is")
		case c.Len() > maxChanges:
			bad(c, "%d changes in a case: want at most %d", c.Len(), maxChanges)
		}
	}
	return good
}

// casesOf are the choices of an axis of cases.
func casesOf(axis string, v *strict.Value) (list []choice) {
	for i, name := range v.Keys() {
		list = append(list, choice{Setting{axis, name}, changesIn(v.Items()[i])})
	}
	return list
}

// changesIn are those of a mapping of paths and values.
func changesIn(v *strict.Value) (list []change) {
	for i, path := range v.Keys() {
		list = append(list, change{v.KeyPos(path), path, v.Items()[i]})
	}
	return list
}

// isAxisName reports whether a text may be the name of an axis of cases, which is no
// path of the file.
func isAxisName(name string) bool {
	if name == "" || strings.Trim(name, nameChars) != "" || len(name) > maxCaseName || name == TimeAxis {
		return false
	}
	return !slices.ContainsFunc(strict.Fields(reflect.TypeFor[format]()), func(f strict.Field) bool { return f.Key == name })
}

// setIn makes a setting in a document. That of an axis of cases makes the changes of its
// case. What is wrong with a case is added to the document.
func setIn(doc *strict.Doc, set Setting) error {
	if !isAxisName(set.Path) {
		return doc.Set(set.Path, set.Value)
	}
	axis := doc.Lookup("vary." + set.Path)
	if axis == nil || !isCases(axis) {
		return doc.Set(set.Path, set.Value)
	}
	c := axis.Field(set.Value)
	if c == nil {
		doc.Add(set.pos(doc), set.Value, fmt.Sprintf("%s has no case %q", set.Path, excerpt(set.Value)), axis.Keys()...)
		return nil
	}
	put(doc, changesIn(c))
	return nil
}

// pos is where mistakes in a setting are.
func (s Setting) pos(doc *strict.Doc) strict.Position {
	return strict.Position{File: doc.Name(), Set: s.Path + "=" + excerpt(s.Value)}
}

// containing are a path and the paths of all that contains it, the nearest first; none of
// a path that is too deep to be one.
func containing(path string) (list []string) {
	if strings.Count(path, ".") >= strict.MaxDepth {
		return nil
	}
	for ; path != ""; path = path[:max(strings.LastIndexByte(path, '.'), 0)] {
		list = append(list, path)
	}
	return list
}

// apart reports whether no change of a block is within what another of them changes, and
// would be undone by it or not, as they happen to be in order.
func (d *decoding) apart(block string, list []change) bool {
	at := map[string]strict.Position{}
	for i := range list {
		at[list[i].path] = list[i].at
	}
	good := true
	for i := range list {
		within := containing(list[i].path)
		for _, path := range within[min(1, len(within)):] {
			if o, ok := at[path]; ok {
				d.doc.Add(list[i].at, list[i].path, fmt.Sprintf("%s changes %s as well%s: want one change for it", block, excerpt(path), place(o)))
				good = false
				break
			}
		}
	}
	return good
}

// refuseOverlaps reports the values of the file that two axes change, and those that an
// axis of cases would take away from a setting.
func (d *decoding) refuseOverlaps(axes []axis, sets []Setting) {
	type owner struct {
		axis int
		at   strict.Position
	}
	owners := map[string]owner{}
	each := func(do func(axis int, c *change)) {
		for k := range axes {
			for _, choice := range axes[k].picked {
				for i := range choice.changes {
					do(k, &choice.changes[i])
				}
			}
		}
	}
	each(func(axis int, c *change) {
		if _, ok := owners[c.path]; !ok {
			owners[c.path] = owner{axis, c.at}
		}
	})
	said := map[[2]int]bool{}
	each(func(axis int, c *change) {
		for _, path := range containing(c.path) {
			o, ok := owners[path]
			pair := [2]int{min(axis, o.axis), max(axis, o.axis)}
			if !ok || o.axis == axis || said[pair] {
				continue
			}
			said[pair] = true
			d.doc.Add(c.at, c.path, fmt.Sprintf("the axis %q changes %s as well%s: want one axis for it",
				excerpt(axes[o.axis].path), excerpt(path), place(o.at)))
		}
	})
	for _, set := range sets {
		for _, a := range axes {
			if isAxisName(a.path) {
				d.refuseSet(set, &a)
			}
		}
	}
}

// refuseSet reports a setting of what a case changes, and so would undo.
func (d *decoding) refuseSet(set Setting, a *axis) {
	for _, choice := range a.picked {
		for _, c := range choice.changes {
			if c.path == set.Path || strings.HasPrefix(c.path, set.Path+".") || strings.HasPrefix(set.Path, c.path+".") {
				d.doc.Add(set.pos(d.doc), set.Path, fmt.Sprintf("the case %q of %s changes %s: want one that does not, as --set %s=CASE, or only its own value",
					excerpt(choice.setting.Value), a.path, excerpt(c.path), a.path))
				return
			}
		}
	}
}
