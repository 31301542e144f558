package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

var at = modeltest.At

// partition is two groups of nodes apart, from an instant in milliseconds on for a while.
func partition(from int64, length time.Duration, groups ...[]string) simtest.Change {
	return simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(from)}, For: sim.Constant(length)}, groups...)
}

// crash is a crash of a node; without a length it never restarts.
func crash(node string, from int64, length ...time.Duration) simtest.Change {
	f := sim.Fault{Do: sim.Crash, When: sim.When{At: at(from)}, Forever: len(length) == 0}
	if len(length) > 0 {
		f.For = sim.Constant(length[0])
	}
	return simtest.Inject(node, f)
}

// sloppy is five nodes with a sloppy quorum, of which two replicas of x cannot be reached from
// 110 ms to 200 ms; a client writes v2 meanwhile.
func sloppy(p *Params) {
	p.Nodes, p.Quorum, p.ReplicaTimeout = 5, "sloppy", 20*ms
	p.Clients = []ClientParams{script("put x v1 via node-3", "at 110ms", "put x v2 via node-3")}
}

var (
	twoAway  = partition(110, 90*ms, []string{"node-1", "node-2"}, []string{"node-3", "node-4", "node-5"})
	oneMilli = simtest.Delay(ms)
)

// S-01: "110: A,B unreachable; v2 to C, D(hint A), E(hint B), acked with W=2. 200: healed, C
// crashes. 205: read R=2 from A,B: v1. 10 200 handoff: v2. R+W=4>3 throughout."
func TestSloppyQuorumReturnsWhatWasReplaced(t *testing.T) {
	read := func(p *Params) {
		sloppy(p)
		p.ReadRepair = "none" // the hints alone bring v2 to the replicas
		p.Clients = append(p.Clients, script("at 205ms", "get x via node-1", "at 10210ms", "get x via node-1"))
	}
	r := play(t, read, oneMilli, twoAway, crash("node-3", 200))
	r.Logs("node-4 keeps v2 at x for node-1", "node-5 keeps v2 at x for node-2", "client-1 has its write of v2 to x acknowledged",
		"client-2 reads v1 from x", "node-4 has handed over v2 at x to node-1", "node-5 has handed over v2 at x to node-2", "client-2 reads v2 from x")
	r.Violated("quorum-read", at(209))
	assert.Less(t, r.Moment("node-5 has handed over v2 at x to node-2"), at(10_200))

	strict := play(t, func(p *Params) { read(p); p.Quorum = "strict" }, oneMilli, twoAway, crash("node-3", 200))
	strict.Logs("client-1 fails in its write of v2 at x: no answer", "client-2 reads v1 from x")
	strict.Holds("quorum-read")
}

func TestHintIsKeptUntilItsNodeHasAcknowledgedIt(t *testing.T) {
	r := play(t, sloppy, oneMilli, twoAway, crash("node-1", 5_000, 20*time.Second))
	r.Logs("node-5 has handed over v2 at x to node-2", "node-1 stores v2 at x", "node-4 has handed over v2 at x to node-1")
	assert.Equal(t, at(10_132+2), r.Moment("node-5 has handed over v2 at x to node-2"))
	assert.Equal(t, at(30_132+2), r.Moment("node-4 has handed over v2 at x to node-1"), "every 10 s: at 10 and at 20 it is down")
}

func TestHintsSurviveACrashIfTheyAreDurable(t *testing.T) {
	down := crash("node-4", 1_000, time.Second)
	r := play(t, sloppy, oneMilli, twoAway, down)
	assert.Equal(t, at(12_000+2), r.Moment("node-4 has handed over v2 at x to node-1"), "10 s after its restart")

	lost := func(p *Params) {
		sloppy(p)
		p.HintsDurable, p.AntiEntropy, p.Converge = false, 0, ptr(20*time.Second)
	}
	r = play(t, lost, oneMilli, twoAway, down)
	r.Logs("node-4 has lost the hint that it kept before the crash", "node-5 has handed over v2 at x to node-2")
	assert.EqualValues(t, 1, r.Measure("hints-lost"))
	r.Violated("convergence", at(60_000))
}

func TestNodeWithoutRoomRefusesHints(t *testing.T) {
	full := func(p *Params) { sloppy(p); p.HintLimit = ptr(0) }
	r := play(t, full, oneMilli, twoAway)
	r.Logs("node-4 refuses v2 at x for node-1: it has no room for another hint", "client-1 fails in its write of v2 at x: timed out")
	assert.EqualValues(t, 0, r.Measure("hints"))

	one := func(p *Params) { sloppy(p); p.Nodes, p.HintLimit = 6, ptr(1) }
	away := partition(110, 90*ms, []string{"node-1", "node-2"}, []string{"node-3", "node-4", "node-5", "node-6"})
	r = play(t, func(p *Params) {
		one(p)
		p.Clients[0] = script("put x v1 via node-3", "at 110ms", "put x v2 via node-3", "put y v3 via node-3")
	}, oneMilli, away)
	r.Logs("node-4 keeps v2 at x for node-1", "node-5 keeps v2 at x for node-2", "node-5 refuses v3 at y for node-2: it has no room for another hint",
		"node-6 keeps v3 at y for node-2")
	assert.EqualValues(t, 0, r.Measure("failures"))
}

// A replica whose clock is too far behind refuses a write, and does not acknowledge it.
func TestReplicaThatRefusesAStampDoesNotAcknowledgeIt(t *testing.T) {
	ahead := simtest.Clock("node-1", sim.Clock{Offset: 10 * time.Second})
	for offset, want := range map[time.Duration]string{0: "client-1 has its write of v1 to x acknowledged", time.Second: "client-1 fails in its write of v1 at x: timed out"} {
		r := play(t, func(p *Params) {
			p.Conflict.Conflict, p.Conflict.MaxOffset = "last-write-wins-hlc", offset
			p.Clients = []ClientParams{script("put x v1 via node-1")}
		}, oneMilli, ahead)
		r.Logs(want)
	}
}
