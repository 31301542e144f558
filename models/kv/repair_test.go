package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// lose is the loss of the nth message of a kind from one node to another.
func lose(kind sim.Kind, from, to string, nth int) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: kind, Nth: nth}})
}

// S-02: "strict quorum, same moment: write error; later read(A,C) v2", which "repairs it
// everywhere".
func TestFailedWriteOfAStrictQuorumSurfacesInALaterRead(t *testing.T) {
	away := partition(110, 90*ms, []string{"node-1", "node-2"}, []string{"node-3"})
	r := play(t, func(p *Params) {
		p.Clients = []ClientParams{script("put x v1 via node-3", "at 110ms", "put x v2 via node-3"),
			script("at 1s", "get x via node-3", "at 2s", "get x from node-1 node-2 via node-1")}
	}, oneMilli, away)
	r.Logs("client-1 fails in its write of v2 at x: timed out", "node-3 sends v2 at x to node-1, which answered with less",
		"node-3 sends v2 at x to node-2, which answered with less", "node-1 stores v2 at x", "client-2 reads v2 from x", "node-2 stores v2 at x")
	assert.Equal(t, at(110+1+500+1), r.Moment("client-1 fails in its write of v2 at x: timed out"))
	assert.EqualValues(t, 2, r.Measure("read-repairs"))
	r.Holds("quorum-read")
}

// skew is S-03: a write that arrives at the three replicas of x at 10, 60 and 90 ms, and two
// readers, of which the second starts after the first has its answer.
func skew(p *Params) {
	p.Nodes, p.Read, p.Write, p.Coordinator = 5, ptr(2), ptr(3), "any"
	p.Clients = []ClientParams{script("put x v1 via node-4"), script("at 20ms", "get x from node-1 node-2 via node-5"),
		script("at 40ms", "get x from node-2 node-3 via node-5")}
}

// arrivals are the links of S-03.
var arrivals = []simtest.Change{simtest.Delay(0),
	simtest.Link("node-4", "node-1", sim.Link{Delay: sim.Constant(10 * ms)}),
	simtest.Link("node-4", "node-2", sim.Link{Delay: sim.Constant(60 * ms)}),
	simtest.Link("node-4", "node-3", sim.Link{Delay: sim.Constant(90 * ms)}),
}

// S-03: "N=3 W=3 R=2, arrivals 10,60,90: A@20 reads 1, B@40 reads 0; with blocking repair B
// reads 1".
func TestReadSkew(t *testing.T) {
	r := play(t, func(p *Params) { skew(p); p.ReadRepair = "none" }, arrivals...)
	assert.Equal(t, at(20), r.Moment("client-2 reads v1 from x"))
	assert.Equal(t, at(40), r.Moment("client-3 reads nothing from x"))
	assert.Equal(t, at(90), r.Moment("client-1 has its write of v1 to x acknowledged"))

	r = play(t, func(p *Params) { skew(p); p.ReadRepair = "blocking" }, arrivals...)
	assert.Equal(t, at(20), r.Moment("client-2 reads v1 from x"))
	assert.Equal(t, at(40), r.Moment("client-3 reads v1 from x"))
	assert.EqualValues(t, 2, r.Measure("read-repairs"))
}

func TestBlockingRepairDelaysTheAnswerUntilEnoughReplicasStoreIt(t *testing.T) {
	slow := append([]simtest.Change{}, arrivals...)
	slow = append(slow, simtest.Link("node-5", "node-2", sim.Link{Delay: sim.Constant(5 * ms)}))
	for repair, want := range map[string]int64{"none": 20 + 5, "async": 20 + 5, "blocking": 20 + 5 + 5} {
		r := play(t, func(p *Params) { skew(p); p.ReadRepair = repair }, slow...)
		assert.Equal(t, at(want), r.Moment("client-2 reads v1 from x"), repair)
	}
}

// With R = 1 every replica has to store what a read returns: N - R + 1 = 3.
func TestBlockingRepairWritesToReplicasThatHaveNotAnswered(t *testing.T) {
	r := play(t, func(p *Params) {
		p.Read, p.Write, p.ReadRepair = ptr(1), ptr(1), "blocking"
		p.Clients = []ClientParams{script("put x v1 via node-1", "at 100ms", "get x via node-1")}
	}, simtest.Delay(ms), lose(core.ReplicaWrite, "node-1", "node-2", 1), lose(core.ReplicaWrite, "node-1", "node-3", 1))
	r.Logs("node-1 sends v1 at x to node-2, which has not answered yet", "node-2 stores v1 at x", "node-3 stores v1 at x")
	assert.Equal(t, at(104), r.Moment("client-1 reads v1 from x"), "1 ms each: request, repair, acknowledgement, answer")
}

func TestLateAnswersAreRepaired(t *testing.T) {
	r := play(t, func(p *Params) {
		p.Clients = []ClientParams{script("put x v1 via node-1", "at 100ms", "get x via node-1")}
	}, oneMilli, lose(core.ReplicaWrite, "node-1", "node-3", 1), simtest.Link("node-3", "node-1", sim.Link{Delay: sim.Constant(20 * ms)}))
	assert.Equal(t, at(104), r.Moment("client-1 reads v1 from x"))
	assert.Equal(t, at(101+1+20), r.Moment("node-1 sends v1 at x to node-3, which answered with less"))
	assert.Equal(t, at(101+1+20+1), r.Moment("node-3 stores v1 at x"))
}

func TestReadThatFindsNewerValuesLaterRepairsThoseItHasRepaired(t *testing.T) {
	r := play(t, func(p *Params) {
		p.Read, p.Write = ptr(2), ptr(1)
		p.AntiEntropy, p.Converge = 0, ptr(time.Second)
		p.Clients = []ClientParams{script("put x v1 via node-1", "at 100ms", "put x v2 via node-3", "at 200ms", "get x via node-1")}
	}, oneMilli, lose(core.ReplicaWrite, "node-1", "node-2", 1), // v1 at 1 and 3, v2 at 3 alone
		lose(core.ReplicaWrite, "node-3", "node-1", 1), lose(core.ReplicaWrite, "node-3", "node-2", 1),
		simtest.Link("node-3", "node-1", sim.Link{Delay: sim.Constant(20 * ms)}))
	r.Logs("node-1 sends v1 at x to node-2, which answered with less", "client-1 reads v1 from x", "node-1 repairs x at itself with v2",
		"node-1 sends v2 at x to node-2, which answered with less")
	r.Holds("convergence")
}

func TestBlockingRepairThatIsNotAcknowledgedTimesOut(t *testing.T) {
	lost := append([]simtest.Change{lose(core.Repair, "node-5", "node-2", 1)}, arrivals...)
	r := play(t, func(p *Params) { skew(p); p.ReadRepair = "blocking" }, lost...)
	assert.Equal(t, at(520), r.Moment("client-2 fails in its read at x: timed out"))
}
