package describe

import (
	"maps"
	"path"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports/listing"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// seeAlso are the scenarios beside one that have its name and more, or the other way round, and those that its file
// names: its fix, the failure that it is the fix of, and variants.
func seeAlso(c *cli.Catalog, s *format.Scenario) (list []listing.ShownValue) {
	for _, name := range c.Names() {
		if name == s.Name || !related(s.Name, name) && !names(s.Text, name) {
			continue
		}
		other, err := c.Load(name, format.Options{})
		if err != nil {
			continue // which list says
		}
		kind := "a variant"
		switch mine, its := violated(s), violated(other); {
		case other.Model != s.Model:
			kind = "elsewhere"
		case len(its) < len(mine) && within(its, mine):
			kind = "a fix"
		case len(mine) < len(its) && within(mine, its):
			kind = "a failure"
		}
		list = append(list, listing.ShownValue{Name: name, Value: kind, Meaning: other.About})
	}
	return list
}

// related reports whether two scenarios are in one folder, and the name of one begins with that of the other.
func related(a, b string) bool {
	if path.Dir(a) != path.Dir(b) {
		return false
	}
	return strings.HasPrefix(b, a+"-") || strings.HasPrefix(a, b+"-")
}

// names reports whether a text names a scenario.
func names(text, name string) bool {
	for at := strings.Index(text, name); at >= 0; {
		end := at + len(name)
		if end == len(text) || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-/", rune(text[end])) {
			return true
		}
		next := strings.Index(text[end:], name)
		if next < 0 {
			return false
		}
		at = end + next
	}
	return false
}

// violated are the properties that are expected to be violated, at any point.
func violated(s *format.Scenario) map[string]bool {
	list := map[string]bool{}
	for _, e := range s.Expect {
		if e.Property != "" && (e.Verdict == sim.Violated || e.Low != nil && *e.Low > 0) {
			list[e.Property] = true
		}
	}
	for _, v := range s.Variants {
		maps.Copy(list, violated(v.Scenario))
	}
	return list
}

// within reports whether all of a set are in another.
func within(a, b map[string]bool) bool {
	for name := range a {
		if !b[name] {
			return false
		}
	}
	return true
}
