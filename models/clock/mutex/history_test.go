package mutex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
)

// crew is processes of an algorithm and what is on its way between them, without an
// engine, with the oracle beside it.
type crew struct {
	t       *testing.T
	part    []Algorithm // from 1
	waiting []bool
	inside  int
	flight  []letter
	history *clock.History
	asked   []clock.Event // of each process: its request
	granted []clock.Event // requests, in the order in which they were granted
	made    []clock.Event // all requests
}

// letter is a message on its way.
type letter struct {
	from, to sim.NodeID
	m        Msg
	send     clock.Event
}

// send lets a process send a message, which is one event however many it goes to.
func (c *crew) send(from sim.NodeID, m Msg, to []sim.NodeID) clock.Event {
	e, err := c.history.Local(int(from))
	require.NoError(c.t, err)
	for _, id := range to {
		c.flight = append(c.flight, letter{from, id, m, e})
	}
	return e
}

// check is what happens after every event: a process may be granted what it asked for.
func (c *crew) check(id sim.NodeID) {
	if c.waiting[id] && c.part[id].Granted() {
		c.waiting[id] = false
		c.inside++
		require.Equal(c.t, 1, c.inside, "(I) only one is in")
		c.granted = append(c.granted, c.asked[id])
	}
}

func (c *crew) others(id sim.NodeID) (to []sim.NodeID) {
	for p := 1; p < len(c.part); p++ {
		if sim.NodeID(p) != id {
			to = append(to, sim.NodeID(p))
		}
	}
	return to
}

// act lets a process ask, or leave if it is in.
func (c *crew) act(id sim.NodeID) {
	switch p := c.part[id]; {
	case p.Granted():
		c.inside--
		m, to := p.Release(nil)
		c.send(id, m, to)
	case !c.waiting[id]:
		c.waiting[id] = true
		c.asked[id] = c.send(id, p.Request(), c.others(id))
		c.made = append(c.made, c.asked[id])
	}
	c.check(id)
}

// deliver lets the i-th letter arrive.
func (c *crew) deliver(i int) {
	l := c.flight[i]
	c.flight = append(c.flight[:i], c.flight[i+1:]...)
	_, err := c.history.Receive(int(l.to), l.send)
	require.NoError(c.t, err)
	if reply, now := c.part[l.to].Receive(l.from, l.m); now {
		c.send(l.to, reply, []sim.NodeID{l.from})
	}
	c.check(l.to)
}

// first is the oldest letter on the link of the i-th.
func (c *crew) first(i int) int {
	for j, l := range c.flight {
		if l.from == c.flight[i].from && l.to == c.flight[i].to {
			return j
		}
	}
	return i
}

// TestCondition2 is "(II) Different requests for the resource must be granted in the order
// in which they are made" (Lamport 1978), where the order is happened-before: by the
// oracle and not by the stamps. And (III): in the end everything asked for is granted.
func TestCondition2(t *testing.T) {
	for _, algorithm := range both {
		for _, processes := range []int{2, 3, 5} {
			t.Run(fmt.Sprintf("%s, %d", algorithm, processes), func(t *testing.T) {
				ordered := 0
				for seed := range uint64(50) {
					c := &crew{t: t, part: make([]Algorithm, processes+1), waiting: make([]bool, processes+1), asked: make([]clock.Event, processes+1)}
					for id := sim.NodeID(1); int(id) <= processes; id++ {
						l, r := NewLamport(id, processes), NewRicartAgrawala(id, processes)
						if c.part[id] = &l; algorithm == "ricart-agrawala" {
							c.part[id] = &r
						}
					}
					var err error
					c.history, err = clock.NewHistory(processes + 1)
					require.NoError(t, err)
					c.live(rand.New(rand.NewPCG(seed, 1)), algorithm == "lamport")
					ordered += c.ordered()
				}
				require.Greater(t, ordered, 100, "requests of which one happened before the other")
			})
		}
	}
}

// live makes random moves, and then lets everything come to an end.
func (c *crew) live(random *rand.Rand, fifo bool) {
	arrive := func() {
		i := random.IntN(len(c.flight))
		if fifo {
			i = c.first(i)
		}
		c.deliver(i)
	}
	for range 300 {
		if len(c.flight) > 0 && random.IntN(4) > 0 {
			arrive()
		} else {
			c.act(sim.NodeID(1 + random.IntN(len(c.part)-1)))
		}
	}
	for len(c.granted) < len(c.made) || len(c.flight) > 0 {
		if len(c.flight) > 0 {
			arrive()
			continue
		}
		require.Equal(c.t, 1, c.inside, "(III) somebody waits, and nobody is in")
		for id := 1; id < len(c.part); id++ {
			if c.part[id].Granted() {
				c.act(sim.NodeID(id))
			}
		}
	}
}

// ordered compares the order of the grants with what happened before what. It returns how
// many pairs there were to compare.
func (c *crew) ordered() (ordered int) {
	for i, a := range c.granted {
		for _, b := range c.granted[i+1:] {
			require.False(c.t, c.history.Before(b, a), "granted later, and asked for before")
			if c.history.Before(a, b) {
				ordered++
			}
		}
	}
	return ordered
}
