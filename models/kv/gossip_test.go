package kv

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/kv/core"
	"fencepost/models/kv/replica"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// adopts is a store of which one node has a newer ring, with the same members.
func adopts(nodes int) func() sim.System[core.Msg] {
	return func() sim.System[core.Msg] {
		p := DefaultParams()
		p.Nodes = nodes
		l, s := p.layout(), p.System()
		l.Rings = append(l.Rings, core.NewRing(l.Ring.Tokens, nodes, 1))
		for i := range s.Nodes {
			s.Nodes[i] = sim.Place[core.Msg](s.Nodes[i].Name, replica.Node{Settings: l.Settings, Ring: l.Rings[core.One(i == 0)]})
		}
		return s
	}
}

// A rumour of n nodes takes log2(n) + ln(n) rounds or so in which each tells one peer: Pittel,
// "On Spreading a Rumor", SIAM Journal on Applied Mathematics 47, 1987. Here those who do not
// know it ask, too, so it is faster.
func TestRingReachesEveryNode(t *testing.T) {
	r := simtest.Play(t, adopts(100), sim.Config{Until: at(20_000), Twice: true}, simtest.Delay(5*ms))
	assert.Equal(t, 99, strings.Count(r.Log(), "adopts ring 1"))
	last := 0
	for _, line := range strings.Split(r.Log(), "\n") {
		if strings.Contains(line, "adopts") {
			last++
			when, err := time.ParseDuration(strings.Fields(line)[0])
			require.NoError(t, err)
			assert.Less(t, when, 12*time.Second, "log2(100) + ln(100) is 11.2 rounds")
		}
	}
	assert.Equal(t, 99, last)
}

// Equal rings are not sent: a message for each node and round, and nothing else.
func TestEqualRingsCostOneMessagePerNodeAndRound(t *testing.T) {
	r := play(t, func(p *Params) { p.Nodes = 10 }, simtest.Until(at(30_500)))
	assert.Equal(t, 300, strings.Count(r.Trace(), "sends "))
	assert.Equal(t, 300, strings.Count(r.Trace(), ": gossip, ring 0; after"))
}

// Each peer is drawn about equally often, whatever the clock of the node does.
func TestPeersAreDrawn(t *testing.T) {
	r := play(t, func(p *Params) { p.Nodes = 5 }, simtest.Until(at(400_500)), simtest.Clock("node-2", sim.Clock{Rate: 300_000}))
	trace := r.Trace()
	for _, from := range []string{"node-1", "node-2"} {
		for _, to := range []string{"node-1", "node-2", "node-3", "node-4", "node-5"} {
			count := 0
			for _, line := range strings.Split(trace, "\n") {
				if words := strings.Fields(line); len(words) > 1 && words[1] == from && strings.Contains(line, "sends "+to+": gossip") {
					count++
				}
			}
			if from == to {
				assert.Zero(t, count)
				continue
			}
			assert.InDelta(t, 100, count, 40, "%s to %s", from, to)
		}
	}
}

// A node is suspected for 3 s, or until it is heard of.
func TestSuspicion(t *testing.T) {
	away := partition(100, 300*ms, []string{"node-1"}, []string{"node-2", "node-3", "node-4"})
	for gossip, want := range map[time.Duration]string{0: "node-4 keeps v2 at x for node-1", 200 * ms: "node-1 stores v2 at x"} {
		r := play(t, func(p *Params) {
			p.Nodes, p.Quorum, p.Gossip = 4, "sloppy", gossip
			p.Clients = []ClientParams{script("at 100ms", "put x v1 via node-2", "at 3s", "put x v2 via node-2")}
		}, oneMilli, away)
		r.Logs("node-2 suspects node-1: no answer", "node-4 keeps v1 at x for node-1", want)
	}
	r := play(t, func(p *Params) {
		p.Nodes, p.Quorum, p.Gossip = 4, "sloppy", 0
		p.Clients = []ClientParams{script("at 100ms", "put x v1 via node-2", "at 3202ms", "put x v2 via node-2")}
	}, oneMilli, away)
	r.Logs("node-1 stores v2 at x")
}
