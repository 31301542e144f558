package kv

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// lists are the preference lists of the first keys of a ring.
func lists(r *core.Ring, n, keys int) (all [][]sim.NodeID) {
	for k := range keys {
		var list []sim.NodeID
		for i := range n {
			list = append(list, r.At(uint32(k), i))
		}
		all = append(all, list)
	}
	return all
}

func ringOf(t *testing.T, set func(*Params)) *core.Ring {
	p := DefaultParams()
	set(&p)
	assert.Empty(t, p.Problems())
	return p.firstRing()
}

// as the parameters of a store have them: node A of the vectors, and
// node 0, is node-1.
func TestRingOfParameters(t *testing.T) {
	hashed := ringOf(t, func(p *Params) {
		p.Nodes, p.Ring = 5, RingParams{Strategy: "hashed", VirtualNodes: ptr(8)}
		p.Workload = &WorkloadParams{Clients: 1, Gap: sim.Constant(ms), Keys: ptr(43)}
	})
	assert.Equal(t, [][]sim.NodeID{{3, 1, 5}, {3, 2, 1}}, lists(hashed, 3, 2))
	assert.Equal(t, []sim.NodeID{1, 5, 2}, lists(hashed, 3, 43)[42])

	distinct := ringOf(t, func(p *Params) {
		p.Clients = []ClientParams{script("get a", "get b", "get c", "get d")}
		p.Ring = RingParams{Strategy: "explicit", Positions: []int{5, 25, 35, 41},
			Tokens: []Token{{"node-1", 10}, {"node-2", 20}, {"node-1", 30}, {"node-3", 40}}}
	})
	assert.Equal(t, [][]sim.NodeID{{1, 2, 3}, {1, 3, 2}, {3, 1, 2}, {1, 2, 3}}, lists(distinct, 3, 4))

	ordered := ringOf(t, func(p *Params) { p.Nodes, p.Clients = 4, []ClientParams{script("get a", "get b")} })
	assert.Equal(t, [][]sim.NodeID{{1, 2, 3}, {2, 3, 4}}, lists(ordered, 3, 2))
}

func TestRingProblems(t *testing.T) {
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "ring.tokens", Says: "each of 3 nodes needs a token, node-2 has none", Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "explicit", Tokens: []Token{{"node-1", 1}, {"node-3", 3}}}
		}},
		modeltest.Case[Params]{Path: "ring.tokens.2", Says: "node-1 has the token 7, too", Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "explicit", Tokens: []Token{{"node-1", 7}, {"node-2", 1}, {"node-3", 7}}}
		}},
		modeltest.Case[Params]{Path: "ring.tokens.0", Says: `no node "node-4": want node-1 to node-3`, Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "explicit", Tokens: []Token{{"node-4", 7}}}
		}},
		modeltest.Case[Params]{Path: "ring.tokens", Says: `the strategy is "hashed"`, Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "hashed", Tokens: []Token{{"node-1", 7}}}
		}},
		modeltest.Case[Params]{Path: "ring.positions", Says: "want one of each key, of which there are 2, got 1", Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "explicit", Tokens: []Token{{"node-1", 1}, {"node-2", 2}, {"node-3", 3}}, Positions: []int{1}}
			p.Clients = []ClientParams{script("get a", "get b")}
		}},
		modeltest.Case[Params]{Path: "ring.positions", Says: `the strategy is "hashed"`, Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "hashed", Positions: []int{1}}
		}},
		modeltest.Case[Params]{Path: "ring.partitions", Says: "want at least nodes and spare-nodes, which are 4, got 3", Set: func(p *Params) {
			p.Spare, p.Ring = 1, RingParams{Strategy: "partitions", Partitions: ptr(3)}
		}},
		modeltest.Case[Params]{Path: "ring.hash", Says: `tokens need a hash of labels, got "number"`, Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "hashed", Hash: "number"}
		}},
	)
	for text, want := range map[string]string{
		"node-1": `want a node and its token, as in "node-1 90", got "node-1"`, "node-1 -1": `got "node-1 -1"`, "node-1 2 3": `got "node-1 2 3"`,
	} {
		assert.ErrorContains(t, new(Token).UnmarshalText([]byte(text)), want)
	}
}
