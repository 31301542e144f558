package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// A step ahead of the server's wall clock takes as much from a key as it is large: up to pause + jump +
// work + 3 * delay.max = TTL + delay.min. A step back leaves the key for longer. A client that crashes
// believes nothing, so that it is no pause. A server that keeps its keys in memory grants the lock anew
// after a crash, however short; one that has them on disk does not.
func TestTheLawsOfStepsAndCrashes(t *testing.T) {
	pause := certify.Fault{Name: "pause", Nodes: []sim.NodeID{1, 2}, Most: 5 * time.Second, Count: 1}
	step := certify.Fault{Name: "step", Do: sim.StepClock, Nodes: []sim.NodeID{3}, Most: 5 * time.Second, Count: 1}
	small, back, crash, down := step, step, step, step
	small.Most, back.Back = 300*ms, true
	crash.Do, crash.Nodes, crash.Most = sim.Crash, []sim.NodeID{1}, 300*ms
	down.Do, down.Most = sim.Crash, 300*ms
	disk := func(p *Params) { p.Persistence = "aof-always" }
	for _, c := range []struct {
		name        string
		set         func(*Params)
		faults      []certify.Fault
		holds, from time.Duration
	}{
		{"a step", nil, []certify.Fault{step}, 785 * ms, 785*ms + 2},
		{"a pause and a step of 300 ms", nil, []certify.Fault{pause, small}, 485 * ms, 485*ms + 2},
		{"a step back", nil, []certify.Fault{back}, 5 * time.Second, 0},
		{"a crash of a client", nil, []certify.Fault{crash}, 300 * ms, 0},
		{"a crash of the server", nil, []certify.Fault{down}, -1, 0},
		{"a crash of the server, with a disk", disk, []certify.Fault{down}, 300 * ms, 0},
	} {
		p := proof{c.name, short("redis", c.set), "mutual-exclusion", 0, 5 * ms, 0, certify.Certified}
		s := p.search()
		s.Faults = c.faults
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err, c.name)
		t.Logf("%s: %v, %d states, holds up to %v, from %v", c.name, r.Verdict, r.States, e.Holds, e.From)
		assert.Equal(t, c.holds, e.Holds, c.name)
		assert.Equal(t, c.from, e.From, c.name)
	}
}
