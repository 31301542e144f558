package certify_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// counts holds if caster-1 is heard at most so often by one listener, and caster-2 is not heard by
// listener-1 more than 4 after it was by listener-2.
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
	case o.Node == 3 && o.Msg.X == 2 && c.Seen.Heard && c.Seen.At.Add(4).Before(v.Now()):
		c.Violate(v.Now(), o.Node)
	}
}

// A message takes 3 to 5 to listener-1, and 2 to listener-2: it is heard at most 3 later there, and a
// copy at most 8.
func TestMessagesComeTwiceAndNotAtAll(t *testing.T) {
	for _, c := range []struct {
		most, losses, copies int
		want                 certify.Verdict
	}{
		{1, 0, 0, certify.Certified},
		{1, 1, 0, certify.Certified},
		{1, 0, 1, certify.Violated},
		{2, 0, 1, certify.Violated}, // what 2 sends comes a second time, late
		{0, 0, 0, certify.Violated},
		{0, 1, 0, certify.Violated}, // it need not be lost
	} {
		s := casters(2)
		s.Config.Network.Rules[0].Link.Delay = sim.Uniform(3, 6)
		s.Config.Network.Rules[2].Link.Delay = sim.Uniform(3, 6)
		most := c.most
		s.Program = castersOf(func() sim.Property[word] { return &counts{Most: most} })
		s.Losses, s.Copies = c.losses, c.copies
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
