package permits

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// Every order of arrivals, releases, timeouts, cancellations and shutdowns of a few
// clients: what the fixed algorithm promises holds in every state that can be reached, and
// the shortest way to each bug of the middleware is found without being told.

// caller sends one request, and may give it up at any time.
type caller struct {
	Limiter sim.NodeID

	sent, gone bool
	got        uint8 // answers
	hungUp     bool  // the connection was closed instead
}

func (c *caller) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	rid := ridOf(in.Self, 1)
	switch in.Msg.Kind {
	case start:
		out.After(0, Msg{Kind: send})
	case send:
		c.sent = true
		out.Send(c.Limiter, Msg{Kind: Req, Rid: rid})
		out.After(0, Msg{Kind: giveUp})
	case giveUp:
		if c.got == 0 {
			c.gone = true
			out.Send(c.Limiter, Msg{Kind: Cancel, Rid: rid})
		}
	case Resp:
		c.got++
		c.hungUp = in.Msg.status() == 0
	}
}

// stopper shuts the limiter down, so many times.
type stopper struct {
	Limiter sim.NodeID
	Times   uint8
}

func (s *stopper) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == order {
		out.Send(s.Limiter, Msg{Kind: Shutdown})
	}
	if s.Times > 0 {
		s.Times--
		out.After(0, Msg{Kind: order})
	}
}

// few is a list of at most five, as a comparable value.
type few[T comparable] struct {
	N    uint8
	Item [5]T
}

func pack[T comparable](s []T) (f few[T]) {
	f.N = uint8(copy(f.Item[:], s))
	if int(f.N) < len(s) {
		panic("more than five")
	}
	return f
}

func (f few[T]) slice() []T { return append(make([]T, 0, 5), f.Item[:f.N]...) }

// noWork is how long handlers run: any time, as every timer here.
func noWork() []sim.Dist { return make([]sim.Dist, 5) }

// packedFixed is a FixedLimiter as a comparable value.
type packedFixed struct {
	Permits, Queue int
	LIFO           bool

	inUse    int
	draining bool
	waiting  few[Waiter]
	running  few[uint32]
	late     bool // a handler started after the shutdown
}

const tick = time.Second

func (p *packedFixed) unpack() *FixedLimiter {
	return &FixedLimiter{Timeout: tick, executor: executor{work: noWork(), running: p.running.slice(), last: make([]uint32, len(noWork()))},
		Limit: Fixed{Permits: p.Permits, Queue: p.Queue, LIFO: p.LIFO, inUse: p.inUse, draining: p.draining, waiting: p.waiting.slice()}}
}

func (p *packedFixed) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	l := p.unpack()
	l.Step(in, out)
	p.late = p.late || p.draining && len(l.running) > int(p.running.N)
	p.inUse, p.draining = l.Limit.inUse, l.Limit.draining
	p.waiting, p.running = pack(l.Limit.waiting), pack(l.running)
}

// Age implements reach.Ager: a deadline that is over is 0.
func (p *packedFixed) Age(tick time.Duration) {
	for i := range p.waiting.N {
		w := &p.waiting.Item[i]
		w.Deadline = max(w.Deadline-int64(tick), 0)
	}
}

// wrong says what is wrong with the limiter's own state.
func (p *packedFixed) wrong() string {
	l := p.unpack()
	switch err := l.Limit.Check(); {
	case err != nil:
		return err.Error()
	case p.inUse != int(p.running.N):
		return "in use is not what runs"
	case p.late:
		return "a handler started after the shutdown"
	}
	return ""
}

// space is callers around a limiter, with two shutdowns.
func space(callers int, limiter reach.Spec[Msg], invariant func(*reach.View[Msg]) string) reach.Space[Msg] {
	id := sim.NodeID(callers + 1)
	s := reach.Space[Msg]{Tick: tick, Invariant: invariant}
	for i := range callers {
		c := sim.NodeID(i + 1)
		s.Nodes = append(s.Nodes, reach.Place[Msg]([]string{"A", "B", "C", "D"}[i], caller{Limiter: id}))
		s.Links = append(s.Links, reach.Link{From: c, To: c, Capacity: 1}, reach.Link{From: c, To: id, Capacity: 2}, reach.Link{From: id, To: c, Capacity: 2})
	}
	s.Nodes = append(s.Nodes, limiter, reach.Place[Msg]("operator", stopper{Limiter: id, Times: 2}))
	s.Links = append(s.Links, reach.Link{From: id, To: id, Capacity: 12, Order: sim.Free},
		reach.Link{From: id + 1, To: id + 1, Capacity: 1}, reach.Link{From: id + 1, To: id, Capacity: 2})
	return s
}

// answers says whom the limiter has not told, now that nothing is left to happen, or has
// told twice.
func answers(v *reach.View[Msg], callers int) string {
	quiet := true
	for link := range 3*callers + 3 {
		quiet = quiet && len(v.InFlight(link)) == 0
	}
	for c := range callers {
		switch got := v.Node(sim.NodeID(c + 1)).(*caller).got; {
		case got > 1:
			return "a request is answered twice"
		case got == 0 && quiet:
			return "a request is never answered"
		}
	}
	return ""
}

func visit(t *testing.T, s reach.Space[Msg]) reach.Result {
	t.Helper()
	r, err := reach.Visit(context.Background(), s, reach.Limits{Memory: 2 << 30})
	require.NoError(t, err)
	return r
}

func TestFixedInEveryOrder(t *testing.T) {
	cases := []struct {
		name    string
		callers int
		limit   packedFixed
		states  int64
	}{
		{"c=1 q=1", 3, packedFixed{Permits: 1, Queue: 1}, 259_783},
		{"c=1 q=2", 3, packedFixed{Permits: 1, Queue: 2}, 221_209},
		{"c=1 q=2, newest first", 3, packedFixed{Permits: 1, Queue: 2, LIFO: true}, 220_075},
		{"c=2 q=1, four callers", 4, packedFixed{Permits: 2, Queue: 1}, 7_547_145},
	}
	if !whole.Tests() {
		cases = cases[:3]
	}
	for _, v := range cases {
		t.Run(v.name, func(t *testing.T) {
			id := sim.NodeID(v.callers + 1)
			r := visit(t, space(v.callers, reach.Place[Msg]("limiter", v.limit), func(view *reach.View[Msg]) string {
				if wrong := view.Node(id).(*packedFixed).wrong(); wrong != "" {
					return wrong
				}
				return answers(view, v.callers)
			}))
			require.Nil(t, r.Violation, r.Violation)
			require.True(t, r.Exhausted, r.Bound)
			require.Zero(t, r.Held, "no link is too small")
			assert.Equal(t, v.states, r.States)
		})
	}
}

// packedCoded is a Middleware as a comparable value.
type packedCoded struct {
	Permits, Queue int

	semaphore         int
	queue             few[uint32]
	cancelled, closed bool
	dispatcher        dispatcher
	hand              uint32
	handlers          few[handler]
	running           few[uint32]
	dead              bool
	late              bool // a handler started after the shutdown
}

func (p *packedCoded) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	kept := noWork()
	m := Middleware{Timeout: tick, Kept: kept, dead: p.dead, executor: executor{work: kept, running: p.running.slice(), last: make([]uint32, len(kept))},
		Limit: AsWritten{Permits: p.Permits, Queue: p.Queue, semaphore: p.semaphore, queue: p.queue.slice(), cancelled: p.cancelled,
			closed: p.closed, dispatcher: p.dispatcher, hand: p.hand, handlers: p.handlers.slice()}}
	m.Step(in, out)
	l := &m.Limit
	p.late = p.late || p.cancelled && len(m.running) > int(p.running.N)
	p.semaphore, p.queue, p.cancelled, p.closed = l.semaphore, pack(l.queue), l.cancelled, l.closed
	p.dispatcher, p.hand, p.handlers = l.dispatcher, l.hand, pack(l.handlers)
	p.running, p.dead = pack(m.running), m.dead
}

// leaks reports whether more permits are in use than will be returned.
func (p *packedCoded) leaks() bool {
	owners := int(p.running.N)
	for _, h := range p.handlers.Item[:p.handlers.N] {
		if h.notified {
			owners++
		}
	}
	return p.semaphore > owners
}

// TestShortestWays finds each bug of the middleware, and the shortest way to it, with
// nothing but what is wrong.
func TestShortestWays(t *testing.T) {
	for _, v := range []struct {
		name  string
		wrong func(p *packedCoded, a, b *caller) bool
		moves int
	}{
		{"a permit leaks", func(p *packedCoded, _, _ *caller) bool { return p.leaks() }, 8},
		{"a handler panics", func(_ *packedCoded, a, b *caller) bool { return a.hungUp || b.hungUp }, 7},
		{"the process panics", func(p *packedCoded, _, _ *caller) bool { return p.dead }, 4},
		{"a handler starts after the shutdown", func(p *packedCoded, _, _ *caller) bool { return p.late }, 4},
		{"q+1 wait", func(p *packedCoded, _, _ *caller) bool { return int(p.handlers.N) > p.Queue }, 7},
	} {
		t.Run(v.name, func(t *testing.T) {
			r := visit(t, space(3, reach.Place[Msg]("limiter", packedCoded{Permits: 1, Queue: 1}), func(view *reach.View[Msg]) string {
				if v.wrong(view.Node(4).(*packedCoded), view.Node(1).(*caller), view.Node(2).(*caller)) {
					return v.name
				}
				return ""
			}))
			require.NotNil(t, r.Violation)
			assert.Len(t, r.Violation.Moves, v.moves, "%v", r.Violation)
		})
	}
}
