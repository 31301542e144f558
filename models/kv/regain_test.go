package kv

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// regains is three replicas of x, of which node-3 loses x to node-4, and has it back when node-4
// leaves again; x is deleted meanwhile, and the tombstone collected.
func regains(streaming string) func(*Params) {
	return func(p *Params) {
		joins(p)
		p.Streaming, p.Grace = streaming, 2*time.Second
		p.Changes = append(p.Changes, ChangeParams{At: 20 * time.Second, Leave: "node-4"})
		p.Clients = []ClientParams{script("put x v1", "at 5s", "delete x via node-1", "at 15s", "get x via node-1", "at 25s", "get x from node-3 node-1")}
	}
}

// A node deletes what it still has of a key before it becomes a replica of it again: a tombstone
// that was collected meanwhile does not come back, nor what it had replaced.
func TestANodeThatGainsAKeyAgainForgetsWhatItHad(t *testing.T) {
	r := play(t, regains("quorum"), simtest.Until(at(40_000)))
	r.Logs("client-1 reads nothing from x", "node-4 has left the ring", "client-1 reads nothing from x")
	r.Holds("quorum-read")
}

// Without streaming it does not: the deleted value is back.
func TestANodeThatGainsAKeyAgainWithoutStreaming(t *testing.T) {
	r := play(t, regains("none"), simtest.Until(at(40_000)))
	r.Logs("client-1 reads nothing from x", "node-4 has left the ring", "client-1 reads v1 from x")
	r.Violated("quorum-read", at(25_020))
}

// A node forgets once for a change, also if it is told twice or crashes in between: what it stores
// after that may be what a coordinator counts on.
func TestANodeForgetsOnce(t *testing.T) {
	for _, change := range []simtest.Change{
		simtest.Disturb("controller", "node-3", sim.Fault{Do: sim.Duplicate, Msg: sim.MsgChoice{Kind: core.Forget}}),
		simtest.Disturb("node-3", "controller", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.Forgotten, Nth: 1}}),
		crash("node-3", 20_006, 2*time.Second),
		crash("controller", 20_006, 2*time.Second),
	} {
		r := play(t, regains("quorum"), simtest.Until(at(60_000)), change)
		r.Holds("quorum-read", "no-lost-write")
		assert.Equal(t, 1, strings.Count(r.Log(), "which it has from an earlier ring"))
		assert.EqualValues(t, 2, r.Measure("ring-changes"))
	}
}
