package certify_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// holder holds a lease: it tells the next at once, and stops when its deadline is over by its own
// clock, as it reads it every now and then, at most Retry apart.
type holder struct {
	Next            sim.NodeID
	Deadline, Retry time.Duration
	Until           sim.Mono
}

func (h *holder) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case first:
		h.Until = in.Mono.Add(h.Deadline)
		out.Note(word{Kind: enters})
		out.Send(h.Next, word{Kind: value})
		out.AfterDraw(sim.Uniform(max(h.Retry/2, 1), h.Retry+1), word{Kind: look})
	case look:
		if in.Mono.Before(h.Until) {
			out.AfterDraw(sim.Uniform(max(h.Retry/2, 1), h.Retry+1), word{Kind: look})
			return
		}
		h.Until = 0
		out.Note(word{Kind: leaves})
	}
}

func (h *holder) Symbolic() string                { return "" }
func (h *holder) Forget()                         {}
func (h *holder) Ignores(*sim.Arrival[word]) bool { return false }

// waiter takes the lease when it is over by its own clock.
type waiter struct{ Lease time.Duration }

func (w *waiter) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case value:
		out.After(w.Lease, word{Kind: look})
	case look:
		out.Note(word{Kind: enters})
	}
}

func (w *waiter) Symbolic() string                { return "" }
func (w *waiter) Forget()                         {}
func (w *waiter) Ignores(*sim.Arrival[word]) bool { return false }

// one holds if no two hold the lease.
type one struct{ alone }

func (o *one) Symbolic() sim.Property[word] { return o }
func (o *one) Observe(v *sim.View[word], b *sim.Observation[word]) {
	if b.Msg.Kind == leaves {
		o.Inside--
		return
	}
	o.alone.Observe(v, b)
}

func leased(lease, deadline, retry time.Duration) certify.Search {
	program := sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters, leaves}, Properties: []sim.Property[word]{&one{}}}
		sim.Put(&s, s.Node("holder"), holder{Next: 2, Deadline: deadline, Retry: retry})
		sim.Put(&s, s.Node("waiter"), waiter{Lease: lease})
		return s
	})
	return certify.Search{Program: program, Config: sim.Config{Until: sim.Time(time.Minute)}}
}

// The holder stops at the latest when its deadline and a look are over by a clock that is slow, the
// waiter begins at the earliest when the lease is over by one that is fast: deadline + retry < lease *
// (1-e)/(1+e). Of 15 s, 10 s and 2 s, of which client-go has its lease, that is e < 1/9.
func TestALeaseHoldsUpToItsRateOfClocks(t *testing.T) {
	for rate, want := range map[sim.PPB]certify.Verdict{0: certify.Certified, 111_111_000: certify.Certified, 111_112_000: certify.Unknown} {
		s := leased(15*time.Second, 10*time.Second, 2*time.Second)
		s.Rate = rate
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "%v: %s", rate, r.Bound)
	}
	s := leased(11*time.Second, 10*time.Second, 2*time.Second)
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Violated, r.Verdict, "perfect clocks do so, too")
	s.Rate = 100_000_000
	r, err = s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Clocks, r.Bound, "a search with a rate of 0 shows one")
}

// Clocks of any rates in the range, that change at any moments, do not violate what is certified.
func TestNoClockViolatesWhatIsCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	certified, above := 0, 0
	for range 60 {
		// Durations of a few nanoseconds, of which what is rounded away is a large part.
		lease, deadline, retry := time.Duration(10+r.IntN(40)), time.Duration(1+r.IntN(30)), time.Duration(1+r.IntN(6))
		s := leased(lease, deadline, retry)
		s.Rate = sim.PPB(r.Int64N(400_000_000))
		found, err := s.Run(t.Context())
		require.NoError(t, err)
		name := fmt.Sprintf("lease %d, deadline %d, retry %d, rate %v", lease, deadline, retry, s.Rate)
		violated := false
		for seed := range uint64(150) {
			c := s.Config
			for range 2 {
				c.Clocks = append(c.Clocks, sim.Clock{Rate: []sim.PPB{-s.Rate, s.Rate, sim.PPB(r.Int64N(2*int64(s.Rate)+1)) - s.Rate}[r.IntN(3)]})
			}
			if r.IntN(2) == 0 {
				c.Faults = []sim.Fault{{Name: "rate", Do: sim.SetRate, Node: sim.NodeID(1 + r.IntN(2)), Rate: c.Clocks[r.IntN(2)].Rate, When: sim.When{At: sim.Time(r.IntN(20))}, Forever: true}}
			}
			w, err := s.Program.NewWorld(c)
			require.NoError(t, err)
			violated = violated || w.Run(seed).Properties[0].Verdict == sim.Violated
		}
		if found.Verdict == certify.Certified {
			certified++
			assert.False(t, violated, name)
		} else if violated {
			above++
		}
	}
	assert.Greater(t, certified, 10)
	assert.Greater(t, above, 10)
	t.Logf("%d certified, and %d of the others violated", certified, above)
}

// teller tells its clock twice, at once and after a second.
type teller struct{ waiter }

func (l *teller) Step(in sim.In[word], out *sim.Out[word]) {
	if out.Send(2, word{Kind: value, X: int64(in.Mono)}); in.Msg.Kind == first {
		out.After(time.Second, word{Kind: look})
	}
}

// comparer compares what it is told with its own clock, or with what it was told before: it enters twice if
// that is not a lease before.
type comparer struct {
	waiter
	Own  bool
	Told sim.Mono
	Has  bool
}

func (l *comparer) Step(in sim.In[word], out *sim.Out[word]) {
	told := sim.Mono(in.Msg.X)
	switch {
	case in.Msg.Kind != value:
	case l.Own:
		_ = told.Before(in.Mono)
	case l.Has && told.Before(l.Told.Add(l.Lease)):
		out.Note(word{Kind: enters})
		out.Note(word{Kind: enters})
	default:
		l.Told, l.Has = told, true
	}
}

// Where clocks have rates a reading of another node's clock says nothing beside one's own. Two readings
// of that clock are as far apart as it says, to what a rate rounds away.
func TestAReadingOfAnotherClockIsComparedWithItsLikeAlone(t *testing.T) {
	for _, c := range []struct {
		lease time.Duration
		own   bool
		want  certify.Verdict
	}{{time.Second - 10, false, certify.Certified}, {time.Second + 1, false, certify.Violated}, {0, true, certify.Unknown}} {
		s := leased(15, 10, 2)
		s.Program = sim.NewProgram(func() sim.System[word] {
			s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters, leaves}, Properties: []sim.Property[word]{&one{}}}
			sim.Put(&s, s.Node("teller"), teller{})
			sim.Put(&s, s.Node("comparer"), comparer{waiter: waiter{Lease: c.lease}, Own: c.own})
			return s
		})
		_, err := s.Run(t.Context())
		require.NoError(t, err)
		s.Rate = 1
		r, err := s.Run(t.Context())
		if c.own {
			assert.ErrorContains(t, err, "compares readings of two clocks")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%v: %s", c.lease, r.Bound)
	}
}

// notEarly holds if the holder does not stop before a deadline is over in true time.
type notEarly struct {
	sim.Check
	Deadline time.Duration
	Entered  sim.Time
}

func (n *notEarly) Name() string                 { return "not-early" }
func (n *notEarly) Reset(*sim.View[word])        { n.Entered = 0; n.Clear() }
func (n *notEarly) End(*sim.View[word])          {}
func (n *notEarly) Why(*sim.View[word]) string   { return "it stopped early" }
func (n *notEarly) Remembers() any               { return &n.Entered }
func (n *notEarly) Symbolic() sim.Property[word] { return n }
func (n *notEarly) Observe(v *sim.View[word], o *sim.Observation[word]) {
	n.Saw()
	switch {
	case o.Node == 1 && o.Msg.Kind == enters:
		n.Entered = v.Now()
	case o.Msg.Kind == leaves && v.Now().Before(n.Entered.Add(n.Deadline)):
		n.Violate(v.Now(), o.Node)
	}
}

// A clock that does not read less than the deadline says that it is over: of 10 s, 9.9 s by one that
// is fast by 1%.
func TestAComparisonThatSaysNoBoundsTheTimeBelow(t *testing.T) {
	for _, c := range []struct {
		rate     sim.PPB
		deadline time.Duration
		want     certify.Verdict
	}{
		{0, 10 * time.Second, certify.Certified}, {0, 10*time.Second + 1, certify.Violated},
		{10_000_000, 9_900_990 * time.Microsecond, certify.Certified}, {10_000_000, 9_900_991 * time.Microsecond, certify.Unknown},
	} {
		s := leased(15*time.Second, 10*time.Second, 2*time.Second)
		s.Rate = c.rate
		s.Program = sim.NewProgram(func() sim.System[word] {
			s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters, leaves}, Properties: []sim.Property[word]{&notEarly{Deadline: c.deadline}}}
			sim.Put(&s, s.Node("holder"), holder{Next: 2, Deadline: 10 * time.Second, Retry: 2 * time.Second})
			sim.Put(&s, s.Node("waiter"), waiter{Lease: 15 * time.Second})
			return s
		})
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%+v: %s", c, r.Bound)
	}
}
