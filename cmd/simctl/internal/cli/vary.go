package cli

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// Setter is the setting that gives the path a value.
type Setter func(value string) result.Setting

// Varied finds out how a value of the path is set for a command: one that the file itself varies is
// an axis of its grid.
func (a *App) Varied(command string, o *Subject, path string) (Setter, error) {
	if err := NoRecord(o.Name); err != nil {
		return nil, err
	}
	s, err := a.Load(o.Name, format.Options{Sets: o.Sets, NoFaults: o.NoFaults})
	if err != nil {
		return nil, err
	}
	if cases := s.Cases(path); len(cases) > 0 {
		return nil, Usage(fmt.Errorf("%s: --vary %s: it has cases, and between %q and the others there is no value: want the path of a number, such as params.ttl; --set %s=CASE picks one",
			command, path, cases[0].Name, path))
	}
	if len(s.Variants) > 0 && slices.ContainsFunc(s.Variants[0].Settings, func(set result.Setting) bool { return set.Path == path }) {
		return func(value string) result.Setting {
			return result.Setting{Path: "vary." + path, Value: "[" + value + "]"}
		}, nil
	}
	if first, _, _ := strings.Cut(path, "."); first == "vary" || first == "control" || first == "expect" {
		return nil, Usage(fmt.Errorf("%s: --vary %s: %q is no part of the system: want another path, such as params.ttl", command, path, first))
	}
	return func(value string) result.Setting { return result.Setting{Path: path, Value: value} }, nil
}

// ParseRange is the range of --from, --to and --step.
func ParseRange(from, to, step string, least int64) (amount.Range, error) {
	var ends [2]amount.Value
	for i, f := range []struct{ flag, text string }{{"from", from}, {"to", to}} {
		v, err := amount.Parse(f.text)
		if err != nil {
			return amount.Range{}, fmt.Errorf("--%s: %w", f.flag, err)
		}
		ends[i] = v
	}
	if step == "" {
		return amount.NewRange(ends[0], ends[1], nil, least)
	}
	s, err := amount.Parse(step)
	if err != nil {
		return amount.Range{}, fmt.Errorf("--step: %w", err)
	}
	return amount.NewRange(ends[0], ends[1], &s, least)
}
