package format

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// operators are those of a goal, the longer ones first.
var operators = []string{">=", "<=", ">", "<"}

// Reaching returns the scenario with a goal, such as "overlap >= 9s": its program has one more property, the last, which a
// run violates by reaching the goal. What the scenario is made smaller to, or read with other settings, has the goal too.
func (s *Scenario) Reaching(goal string) (*Scenario, error) {
	g, err := parseGoal(goal, &s.Program)
	if err != nil {
		return nil, err
	}
	aimed := *s
	aimed.Program = s.Program.Reaching(g)
	return &aimed, nil
}

// parseGoal reads MEASURE OP VALUE, the value as a scenario file writes it.
func parseGoal(goal string, p *sim.Program) (g sim.Goal, err error) {
	at, op := len(goal), ""
	for _, o := range operators {
		if i := strings.Index(goal, o); i >= 0 && i < at {
			at, op = i, o
		}
	}
	if op == "" {
		return g, fmt.Errorf(`want MEASURE OP VALUE, where OP is >=, >, <= or <, such as "overlap >= 9s", got %q`, strict.Excerpt(goal))
	}
	name, value := strings.TrimSpace(goal[:at]), strings.TrimSpace(goal[at+len(op):])
	if g.Measure, err = measureOf(name, p); err != nil {
		return g, err
	}
	g.Text, g.AtMost = name+" "+op+" "+value, op[0] == '<'
	if g.Value, err = goalValue(value, &p.Measures[g.Measure]); err != nil {
		return g, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case op == ">":
		g.Value++
	case op == "<":
		g.Value--
	}
	if m := &p.Measures[g.Measure]; g.AtMost && g.Value < 0 && !m.Signed {
		return g, fmt.Errorf("%s: it is never below 0", name)
	}
	return g, nil
}

// measureOf finds the measure of a goal.
func measureOf(name string, p *sim.Program) (int, error) {
	names := []string{}
	for i := range p.Measures {
		names = append(names, p.Measures[i].Name)
	}
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune(" .()", c) }) {
		if slices.Contains([]string{"mean", "average", "p50", "p99", "p999"}, word) {
			return 0, fmt.Errorf("%s: a goal is about one run: want a measure alone, without a mean or a percentile", strict.Excerpt(name))
		}
	}
	want := "; want one of " + strings.Join(names, ", ")
	if near := text.Nearest(name, names); near != "" {
		want = fmt.Sprintf("; did you mean %q?", near) + want
	}
	return 0, fmt.Errorf("there is no measure %q%s", strict.Excerpt(name), want)
}

// goalValue reads the value of a goal in the unit of its measure.
func goalValue(value string, m *sim.Measure) (n int64, err error) {
	most := m.Most
	switch {
	case m.Per != "":
		n, err = strict.Ratio(value)
		most *= 1e9
	case m.Unit == sim.Duration:
		d, e := strict.SignedDuration(value)
		n, err = int64(d), e
	default:
		if n, err = strconv.ParseInt(value, 10, 64); err != nil {
			err = fmt.Errorf("want a whole number such as 3, got %q", strict.Excerpt(value))
		}
	}
	switch {
	case err != nil:
		return 0, err
	case n < 0 && !m.Signed:
		return 0, errors.New("it is never below 0")
	case most > 0 && n > most:
		return 0, fmt.Errorf("it is never above %d", m.Most)
	case n == math.MaxInt64 || n == math.MinInt64:
		return 0, errors.New("the value is too large")
	}
	return n, nil
}
