package simtest_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// often lets the answers of the standby get lost now and then.
func often(c *sim.Config, p *sim.Program) {
	simtest.Link("standby", "primary", sim.Link{Loss: sim.Certain / 2})(c, p)
}

func TestCount(t *testing.T) {
	safe := simtest.Count(t, handOver, minute, 40, often)
	safe.Holds("one-in-charge")
	runs := 40
	if testing.Short() {
		runs = 10
	}
	assert.Equal(t, runs, safe.Runs)
	assert.Equal(t, map[string]int{"one-in-charge": runs}, safe.Exercised)

	bad := simtest.Count(t, measured, minute, 40, often)
	bad.Violates("one-in-charge")
	assert.Greater(t, bad.Violated["one-in-charge"], 0)
	assert.Less(t, bad.Violated["one-in-charge"], runs, "half of the answers come")
	assert.Zero(t, bad.Exercised["blind"])
}

func TestCountFails(t *testing.T) {
	for _, v := range []struct {
		ask  func(*simtest.Tally)
		want string
	}{
		{func(c *simtest.Tally) { c.Holds("one-in-charge") }, ": primary notes in-charge while standby is still in\n"},
		{func(c *simtest.Tally) { c.Holds("blind") }, "blind was not exercised in 8 runs\n"},
		{func(c *simtest.Tally) { c.Violates("blind") }, "blind is violated in none of 8 runs\n"},
		{func(c *simtest.Tally) { c.Holds("none") }, `the system has no property "none": it has one-in-charge, blind`},
		{func(c *simtest.Tally) { c.Violates("none") }, `the system has no property "none": it has one-in-charge, blind`},
	} {
		runs := 8
		if testing.Short() {
			runs = 32
		}
		k := again("TestX", func(t testing.TB) { v.ask(simtest.Count(t, measured, minute, runs, often)) })
		assert.True(t, k.failed, v.want)
		assert.Contains(t, k.log.String(), v.want)
	}
	k := again("TestX", func(t testing.TB) { simtest.Count(t, handOver, minute, 4, simtest.Link("nobody", "", sim.Link{})) })
	assert.Contains(t, k.log.String(), "simtest: ")
	for _, nobody := range []string{"nobody", ""} {
		k = again("TestX", func(t testing.TB) { simtest.Count(t, handOver, minute, 4, simtest.Clock(nobody, sim.Clock{})) })
		assert.Contains(t, k.log.String(), "simtest: ")
	}
}

// Of many violations the first is told: no shorter sequence of runs has one.
func TestCountTellsTheFirst(t *testing.T) {
	const runs = 160
	k := again("TestX", func(t testing.TB) { simtest.Count(t, measured, minute, runs, often).Holds("one-in-charge") })
	_, after, _ := strings.Cut(k.log.String(), "first with seed ")
	var first int
	_, err := fmt.Sscanf(after, "%d,", &first)
	require.NoError(t, err, k.log.String())
	many := simtest.Count(t, measured, minute, runs, often)
	require.Greater(t, many.Violated["one-in-charge"], 1)

	wholly(t)
	assert.Equal(t, 1, simtest.Count(t, measured, minute, first, often).Violated["one-in-charge"])
	assert.Zero(t, simtest.Count(t, measured, minute, first-1, often).Violated["one-in-charge"])
}

// With -short some run is left of a few.
func TestCountShort(t *testing.T) {
	short(t, "true")
	for runs, want := range map[int]int{1: 1, 3: 1, 8: 2} {
		assert.Equal(t, want, simtest.Count(t, handOver, minute, runs).Runs)
	}
}

// wholly lets a test count without -short.
func wholly(t *testing.T) { short(t, "false") }

// short sets the flag of that name for a test.
func short(t *testing.T, value string) {
	f := flag.Lookup("test.short")
	before := f.Value.String()
	require.NoError(t, f.Value.Set(value))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}

func TestStrikeAll(t *testing.T) {
	r := simtest.Play(t, handOver, minute, simtest.InjectAll(sim.Fault{Do: sim.Crash, When: sim.When{At: at(1)}, Forever: true}))
	r.Logs("1.000s primary crashes", "1.000s standby crashes")
}

// A clock that is set twice is as it was set last, and those of the others are right.
func TestClock(t *testing.T) {
	var c sim.Config
	p := sim.NewProgram(handOver)
	simtest.Clock("standby", sim.Clock{Rate: 5})(&c, &p)
	simtest.Clock("standby", sim.Clock{Offset: time.Second})(&c, &p)
	assert.Equal(t, []sim.Clock{{}, {Offset: time.Second}}, c.Clocks)
}

func TestLengths(t *testing.T) {
	assert.Equal(t, []time.Duration{0, 5 * time.Millisecond}, simtest.Lengths(0, 5))
	assert.Equal(t, []sim.Dist{sim.Constant(5 * time.Millisecond)}, simtest.Constants(5))
	assert.Empty(t, simtest.Lengths())
}
