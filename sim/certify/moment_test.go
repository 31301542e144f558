package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// ringer says once that it rings, at any time up to Most.
type ringer struct{ Most time.Duration }

func (r *ringer) Step(in sim.In[word], out *sim.Out[word]) {
	if in.Msg.Kind == first {
		out.Note(word{Kind: leaves})
		out.AfterDraw(sim.Uniform(0, r.Most+1), word{Kind: look})
		return
	}
	out.Note(word{Kind: enters})
}

func (r *ringer) Symbolic() string                { return "" }
func (r *ringer) Forget()                         {}
func (r *ringer) Ignores(*sim.Arrival[word]) bool { return false }

// rung is what a property has heard.
type rung struct {
	sim.Check
	Heard struct {
		Began, Last sim.Time
		Nodes       int
	}
	late time.Duration // above 0: it is violated if node 2 rings later than this before node 1 does
}

func (r *rung) Name() string { return "rung" }
func (r *rung) Reset(*sim.View[word]) {
	r.Heard.Began, r.Heard.Last, r.Heard.Nodes = 0, 0, 0
	r.Clear()
}
func (r *rung) Why(*sim.View[word]) string {
	return "it rings late, or earlier than what was heard before"
}
func (r *rung) Remembers() any               { return &r.Heard }
func (r *rung) Symbolic() sim.Property[word] { return r }
func (r *rung) Observe(v *sim.View[word], o *sim.Observation[word]) {
	r.Saw()
	h := &r.Heard
	switch {
	case o.Msg.Kind == leaves:
		h.Began, h.Last = v.Now(), v.Now()
		return
	case r.late == 0 && v.Now().Before(h.Last):
		r.Violate(v.Now(), o.Node)
	case r.late > 0 && o.Node == 2 && h.Nodes == 0 && h.Began.Add(r.late).Before(v.Now()):
		r.Violate(v.Now(), o.Node)
	}
	h.Last = v.Now()
	h.Nodes++
}

func ringers(one, two, late time.Duration) certify.Search {
	return certify.Search{Config: sim.Config{Until: 1000}, Program: sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters, leaves}, Properties: []sim.Property[word]{&rung{late: late}}}
		sim.Put(&s, s.Node("ringer-1"), ringer{Most: one})
		sim.Put(&s, s.Node("ringer-2"), ringer{Most: two})
		return s
	})}
}

// A property hears of what nodes say in the order in which they say it, though nothing else orders them.
func TestAPropertyHearsNothingThatIsEarlierThanBefore(t *testing.T) {
	s := ringers(10, 10, 0)
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Certified, r.Verdict, r.Bound)
}

// Node 1 rings by 5: that node 2 rings later than 5 and before it does is of no run, though its event may be the
// next, and later than 5, where nothing puts it before the other's.
func TestAViolationNeedsAMomentAtWhichAllElseIsStillToCome(t *testing.T) {
	for late, want := range map[time.Duration]certify.Verdict{5: certify.Certified, 3: certify.Violated} {
		s := ringers(5, 10, late)
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "%v: %v", late, r.Bound)
	}
}
