package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

func conflict(name string) func(*Params) { return func(p *Params) { p.Conflict.Conflict = name } }

// ahead sets the wall clock of node-1 forward.
func ahead(by time.Duration) simtest.Change {
	return func(c *sim.Config, _ *sim.Program) {
		for len(c.Clocks) < 1 {
			c.Clocks = append(c.Clocks, sim.Clock{})
		}
		c.Clocks[0].Offset = by
	}
}

var noDelay = simtest.Delay(0)

// skewed is a write by way of node-1 at 0, and sixty by way of node-2 from 100 ms to 6,000 ms.
func skewed(step ...string) func(*Params) {
	return func(p *Params) {
		second := script(step...)
		second.Start, second.Repeat, second.Think = 100*ms, ptr(60), sim.Constant(100*ms)
		p.Clients = []ClientParams{script("put x a via node-1"), second}
	}
}

// W-01: "n1 +5000, write at 0; n2 writes 100…6000 step 100: 50 acknowledged writes lost, first
// effective 5100." W-02: a hybrid clock with the read context loses none of them; of blind writes
// it loses the same 50, and the first one, which no later writer has read.
func TestLostWritesUnderSkew(t *testing.T) {
	reads, blind := skewed("get x via node-2", "put x b via node-2"), skewed("blind-put x b via node-2")
	for _, c := range []struct {
		policy string
		script func(*Params)
		lost   int64
	}{
		{"last-write-wins", reads, 50}, {"last-write-wins-hlc", reads, 0}, {"dvvset", reads, 0},
		{"last-write-wins", blind, 60}, {"last-write-wins-hlc", blind, 60},
	} {
		r := play(t, func(p *Params) { c.script(p); conflict(c.policy)(p) }, noDelay, ahead(5*time.Second))
		assert.Equal(t, c.lost, r.Measure("lost-writes"), c.policy)
		assert.EqualValues(t, 61, r.Measure("writes"))
		if c.lost == 50 {
			r.Violated("no-lost-write", at(100))
			assert.Equal(t, at(5100), r.Moment("node-2 stores b at x"))
		}
	}
}

// split is a partition of {node-1} and {node-2, node-3} from 1 s to 6 s, with a write every
// 100 ms on each side by a client that reads first.
func split(p *Params) {
	p.Read, p.Write, p.Handoff = ptr(1), ptr(1), 0
	for _, node := range []string{"node-1", "node-2"} {
		c := script("get x via "+node, "put x v via "+node)
		c.Start, c.Repeat, c.Think = time.Second, ptr(50), sim.Constant(100*ms)
		p.Clients = append(p.Clients, c)
	}
	p.AntiEntropy = 10 * time.Second
}

// W-03: "partition, 50 writes per side, W=1: LWW loses 50; DVV 2 siblings." All of a side's 50
// are lost, as its last one is.
func TestLostWritesOfAPartition(t *testing.T) {
	apart := partition(900, 5100*ms, []string{"node-1"}, []string{"node-2", "node-3"})
	for name, want := range map[string]struct{ lost, siblings int64 }{
		"last-write-wins": {50, 1}, "last-write-wins-hlc": {50, 1}, "dvvset": {0, 2}, "client-vectors": {0, 2}, "server-vectors": {0, 2},
		"vnode-vectors": {0, 2}, "register": {0, 2},
	} {
		r := play(t, func(p *Params) { split(p); conflict(name)(p) }, noDelay, apart)
		assert.EqualValues(t, 100, r.Measure("writes"), name)
		assert.Equal(t, want.lost, r.Measure("lost-writes"), name)
		assert.Equal(t, want.siblings, r.Measure("most-siblings"), name)
		r.Holds("convergence")
	}
}

// carts is a cart of A and B, from which one side of a partition removes B and to which it adds
// C, while the other adds D; then a client reads both.
func carts(p *Params) {
	p.Read, p.Write, p.Handoff, p.AntiEntropy, p.ReadRepair = ptr(1), ptr(1), 0, 10*time.Second, "none"
	p.Clients = []ClientParams{
		script("add cart A via node-1", "add cart B via node-1", "at 1s", "remove cart B via node-1", "add cart C via node-1"),
		script("at 500ms", "get cart via node-2", "at 1s", "add cart D via node-2", "at 30s", "get cart via node-2"),
	}
}

// G-04: "carts {A,C} (B removed) and {A,B,D}, union: ABCD, B is back."
func TestCartAfterAPartition(t *testing.T) {
	apart := partition(900, 5*time.Second, []string{"node-1"}, []string{"node-2", "node-3"})
	for _, c := range []struct{ policy, cart, want string }{
		{"dvvset", "union", "client-2 reads A+C, A+B+D from cart"}, // its client reads A+B+C+D
		{"dvvset", "tombstones", "client-2 reads A+C, A+B+D from cart"},
		{"or-set", "union", "client-2 reads A+C+D from cart"},
	} {
		r := play(t, func(p *Params) { carts(p); conflict(c.policy)(p); p.Conflict.Cart = c.cart }, noDelay, apart)
		r.Logs("client-2 reads A+B from cart", c.want)
		r.Holds("no-lost-write")
		if c.cart == "union" && c.policy == "dvvset" {
			r.Violated("no-resurrection", at(30_000))
		} else {
			r.Holds("no-resurrection")
		}
	}
}

// forgets is a key that is deleted while node-3 is down; once node-3 is back, a client reads from
// all nodes.
func forgets(down time.Duration) func(*Params) {
	return func(p *Params) {
		p.Read, p.AntiEntropy, p.Handoff, p.Gossip = ptr(3), 0, 0, 0
		p.Clients = []ClientParams{script("put x v via node-1", "at 1s", "delete x via node-1"),
			script("at "+(down+600*ms).String(), "get x via node-1", "wait 1h", "get x via node-1")}
	}
}

// G-03: "gc_grace 864 000 s, C back at 863 999 / 864 001: deleted / resurrected."
func TestTombstoneIsCollectedWhileAReplicaIsDown(t *testing.T) {
	for down, collected := range map[time.Duration]int64{863_999 * time.Second: 3, 864_001 * time.Second: 2} {
		r := play(t, forgets(down), noDelay, crash("node-3", 500, down), func(c *sim.Config, _ *sim.Program) { c.Until = at(870_000_000) })
		assert.Equal(t, collected, r.Measure("tombstones-collected"))
		if collected == 3 {
			r.Logs("client-2 reads a tombstone from x", "node-3 collects a tombstone at x", "client-2 reads nothing from x")
			r.Holds("no-lost-write", "quorum-read")
			continue
		}
		r.Logs("node-1 collects a tombstone at x", "node-3 restarts", "client-2 reads v from x")
		r.Violated("no-lost-write", at(864_001_600))
		r.Violated("quorum-read", at(864_001_600))
	}
}

// wiped is a node that takes five writes, loses its disk and takes a sixth, of a client that has
// read nothing.
func wiped(actor string) func(*Params) {
	return func(p *Params) {
		p.Disk, p.Conflict.Actor, p.Read, p.Write, p.ReadRepair, p.Handoff, p.AntiEntropy = "lost", actor, ptr(1), ptr(1), "none", 0, 10*time.Second
		p.Clients = []ClientParams{script("put x v1 via node-1", "put x v2 via node-1", "put x v3 via node-1", "put x v4 via node-1", "put x v5 via node-1"),
			script("at 5s", "blind-put x v6 via node-1", "at 30s", "get x via node-2")}
	}
}

// D-13: "{a,5,[v5]} survives; a wiped, blind put v6: v6 lost." D-14: with a new id both survive.
func TestDotIsUsedTwiceAfterALostDisk(t *testing.T) {
	r := play(t, wiped("node"), noDelay, crash("node-1", 1000, time.Second))
	r.Logs("node-1 starts with an empty disk", "client-2 has its write of v6 to x acknowledged", "client-2 reads v5 from x")
	r.Violated("no-lost-write", at(12_000))
	assert.EqualValues(t, 1, r.Measure("lost-writes"))

	r = play(t, wiped("epoch"), noDelay, crash("node-1", 1000, time.Second))
	r.Logs("client-2 reads v5, v6 from x")
	r.Holds("no-lost-write", "concurrent-siblings")
}

// D-15: a vector that is truncated to three entries has forgotten node-1: its predecessor turns
// concurrent with it.
func TestTruncatedVectorKeepsWhatItReplaced(t *testing.T) {
	truncated := func(entries int) func(*Params) {
		return func(p *Params) {
			p.Nodes, p.Replicas, p.Write = 4, ptr(4), ptr(4)
			p.Conflict.Conflict, p.Conflict.Truncate = "server-vectors", entries
			p.Clients = []ClientParams{script("put x v1 via node-1", "wait 1ms", "put x v2 via node-2", "wait 1ms", "put x v3 via node-3", "wait 1ms", "put x v4 via node-4", "get x")}
		}
	}
	r := play(t, truncated(3), noDelay)
	r.Logs("client-1 reads v3, v4 from x")
	r.Violated("concurrent-siblings", at(3))
	r.Holds("no-lost-write")
	r = play(t, truncated(4), noDelay)
	r.Logs("client-1 reads v4 from x")
	r.Holds("concurrent-siblings")
}

// Counters and sets by a script: nothing is lost in a partition.
func TestCounterInAPartition(t *testing.T) {
	r := play(t, func(p *Params) {
		conflict("counter")(p)
		p.Write, p.Read, p.AntiEntropy = ptr(1), ptr(1), 10*time.Second
		p.Clients = []ClientParams{script("at 1s", "add visits 3 via node-1", "remove visits 1 via node-1"),
			script("at 1s", "add visits 40 via node-2", "at 30s", "get visits via node-3")}
	}, noDelay, partition(900, 5*time.Second, []string{"node-1"}, []string{"node-2", "node-3"}))
	r.Logs("client-1 adds 3 to visits", "client-1 has its removal of 1 from visits acknowledged", "client-2 reads 42 from visits")
	r.Holds("no-lost-write", "convergence")
}

func TestWhatAPolicyDoesNotTake(t *testing.T) {
	clients := func(policy string, step string) func(*Params) {
		return func(p *Params) { conflict(policy)(p); p.Clients = []ClientParams{script(step)} }
	}
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "clients.0.steps.0", Says: "policy counter takes no put: want add or remove", Set: clients("counter", "put x v1")},
		modeltest.Case[Params]{Path: "clients.0.steps.0", Says: "policy counter takes no delete", Set: clients("counter", "delete x")},
		modeltest.Case[Params]{Path: "clients.0.steps.0", Says: `want an amount of 0 to 4294967295, got "milk"`, Set: clients("counter", "add x milk")},
		modeltest.Case[Params]{Path: "clients.0.steps.0", Says: "policy or-set takes no put: want add, remove or delete", Set: clients("or-set", "put x v1")},
		modeltest.Case[Params]{Path: "workload", Says: "policy or-set has none", Set: func(p *Params) { busy(p); conflict("or-set")(p) }},
	)
}

// writeMutants are policies that lose writes, keep what was replaced, or bring back what was removed.
func writeMutants(t *testing.T) (all []modeltest.Mutant[core.Msg]) {
	blind := func(policy string) func() sim.System[core.Msg] {
		return system(t, func(p *Params) {
			conflict(policy)(p)
			p.Clients = []ClientParams{script("put x A via node-1", "wait 10ms", "put x C via node-1"), script("at 5ms", "blind-put x B via node-1")}
		})
	}
	cart := func(how string) func() sim.System[core.Msg] {
		return system(t, func(p *Params) { carts(p); p.Conflict.Cart = how })
	}
	apart := partition(900, 5*time.Second, []string{"node-1"}, []string{"node-2", "node-3"})
	deleted := func(grace time.Duration) func() sim.System[core.Msg] {
		return system(t, func(p *Params) {
			conflict("last-write-wins")(p)
			p.Grace, p.AntiEntropy, p.Handoff, p.Gossip = grace, 20*time.Second, 0, 0
			p.Clients = []ClientParams{script("put x v via node-1", "at 5s", "delete x via node-1", "at 10s", "get x via node-1", "at 50s", "get x via node-1")}
		})
	}
	doubted := func(get string) func() sim.System[core.Msg] {
		return system(t, func(p *Params) {
			conflict("last-write-wins")(p)
			p.AntiEntropy, p.Handoff, p.Claims = 0, 0, []string{"no-write-in-doubt"}
			p.Clients = []ClientParams{script("put x v1 via node-1", "at 5s", "put x v2 via node-3", "at 20s", get)}
		})
	}
	away := partition(4000, 10*time.Second, []string{"node-1", "node-2"}, []string{"node-3"})
	return []modeltest.Mutant[core.Msg]{
		{Property: "no-lost-write", Correct: blind("dvvset"), Mutant: blind("server-vectors"), Changes: []simtest.Change{noDelay}},
		{Property: "concurrent-siblings", Correct: blind("dvvset"), Mutant: blind("vnode-vectors"), Changes: []simtest.Change{noDelay}},
		{Property: "no-resurrection", Correct: cart("tombstones"), Mutant: cart("union"), Changes: []simtest.Change{noDelay, apart}},
		{Property: "no-resurrection", Correct: deleted(time.Hour), Mutant: deleted(2 * time.Second), Changes: []simtest.Change{noDelay, away}},
		{Property: "no-write-in-doubt", Correct: doubted("get x from node-1 node-2 via node-1"), Mutant: doubted("get x via node-3"), Changes: []simtest.Change{noDelay, away}},
	}
}

// After a failed read a client goes to its next round: it does not write what it has not read.
func TestRoundEndsWithAFailedRequest(t *testing.T) {
	for failed, want := range map[string]int64{"next-round": 1, "next-step": 2} {
		r := play(t, func(p *Params) {
			c := script("get x via node-1", "put x v via node-1")
			c.Failed = failed
			p.Clients = []ClientParams{c}
		}, noDelay, partition(0, time.Hour, []string{"node-1"}, []string{"node-2", "node-3"}))
		assert.Equal(t, want, r.Measure("failures"), failed)
	}
}
