package process

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/models/clock/script"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// Each property has mutants here that violate it, and without the mutation it holds: a
// checker that cannot fail is a defect. What the clocks themselves violate is in
// vectors_test.go.

// mutant is a clock that does one thing wrong.
type mutant struct {
	Clock
	how string
}

func (m *mutant) Tick(pt clock.Reading) (Stamp, Refusal) {
	s, why := m.Clock.Tick(pt)
	switch m.how {
	case "counts others":
		v := append(clock.Vector{}, *s.Vector...)
		for p := range v {
			v[p] += 2
		}
		return Stamp{Vector: &v}, why
	case "knows the first of each", "knows them later":
		v := append(clock.Vector{}, *s.Vector...)
		for p := range v {
			if m.how == "knows the first of each" || v[0] > 1 { // the clock is that of the first process
				v[p] = max(v[p], 1)
			}
		}
		return Stamp{Vector: &v}, why
	case "an hour fast":
		s.L += int64(time.Hour)
	case "a second slow":
		s.L -= int64(time.Second)
	case "counts five":
		s.C += 5
	case "carries too soon":
		if s.C > 0 {
			s.L, s.C = s.L+1, 0
		}
	case "skips one":
		if s.C > 0 {
			s.C++
		}
	case "one more":
		s.L++
	case "stands":
		s.L = 1
	case "refuses":
		return Stamp{}, outOfRange
	}
	return s, why
}

func (m *mutant) Receive(s Stamp, pt clock.Reading) (Stamp, Refusal) {
	switch m.how {
	case "deaf":
		return m.Tick(pt)
	case "does not tick":
		s, why := m.Clock.Receive(s, pt)
		s.L--
		return s, why
	}
	return m.Clock.Receive(s, pt)
}

func (m *mutant) Recover(before Clock) {
	m.Clock.Recover(before.(*mutant).Clock)
	if m.how == "fast after a crash" {
		m.how = "an hour fast"
	}
}

func (m *mutant) Copy(old Clock) Clock {
	if o, ok := old.(*mutant); ok {
		old = o.Clock
	}
	return &mutant{m.Clock.Copy(old), m.how}
}

// mutated is the system of a script in which the first process has a mutant.
func mutated(p Params, how string) func() sim.System[Msg] {
	return func() sim.System[Msg] {
		s := p.System()
		parsed := must(script.Parse(p.Script))
		l := p.life(0, len(parsed.Processes))
		l.Clock = &mutant{l.Clock, how}
		s.Nodes[0] = sim.Place[Msg](parsed.Processes[0], Scripted{Steps: steps(parsed)[0], Gap: p.gap(), life: l})
		return s
	}
}

func TestMutants(t *testing.T) {
	const talk = "A: a1 a2 a3 a4\nB: b1 b2 b3\na1 -> b2\nb3 -> a3"
	scalars := "A: 1 2 4 5\nB: 1 2 3"
	gap := sim.Constant(ms)
	mutant := func(property, clock, stamps, how string) modeltest.Mutant[Msg] {
		p := scripted(clock, talk, stamps)
		epsilon := 10 * ms
		p.Epsilon, p.Gap = &epsilon, &gap
		return modeltest.Mutant[Msg]{Property: property, Correct: p.System, Mutant: mutated(p, how)}
	}
	modeltest.Mutants(t,
		mutant("orders-causally", "lamport", "", "deaf"), mutant("orders-causally", "vector", "", "deaf"),
		mutant("orders-causally", "hlc", "", "a second slow"), mutant("orders-causally", "lamport", "", "does not tick"),
		mutant("total-order", "lamport", "", "deaf"), mutant("total-order", "lamport", "", "stands"), mutant("total-order", "hlc", "", "an hour fast"),
		mutant("detects-concurrency", "vector", "", "counts others"), mutant("detects-concurrency", "vector", "", "deaf"),
		mutant("detects-concurrency", "vector", "", "knows the first of each"), mutant("detects-concurrency", "vector", "", "knows them later"),
		mutant("close-to-physical", "hlc", "", "an hour fast"), mutant("close-to-physical", "hlc", "", "a second slow"),
		mutant("counter-bound", "hlc", "", "counts five"), mutant("counter-bound", "hlc", "", "an hour fast"),
		mutant("as-written", "lamport", scalars, "one more"), mutant("as-written", "lamport", scalars, "refuses"),
		mutant("as-written", "lamport", "B: - 2", "refuses"), mutant("as-written", "hlc", "A: 0s,1", "counts five"),
	)
}

// TestClaimsOfClocks: what a clock is not made for it is held to only if a scenario asks.
func TestClaimsOfClocks(t *testing.T) {
	for clock, held := range promises {
		p := scripted(clock, "A: a1 a2@10ms\nB: b1@3ms b2\na1 -> b2", "")
		p.Epsilon = new(time.Duration)
		play(t, p).Holds(held...)
		require.Len(t, play(t, p).Verdicts(sim.NotExercised), 6-len(held), clock)
	}
	p := scripted("lamport", "A: a1 a2\nB: b1", "")
	p.Claims = []string{"detects-concurrency"}
	play(t, p).OnlyViolates("detects-concurrency")
}

// Of a wall clock two events at one reading have one stamp: that orders nothing.
func TestEventsAtOneReading(t *testing.T) {
	r := play(t, scripted("wall", "A: a1 a2", ""))
	r.OnlyViolates("orders-causally", "total-order")
	r = play(t, scripted("hlc", "A: a1 a2", "A: 0s,1 0s,2"))
	r.OnlyViolates()
	r.Holds("as-written", "counter-bound")
}

// A wall clock is close to true time, or not.
func TestCloseToPhysicalOfWallClocks(t *testing.T) {
	p := scripted("wall", "A: a@1s", "")
	epsilon := 10 * ms
	p.Epsilon = &epsilon
	for by, want := range map[time.Duration]sim.Verdict{0: sim.Holds, 10 * ms: sim.Holds, -10 * ms: sim.Holds, 10*ms + 1: sim.Violated, -10*ms - 1: sim.Violated} {
		require.Equal(t, want, play(t, p, offset("A", by)).Finding("close-to-physical").Verdict, by)
	}
}

// A counter carries only when it is full, and only a durable bound is a reason to begin
// ahead.
func TestCounterBoundOfLimits(t *testing.T) {
	crash := simtest.Inject("A", sim.Fault{Do: sim.Crash, When: when(2000), For: sim.Constant(0)})
	for _, v := range []struct {
		how, script string
		first       sim.Time
	}{
		{"carries too soon", "A: a1@1s a2", at(1000)},
		{"skips one", "A: a1@1s a2", at(1000)},
		{"fast after a crash", "A: a1@1s a2@2s", at(4000)},
	} {
		p := scripted("hlc", v.script, "")
		play(t, p, crash).Holds("counter-bound")
		simtest.Play(t, mutated(p, v.how), sim.Config{Until: at(60_000)}, crash).Violated("counter-bound", v.first)
	}
	// Above a bound c counts until the wall clock has come as far: N(e+1) says nothing there.
	p := scripted("hlc", "A: a1@1s a2@1ms", "")
	gap := sim.Constant(ms)
	p.Durable, p.Granule, p.Epsilon, p.Gap, p.Then = true, ms, ptr(ms), &gap, []int{3000}
	r := play(t, p, crash)
	r.Holds("counter-bound", "orders-causally")
	assert.Greater(t, r.Measure("most-counter"), int64(900))
}

// TestCounterBoundOfReadings: "c <= N(e+1) if a node's clock ticks between any two of its
// events". The clock of A is further behind than is claimed, so c counts beyond 2*(1+1).
func TestCounterBoundOfReadings(t *testing.T) {
	p := scripted("hlc", "A: a\nB: b@1s\nb -> a", "A: 1000ms,1")
	gap := sim.Constant(ms)
	p.Granule, p.Epsilon, p.Gap, p.Then, p.Claims = ms, ptr(ms), &gap, []int{10, 0}, []string{"counter-bound"}
	play(t, p, offset("A", -time.Second)).Violated("counter-bound", at(1009))
	p.Gap = nil // many events at one reading
	play(t, p, offset("A", -time.Second)).Holds("counter-bound")
}

// TestWrittenAndAbsent: a stamp is asked of an event that does not happen. If a refusal is
// asked, that is violated too.
func TestWrittenAndAbsent(t *testing.T) {
	lost := simtest.Disturb("A", "B", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Message}})
	for _, stamps := range []string{"B: 2", "B: refused", "A: 1\nB: refused"} {
		play(t, scripted("lamport", "A: a\nB: b\na -> b", stamps), lost).Violated("as-written", at(60_000))
	}
	play(t, scripted("lamport", "A: a\nB: b\na -> b", "A: 1\nB: -"), lost).Holds("as-written")
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	p := DefaultParams()
	modeltest.Needs(t, p.System())
}
