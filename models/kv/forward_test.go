package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

// behindNode4 is four nodes of which node-4 does not store x, and the first replica of x.
func behindNode4(steps ...string) (set func(*Params), first string) {
	set = func(p *Params) {
		p.Nodes, p.Clients, p.Gossip, p.AntiEntropy = 4, []ClientParams{script(steps...)}, 0, 0
	}
	p := DefaultParams()
	set(&p)
	return set, map[sim.NodeID]string{1: "node-1", 2: "node-2", 3: "node-3"}[p.layout().Ring.At(0, 0)]
}

// A node that has forwarded a read to one that is down forwards it to the next one, after the time
// in which a coordinator that is up has answered; then it suspects the first and asks it no more.
func TestForwardedReadGoesToTheNextReplica(t *testing.T) {
	set, first := behindNode4("put x v1 via node-4", "at 1s", "get x via node-4", "get x via node-4")
	r := play(t, set, crash(first, 500, 10*time.Second))
	r.Logs("node-4 suspects "+first+": no answer", "client-1 reads v1 from x", "client-1 reads v1 from x")
	r.Holds("available")
	assert.Zero(t, r.Measure("failures"))
	assert.Equal(t, at(1630), r.Moment("client-1 reads v1 from x"), "5 ms to node-4, 600 ms, and 25 ms by way of another replica")
}

// A write is not sent again: its client hears of it before it runs out of patience, and the next
// one is taken by another replica.
func TestForwardedWriteFailsOnce(t *testing.T) {
	set, first := behindNode4("at 1s", "put x v1 via node-4", "put x v2 via node-4", "get x via node-4")
	r := play(t, set, crash(first, 500, 10*time.Second))
	r.Logs("client-1 fails in its write of v1 at x: timed out", "client-1 has its write of v2 to x acknowledged", "client-1 reads v2 from x")
	r.Violated("available", at(1610))
	assert.EqualValues(t, 1, r.Measure("failures"))
}

// With one of three nodes down a request at another one succeeds: a client that has no answer from
// the node that restarts has one from the next that it asks.
func TestAClientThatAsksAnotherNodeIsAnswered(t *testing.T) {
	r := play(t, func(p *Params) {
		p.Clients = []ClientParams{script("at 1s", "put x v1 via node-1", "put x v2 via node-2", "get x via node-3")}
	}, crash("node-1", 500, 4*time.Second))
	r.Logs("client-1 fails in its write of v1 at x: no answer", "client-1 has its write of v2 to x acknowledged", "client-1 reads v2 from x")
	r.Holds("available", "quorum-read", "no-lost-write")
	assert.EqualValues(t, 1, r.Measure("failures"))
}
