package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/scenarios/internal/strict"
)

// Smaller lists the scenarios in which one parameter that counts nodes or operations is
// less: of each the smallest first. What names a node that is
// then gone is left out: faults, clocks, costs, links, nodes of the budget, and the
// expectations with it. Each is a scenario like one that was loaded with its Sets, and
// Change says what makes it smaller. Scenarios that would not load are not in the list.
func (s *Scenario) Smaller() []*Scenario {
	if s.origin == nil {
		return nil
	}
	i := slices.IndexFunc(s.origin.models, func(m Model) bool { return m.Name == s.Model })
	doc, err := strict.Parse(s.origin.file, []byte(s.Text))
	if i < 0 || err != nil {
		return nil
	}
	for _, set := range s.Sets {
		if setIn(doc, set) != nil {
			return nil
		}
	}
	m := &s.origin.models[i]
	var list []*Scenario
	for _, c := range fewer(doc, m.Counts) {
		small := s.made(c, m.Lists)
		if small == nil || c.invented && len(small.Program.Nodes) == len(s.Program.Nodes) {
			continue
		}
		list = append(list, small)
	}
	return list
}

// cut is a change that makes a scenario smaller.
type cut struct {
	path, value string
	size        int  // nodes or operations that are left
	invented    bool // the file leaves the value out
}

// fewer lists the smaller values of counts.
func fewer(doc *strict.Doc, counts []Count) (list []cut) {
	for _, c := range counts {
		path := "params." + c.Path
		v := doc.Lookup(path)
		switch {
		case v == nil:
			for _, n := range less(c.Least, c.Default, false) {
				list = append(list, cut{path, strconv.Itoa(n), n, true})
			}
		case v.Kind() == strict.List:
			for i, item := range v.Items() {
				list = append(list, fewerOf(item, fmt.Sprint(path, ".", i), c)...)
			}
		default:
			list = append(list, fewerOf(v, path, c)...)
		}
	}
	return list
}

// fewerOf lists the smaller values of one count.
func fewerOf(v *strict.Value, path string, c Count) (list []cut) {
	now, err := strconv.Atoi(v.Scalar())
	if err != nil {
		return nil
	}
	for _, n := range less(c.Least, now, c.Endless) {
		list = append(list, cut{path: path, value: strconv.Itoa(n), size: n})
	}
	return list
}

// less lists the least, then what is left without a half, a quarter, an eighth and so on,
// and at last one less, each once: the distance to the least that will do is halved in
// each step down. Of what has no end it lists a few.
func less(least, n int, endless bool) (list []int) {
	if n == 0 && endless {
		return []int{1, 2, 4}
	}
	least = max(least, 1)
	add := func(x int) {
		if x >= least && x < n && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	add(least)
	add(n / 2)
	for part := n / 4; part > 1; part /= 2 {
		add(n - part)
	}
	add(n - 1)
	return list
}

// firstOf is the first so many values of a list, on one line.
func firstOf(v *strict.Value, n int) string {
	var items []string
	for _, item := range v.Items()[:n] {
		items = append(items, flow(item, true))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// made is the scenario with a change, nil if there is no such scenario.
func (s *Scenario) made(c cut, lists []string) *Scenario {
	sets := replaced(s.Sets, c.path, c.value)
	for range 3 { // what is left out may have to be left out elsewhere, too
		d, err := s.reread(sets)
		if err == nil {
			d.scenario.Change = c.path + "=" + c.value
			return d.scenario
		}
		e, ok := err.(*Invalid)
		if !ok || d == nil {
			return nil
		}
		more := pruned(d.doc, e.Problems, c.size, lists)
		if len(more) == 0 {
			return nil
		}
		for _, set := range more {
			sets = replaced(sets, set.Path, set.Value)
		}
	}
	return nil
}

// pruned are the settings that leave out what problems are about, none if that cannot
// be done for all of them. Those of the lists of parameters that are too long are cut.
func pruned(doc *strict.Doc, problems []Problem, length int, lists []string) (sets []Setting) {
	done := map[string]bool{}
	set := func(path, value string) {
		if !done[path] {
			done[path] = true
			sets = append(sets, Setting{path, value})
		}
	}
	for _, p := range problems {
		block, _, _ := strings.Cut(p.Path, ".")
		switch {
		case block == "expect":
			set("expect", "{}")
		case block == "expect-at", block == "show":
			set(block, "[]")
		case block == "faults", strings.HasPrefix(p.Path, "network.links."), strings.HasPrefix(p.Path, "budget.nodes."):
			list := listOf(p.Path)
			set(list, without(doc.Lookup(list), below(problems, list)))
		case block == "clocks", block == "costs":
			set(block, withoutKeys(doc.Lookup(block), problems, block))
		case block == "params" && slices.ContainsFunc(lists, func(name string) bool { return cutTo(doc, p.Path, name, length, set) }):
		default:
			return nil
		}
	}
	return sets
}

// cutTo cuts a list of parameters that a problem may be about, and reports whether it
// was longer.
func cutTo(doc *strict.Doc, problem, name string, length int, set func(path, value string)) bool {
	path := "params." + name
	v := doc.Lookup(path)
	if problem != path && problem != "params" || v == nil || v.Kind() != strict.List || v.Len() <= length {
		return false
	}
	set(path, firstOf(v, length))
	return true
}

// listOf is the path of the list that holds what is at a path.
func listOf(path string) string {
	if strings.HasPrefix(path, "faults.") {
		return "faults"
	}
	return strings.Join(strings.SplitN(path, ".", 3)[:2], ".")
}

// below are the indices in a list that problems are about.
func below(problems []Problem, list string) (at []int) {
	for _, p := range problems {
		if rest, ok := strings.CutPrefix(p.Path, list+"."); ok {
			index, _, _ := strings.Cut(rest, ".")
			if i, err := strconv.Atoi(index); err == nil {
				at = append(at, i)
			}
		}
	}
	return at
}

// without is a list without some of its items, on one line.
func without(v *strict.Value, at []int) string {
	var items []string
	for i, item := range v.Items() {
		if !slices.Contains(at, i) {
			items = append(items, flow(item, true))
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// withoutKeys is a mapping without the keys that problems are about, on one line.
func withoutKeys(v *strict.Value, problems []Problem, block string) string {
	var items []string
	for i, key := range v.Keys() {
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.Path == block && p.Text == key }) {
			items = append(items, word(key, true)+": "+flow(v.Items()[i], true))
		}
	}
	return "{" + strings.Join(items, ", ") + "}"
}
