package grid

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fencepost/result"
	"fencepost/scenarios/internal/strict"
)

// Limits of an axis of cases.
const (
	MaxCases    = 100
	MaxChanges  = 50  // of a case
	MaxCaseName = 100 // characters, of an axis or of a case
)

const (
	nameChars = "abcdefghijklmnopqrstuvwxyz0123456789-"
	wantCases = "cases such as {small: {params.ttl: 1s}, large: {params.ttl: 9s}}"
)

// Case is one of an axis of cases.
type Case struct {
	Name    string
	Changes []result.Setting // in the file; none is the file as it is
}

// Cases lists the cases of an axis of the text of a file, in the order of the file; there are none if the axis
// has values.
func Cases(text, axis string) (list []Case) {
	doc, err := strict.Parse("cases", []byte(text))
	if err != nil || !isAxisName(axis) {
		return nil
	}
	v := doc.Lookup("vary." + axis)
	if v == nil || !isCases(v) {
		return nil
	}
	for _, c := range casesOf(axis, v) {
		one := Case{Name: c.Setting.Value}
		for _, ch := range c.changes {
			one.Changes = append(one.Changes, result.Setting{Path: ch.Path, Value: strict.Flow(ch.Value, false)})
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
	if n := v.Len(); n > MaxCases {
		v.Errorf("%d cases: want at most %d", n, MaxCases)
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
		case name == "" || name != strings.TrimSpace(name) || utf8.RuneCountInString(name) > MaxCaseName ||
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
			bad(c, "the name of the case is %q: want 1 to %d characters on one line, without a blank at its ends", strict.Excerpt(name), MaxCaseName)
		case c.Kind() != strict.Mapping:
			good = false
			c.Reject("a case", "its changes, as in {params.ttl: 1s}, or {} for the file as it is")
		case c.Len() > MaxChanges:
			bad(c, "%d changes in a case: want at most %d", c.Len(), MaxChanges)
		}
	}
	return good
}

// casesOf are the choices of an axis of cases.
func casesOf(axis string, v *strict.Value) (list []Choice) {
	for i, name := range v.Keys() {
		list = append(list, Choice{result.Setting{Path: axis, Value: name}, changesIn(v.Items()[i])})
	}
	return list
}

// changesIn are those of a mapping of paths and values.
func changesIn(v *strict.Value) (list []Change) {
	for i, path := range v.Keys() {
		list = append(list, Change{v.KeyPos(path), path, v.Items()[i]})
	}
	return list
}

// isAxisName reports whether a text may be the name of an axis of cases, which is no
// path of the file.
func isAxisName(name string) bool {
	if name == "" || strings.Trim(name, nameChars) != "" || len(name) > MaxCaseName || name == result.TimeAxis {
		return false
	}
	return !slices.Contains(Fixed, name) && !slices.Contains(changing, name)
}

// Set makes a setting in a document. That of an axis of cases makes the changes of its
// case. What is wrong with a case is added to the document.
func Set(doc *strict.Doc, set result.Setting) error {
	if !isAxisName(set.Path) {
		return doc.Set(set.Path, set.Value)
	}
	axis := doc.Lookup("vary." + set.Path)
	if axis == nil || !isCases(axis) {
		return doc.Set(set.Path, set.Value)
	}
	c := axis.Field(set.Value)
	if c == nil {
		doc.Add(position(set, doc), set.Value, fmt.Sprintf("%s has no case %q", set.Path, strict.Excerpt(set.Value)), axis.Keys()...)
		return nil
	}
	put(doc, changesIn(c))
	return nil
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
func (b *Blocks) apart(block string, list []Change) bool {
	at := map[string]strict.Position{}
	for i := range list {
		at[list[i].Path] = list[i].At
	}
	good := true
	for i := range list {
		within := containing(list[i].Path)
		for _, path := range within[min(1, len(within)):] {
			if o, ok := at[path]; ok {
				b.Doc.Add(list[i].At, list[i].Path, fmt.Sprintf("%s changes %s as well%s: want one change for it", block, strict.Excerpt(path), place(o)))
				good = false
				break
			}
		}
	}
	return good
}

// RefuseOverlaps reports the values of the file that two axes change, and those that an
// axis of cases would take away from a setting.
func (b *Blocks) RefuseOverlaps(axes []Axis, sets []result.Setting) {
	type owner struct {
		axis int
		at   strict.Position
	}
	owners := map[string]owner{}
	each := func(do func(axis int, c *Change)) {
		for k := range axes {
			for _, choice := range axes[k].Picked {
				for i := range choice.changes {
					do(k, &choice.changes[i])
				}
			}
		}
	}
	each(func(axis int, c *Change) {
		if _, ok := owners[c.Path]; !ok {
			owners[c.Path] = owner{axis, c.At}
		}
	})
	said := map[[2]int]bool{}
	each(func(axis int, c *Change) {
		for _, path := range containing(c.Path) {
			o, ok := owners[path]
			pair := [2]int{min(axis, o.axis), max(axis, o.axis)}
			if !ok || o.axis == axis || said[pair] {
				continue
			}
			said[pair] = true
			b.Doc.Add(c.At, c.Path, fmt.Sprintf("the axis %q changes %s as well%s: want one axis for it",
				strict.Excerpt(axes[o.axis].Path), strict.Excerpt(path), place(o.at)))
		}
	})
	for _, set := range sets {
		for _, a := range axes {
			if isAxisName(a.Path) {
				b.refuseSet(set, &a)
			}
		}
	}
}

// refuseSet reports a setting of what a case changes, and so would undo.
func (b *Blocks) refuseSet(set result.Setting, a *Axis) {
	for _, choice := range a.Picked {
		for _, c := range choice.changes {
			if c.Path == set.Path || strings.HasPrefix(c.Path, set.Path+".") || strings.HasPrefix(set.Path, c.Path+".") {
				b.Doc.Add(position(set, b.Doc), set.Path, fmt.Sprintf("the case %q of %s changes %s: want one that does not, as --set %s=CASE, or only its own value",
					strict.Excerpt(choice.Setting.Value), a.Path, strict.Excerpt(c.Path), a.Path))
				return
			}
		}
	}
}
