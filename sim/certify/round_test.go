package certify_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/certify"
)

// drawnFischer is two or three of Fischer's processes, of random times.
func drawnFischer(r *rand.Rand) (name string, s certify.Search) {
	n := 2 + r.IntN(2)
	longest, wait := time.Duration(1+r.IntN(6)), time.Duration(1+r.IntN(12))
	least := time.Duration(r.IntN(3))
	most := least + time.Duration(r.IntN(4))
	s = certify.Search{Program: fischer(n, longest, wait), Config: sim.Config{Until: 1000,
		Network: sim.Network{Order: sim.Order(r.IntN(2)), Default: sim.Link{Delay: sim.Uniform(least, most+1)}}}}
	if n == 2 {
		s.Faults = []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{1, 2}, Most: time.Duration(r.IntN(9)), Count: 1}}
	}
	return fmt.Sprintf("%d processes, write %d, wait %d, delay %d to %d, pauses %v", n, longest, wait, least, most, s.Faults), s
}

// What is found depends in nothing on how many workers there are.
func TestTheSameIsFoundByAnyNumberOfWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 12 {
		name, s := drawnFischer(r)
		s.Jobs = 1
		one, err := s.Run(t.Context())
		require.NoError(t, err)
		for _, s.Jobs = range []int{2, 3, 8} {
			other, err := s.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, one.Verdict, other.Verdict, "%s, %d jobs", name, s.Jobs)
			assert.Equal(t, one.States, other.States, "%s, %d jobs", name, s.Jobs)
			assert.Equal(t, one.Fired, other.Fired, "%s, %d jobs", name, s.Jobs)
			assert.Equal(t, one.Memory, other.Memory, "%s, %d jobs", name, s.Jobs)
			assert.Equal(t, one.Failure, other.Failure, "%s, %d jobs", name, s.Jobs)
		}
	}
}

// Whether zones are joined first or kept apart, a search proves the same: what joined ones have besides
// is never the reason for a violation.
func TestZonesThatAreJoinedChangeNoVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	certified := 0
	for range whole.Of(25, 60) {
		name, s := drawnFischer(r)
		joined, err := s.Run(t.Context())
		require.NoError(t, err)
		s.Apart = true
		apart, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, apart.Verdict == certify.Certified, joined.Verdict == certify.Certified, name)
		if apart.Verdict == certify.Certified {
			certified++
		}
	}
	assert.Greater(t, certified, 2)
}
