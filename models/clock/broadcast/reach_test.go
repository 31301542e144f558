package broadcast

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// Every order in which messages can arrive, of a few processes that broadcast at any time:
// what total and causal order promise holds in every state that can be reached.

const most = 3 // processes, and the messages of each

// small is a Msg as a comparable value.
type small struct {
	Kind   sim.Kind
	Sender sim.NodeID
	Seq    uint32
	C      uint64
	V      [most]uint64
}

func (s small) Label() sim.Kind { return s.Kind }

func (s small) Fold(d sim.Digest) sim.Digest {
	return d.Fold(uint64(s.Kind)|uint64(s.Sender)<<8|uint64(s.Seq)<<32, s.C).Fold(s.V[0]|s.V[1]<<32, s.V[2])
}

func (s small) String() string { return s.large().String() }

func (s small) large() Msg {
	m := Msg{Kind: s.Kind, Sender: s.Sender, Seq: s.Seq, number: s.C}
	if s.V != [most]uint64{} {
		m.Vector = s.V[:]
	}
	return m
}

func smaller(m Msg) (s small) {
	s = small{Kind: m.Kind, Sender: m.Sender, Seq: m.Seq, C: m.Stamp()}
	copy(s.V[:], m.Vector)
	return s
}

// few is a list of at most nine, as a comparable value.
type few[T comparable] struct {
	N    uint8
	Item [most * most]T
}

func (f *few[T]) add(v T) {
	f.Item[f.N] = v
	f.N++
}

// speaker is a process as a comparable value, in total or causal order.
type speaker struct {
	Processes int
	Messages  uint32
	Causal    bool

	sent      uint32
	clock     clock.Lamport
	heard     [most + 1]uint64
	delivered [most]uint64
	list      few[small]     // that waits
	order     few[[2]uint32] // what it has delivered: sender and number
}

func (s *speaker) Step(in sim.In[small], out *sim.Out[small]) {
	total := Total{self: in.Self, clock: s.clock, heard: s.heard[:s.Processes+1]}
	causal := Causal{self: in.Self, delivered: s.delivered[:], held: newHoldBack(most)}
	for _, m := range s.list.Item[:s.list.N] {
		if s.Causal {
			causal.Receive(in.From, m.large())
		} else {
			total.queue = append(total.queue, m.large())
		}
	}
	var a Algorithm = &total
	if s.Causal {
		a = &causal
	}
	s.handle(a, in, out)
	for m, ok := a.Next(); ok; m, ok = a.Next() {
		s.order.add([2]uint32{uint32(m.Sender), m.Seq})
	}
	s.clock, s.list = total.clock, few[small]{}
	for _, m := range append(total.queue, causal.held.all()...) {
		s.list.add(smaller(m))
	}
}

// all is what waits, in the order in which it came.
func (h *holdBack) all() (list []Msg) {
	var waits []waiting
	for _, q := range h.queues {
		waits = append(waits, q.list...)
	}
	slices.SortFunc(waits, func(a, b waiting) int { return cmp.Compare(a.came, b.came) })
	for _, w := range waits {
		list = append(list, w.Msg)
	}
	return list
}

func (s *speaker) handle(a Algorithm, in sim.In[small], out *sim.Out[small]) {
	send := func(m Msg) {
		for id := sim.NodeID(1); int(id) <= s.Processes; id++ {
			if id != in.Self {
				out.Send(id, smaller(m))
			}
		}
	}
	switch in.Msg.Kind {
	case start, speak:
		if in.Msg.Kind == speak {
			s.sent++
			send(a.Broadcast(Msg{Kind: Cast, Sender: in.Self, Seq: s.sent}))
		}
		if s.sent < s.Messages {
			out.After(0, small{Kind: speak})
		}
	default:
		if answer, now := a.Receive(in.From, in.Msg.large()); now {
			send(answer)
		}
	}
}

func (s *speaker) deliveries() [][2]uint32 { return s.order.Item[:s.order.N] }

// prefixes says whether of any two processes one has delivered what the other has, in the
// same order, and perhaps more.
func prefixes(v *reach.View[small], processes int) string {
	for p := range processes {
		for q := range p {
			a, b := v.Node(sim.NodeID(p+1)).(*speaker).deliveries(), v.Node(sim.NodeID(q+1)).(*speaker).deliveries()
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					return "two deliver in different orders"
				}
			}
		}
	}
	return ""
}

// complete says whether everybody has delivered everything, if nothing is left to happen.
func complete(v *reach.View[small], processes int) string {
	all := 0
	for link := range processes * processes {
		if len(v.InFlight(link)) > 0 {
			return ""
		}
	}
	for p := range processes {
		all += int(v.Node(sim.NodeID(p + 1)).(*speaker).Messages)
	}
	for p := range processes {
		if len(v.Node(sim.NodeID(p+1)).(*speaker).deliveries()) < all {
			return "nothing is left to happen, and a message is not delivered"
		}
	}
	return ""
}

func room(causal bool, order sim.Order, invariant func(*reach.View[small]) string, messages ...uint32) reach.Space[small] {
	s := reach.Space[small]{Invariant: invariant}
	for i, n := range messages {
		id := sim.NodeID(i + 1)
		s.Nodes = append(s.Nodes, reach.Place[small](fmt.Sprintf("process-%d", id), speaker{Processes: len(messages), Messages: n, Causal: causal}))
		s.Links = append(s.Links, reach.Link{From: id, To: id, Capacity: 1})
		for j := range messages {
			if j != i {
				s.Links = append(s.Links, reach.Link{From: id, To: sim.NodeID(j + 1), Capacity: 8, Order: order})
			}
		}
	}
	return s
}

func visit(t *testing.T, s reach.Space[small]) reach.Result {
	t.Helper()
	r, err := reach.Visit(context.Background(), s, reach.Limits{Memory: 2 << 30})
	require.NoError(t, err)
	return r
}

// counted is how many messages each process broadcasts, and how many states there are.
type counted struct {
	messages []uint32
	states   int64
}

// shorter leaves out the last case, which has the most states, in short tests.
func shorter(cases []counted) []counted {
	if !whole.Tests() {
		return cases[:len(cases)-1]
	}
	return cases
}

func TestTotalInEveryOrder(t *testing.T) {
	for _, v := range shorter([]counted{
		{[]uint32{2, 2}, 494},
		{[]uint32{3, 3}, 11_009},
		{[]uint32{1, 1, 0}, 6_259},
		{[]uint32{2, 1, 0}, 629_420},
		{[]uint32{1, 1, 1}, 1_188_977},
	}) {
		t.Run(fmt.Sprint(v.messages), func(t *testing.T) {
			n := len(v.messages)
			r := visit(t, room(false, sim.FIFO, func(view *reach.View[small]) string {
				if wrong := prefixes(view, n); wrong != "" {
					return wrong
				}
				return complete(view, n)
			}, v.messages...))
			require.Nil(t, r.Violation, r.Violation)
			require.True(t, r.Exhausted, r.Bound)
			require.Zero(t, r.Held, "no link is too small")
			assert.Equal(t, v.states, r.States)
		})
	}
}

// TestShortestWay lets messages overtake each other in total order: an acknowledgment
// comes before the message that its sender had broadcast before it, as in the scenario
// broadcast-total-not-fifo.
func TestShortestWay(t *testing.T) {
	r := visit(t, room(false, sim.Free, func(view *reach.View[small]) string { return prefixes(view, 2) }, 1, 1))
	require.NotNil(t, r.Violation)
	assert.Len(t, r.Violation.Moves, 4, "%v", r.Violation)
}

// TestCausalInEveryOrder: messages overtake each other, and everything is delivered, after
// what its sender had delivered before it.
func TestCausalInEveryOrder(t *testing.T) {
	for _, v := range shorter([]counted{
		{[]uint32{3, 3}, 2_358},
		{[]uint32{2, 1, 1}, 6_830},
		{[]uint32{2, 2, 1}, 94_578},
		{[]uint32{2, 2, 2}, 1_696_779},
	}) {
		t.Run(fmt.Sprint(v.messages), func(t *testing.T) {
			n := len(v.messages)
			r := visit(t, room(true, sim.Free, func(view *reach.View[small]) string {
				for p := range n {
					if wrong := view.Node(sim.NodeID(p+1)).(*speaker).uncaused(view, n); wrong != "" {
						return wrong
					}
				}
				return complete(view, n)
			}, v.messages...))
			require.Nil(t, r.Violation, r.Violation)
			require.True(t, r.Exhausted, r.Bound)
			require.Zero(t, r.Held, "no link is too small")
			assert.Equal(t, v.states, r.States)
		})
	}
}

// uncaused says whether the process has delivered a message before one that its sender had
// delivered, or sent, before it. In the sender's own list of deliveries these stand before
// the message.
func (s *speaker) uncaused(v *reach.View[small], processes int) string {
	mine := s.deliveries()
	for i, m := range mine {
		for _, earlier := range v.Node(sim.NodeID(m[0])).(*speaker).deliveries() {
			if earlier == m {
				break
			}
			there := false
			for _, d := range mine[:i] {
				there = there || d == earlier
			}
			if !there {
				return "a message is delivered before one that happened before it"
			}
		}
	}
	return ""
}
