package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// clerk has two things to do, 2 and 4 after it begins. The first is to remember something, or nothing at all.
type clerk struct {
	Remembers bool
	Seen      bool
}

func (c *clerk) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case first:
		out.Note(word{Kind: value})
		out.After(2, word{Kind: read})
		out.After(4, word{Kind: look})
	case read:
		c.Seen = c.Remembers
	case look:
		out.Note(word{Kind: enters})
	}
}

func (c *clerk) Symbolic() string                  { return "" }
func (c *clerk) Forget()                           {}
func (c *clerk) Ignores(a *sim.Arrival[word]) bool { return a.Msg.Kind == read && !c.Remembers }

// A step takes its time whatever it does: each takes 3, so that the first thing is done from 2 to 5 after its note, and the second
// from then to 8. A pause, during a step or not, is as much longer. Each edge is the latest, or the earliest, at which it is said.
func TestAStepThatDoesNothingTakesItsTime(t *testing.T) {
	for _, remembers := range []bool{false, true} {
		for _, pause := range []time.Duration{0, 5} {
			for most, want := range map[time.Duration]certify.Verdict{8 + pause: certify.Certified, 7 + pause: certify.Violated} {
				s := certify.Search{Config: sim.Config{Until: 10_000, Costs: []sim.Dist{sim.Constant(3)}}, Program: sim.NewProgram(func() sim.System[word] {
					s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters, leaves}, Properties: []sim.Property[word]{&within{Note: enters, Least: 8, Most: most}}}
					sim.Put(&s, s.Node("clerk"), clerk{Remembers: remembers})
					return s
				})}
				if pause > 0 {
					s.Faults = []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{1}, Most: pause, Count: 1}}
				}
				r, err := s.Run(t.Context())
				require.NoError(t, err)
				assert.Equal(t, want, r.Verdict, "remembers %v, a pause of %v, within %v: %v", remembers, pause, most, r.Bound)
			}
		}
	}
}
