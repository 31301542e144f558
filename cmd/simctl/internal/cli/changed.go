package cli

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// said are the keys of a file that do not change its runs.
var said = []string{"about", "source", "expect", "expect-at", "show", "plots"}

// Changed lists what a command changes in a scenario that still has its own seed and runs: "ttl=30s", "seed 7". A setting
// that picks points of the file's own grid, or that the file has already, is no change. Neither is one of expect, show, plots or texts.
func Changed(s *format.Scenario, sets []result.Setting, seed *uint64, runs *int) (list []string) {
	for i, set := range sets {
		if slices.ContainsFunc(sets[i+1:], func(later result.Setting) bool { return later.Path == set.Path }) {
			continue // it never takes effect
		}
		key, _, _ := strings.Cut(set.Path, ".")
		picks := func(v format.Variant) bool { return slices.Contains(v.Settings, set) }
		if !slices.Contains(said, key) && !slices.ContainsFunc(s.Variants, picks) && !s.Says(set) {
			list = append(list, strings.TrimPrefix(set.Path, "params.")+"="+short(set.Value))
		}
	}
	if seed != nil && *seed != s.Seed {
		list = append(list, fmt.Sprintf("seed %d", *seed))
	}
	if runs != nil && max(*runs, 1) != max(s.Runs, 1) {
		list = append(list, units.Plural(*runs, "run"))
	}
	return list
}

// short is a value in a sentence: of a path its last part, and no more than the beginning of a long one.
func short(value string) string {
	const most = 40
	value = value[strings.LastIndexByte(value, '/')+1:]
	if r := []rune(value); len(r) > most {
		return string(r[:most]) + "..."
	}
	return value
}
