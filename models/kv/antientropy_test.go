package kv

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// M-01: "hash comparisons, one differing leaf of 16, 1024, 65 536: 9, 21, 33".
func TestOneDifferingLeafCostsOnePlusTwoComparisonsPerLevel(t *testing.T) {
	for _, v := range []struct{ leaves, comparisons int }{{16, 9}, {1024, 21}, {65536, 33}} {
		r := play(t, func(p *Params) {
			p.Nodes, p.Write, p.MerkleLeaves = 2, ptr(1), ptr(v.leaves)
			p.Clients = []ClientParams{script("put x v1", "put y v1", "put z v1")}
		}, simtest.Until(at(61_000)), lose(core.ReplicaWrite, "node-2", "node-1", 1))
		assert.EqualValues(t, v.comparisons, r.Measure("hash-comparisons"), "M-01: %d leaves", v.leaves)
		r.Logs("node-1 stores v1 at y")
		assert.InDelta(t, 100+8*v.comparisons, r.Measure("anti-entropy-bytes"), 20, "a value of 100, its clock, and 8 of each hash")
	}
}

// Replicas that store the same compare one hash for each pair of them and round.
func TestEqualReplicasCompareTheirRoots(t *testing.T) {
	for nodes, pairs := range map[int]int{2: 1, 3: 3, 4: 6} {
		r := play(t, func(p *Params) {
			p.Nodes, p.Replicas = nodes, ptr(nodes)
			p.Clients = []ClientParams{script("put x v1", "put y v1")}
		}, simtest.Until(at(181_000)))
		assert.EqualValues(t, 3*pairs, r.Measure("hash-comparisons"), "3 rounds of %d replicas", nodes)
		assert.EqualValues(t, 0, r.Measure("anti-entropy-exchanges"))
		r.Holds("convergence")
	}
}

// Whatever is lost, replicas agree two rounds later; without anti-entropy they do not.
func TestReplicasAgreeAfterLosses(t *testing.T) {
	for _, every := range []int64{10_000, 0} {
		violated := 0
		for seed := range 8 {
			r := play(t, func(p *Params) {
				busy(p)
				p.Workload.Operations, p.Workload.Keys = 40, ptr(20+seed)
				p.AntiEntropy, p.Converge, p.ReadRepair = sim.Time(at(every)).Sub(0), ptr(20_000*ms), "none"
			}, simtest.Until(at(60_000)), lossy)
			if r.Finding("convergence").Verdict == sim.Violated {
				violated++
			}
		}
		assert.Equal(t, every == 0, violated > 0, "%d of 8 with rounds each %d ms", violated, every)
	}
}

// lossy loses a fifth of the messages of the first ten seconds.
func lossy(c *sim.Config, p *sim.Program) {
	var all []string
	for i := range 5 {
		all = append(all, fmt.Sprintf("node-%d", i+1))
	}
	for i := 1; i < len(all); i++ {
		simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(int64(500 * (i + 1)))}, For: sim.Constant(400 * ms)}, all[:i], all[i:])(c, p)
	}
}

func TestSharesAreTheKeysThatTheSameNodesStore(t *testing.T) {
	p := DefaultParams()
	p.Nodes, p.Workload = 4, &WorkloadParams{Clients: 1, Gap: sim.Constant(ms), Keys: ptr(10)}
	s := p.layout().Ring.Shares
	assert.Len(t, s.All, 4)
	seen := 0
	for i, share := range s.All {
		for _, key := range share.Keys {
			assert.EqualValues(t, i, s.Of[key])
			assert.Equal(t, key, share.Keys[s.At[key]])
			seen++
		}
		for _, id := range share.Nodes {
			local, ok := s.LocalOf(uint32(i), id)
			assert.True(t, ok)
			assert.EqualValues(t, i, s.ByNode[id][local])
		}
		assert.Len(t, share.Nodes, 3)
	}
	assert.Equal(t, 10, seen)
	_, ok := s.LocalOf(99, 1)
	assert.False(t, ok)
}
