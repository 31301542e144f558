package certify_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// starter makes some notes when it starts.
type starter struct{ Notes [2]sim.Kind }

func (s *starter) Step(_ sim.In[word], out *sim.Out[word]) {
	for _, kind := range s.Notes {
		if kind != 0 {
			out.Note(word{Kind: kind})
		}
	}
}
func (s *starter) Recover(before *starter)       { s.Notes = before.Notes }
func (*starter) Symbolic() string                { return "" }
func (*starter) Forget()                         {}
func (*starter) Ignores(*sim.Arrival[word]) bool { return false }

// soon holds if a value is noted within a time of when the run began.
type soon struct {
	sim.Check
	Within time.Duration
	began  struct {
		Known, Done bool
		At          sim.Time
	}
}

func (s *soon) Name() string { return "soon" }
func (s *soon) Reset(*sim.View[word]) {
	s.began.Known, s.began.Done, s.began.At = false, false, 0
	s.Clear()
}
func (s *soon) End(*sim.View[word])          {}
func (s *soon) Why(*sim.View[word]) string   { return "late" }
func (s *soon) Remembers() any               { return &s.began }
func (s *soon) Symbolic() sim.Property[word] { return s }
func (s *soon) Observe(v *sim.View[word], o *sim.Observation[word]) {
	s.Saw()
	switch {
	case o.Event != sim.Noted || s.began.Done:
	case o.Msg.Kind == leaves:
		s.began.Known, s.began.At = true, v.Now()
	case o.Msg.Kind == value:
		late := s.began.Known && s.began.At.Add(s.Within).Before(v.Now())
		if s.began.Done, s.began.Known, s.began.At = true, false, 0; late {
			s.Violate(v.Now(), o.Node)
		}
	}
}

// Each fault of up to 10 delays a note by its length if it begins before that when the one before it ends: pauses between two notes
// of one step, crashes before the only one. From 1 ns above the edge a run shows it.
func TestFaultsBeforeOneEffectFollowOneAnother(t *testing.T) {
	for _, c := range []struct {
		do    sim.Action
		nodes []starter
	}{
		{sim.Pause, []starter{{[2]sim.Kind{leaves, value}}}},
		{sim.Crash, []starter{{[2]sim.Kind{value}}, {[2]sim.Kind{leaves}}}},
	} {
		for count := 1; count <= 4; count++ {
			program := sim.NewProgram(func() sim.System[word] {
				s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters, leaves},
					Properties: []sim.Property[word]{&soon{Within: time.Duration(10 * count)}}}
				for i, node := range c.nodes {
					sim.Put(&s, s.Node(fmt.Sprint("node-", i+1)), node)
				}
				return s
			})
			s := certify.Search{Program: program, Config: sim.Config{Until: 10_000},
				Faults: []certify.Fault{{Name: "fault", Do: c.do, Nodes: []sim.NodeID{1}, Most: 20, Count: count}}}
			r, err := s.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, certify.Violated, r.Verdict, "%d of %v: %v", count, c.do, r.Bound)
			e, err := s.Edge(t.Context(), 0, r)
			require.NoError(t, err)
			assert.Equal(t, []time.Duration{10, 11}, []time.Duration{e.Holds, e.From}, "%d of %v", count, c.do)
		}
	}
}
