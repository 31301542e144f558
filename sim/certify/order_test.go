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

// Whether events of different nodes are put in an order or not, a search proves the same. Of what it
// cannot prove it may find another path, which a run of the engine may show or not.
func TestTheOrderOfEventsThatDoNotAffectEachOtherChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	verdicts := map[certify.Verdict]int{}
	for range whole.Of(25, 60) {
		name, s := drawnFischer(r)
		free, err := s.Run(t.Context())
		require.NoError(t, err)
		s.InOrder = true
		ordered, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, ordered.Verdict == certify.Certified, free.Verdict == certify.Certified, name)
		verdicts[free.Verdict]++
	}
	assert.Greater(t, verdicts[certify.Certified], 2)
	assert.Greater(t, verdicts[certify.Violated], 2)
	t.Log(verdicts)
}

// caster sends its number to two listeners, at some time.
type caster struct{ To [2]sim.NodeID }

func (c *caster) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case first:
		out.AfterDraw(sim.Uniform(0, 11), word{Kind: look})
	case look:
		for _, to := range c.To {
			out.Send(to, word{Kind: value, X: int64(in.Self)})
		}
	}
}

func (c *caster) Symbolic() string                { return "" }
func (c *caster) Forget()                         {}
func (c *caster) Ignores(*sim.Arrival[word]) bool { return false }

// listener says what it hears.
type listener struct{}

func (l *listener) Step(in sim.In[word], out *sim.Out[word]) {
	if in.Msg.Kind == value {
		out.Note(word{Kind: enters, X: in.Msg.X})
	}
}

func (l *listener) Symbolic() string                { return "" }
func (l *listener) Forget()                         {}
func (l *listener) Ignores(*sim.Arrival[word]) bool { return false }

// agreed holds if not one listener hears 1 before 2, and the other 2 before 1.
type agreed struct {
	sim.Check
	Heard [2]struct {
		First int64 // of the two
		Node  sim.NodeID
	}
}

func (a *agreed) Name() string                 { return "agreed" }
func (a *agreed) Reset(*sim.View[word])        { *a = agreed{}; a.Clear() }
func (a *agreed) End(*sim.View[word])          {}
func (a *agreed) Why(*sim.View[word]) string   { return "3 heard 1 first, and 4 heard 2 first" }
func (a *agreed) Remembers() any               { return &a.Heard }
func (a *agreed) Symbolic() sim.Property[word] { return a }
func (a *agreed) Observe(v *sim.View[word], o *sim.Observation[word]) {
	a.Saw()
	h := &a.Heard[o.Node-3]
	if h.First == 0 {
		h.First = o.Msg.X
	}
	if a.Heard[0].First == 1 && a.Heard[1].First == 2 {
		a.Violate(v.Now(), o.Node)
	}
}

// casters is two casters and two listeners. What 1 sends takes 4 to node 3 and 5 to node 4, and what
// 2 sends one less to node 3, and slow to node 4.
func casters(slow time.Duration) certify.Search {
	n := sim.Network{Order: sim.Free}
	for _, l := range []struct {
		from, to sim.NodeID
		delay    time.Duration
	}{{1, 3, 4}, {1, 4, 5}, {2, 3, 3}, {2, 4, slow}} {
		n.Rules = append(n.Rules, sim.LinkRule{From: []sim.NodeID{l.from}, To: []sim.NodeID{l.to}, Link: sim.Link{Delay: sim.Constant(l.delay)}})
	}
	return certify.Search{Program: castersOf(func() sim.Property[word] { return &agreed{} }), Config: sim.Config{Until: 1000, Network: n}}
}

func castersOf(property func() sim.Property[word]) sim.Program {
	return sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters}, Properties: []sim.Property[word]{property()}}
		for _, name := range []string{"caster-1", "caster-2"} {
			sim.Put(&s, s.Node(name), caster{To: [2]sim.NodeID{3, 4}})
		}
		for _, name := range []string{"listener-1", "listener-2"} {
			sim.Put(&s, s.Node(name), listener{})
		}
		return s
	})
}

// Node 3 hears 1 first only if 2 was sent one later, and node 4 hears 2 first only if 2 was sent
// slow-5 earlier: so both cannot be, if slow is 5, though each event of such a path could be the next
// where it stands. What a listener heard last has to be earlier than what is sent to it afterwards.
func TestANodeThatIsAheadHearsNothingThatIsEarlier(t *testing.T) {
	for slow, want := range map[time.Duration]certify.Verdict{5: certify.Certified, 4: certify.Unknown, 3: certify.Violated} {
		for _, inOrder := range []bool{false, true} {
			s := casters(slow)
			s.InOrder = inOrder
			r, err := s.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict, "%v, in order: %v, %s", slow, inOrder, r.Bound)
		}
	}
}
