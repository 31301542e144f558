package broadcast

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
)

// linear says the same as FIFO and Causal in the simplest way: all that waits is one list
// in the order in which it came, and is looked through from its beginning each time.
type linear struct {
	delivered []uint64 // by sender, from 1
	causal    bool
	list      []Msg
}

func (l *linear) number(m Msg) uint64 {
	if l.causal {
		return m.Vector[m.Sender-1]
	}
	return uint64(m.Seq)
}

func (l *linear) ready(m Msg) bool {
	for k, n := range m.Vector {
		if sim.NodeID(k+1) != m.Sender && n > l.delivered[k+1] {
			return false
		}
	}
	return l.number(m) == l.delivered[m.Sender]+1
}

func (l *linear) next() (Msg, bool) {
	l.list = slices.DeleteFunc(l.list, func(m Msg) bool { return l.number(m) <= l.delivered[m.Sender] })
	i := slices.IndexFunc(l.list, l.ready)
	if i < 0 {
		return Msg{}, false
	}
	m := pop(&l.list, i)
	l.delivered[m.Sender]++
	return m, true
}

// FuzzHoldBack lets three processes broadcast, receive any message that was ever sent, any
// number of times or never, and restart. They deliver what one list delivers, in its order,
// and as many messages wait.
func FuzzHoldBack(f *testing.F) {
	f.Add([]byte{0, 1, 0, 1, 0, 1, 5, 2, 5, 2, 5, 1, 5, 0}, true)
	f.Add([]byte{0, 0, 0, 0, 4, 3, 4, 3, 4, 2, 8, 1, 12, 0, 4, 0, 4, 1}, false)
	f.Add([]byte{0, 0, 3, 0, 0, 0, 1, 0, 6, 0, 5, 1, 5, 0, 9, 2, 9, 2, 9, 0}, true)
	f.Fuzz(func(t *testing.T, data []byte, causal bool) {
		var g gang
		g.start(causal)
		for ; len(data) >= 2; data = data[2:] {
			g.act(t, int(data[0])%3+1, int(data[0])/3%4, int(data[1]))
		}
	})
}

// TestHoldBackIsOneList is the same for random streams, most of which go on from what has
// gone before.
func TestHoldBackIsOneList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var g gang
		g.start(r.IntN(2) == 0)
		recent := 1 + r.IntN(12)
		for range 150 {
			g.act(t, r.IntN(3)+1, r.IntN(4), r.IntN(recent))
		}
	}
}

// gang is three processes, each beside its model.
type gang struct {
	causal   bool
	sent     []Msg
	seq      [4]uint32
	parts    [4]Algorithm
	restarts [4]func()
	models   [4]linear
}

func (g *gang) start(causal bool) {
	g.causal = causal
	for p := 1; p <= 3; p++ {
		c, f := NewCausal(sim.NodeID(p), 3), NewFIFO(3)
		firstC, firstF := NewCausal(sim.NodeID(p), 3), NewFIFO(3)
		if g.parts[p], g.restarts[p] = &f, func() { f.Reset(&firstF) }; causal {
			g.parts[p], g.restarts[p] = &c, func() { c.Reset(&firstC) }
		}
		g.models[p] = linear{delivered: make([]uint64, 4), causal: causal}
	}
}

// act is a broadcast, now and then a restart, or else a receipt, which may be answered.
func (g *gang) act(t *testing.T, p, what, which int) {
	switch {
	case what == 0:
		g.broadcast(p)
	case what == 1 && which%4 == 0:
		g.restarts[p]()
		g.models[p] = linear{delivered: make([]uint64, 4), causal: g.causal}
	case len(g.sent) > 0:
		if m := g.sent[len(g.sent)-1-which%len(g.sent)]; m.Sender != sim.NodeID(p) {
			g.parts[p].Receive(m.Sender, m)
			g.models[p].list = append(g.models[p].list, m)
		}
	}
	for answers := what == 3; ; {
		got, ok := g.parts[p].Next()
		want, there := g.models[p].next()
		require.Equal(t, there, ok)
		require.Equal(t, want, got)
		if !ok {
			break
		}
		if answers && got.Sender != sim.NodeID(p) {
			answers = false
			g.broadcast(p)
		}
	}
	require.Equal(t, len(g.models[p].list), g.parts[p].Waiting())
}

func (g *gang) broadcast(p int) {
	g.seq[p]++
	m := g.parts[p].Broadcast(Msg{Kind: Cast, Sender: sim.NodeID(p), Seq: g.seq[p]})
	g.sent = append(g.sent, m)
	if list := &g.models[p].list; g.causal { // it is delivered next
		*list = slices.Insert(*list, 0, m)
	} else {
		*list = append(*list, m)
	}
}

// Behind a message that is lost nobody looks.
func TestOnlyTheFirstIsLookedAt(t *testing.T) {
	h := newHoldBack(3)
	for seq := uint32(2); seq <= 1000; seq++ {
		for sender := sim.NodeID(1); sender <= 3; sender++ {
			h.add(Msg{Sender: sender, Seq: seq}, uint64(seq))
		}
	}
	looks := 0
	assert.Nil(t, h.first(func(*waiting) bool { looks++; return false }))
	assert.Equal(t, 3, looks)
}

// What comes and goes in a queue that is never empty does not make it larger.
func TestAQueueKeepsItsMemory(t *testing.T) {
	h := newHoldBack(1)
	ready := func(*waiting) bool { return true }
	seq, stamp := uint32(0), clock.Vector{1}
	step := func() {
		seq++
		h.add(Msg{Sender: 1, Seq: seq, Vector: stamp}, uint64(seq))
		if seq > 100 {
			h.take(h.first(ready))
		}
	}
	for range 1000 {
		step()
	}
	require.Equal(t, 100, h.count)
	q := &h.queues[1]
	most := cap(q.memory)
	assert.LessOrEqual(t, most, 512)
	assert.Zero(t, testing.AllocsPerRun(1, func() {
		for range 10_000 {
			step()
		}
	}))
	assert.Equal(t, most, cap(q.memory))
	for i, w := range q.memory[:most] {
		if w.number != 0 {
			assert.Greater(t, w.Seq, seq-100, "place %d: what is gone is forgotten", i)
		}
	}
}
