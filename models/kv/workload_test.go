package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// updates is four clients at three nodes that update one key.
func updates(p *Params) {
	p.Route = "in-turn"
	p.Workload = &WorkloadParams{Clients: 4, Operations: 50, Gap: sim.Exponential(50 * ms), Keys: ptr(1), Writes: "update"}
}

// An update reads first, and is one read and one write. With a leader the write is refused where
// another one came between, and loses none; over a quorum by wall clocks one of the two is lost.
func TestAnUpdateReplacesWhatItHasRead(t *testing.T) {
	r := play(t, func(p *Params) { updates(p); led(p); p.Claims = []string{"linearizable", "no-lost-write"} })
	assert.EqualValues(t, 200, r.Measure("reads"))
	assert.EqualValues(t, 200, r.Measure("writes")+r.Measure("mismatches"))
	assert.Positive(t, r.Measure("mismatches"))
	r.Holds("linearizable", "no-lost-write")

	r = play(t, func(p *Params) { updates(p); conflict("last-write-wins")(p) })
	assert.EqualValues(t, 200, r.Measure("writes"))
	assert.Zero(t, r.Measure("mismatches"))
	assert.Positive(t, r.Measure("lost-writes"))
}

// An update whose read fails writes nothing.
func TestAnUpdateEndsWithItsRead(t *testing.T) {
	r := play(t, updates, partition(0, time.Hour, []string{"node-1"}, []string{"node-2"}, []string{"node-3"}), simtest.Until(at(600_000)))
	assert.EqualValues(t, 200, r.Measure("failures"))
	assert.Zero(t, r.Measure("writes"))
	assert.NotContains(t, r.Trace(), ": put ")
}
