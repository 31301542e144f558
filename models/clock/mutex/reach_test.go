package mutex

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// Every order in which messages can arrive, of a few processes that ask a few times, at
// any time: what the algorithms promise holds in every state that can be reached, and the
// shortest ways to what they do not promise are found without being told.

const most = 3 // processes

// few is a list of at most six, as a comparable value.
type few struct {
	N    uint8
	Item [6]Stamp
}

// packed is a process as a comparable value: with either algorithm.
type packed struct {
	Processes, Rounds int
	Ricart            bool

	clock       clock.Lamport
	queue       few
	heard       [most + 1]uint64
	requesting  bool
	own         Stamp
	outstanding int
	deferred    [most + 1]bool

	phase phase
	asked uint64
	round int
}

func (p *packed) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if p.Ricart {
		q := Process[RicartAgrawala, *RicartAgrawala]{Life: Life{Processes: p.Processes, Rounds: p.Rounds, phase: p.phase, asked: p.asked, round: p.round},
			Part: RicartAgrawala{self: in.Self, clock: p.clock, requesting: p.requesting, own: p.own, outstanding: p.outstanding, deferred: p.deferred[:p.Processes+1]}}
		q.Step(in, out)
		p.clock, p.requesting, p.own, p.outstanding = q.Part.clock, q.Part.requesting, q.Part.own, q.Part.outstanding
		p.phase, p.asked, p.round = q.phase, q.asked, q.round
		return
	}
	q := Process[Lamport, *Lamport]{Life: Life{Processes: p.Processes, Rounds: p.Rounds, phase: p.phase, asked: p.asked, round: p.round},
		Part: Lamport{self: in.Self, clock: p.clock, queue: append([]Stamp(nil), p.queue.Item[:p.queue.N]...), heard: p.heard[:p.Processes+1]}}
	q.Step(in, out)
	p.clock, p.queue = q.Part.clock, few{}
	if p.queue.N = uint8(copy(p.queue.Item[:], q.Part.queue)); int(p.queue.N) < len(q.Part.queue) {
		panic("more than six")
	}
	p.phase, p.asked, p.round = q.phase, q.asked, q.round
}

// space is processes that ask at any time, each so many times.
func space(processes, rounds int, ricart bool, order sim.Order, invariant func(*reach.View[Msg]) string) reach.Space[Msg] {
	s := reach.Space[Msg]{Invariant: invariant}
	for i := range processes {
		id := sim.NodeID(i + 1)
		s.Nodes = append(s.Nodes, reach.Place[Msg](fmt.Sprintf("process-%d", id), packed{Processes: processes, Rounds: rounds, Ricart: ricart}))
		s.Links = append(s.Links, reach.Link{From: id, To: id, Capacity: 1})
		for j := range processes {
			if j != i {
				s.Links = append(s.Links, reach.Link{From: id, To: sim.NodeID(j + 1), Capacity: 8, Order: order})
			}
		}
	}
	return s
}

// wrong says what is wrong with a state: (I), (II) for those that wait, or (III).
func wrong(v *reach.View[Msg], processes int) string {
	for i := range processes {
		p := v.Node(sim.NodeID(i + 1)).(*packed)
		for j := range processes {
			q := v.Node(sim.NodeID(j + 1)).(*packed)
			mine, other := Stamp{C: p.asked, P: sim.NodeID(i + 1)}, Stamp{C: q.asked, P: sim.NodeID(j + 1)}
			switch {
			case i == j || p.phase != inside:
			case q.phase == inside:
				return "two are in"
			case q.phase == waiting && other.Compare(mine) < 0:
				return "one is in, and one that has asked before waits"
			}
		}
	}
	for link := range processes * processes {
		if len(v.InFlight(link)) > 0 {
			return ""
		}
	}
	for i := range processes {
		if p := v.Node(sim.NodeID(i + 1)).(*packed); p.phase != thinking || p.round < p.Rounds {
			return "nothing is left to happen, and one waits"
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

func TestInEveryOrder(t *testing.T) {
	for _, v := range []struct {
		name              string
		processes, rounds int
		ricart            bool
		order             sim.Order
		states            int64
	}{
		{"lamport, 2 processes twice", 2, 2, false, sim.FIFO, 1_931},
		{"lamport, 2 processes four times", 2, 4, false, sim.FIFO, 77_554},
		{"lamport, 3 processes once", 3, 1, false, sim.FIFO, 1_013_779},
		{"ricart-agrawala, 2 processes four times, messages overtake", 2, 4, true, sim.Free, 10_731},
		{"ricart-agrawala, 3 processes once, messages overtake", 3, 1, true, sim.Free, 36_366},
	} {
		t.Run(v.name, func(t *testing.T) {
			r := visit(t, space(v.processes, v.rounds, v.ricart, v.order, func(view *reach.View[Msg]) string { return wrong(view, v.processes) }))
			require.Nil(t, r.Violation, r.Violation)
			require.True(t, r.Exhausted, r.Bound)
			require.Zero(t, r.Held, "no link is too small")
			assert.Equal(t, v.states, r.States)
		})
	}
}

// TestShortestWays lets messages overtake each other in Lamport's algorithm. With two
// processes two are in after four moves; the schedule is played in schedules_test.go.
func TestShortestWays(t *testing.T) {
	for _, v := range []struct {
		processes, moves int
		why              string
	}{
		{2, 4, "two are in"},
		{3, 6, "one is in, and one that has asked before waits"},
	} {
		r := visit(t, space(v.processes, 1, false, sim.Free, func(view *reach.View[Msg]) string { return wrong(view, v.processes) }))
		require.NotNil(t, r.Violation)
		assert.Equal(t, v.why, r.Violation.Why)
		assert.Len(t, r.Violation.Moves, v.moves, "%v", r.Violation)
	}
}
