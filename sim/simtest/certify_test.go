package simtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// A test that fails says the edge, the run that shows it, and where it is kept; it is played first from then on.
func TestCertifyFails(t *testing.T) {
	k := try(t, "TestX", func(t testing.TB) { simtest.Certify(t, leased(9*time.Second)) })
	require.True(t, k.failed)
	for _, want := range []string{"one-works is not certified\nedge of pause: safe for every pause up to 7.994999999s; a failing run exists at 7.995",
		"\none-works is violated at 10", "VIOLATED: two work at the same time", "worker-1 is paused for ", "kept:   testdata/fencepost/TestX/one-works-", "again:  go test -run '^TestX$'"} {
		assert.Contains(t, k.log.String(), want)
	}
	require.Len(t, failures(t, "TestX"), 1)
	k = again("TestX", func(t testing.TB) { simtest.Certify(t, leased(9*time.Second)) })
	require.True(t, k.failed)
	assert.Contains(t, k.log.String(), "still fails, step for step as it was kept")
	assert.NotContains(t, k.log.String(), "certified")
}

// What proves nothing fails the test: a limit, what is not covered, and a property that nothing exercises.
func TestCertifyDoesNotPassWithoutAProof(t *testing.T) {
	for want, set := range map[string]func(*simtest.Case[Lease]){
		"it is not known: the proof ended at 1 symbolic states: ": func(c *simtest.Case[Lease]) { c.States, c.Budget.Pauses = 1, 9 },
		"it cannot be certified:\none-works: network.delay: a delay of {exp: 5ms} has no longest": func(c *simtest.Case[Lease]) {
			c.Config.Network.Default.Delay = sim.Exponential(5 * time.Millisecond)
		},
		"one-works was not exercised in 3 runs": func(c *simtest.Case[Lease]) {
			c.Config.Until, c.Budget = sim.Time(time.Nanosecond), explore.Budget{}
			c.Config.Network.Default.Delay = sim.Constant(time.Second)
		},
		"no property can be certified: it has no form that compares instants with Before alone": func(c *simtest.Case[Lease]) {
			c.System = func() sim.System[Lease] {
				s := landlord()
				s.Properties[0] = plain{s.Properties[0]}
				return s
			}
		},
	} {
		c := leased(time.Second)
		set(&c)
		k := try(t, "TestX", func(t testing.TB) { simtest.Certify(t, c) })
		assert.True(t, k.failed, want)
		assert.Contains(t, k.log.String(), want)
	}
}

// plain is a property without the methods that it does not list.
type plain struct{ sim.Property[Lease] }

// A pause among the faults begins at any moment, whenever the file has it begin.
func TestCertifyTakesThePausesOfTheConfig(t *testing.T) {
	c := leased(0)
	c.Budget = explore.Budget{}
	c.Config.Faults = []sim.Fault{{Name: "stop", Do: sim.Pause, Node: 1, When: sim.When{At: sim.Time(19 * time.Second)}, For: sim.Uniform(0, 8*time.Second)}}
	k := try(t, "TestX", func(t testing.TB) { simtest.Certify(t, c) })
	assert.True(t, k.failed)
	assert.Contains(t, k.log.String(), "edge of stop: safe for every pause up to 7.994999999s")
	c.Config.Faults[0].Node = 2 // is the last to work
	k = try(t, "TestX", func(t testing.TB) { simtest.Certify(t, c) })
	assert.False(t, k.failed, k.log.String())
}
