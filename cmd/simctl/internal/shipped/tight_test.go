package shipped

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/whole"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// mutants count the expectations of a scenario that were moved, and keep those that did not notice.
type mutants struct {
	mu      sync.Mutex
	checked int
	loose   map[string]int // points, by what is expected and the side that was moved
}

// move moves each number that a point expects, and evaluates it again on what was found.
func (m *mutants) move(s *format.Scenario, t *stats.Tally) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range s.Expect {
		m.checked++
		for side, moved := range mutantsOf(s, t, &s.Expect[i]) {
			other := *s
			other.Expect = []format.Expectation{moved}
			if execute.Evaluate(&other, t)[0].Met {
				m.loose[moved.Property+moved.Measure+" "+side]++
			}
		}
	}
}

// mutantsOf are the expectations that differ from one by a small step, by what was moved.
func mutantsOf(s *format.Scenario, t *stats.Tally, e *format.Expectation) map[string]format.Expectation {
	list := map[string]format.Expectation{}
	change := func(name string, do func(*format.Expectation)) {
		moved := *e
		do(&moved)
		list[name] = moved
	}
	if e.At != nil {
		change("at", func(e *format.Expectation) { e.At = moved(e.At, 1) })
	}
	if e.Low != nil && e.High != nil {
		p := &t.Properties[slices.Index(s.Program.Properties, e.Property)]
		step := small(p, max(1, largest[s.Name]))
		if *e.Low+step <= sim.Certain {
			change("low", func(e *format.Expectation) { e.Low, e.High = moved(e.Low, step), moved(new(sim.Chance), sim.Certain) })
		}
		if *e.High >= step && (p.Violated > 0 || !sampled(s.Name)) { // a part of the runs without a violation says nothing of it
			change("high", func(e *format.Expectation) { e.Low, e.High = new(sim.Chance), moved(e.High, -step) })
		}
	}
	least, most := e.Want.Least, e.Want.Most
	if least != nil && most != nil && *least == *most {
		change("+1", func(e *format.Expectation) { e.Want = format.Bound{Least: moved(least, 1), Most: moved(most, 1)} })
		change("-1", func(e *format.Expectation) { e.Want = format.Bound{Least: moved(least, -1), Most: moved(most, -1)} })
		return list
	}
	spread := int64(1) // a part of the runs spreads a value further
	if largest[s.Name] > 0 {
		spread = 2
	}
	if least != nil { // of a quarter less than a value, a third is a quarter of the value
		change("least", func(e *format.Expectation) {
			e.Want = format.Bound{Least: moved(least, 1+spread*max(4, *least/3, -*least/5))}
		})
	}
	if most != nil {
		change("most", func(e *format.Expectation) {
			e.Want = format.Bound{Most: moved(most, -1-spread*max(4, *most/5, -*most/3))}
		})
	}
	return list
}

// small is the small step of a share: five of its standard deviations or, if that is more, a half of the share or of its
// complement, and at most 10 percentage points of that. The bounds of the largest scenarios are for the part of their runs that the
// ordinary test does, one in so many.
func small(p *stats.Checked, part int) sim.Chance {
	violated, n := float64(p.Violated), float64(p.Runs())
	if whole.Tests() {
		violated, n = violated/float64(part), n/float64(part)
	}
	is := (violated + 1) / (n + 2)
	step := max(5*math.Sqrt(is*(1-is)/n), min(0.1, is/2, (1-is)/2))
	return sim.Chance(float64(sim.Certain)*min(1, step)) + 1
}

// moved is a number that is by so much more.
func moved[T ~int64](from *T, by T) *T {
	to := *from + by
	return &to
}

// loose are the expectations that do not notice a small step where a part of the runs is done, and that do where all are.
var loose = map[string]string{
	"kv/pbs-n: t-visibility-p99.9 most":                                   "the interval of a percentile in one run",
	"limiter/cloudflare-sliding-counter: sliding-counter/wrong-ppm least": "one day of ten, which are from 9 to 62 in a million",
}

// TestExpectationsCanFail moves each number that a scenario expects by a small step, and evaluates it again: the scenario
// notices, or it is listed as loose.
func TestExpectationsCanFail(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			moved := outcomeOf(t, name).moved
			for key, points := range moved.loose {
				assert.True(t, sampled(name) && loose[name+": "+key] != "", "%s does not notice a small step at %d points", key, points)
			}
			for key := range loose {
				if of, what, _ := strings.Cut(key, ": "); of == name && sampled(name) {
					assert.Contains(t, moved.loose, what, "%s is tight: it need not be listed", key)
				}
			}
		})
	}
}
