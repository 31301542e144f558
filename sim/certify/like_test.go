package certify_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/certify"
)

// Whether processes that are alike are taken for that or not, a search proves the same, in fewer states.
func TestNodesThatAreAlikeChangeNoVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	certified := 0
	for range whole.Of(25, 60) {
		name, s := drawnFischer(r)
		s.Apart = r.IntN(2) == 0
		alike, err := s.Run(t.Context())
		require.NoError(t, err)
		s.Unlike = true
		unlike, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, unlike.Verdict == certify.Certified, alike.Verdict == certify.Certified, name)
		if unlike.Verdict == certify.Certified {
			certified++
			assert.Less(t, alike.States, unlike.States, name)
		}
	}
	assert.Greater(t, certified, 2)
}

// nameless is a memory that does not say that it has the number of a process in it.
type nameless struct{ X int64 }

func (m *nameless) Step(in sim.In[word], out *sim.Out[word]) { (*memory)(m).Step(in, out) }
func (m *nameless) Symbolic() string                         { return "" }
func (m *nameless) Forget()                                  {}
func (m *nameless) Ignores(*sim.Arrival[word]) bool          { return false }

// Nodes that are not alike as the model says are no proof of anything: what the memory has would be another's.
func TestNodesThatAreWronglySaidToBeAlikeChangeAVerdict(t *testing.T) {
	s := certify.Search{Config: sim.Config{Until: 1000, Network: sim.Network{Order: sim.Free}}}
	s.Program = fischerOf(3, 10, 11, func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, nameless{}) })
	for unlike, want := range map[bool]certify.Verdict{true: certify.Certified, false: certify.Unknown} {
		s.Unlike = unlike
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, r.Bound)
	}
}

// Nodes that begin otherwise, or that something else may happen to, are not alike, whatever the model says.
func TestNodesThatDifferAreNotTakenForAlike(t *testing.T) {
	s := certify.Search{Program: fischer(2, 10, 20), Config: sim.Config{Until: 1000, Network: sim.Network{Order: sim.Free}}}
	states := func() int {
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, certify.Certified, r.Verdict)
		return r.States
	}
	both := states()
	s.Faults = []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{1}, Most: 0, Count: 1}}
	one := states()
	s.Unlike = true
	assert.Equal(t, states(), one, "a pause of process 1 alone")
	s.Faults = nil
	assert.Greater(t, states(), both)

	s.Unlike, s.Config.Network.Rules = false, []sim.LinkRule{{From: []sim.NodeID{1}, To: []sim.NodeID{3}, Link: sim.Link{Delay: sim.Constant(time.Nanosecond)}}}
	slow := states()
	s.Unlike = true
	assert.Equal(t, states(), slow, "a link of process 1 alone")
}
