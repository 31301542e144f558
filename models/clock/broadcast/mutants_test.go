package broadcast

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// Each property has a mutant here that violates it, and without the mutation it does not:
// a checker that cannot fail is a defect.

// latest delivers the newest message that it holds of a sender, not the next one.
type latest struct{ FIFO }

func (l *latest) Next() (Msg, bool) {
	m := l.held.first(func(*waiting) bool { return true })
	if m == nil {
		return Msg{}, false
	}
	return l.held.take(m), true
}

func (l *latest) Reset(initial *latest) { l.FIFO.Reset(&initial.FIFO) }

// heedless looks at the sender's own counter only.
type heedless struct{ Causal }

func (h *heedless) Next() (Msg, bool) {
	m := h.held.first(func(m *waiting) bool { return m.number == h.delivered[m.Sender-1]+1 })
	if m == nil {
		return Msg{}, false
	}
	h.delivered[m.Sender-1]++
	return h.held.take(m), true
}

func (h *heedless) Reset(initial *heedless) { h.Causal.Reset(&initial.Causal) }

// hasty delivers the head of its queue without acknowledgments.
type hasty struct{ Total }

func (h *hasty) Next() (Msg, bool) {
	if len(h.queue) == 0 {
		return Msg{}, false
	}
	return pop(&h.queue, 0), true
}

func (h *hasty) Reset(initial *hasty) { h.Total.Reset(&initial.Total) }

// arrivals breaks ties by arrival: of equal stamps the one that came first is first.
type arrivals struct{ Total }

func (a *arrivals) Broadcast(m Msg) Msg {
	m = stamped(m, a.clock.Tick())
	a.place(m)
	return m
}

func (a *arrivals) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	if m.Kind != Cast {
		return a.Total.Receive(from, m)
	}
	queue := append([]Msg(nil), a.queue...)
	ack, now := a.Total.Receive(from, m)
	a.queue = queue
	a.place(m)
	return ack, now
}

// place puts a message behind all that have no larger counter.
func (a *arrivals) place(m Msg) {
	i := 0
	for i < len(a.queue) && a.queue[i].Stamp() <= m.Stamp() {
		i++
	}
	a.queue = append(a.queue[:i:i], append([]Msg{m}, a.queue[i:]...)...)
}

// Next waits for a stamp that is as large, since a tie has no order here.
func (a *arrivals) Next() (Msg, bool) {
	if len(a.queue) == 0 {
		return Msg{}, false
	}
	for p, heard := range a.heard {
		if p > 0 && sim.NodeID(p) != a.self && heard < a.queue[0].Stamp() {
			return Msg{}, false
		}
	}
	return pop(&a.queue, 0), true
}

func (a *arrivals) Reset(initial *arrivals) { a.Total.Reset(&initial.Total) }

// mute acknowledges nothing.
type mute struct{ Total }

func (m *mute) Receive(from sim.NodeID, msg Msg) (Msg, bool) {
	m.Total.Receive(from, msg)
	return Msg{}, false
}

func (m *mute) Reset(initial *mute) { m.Total.Reset(&initial.Total) }

// deaf does not take in the messages of process 1.
type deaf struct{ None }

func (d *deaf) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	if from == 1 {
		return Msg{}, false
	}
	return d.None.Receive(from, m)
}

func (d *deaf) Reset(initial *deaf) { d.None.Reset(&initial.None) }

// echo delivers everything twice.
type echo struct{ FIFO }

func (e *echo) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	e.next[m.Sender] = m.Seq
	return e.FIFO.Receive(from, m)
}

func (e *echo) Reset(initial *echo) { e.FIFO.Reset(&initial.FIFO) }

func TestMutants(t *testing.T) {
	answer := func(p *Params) { p.Start, p.Answers = list(0, never), []int{0, 1, 0} }
	slow := late("process-1", "process-3", 1, 50)
	none := func(*sim.Config, *sim.Program) {}
	concurrent := func(p *Params) { p.Processes, p.Operations = 3, []string{"add 100", "interest 1%", "add 7"} }
	mutant := func(property, order string, set func(*Params), schedule simtest.Change, place func(*Params, sim.NodeID) sim.Spec[Msg]) modeltest.Mutant[Msg] {
		p := params(order, set)
		m := modeltest.Mutant[Msg]{Property: property, Correct: p.System, Changes: []simtest.Change{simtest.Until(at(3000)), schedule}}
		m.Mutant = modeltest.Replace(p.System, "process-", func(name string) sim.Spec[Msg] {
			id, err := strconv.Atoi(strings.TrimPrefix(name, "process-"))
			require.NoError(t, err)
			return place(&p, sim.NodeID(id))
		})
		return m
	}
	modeltest.Mutants(t,
		mutant("fifo-order", "fifo", one, late("process-1", "process-2", 1, 22),
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, latest{NewFIFO(3)}) }),
		mutant("causal-order", "causal", answer, slow,
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, heedless{NewCausal(id, 3)}) }),
		mutant("same-order", "total-lamport", concurrent, none,
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, hasty{NewTotal(id, 3)}) }),
		mutant("same-order", "total-lamport", concurrent, none,
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, arrivals{NewTotal(id, 3)}) }),
		mutant("replicas-agree", "total-lamport", concurrent, none,
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, arrivals{NewTotal(id, 3)}) }),
		mutant("validity", "total-lamport", one, none,
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, mute{NewTotal(id, 3)}) }),
		mutant("agreement", "none", one, none,
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, deaf{}) }),
		mutant("no-duplicates", "fifo", one, twice("process-1", "process-2", 1, 1),
			func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, echo{NewFIFO(3)}) }),
	)
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	p := DefaultParams()
	modeltest.Needs(t, p.System())
}
