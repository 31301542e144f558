package sim

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Goal is a value of a measure that a run may come to. [Program].Reaching makes a property of it, for a search that asks
// how that can happen: a run "violates" it by reaching the goal.
type Goal struct {
	Text    string // "overlap >= 9s": the name of its property
	Measure int    // index in [Program].Measures
	AtMost  bool   // values up to Value reach it; else values from Value on
	Value   int64  // in the unit of the measure; of a ratio in billionths
}

// met reports whether a value reaches the goal.
func (g *Goal) met(value int64) bool {
	if g.AtMost {
		return value <= g.Value
	}
	return value >= g.Value
}

// Best returns the value of a run that is compared with the goal: its total, its ratio in whole billionths or, where each
// value is kept, the greatest or the least. It returns false if the run has none.
func (g *Goal) Best(measures []Measure, samples []Sample) (best int64, ok bool) {
	m := &measures[g.Measure]
	if m.Per != "" {
		per := slices.IndexFunc(measures, func(other Measure) bool { return other.Name == m.Per })
		return billionths(total(samples, g.Measure), total(samples, per))
	}
	if m.Total {
		return total(samples, g.Measure), true
	}
	for _, s := range samples {
		if s.Measure == g.Measure && (!ok || g.AtMost == (s.Value < best)) {
			best, ok = s.Value, true
		}
	}
	return best, ok
}

// total adds up what a run recorded of a measure.
func total(samples []Sample, measure int) (sum int64) {
	for _, s := range samples {
		if s.Measure == measure {
			sum = addSaturated(sum, s.Value)
		}
	}
	return sum
}

// billionths is the ratio of two totals, rounded down; there is none to nothing.
func billionths(own, per int64) (int64, bool) {
	if per <= 0 || own < 0 {
		return 0, false
	}
	high, low := bits.Mul64(uint64(own), 1e9)
	if high >= uint64(per) {
		return math.MaxInt64, true
	}
	quotient, _ := bits.Div64(high, low, uint64(per))
	return int64(min(quotient, math.MaxInt64)), true
}

// Words is a value of the goal's measure as a scenario file writes it.
func (g *Goal) Words(measures []Measure, value int64) string {
	switch m := &measures[g.Measure]; {
	case m.Per != "":
		digits := strconv.FormatInt(value%1e9+1e9, 10)[1:]
		return strings.TrimRight(strings.TrimRight(strconv.FormatInt(value/1e9, 10)+"."+digits, "0"), ".")
	case m.Unit == Duration:
		return Seconds(value)
	}
	return strconv.FormatInt(value, 10)
}

// goal is a [Goal] as a property. The world tells it what is recorded of its measure, so that it knows the instant at which
// the run reaches it.
type goal[M Message] struct {
	Check
	Goal
	measures []Measure
	total    int64
}

func (g *goal[M]) Name() string                      { return g.Text }
func (g *goal[M]) Watches(Event, Kind) bool          { return false }
func (g *goal[M]) Observe(*View[M], *Observation[M]) {}

func (g *goal[M]) Reset(*View[M]) {
	g.Clear()
	g.total = 0
}

func (g *goal[M]) Why(v *View[M]) string {
	best, _ := g.Best(g.measures, v.w.samples)
	return g.measures[g.Measure].Name + " is " + g.Words(g.measures, best)
}

// recorded takes in a value. A total that may fall again, or has to stay low, and a ratio are known only when the run is over.
func (g *goal[M]) recorded(now Time, value int64) {
	m := &g.measures[g.Measure]
	g.total = addSaturated(g.total, value)
	switch {
	case g.found.Verdict == Violated, m.Per != "", m.Total && (m.Signed || g.AtMost):
	case m.Total && g.met(g.total), !m.Total && g.met(value):
		g.Violate(now)
	}
}

// end looks at the whole run, when all is recorded.
func (g *goal[M]) end(v *View[M]) {
	best, ok := g.Best(g.measures, v.w.samples)
	if !ok || g.found.Verdict == Violated {
		return
	}
	g.Saw()
	if g.met(best) {
		g.Violate(v.Now())
	}
}

// aimed finds the goal among the properties of a system, where it is the last.
func aimed[M Message](s *System[M]) *goal[M] {
	if len(s.Properties) == 0 {
		return nil
	}
	g, _ := s.Properties[len(s.Properties)-1].(*goal[M])
	return g
}
