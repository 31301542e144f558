package reach_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/reach"
)

// letter is the message of the small spaces of these tests.
type letter uint8

func (l letter) Label() sim.Kind              { return sim.Kind(l) }
func (l letter) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(l), 0) }
func (l letter) String() string               { return fmt.Sprint("letter ", uint8(l)) }

// sender sends its letters to node 2 when it starts.
type sender struct{ Letters [3]letter }

func (s *sender) Step(in sim.In[letter], out *sim.Out[letter]) {
	for _, l := range s.Letters {
		if l != 0 && in.Msg == 0 {
			out.Send(2, l)
		}
	}
}

// reader remembers the letters that it got, in their order.
type reader struct {
	got [3]letter
	n   int
}

func (r *reader) Step(in sim.In[letter], _ *sim.Out[letter]) {
	if in.Msg == 9 {
		panic("nobody sends a 9")
	}
	if in.Msg != 0 {
		r.got[r.n], r.n = in.Msg, r.n+1
	}
}

func post(link reach.Link, letters ...letter) reach.Space[letter] {
	var s sender
	copy(s.Letters[:], letters)
	link.From, link.To = 1, 2
	return reach.Space[letter]{
		Nodes: []reach.Spec[letter]{reach.Place[letter]("sender", s), reach.Place[letter]("reader", reader{})},
		Links: []reach.Link{link},
	}
}

// States are what was read and, with it, what is still to come.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name                string
		link                reach.Link
		letters             []letter
		states, transitions int64
	}{
		{"in order", reach.Link{Capacity: 3}, []letter{1, 2, 3}, 4, 3},
		{"in any order", reach.Link{Capacity: 3, Order: sim.Free}, []letter{1, 2, 3}, 1 + 3 + 6 + 6, 3 + 6 + 6},
		{"the same letters", reach.Link{Capacity: 3, Order: sim.Free}, []letter{2, 2, 2}, 4, 3},
		{"two are the same", reach.Link{Capacity: 3, Order: sim.Free}, []letter{2, 1, 2}, 1 + 2 + 3 + 3, 2 + 3 + 3},
		{"at once", reach.Link{}, []letter{1, 2, 3}, 1, 0},
	} {
		r, err := reach.Visit(t.Context(), post(c.link, c.letters...), reach.Limits{})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.states, r.States, c.name)
		assert.Equal(t, c.transitions, r.Transitions, c.name)
		assert.True(t, r.Exhausted, c.name)
	}
}

func TestPanicIsAViolation(t *testing.T) {
	r, err := reach.Visit(t.Context(), post(reach.Link{Capacity: 2, Order: sim.Free}, 8, 9), reach.Limits{})
	require.NoError(t, err)
	require.NotNil(t, r.Violation)
	assert.Equal(t, "  1  reader handles letter 9 from sender\n     violated: reader: panic: nobody sends a 9\n", r.Violation.String())
	assert.Equal(t, 1, r.Depth)

	r, err = reach.Visit(t.Context(), post(reach.Link{}, 8, 9), reach.Limits{})
	require.NoError(t, err)
	assert.Equal(t, "     violated: reader: panic: nobody sends a 9\n", r.Violation.String())
}

// odd does one thing that it should not.
type odd struct {
	Does string

	n int
}

var calls int // which makes a step that looks at it no function

func (o *odd) Ready(sim.In[letter]) bool {
	if o.Does == "changes" {
		o.n++
	}
	return o.Does != "never ready"
}

func (o *odd) Age(time.Duration) {
	if o.Does == "cannot age" && o.n == 0 {
		panic("too old")
	}
}

func (o *odd) Step(in sim.In[letter], out *sim.Out[letter]) {
	switch o.Does {
	case "counts":
		calls++ //fencepost:allow this node is impure on purpose: it must be caught
		o.n = calls
	case "talks":
		calls++ //fencepost:allow this node is impure on purpose: it must be caught
		out.Note(letter(calls))
	case "sends":
		out.Send(2, 1)
	case "arms":
		out.After(time.Second, 1)
	case "circle":
		out.Send(in.Self, 2)
	}
}

func TestWrongModels(t *testing.T) {
	for _, c := range []struct{ does, want string }{
		{"counts", "reach: odd handles letter 0: the same step twice gives different results"},
		{"talks", "reach: odd handles letter 0: the same step twice gives different results"},
		{"changes", "reach: odd handles letter 0: the guard of the node changes it"},
		{"never ready", "reach: the nodes cannot start: a link is full, or a message has to wait"},
		{"sends", "reach: odd handles letter 0: no link carries letter 1 to reader"},
		{"arms", "reach: odd handles letter 0: no link carries letter 1 to odd"},
		{"circle", "reach: links of capacity 0 run in a circle"},
	} {
		_, err := reach.Visit(t.Context(), reach.Space[letter]{
			Nodes: []reach.Spec[letter]{reach.Place[letter]("odd", odd{Does: c.does}), reach.Place[letter]("reader", reader{})},
			Links: []reach.Link{{From: 1, To: 1, Kinds: []sim.Kind{2}}},
			Tick:  1,
		}, reach.Limits{})
		assert.EqualError(t, err, c.want)
	}
	_, err := reach.Visit(t.Context(), post(reach.Link{Capacity: 1}, 1, 2), reach.Limits{})
	assert.EqualError(t, err, "reach: the nodes cannot start: a link is full, or a message has to wait")

	r, err := reach.Visit(t.Context(), reach.Space[letter]{
		Nodes: []reach.Spec[letter]{reach.Place[letter]("odd", odd{Does: "cannot age"})}, Tick: 1,
	}, reach.Limits{})
	require.NoError(t, err)
	require.NotNil(t, r.Violation)
	assert.Equal(t, "  1  a tick passes\n     violated: odd: panic: too old\n", r.Violation.String())
}

// pointing is a node whose states cannot be compared.
type pointing struct{ In [2]struct{ P *int } }

func (*pointing) Step(sim.In[letter], *sim.Out[letter]) {}

func TestWrongSpaces(t *testing.T) {
	node := reach.Place[letter]("reader", reader{})
	for _, c := range []struct {
		space reach.Space[letter]
		want  string
	}{
		{reach.Space[letter]{}, "nodes: must be 1 to 1024, got 0"},
		{reach.Space[letter]{Nodes: make([]reach.Spec[letter], 1)}, "nodes.0: not made with Place"},
		{reach.Space[letter]{Nodes: []reach.Spec[letter]{node, reach.Place[letter]("p", pointing{})}},
			"nodes.1: p: In: P: must be without pointers, interfaces and floats, got *int"},
		{reach.Space[letter]{Nodes: []reach.Spec[letter]{reach.Place[letter]("odd", odd{})}},
			"nodes.0: odd: ages, so tick must be positive, got 0s"},
		{reach.Space[letter]{Nodes: []reach.Spec[letter]{node}, Links: []reach.Link{{From: 1}}}, "links.0: no node 0, of 1 nodes"},
		{reach.Space[letter]{Nodes: []reach.Spec[letter]{node}, Links: []reach.Link{{From: 1, To: 1, Capacity: 17}}},
			"links.0.capacity: must be 0 to 16, got 17"},
		{reach.Space[letter]{Nodes: []reach.Spec[letter]{node}, Pauses: []reach.Pause[letter]{{Node: 2, Ticks: 1}}}, "pauses.0: no node 2, of 1 nodes"},
		{reach.Space[letter]{Nodes: []reach.Spec[letter]{node}, Pauses: []reach.Pause[letter]{{Node: 1}}}, "pauses.0.ticks: must be 1 to 65535, got 0"},
	} {
		_, err := reach.Visit(t.Context(), c.space, reach.Limits{})
		assert.EqualError(t, err, "reach: "+c.want)
	}
	_, err := reach.Visit(t.Context(), post(reach.Link{}), reach.Limits{States: -1})
	assert.EqualError(t, err, "reach: limits: must not be negative, got 0 bytes, -1 states, 0 workers")
}

// stage passes a ball on, and remembers that it did.
type stage struct {
	Next sim.NodeID

	did bool
}

func (s *stage) Step(in sim.In[letter], out *sim.Out[letter]) {
	s.did = s.did || in.Msg == 1
	if in.Msg == 1 || in.Self == 1 {
		out.Send(s.Next, 1)
	}
}

func ring(n int) reach.Space[letter] {
	var s reach.Space[letter]
	for i := 1; i <= n; i++ {
		next := sim.NodeID(i%n + 1)
		s.Nodes = append(s.Nodes, reach.Place[letter](fmt.Sprint("stage-", i), stage{Next: next}))
		s.Links = append(s.Links, reach.Link{From: sim.NodeID(i), To: next, Capacity: 1})
	}
	return s
}

// A ring takes two bits per stage. The ball goes round once, and once more with every
// stage knowing it.
func TestWidth(t *testing.T) {
	for n := 2; n <= 63; n++ {
		r, err := reach.Visit(t.Context(), ring(n), reach.Limits{})
		require.NoError(t, err)
		assert.Equal(t, reach.Result{States: int64(2 * n), Transitions: int64(2 * n), Depth: 2*n - 1, Exhausted: true}, counts(r))
		assert.Equal(t, 2*n+1, r.Bits)
	}
	r, err := reach.Visit(t.Context(), ring(64), reach.Limits{})
	require.NoError(t, err)
	assert.False(t, r.Exhausted)
	assert.Equal(t, reach.TooWide, r.Bound)
	assert.Positive(t, r.States)
}

// The lease space takes one word per state. Beside nodes that do nothing it takes two,
// and has the same states.
func TestWideStates(t *testing.T) {
	p := params{2, 3, 2}
	space := leaseSpace(p, true)
	for i := range 40 {
		space.Nodes = append(space.Nodes, reach.Place[msg](fmt.Sprint("ballast-", i), ballast{}))
	}
	r, err := reach.Visit(t.Context(), space, reach.Limits{})
	require.NoError(t, err)
	assert.Greater(t, r.Bits, 64)
	assert.Equal(t, naive(p), counts(r))

	p.tokens = 3
	space = leaseSpace(p, false)
	narrow, err := reach.Visit(t.Context(), space, reach.Limits{})
	require.NoError(t, err)
	for i := range 40 {
		space.Nodes = append(space.Nodes, reach.Place[msg](fmt.Sprint("ballast-", i), ballast{}))
	}
	wide, err := reach.Visit(t.Context(), space, reach.Limits{})
	require.NoError(t, err)
	assert.Equal(t, counts(narrow), counts(wide))
	assert.True(t, strings.HasSuffix(wide.Violation.String(), "older write after a newer one\n"))
}

// ballast is a node that takes a bit and does nothing.
type ballast struct{ started bool }

func (b *ballast) Step(sim.In[msg], *sim.Out[msg]) { b.started = true }
