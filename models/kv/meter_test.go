package kv

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// Three writes are acknowledged at 10, 20 and 30 ms and reach node-2 50 ms later. A read of
// node-2 at 65 returns the first and lacks two; one at 200 lacks none.
func TestStalenessInVersionsAndInTime(t *testing.T) {
	r := play(t, func(p *Params) {
		sessions(p)
		p.Clients[0].Steps = script("put x v1 via node-1", "put x v2 via node-1", "put x v3 via node-1").Steps
		p.Clients[1].Steps = script("at 65ms", "get x from node-2 via node-2", "at 200ms", "get x from node-2 via node-2").Steps
	}, sessionArrivals()...)
	r.Logs("reader reads v1 from x", "reader reads v3 from x")
	assert.EqualValues(t, 2, r.Measure("staleness"))
	assert.EqualValues(t, 1, r.Measure("stale-reads"))
	assert.EqualValues(t, 65*ms-20*ms, r.Measure("stale-for"))
}

// Of two writes that do not know of each other a read that returns one lacks the other, the
// one that was acknowledged first as well as the last.
func TestStalenessOfSiblings(t *testing.T) {
	r := play(t, func(p *Params) {
		p.Read, p.Write, p.Handoff, p.AntiEntropy, p.ReadRepair = ptr(1), ptr(1), 0, 0, "none"
		p.Clients = []ClientParams{script("put x v1 via node-1"), script("put x v2 via node-2"),
			script("at 50ms", "get x via node-1", "get x via node-2")}
	}, simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: 1}, Forever: true}, []string{"node-1"}, []string{"node-2"}, []string{"node-3"}))
	r.Logs("client-3 reads v1 from x", "client-3 reads v2 from x")
	assert.EqualValues(t, 2, r.Measure("staleness"))
	assert.EqualValues(t, 2, r.Measure("stale-reads"))
}

func TestMeasuresOfRequests(t *testing.T) {
	r := play(t, func(p *Params) {
		p.Clients = []ClientParams{script("put x v1 via node-1", "get x via node-1", "get x via node-2", "get x via node-1")}
		p.Patience = 200 * ms
		p.Conflict.Conflict = "last-write-wins"
	}, simtest.Inject("node-2", sim.Fault{Do: sim.Crash, When: sim.When{At: modeltest.At(25)}, Forever: true}))
	assert.EqualValues(t, 4, r.Measure("requests"))
	assert.EqualValues(t, 3, r.Measure("availability"))
	assert.EqualValues(t, 2*108, r.Measure("replicated-bytes")) // to two replicas, a value of 100 bytes and a stamp of 8
	assert.EqualValues(t, 3*3, r.Measure("busiest-node"))       // 3 of 4 requests; the mean of 3 nodes is 4/3
}
