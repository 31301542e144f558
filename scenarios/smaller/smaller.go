// Package smaller makes scenarios smaller: with fewer nodes or operations, and without what is then about none.
package smaller

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
)

// Of lists the scenarios in which one parameter that counts nodes or operations is
// less: of each the smallest first. What names a node that is
// then gone is left out: faults, clocks, costs, links, nodes of the budget, and the
// expectations with it. Each is a scenario like one that was loaded with its Sets, and
// Change says what makes it smaller. Scenarios that would not load are not in the list.
func Of(s *format.Scenario) []*format.Scenario {
	models := s.Models()
	i := slices.IndexFunc(models, func(m format.Model) bool { return m.Name == s.Model })
	doc := docOf(s, s.Sets)
	if i < 0 || doc == nil {
		return nil
	}
	m := &models[i]
	var list []*format.Scenario
	for _, c := range fewer(doc, m.Counts) {
		small := made(s, c, m.Lists)
		if small == nil || c.invented && len(small.Program.Nodes) == len(s.Program.Nodes) {
			continue
		}
		list = append(list, small)
	}
	return list
}

// docOf is the text of a scenario with some settings, nil if they cannot be made.
func docOf(s *format.Scenario, sets []result.Setting) *strict.Doc {
	doc, err := strict.Parse(s.Name, []byte(s.Text))
	if err != nil {
		return nil
	}
	for _, set := range sets {
		if grid.Set(doc, set) != nil {
			return nil
		}
	}
	return doc
}

// cut is a change that makes a scenario smaller.
type cut struct {
	path, value string
	size        int  // nodes or operations that are left
	invented    bool // the file leaves the value out
}

// fewer lists the smaller values of counts.
func fewer(doc *strict.Doc, counts []format.Count) (list []cut) {
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
func fewerOf(v *strict.Value, path string, c format.Count) (list []cut) {
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

// firstOf is the first n values of a list, on one line.
func firstOf(v *strict.Value, n int) string {
	var items []string
	for _, item := range v.Items()[:n] {
		items = append(items, strict.Flow(item, true))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// made is the scenario with a change, nil if there is no such scenario.
func made(s *format.Scenario, c cut, lists []string) *format.Scenario {
	sets := grid.Replaced(s.Sets, c.path, c.value)
	for range 3 { // what is left out may have to be left out elsewhere, too
		small, err := s.With(sets)
		if err == nil {
			small.Change = c.path + "=" + c.value
			return small
		}
		e, ok := err.(*format.Invalid)
		doc := docOf(s, sets)
		if !ok || doc == nil {
			return nil
		}
		more := pruned(doc, e.Problems, c.size, lists)
		if len(more) == 0 {
			return nil
		}
		for _, set := range more {
			sets = grid.Replaced(sets, set.Path, set.Value)
		}
	}
	return nil
}

// pruned are the settings that leave out what problems are about, none if that cannot
// be done for all of them. Those of the lists of parameters that are too long are cut.
func pruned(doc *strict.Doc, problems []format.Problem, length int, lists []string) (sets []result.Setting) {
	done := map[string]bool{}
	set := func(path, value string) {
		if !done[path] {
			done[path] = true
			sets = append(sets, result.Setting{Path: path, Value: value})
		}
	}
	for _, p := range problems {
		block, _, _ := strings.Cut(p.Path, ".")
		switch {
		case block == "expect":
			set("expect", "{}")
		case block == "expect-at", block == "show":
			set(block, "[]")
		case block == "faults", strings.HasPrefix(p.Path, "network.links."), nodesOfBudget(p.Path):
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
func below(problems []format.Problem, list string) (at []int) {
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
			items = append(items, strict.Flow(item, true))
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// withoutKeys is a mapping without the keys that problems are about, on one line.
func withoutKeys(v *strict.Value, problems []format.Problem, block string) string {
	var items []string
	for i, key := range v.Keys() {
		if !slices.ContainsFunc(problems, func(p format.Problem) bool { return p.Path == block && p.Text == key }) {
			items = append(items, strict.Word(key, true)+": "+strict.Flow(v.Items()[i], true))
		}
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// nodesOfBudget reports whether a path is of one of the nodes of a budget, of all faults or of one kind.
func nodesOfBudget(path string) bool {
	parts := strings.Split(path, ".")
	return len(parts) == 3 && parts[0] == "budget" && strings.HasSuffix(parts[1], "nodes")
}
