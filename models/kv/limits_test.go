package kv

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/linear"
	"fencepost/sim/model/modeltest"
)

// bounds are what the properties of a store say beside their verdicts.
func bounds(t *testing.T, set func(*Params)) map[string]string {
	list := map[string]string{}
	for _, p := range system(t, set)().Properties {
		if b, ok := p.(sim.Bounded); ok && b.Bound().Text != "" {
			list[p.Name()] = b.Bound().Text
		}
	}
	return list
}

// What is not checked of a long run is said.
func TestLimitsAreSaid(t *testing.T) {
	repeat := func(n int) func(*Params) {
		return func(p *Params) {
			c := script("put x a", "get x")
			c.Repeat = ptr(n)
			p.Clients = []ClientParams{c}
		}
	}
	const tracked = "of each key the first 16384 writes; later ones are not checked"
	for _, property := range []string{"no-lost-write", "concurrent-siblings", "no-resurrection"} {
		assert.NotContains(t, bounds(t, repeat(maxTracked)), property)
		assert.Equal(t, tracked, bounds(t, repeat(maxTracked+1))[property])
		assert.Equal(t, tracked, bounds(t, busy)[property], "a workload without end")
	}
	claims := func(set func(*Params)) func(*Params) {
		return func(p *Params) { set(p); p.Claims = []string{"linearizable"} }
	}
	assert.NotContains(t, bounds(t, claims(busy)), "linearizable")
	assert.Equal(t, "a key with compare-and-set is not checked if that takes more than 200000 steps", bounds(t, claims(contended))["linearizable"])
}

// A search that is given up is no verdict.
func TestASearchThatIsGivenUpIsNotExercised(t *testing.T) {
	set := func(p *Params) { contended(p); led(p); p.Claims = []string{"linearizable"} }
	assert.Equal(t, sim.Holds, modeltest.Play(t, system(t, set)).Finding("linearizable").Verdict)
	usual := searchLimits
	defer func() { searchLimits = usual }()
	searchLimits = linear.Limits{Steps: 1, Memory: 1 << 26}
	assert.Equal(t, sim.NotExercised, modeltest.Play(t, system(t, set)).Finding("linearizable").Verdict)
}

// Quorums that need not overlap promise nothing of a read, and the property says so.
func TestQuorumReadSaysWhyItChecksNothing(t *testing.T) {
	for w, want := range map[int]sim.Bound{
		1: {Idle: "R + W = 3 is not more than N = 3, so a read may miss a write"},
		2: {Text: "R + W = 4 is more than N = 3"},
	} {
		var got sim.Bound
		for _, p := range system(t, func(p *Params) { p.Write = ptr(w) })().Properties {
			if p.Name() == "quorum-read" {
				got = p.(sim.Bounded).Bound()
				got.Needs = ""
			}
		}
		assert.Equal(t, want, got, "W = %d", w)
	}
}
