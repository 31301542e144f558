package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/internal/whole"
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// lag is the second write to node-2, which is lost: node-2 stores v1.
var lag = simtest.Disturb("", "node-2", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.ReplicaWrite, Nth: 2}})

// joins is three nodes, A = node-3, B = node-1 and C = node-2 of vector S-04, and E = node-4,
// which joins at 1 s: the replicas {A,B,C} of x become {E,B,C}.
func joins(p *Params) {
	p.Spare, p.Changes = 1, []ChangeParams{{At: time.Second, Join: "node-4"}}
	p.Clients = []ClientParams{script("put x v1", "at 500ms", "put x v2", "at 2s", "get x from node-4 node-2")}
}

// S-04: "{A,B,C} to {E,B,C}, v2 acked by A,B: read {E,C} v1; with streaming v2."
func TestJoinWithoutStreamingBreaksTheOverlapOfQuorums(t *testing.T) {
	r := play(t, func(p *Params) { joins(p); p.Streaming = "none" }, lag)
	r.Logs("client-1 has its write of v2 to x acknowledged", "node-4 has joined the ring", "client-1 reads v1 from x")
	r.Violated("quorum-read", at(2020))

	r = play(t, joins, lag)
	r.Logs("client-1 has its write of v2 to x acknowledged", "node-4 stores v2 at x", "node-4 has joined the ring", "client-1 reads v2 from x")
	r.Holds("quorum-read")
	assert.EqualValues(t, 2, r.Measure("streamed-objects"), "N - W + 1 = 2 replicas send it")
}

// A node that joins answers no read before it has what it gains.
func TestJoiningNodeServesNoRead(t *testing.T) {
	r := play(t, func(p *Params) {
		joins(p)
		p.StreamRate, p.Conflict.ValueBytes = 1000, 1000 // a second for the value
		p.Clients = []ClientParams{script("put x v1", "at 1200ms", "get x from node-4 node-2", "at 5s", "get x from node-4 node-2")}
	})
	r.Logs("client-1 fails in its read at x: timed out", "node-4 has joined the ring", "client-1 reads v1 from x")
	assert.Equal(t, at(1025), r.Moment("node-4 stores v1 at x"), "it has the value before it serves it")
}

// Writes while a node joins are acknowledged by W of the old and by W of the new nodes: with
// node-4 and node-2 unreachable the new ones have only one.
func TestWriteDuringAJoinNeedsBothQuorums(t *testing.T) {
	slow := func(p *Params) {
		joins(p)
		p.StreamRate, p.Conflict.ValueBytes = 1000, 1000
		p.Clients = []ClientParams{script("put x v1", "at 1200ms", "put x v2 via node-1")}
	}
	cut := partition(1100, 10*time.Second, []string{"node-4", "node-2"}, []string{"node-1", "node-3"})
	r := play(t, slow, cut)
	r.Logs("client-1 fails in its write of v2 at x: timed out")
	r = play(t, slow)
	r.Logs("node-4 stores v2 at x", "client-1 has its write of v2 to x acknowledged", "node-4 has joined the ring")
}

func TestOneChangeAtATime(t *testing.T) {
	r := play(t, func(p *Params) {
		joins(p)
		p.Spare, p.Nodes, p.Replicas = 2, 4, ptr(3)
		p.Changes = []ChangeParams{{At: time.Second, Join: "node-5"}, {At: 1010 * ms, Join: "node-6"}, {At: 1020 * ms, Leave: "node-1"}, {At: 3 * time.Second, Leave: "node-6"}}
	})
	r.Logs("controller adds node-5 to the ring",
		"controller refuses the join of node-6: node-5 joins at this time, and only one change runs at a time",
		"controller refuses the leave of node-1: node-5 joins at this time, and only one change runs at a time",
		"node-5 has joined the ring",
		"controller refuses the leave of node-6: it is not a member")
	assert.EqualValues(t, 3, r.Measure("ring-changes-refused"))
	assert.EqualValues(t, 1, r.Measure("ring-changes"))
}

func TestChangeProblems(t *testing.T) {
	changes := func(list ...ChangeParams) func(*Params) {
		return func(p *Params) { p.Nodes, p.Spare, p.Replicas, p.Changes = 4, 1, ptr(3), list }
	}
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "changes.1.at", Says: "cannot start while another one runs: want later than 1s, got 1s",
			Set: changes(ChangeParams{At: time.Second, Join: "node-5"}, ChangeParams{At: time.Second, Leave: "node-1"})},
		modeltest.Case[Params]{Path: "changes.0.join", Says: "node-1 is a member already", Set: changes(ChangeParams{Join: "node-1"})},
		modeltest.Case[Params]{Path: "changes.0.leave", Says: "node-5 is not a member", Set: changes(ChangeParams{Leave: "node-5"})},
		modeltest.Case[Params]{Path: "changes.0.join", Says: `no node "node-6": want node-1 to node-5`, Set: changes(ChangeParams{Join: "node-6"})},
		modeltest.Case[Params]{Path: "changes.0", Says: "want a node that joins or one that leaves", Set: changes(ChangeParams{Join: "node-5", Leave: "node-1"})},
		modeltest.Case[Params]{Path: "changes.0.leave", Says: "want at least 5 members", Set: func(p *Params) {
			changes(ChangeParams{Leave: "node-1"})(p)
			p.Replicas = ptr(4)
		}},
		modeltest.Case[Params]{Path: "scale", Says: "leave out one of scale and changes", Set: func(p *Params) {
			changes(ChangeParams{Join: "node-5"})(p)
			p.Scale = &ScaleParams{Capacity: 10}
		}},
		modeltest.Case[Params]{Path: "scale", Says: "no node can be added or drained", Set: func(p *Params) { p.Scale = &ScaleParams{Capacity: 10} }},
		modeltest.Case[Params]{Path: "scale.drain-below", Says: "want less than add-above", Set: func(p *Params) {
			p.Nodes, p.Scale = 4, &ScaleParams{Capacity: 10, DrainBelow: ptr(sim.Certain * 8 / 10)}
		}},
	)
}

// churn is five nodes and two more with readers and writers, while nodes join and leave.
func churn(p *Params) {
	p.Nodes, p.Spare, p.Replicas = 5, 2, ptr(3)
	p.Ring = RingParams{Strategy: "hashed", VirtualNodes: ptr(4)}
	p.Workload = &WorkloadParams{Clients: 6, Gap: sim.Exponential(40 * ms), Reads: sim.Certain / 2, Keys: ptr(12)}
	p.Changes = []ChangeParams{{At: 500 * ms, Join: "node-6"}, {At: 4 * time.Second, Leave: "node-2"}, {At: 9 * time.Second, Join: "node-7"}, {At: 14 * time.Second, Leave: "node-6"}}
	p.Route = "in-turn"
}

// S-04: "E serves only after streaming from a quorum of the old set, and writes go to
// old and pending with W counted on both; one join at a time". In storms of delays, losses
// and pauses no read misses a write that was acknowledged; without streams some do. A put that
// arrives twice is two writes, as without a change of the ring.
func TestQuorumsOverlapWhileTheRingChanges(t *testing.T) {
	runs := whole.Of(24, 60)
	if testing.Short() {
		runs = 10
	}
	modeltest.Storms(t, system(t, churn), runs, []string{"quorum-read", "no-lost-write", "concurrent-siblings"}, nil, once)
	modeltest.Storms(t, system(t, churn), runs, []string{"quorum-read", "no-lost-write"}, []string{"concurrent-siblings"}, twice)
	if testing.Short() {
		return
	}
	modeltest.Storms(t, system(t, func(p *Params) { churn(p); p.Streaming = "none" }), runs, nil, []string{"quorum-read"})
}

func TestChangesSurviveCrashes(t *testing.T) {
	for _, crashed := range []string{"node-6", "node-1", "controller"} {
		for _, when := range []int64{520, 1000} {
			r := play(t, func(p *Params) { churn(p); p.StreamRate = 5000 }, crash(crashed, when, 2*time.Second), simtest.Until(at(20_000)), simtest.Once())
			r.Holds("quorum-read")
			assert.EqualValues(t, 3, r.Measure("ring-changes")+r.Measure("ring-changes-refused")-1, "%s at %d ms: %s", crashed, when, r.Log())
		}
	}
}

// A stream that is slower than a byte per part, and whose one value takes 103 s, ends: the node
// that waits for it does not start it over.
func TestSlowStreamEnds(t *testing.T) {
	r := play(t, func(p *Params) {
		joins(p)
		p.StreamRate, p.Conflict.ValueBytes = 10, 1000
		p.Clients = []ClientParams{script("put x v1")}
	}, simtest.Until(at(200_000)))
	r.Logs("node-4 stores v1 at x", "node-4 has joined the ring")
	assert.EqualValues(t, 2, r.Measure("streamed-objects"))
}
