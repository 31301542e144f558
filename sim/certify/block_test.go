package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// announcer sends a word to each memory, with a note between two of them or without.
type announcer struct {
	Memories int
	Between  bool
}

func (t *announcer) Step(in sim.In[word], out *sim.Out[word]) {
	if in.Msg.Kind != first {
		return
	}
	for i := range t.Memories {
		if t.Between && i == 1 {
			out.Note(word{Kind: enters})
		}
		out.Send(sim.NodeID(i+2), word{Kind: read})
	}
}

func (t *announcer) Symbolic() string                { return "" }
func (t *announcer) Forget()                         {}
func (t *announcer) Ignores(*sim.Arrival[word]) bool { return false }

// tells is an announcer and its memories, which are alike.
func tells(memories int, between bool) sim.Program {
	return sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters}, Properties: []sim.Property[word]{&alone{}}, Alike: make([][]sim.NodeID, 1)}
		sim.Put(&s, s.Node("announcer"), announcer{Memories: memories, Between: between})
		for range memories {
			id := s.Node("memory")
			s.Alike[0] = append(s.Alike[0], id)
			sim.Put(&s, id, memory{})
		}
		return s
	})
}

// Sends keep the order of the step that makes them, and nodes that are alike have none. Where a fault may begin between two
// sends, any of them may have left; that is explored of sends that follow one another, and of no more than eight.
func TestSendsToAlikeNodesThatAreNotTogetherAreRefused(t *testing.T) {
	pause := []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{1}, Most: time.Second, Count: 1}}
	for _, c := range []struct {
		claim    string
		memories int
		between  bool
		faults   []certify.Fault
		refused  bool
	}{
		{"together", 3, false, pause, false},
		{"a note between", 3, true, pause, true},
		{"a note between, and nothing may begin there", 3, true, nil, false},
		{"too many", 9, false, pause, true},
	} {
		s := certify.Search{Program: tells(c.memories, c.between), Faults: c.faults, Config: sim.Config{Until: 1000, Network: sim.Network{Order: sim.Free}}}
		r, err := s.Run(t.Context())
		if c.refused {
			assert.ErrorContains(t, err, "announcer: a fault may begin between the sends of a step to nodes that are alike", c.claim)
			continue
		}
		require.NoError(t, err, c.claim)
		assert.Equal(t, certify.Certified, r.Verdict, c.claim)
	}
}

// Reference: Fischer's mutual exclusion, of more processes than a step may send to where a fault may begin.
func TestAnyNumberOfProcessesMayBeAlike(t *testing.T) {
	s := certify.Search{Program: fischer(9, 10, 11), Limits: certify.Limits{States: 20_000}, Config: sim.Config{Until: 1000, Network: sim.Network{Order: sim.Free}}}
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Certified, r.Verdict, "%s, %d states", r.Bound, r.States)
}
