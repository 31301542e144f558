package certify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// counts holds if caster-1 is heard at most so often by one listener, and caster-2 is not heard by
// listener-1 more than 5 after it was by listener-2.
type counts struct {
	sim.Check
	Most int
	Seen struct {
		Twice int      // notes of node 3 about 1
		At    sim.Time // when 4 heard 2
		Heard bool
	}
}

func (c *counts) Name() string { return "counts" }
func (c *counts) Reset(*sim.View[word]) {
	c.Seen.Twice, c.Seen.At, c.Seen.Heard = 0, 0, false
	c.Clear()
}
func (c *counts) End(*sim.View[word])          {}
func (c *counts) Why(*sim.View[word]) string   { return "heard too often, or late" }
func (c *counts) Remembers() any               { return &c.Seen }
func (c *counts) Symbolic() sim.Property[word] { return c }
func (c *counts) Observe(v *sim.View[word], o *sim.Observation[word]) {
	c.Saw()
	switch {
	case o.Node == 3 && o.Msg.X == 1:
		if c.Seen.Twice++; c.Seen.Twice > c.Most {
			c.Violate(v.Now(), o.Node)
		}
	case o.Node == 4 && o.Msg.X == 2 && !c.Seen.Heard:
		c.Seen.Heard, c.Seen.At = true, v.Now()
	case o.Node == 3 && o.Msg.X == 2 && c.Seen.Heard && c.Seen.At.Add(5).Before(v.Now()):
		c.Violate(v.Now(), o.Node)
	}
}

// A message takes 3 to 5 to listener-1, and 2 to listener-2: it is heard at most 3 later there, and a
// copy as late as it is said to come.
func TestMessagesComeTwiceAndNotAtAll(t *testing.T) {
	for _, c := range []struct {
		most, losses, copies int
		within               time.Duration
		senders              []sim.NodeID
		want                 certify.Verdict
	}{
		{1, 0, 0, 0, nil, certify.Certified},
		{1, 1, 0, 0, nil, certify.Certified},
		{1, 0, 1, 6, nil, certify.Violated},
		{2, 0, 1, 7, nil, certify.Certified}, // what 2 sends comes again, at most 5 after it was heard
		{2, 0, 1, 8, nil, certify.Violated},
		{2, 0, 1, 0, nil, certify.Violated},
		{2, 0, 2, 5, nil, certify.Violated}, // both copies are of one message
		{3, 0, 2, 5, nil, certify.Certified},
		{3, 0, 2, 6, nil, certify.Violated},                 // listener-2 hears a copy at once
		{1, 0, 1, 0, []sim.NodeID{3, 4}, certify.Certified}, // they send nothing
		{1, 0, 1, 7, []sim.NodeID{2}, certify.Certified},
		{2, 0, 1, 0, []sim.NodeID{1}, certify.Certified},
		{0, 0, 0, 0, nil, certify.Violated},
		{0, 1, 0, 0, nil, certify.Violated}, // it need not be lost
	} {
		s := casters(2)
		s.Config.Network.Rules[0].Link.Delay = sim.Uniform(3, 6)
		s.Config.Network.Rules[2].Link.Delay = sim.Uniform(3, 6)
		most := c.most
		s.Program = castersOf(func() sim.Property[word] { return &counts{Most: most} })
		s.Losses, s.Copies, s.CopyWithin, s.Senders = c.losses, c.copies, c.within, c.senders
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%+v: %s", c, r.Bound)
	}
}

// quiet holds if somebody has heard caster-1 when the run is over.
type quiet struct {
	sim.Check
	Heard bool
}

func (q *quiet) Name() string                 { return "quiet" }
func (q *quiet) Reset(*sim.View[word])        { q.Heard = false; q.Clear() }
func (q *quiet) Why(*sim.View[word]) string   { return "nobody heard 1" }
func (q *quiet) Remembers() any               { return &q.Heard }
func (q *quiet) Symbolic() sim.Property[word] { return q }
func (q *quiet) Observe(_ *sim.View[word], o *sim.Observation[word]) {
	q.Saw()
	q.Heard = q.Heard || o.Msg.X == 1
}
func (q *quiet) End(v *sim.View[word]) {
	if !q.Heard {
		q.Violate(v.Now(), 1)
	}
}

// What is sent to two is heard by one of them, unless both messages are lost.
func TestAsManyMessagesAreLostAsTheBudgetSays(t *testing.T) {
	for losses, want := range []certify.Verdict{certify.Certified, certify.Certified, certify.Violated} {
		s := casters(5)
		s.Program = castersOf(func() sim.Property[word] { return &quiet{} })
		s.Losses = losses
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "%d lost: %s", losses, r.Bound)
		if want == certify.Violated {
			lost := 0
			for _, f := range r.Failure.Schedule.Faults {
				if f.Do == sim.Lose {
					lost++
				}
			}
			assert.Equal(t, 2, lost)
		}
	}
}

// A message that is lost and comes again is one that is late: listener-1 hears caster-2 at 5 at the latest, unless its
// message is lost, and only its copy comes.
func TestACopyComesOfAMessageThatIsLost(t *testing.T) {
	for losses, want := range []certify.Verdict{certify.Certified, certify.Violated} {
		s := casters(2)
		s.Program = castersOf(func() sim.Property[word] { return &firstLate{} })
		s.Losses, s.Copies = losses, 1
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, "%d lost: %s", losses, r.Bound)
	}
}

// firstLate holds if listener-1 does not first hear caster-2 more than 5 after listener-2 did.
type firstLate struct{ counts }

func (f *firstLate) Symbolic() sim.Property[word] { return f }
func (f *firstLate) Observe(v *sim.View[word], o *sim.Observation[word]) {
	f.Saw()
	switch {
	case o.Msg.X != 2:
	case o.Node == 4 && !f.Seen.Heard:
		f.Seen.Heard, f.Seen.At = true, v.Now()
	case o.Node == 3 && f.Seen.Twice == 0:
		if f.Seen.Twice++; f.Seen.Heard && f.Seen.At.Add(5).Before(v.Now()) {
			f.Violate(v.Now(), o.Node)
		}
	}
}
