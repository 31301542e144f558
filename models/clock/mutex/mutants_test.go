package mutex

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// Each property has a mutant here that violates it, and without the mutation it does not:
// a checker that cannot fail is a defect.

// hasty does not wait to hear from everybody: it enters when its own request is first in
// its queue.
type hasty struct{ Lamport }

func (h *hasty) Granted() bool        { return len(h.queue) > 0 && h.queue[0].P == h.self }
func (h *hasty) Reset(initial *hasty) { h.Lamport.Reset(&initial.Lamport) }
func (h *hasty) Recover(before *hasty, everything bool) {
	h.Lamport.Recover(&before.Lamport, everything)
}

// arrivals keeps its queue in the order in which requests arrive.
type arrivals struct{ Lamport }

func (a *arrivals) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	first := Stamp{}
	if len(a.queue) > 0 {
		first = a.queue[0]
	}
	ack, now := a.Lamport.Receive(from, m)
	if now && first != (Stamp{}) && first.P == a.self { // what has come now does not get ahead
		a.remove(a.self)
		a.queue = append([]Stamp{first}, a.queue...)
	}
	return ack, now
}

func (a *arrivals) Reset(initial *arrivals) { a.Lamport.Reset(&initial.Lamport) }
func (a *arrivals) Recover(before *arrivals, everything bool) {
	a.Lamport.Recover(&before.Lamport, everything)
}

// keeper does not take the request of another out of its queue when that leaves.
type keeper struct{ Lamport }

func (k *keeper) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	if m.Kind == Release {
		receive(&k.clock, m)
		return Msg{}, false
	}
	return k.Lamport.Receive(from, m)
}

func (k *keeper) Reset(initial *keeper) { k.Lamport.Reset(&initial.Lamport) }
func (k *keeper) Recover(before *keeper, everything bool) {
	k.Lamport.Recover(&before.Lamport, everything)
}

// polite replies at once, whether it has asked before or not.
type polite struct{ RicartAgrawala }

func (p *polite) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	reply, now := p.RicartAgrawala.Receive(from, m)
	if m.Kind == Request && !now {
		p.deferred[from] = false
		return Msg{Kind: Reply, Stamp: p.clock.Tick()}, true
	}
	return reply, now
}

func (p *polite) Reset(initial *polite) { p.RicartAgrawala.Reset(&initial.RicartAgrawala) }
func (p *polite) Recover(before *polite, everything bool) {
	p.RicartAgrawala.Recover(&before.RicartAgrawala, everything)
}

// deaf has a clock that does not move when it hears of a later one.
type deaf struct{ RicartAgrawala }

func (d *deaf) Receive(from sim.NodeID, m Msg) (Msg, bool) {
	was := d.clock
	reply, now := d.RicartAgrawala.Receive(from, m)
	d.clock = was + clock.Lamport(1)
	return reply, now
}

func (d *deaf) Reset(initial *deaf) { d.RicartAgrawala.Reset(&initial.RicartAgrawala) }
func (d *deaf) Recover(before *deaf, everything bool) {
	d.RicartAgrawala.Recover(&before.RicartAgrawala, everything)
}

// forgetful never replies to those whom it has put off.
type forgetful struct{ RicartAgrawala }

func (f *forgetful) Release(tell []sim.NodeID) (Msg, []sim.NodeID) {
	m, _ := f.RicartAgrawala.Release(tell)
	return m, tell
}

func (f *forgetful) Reset(initial *forgetful) { f.RicartAgrawala.Reset(&initial.RicartAgrawala) }
func (f *forgetful) Recover(before *forgetful, everything bool) {
	f.RicartAgrawala.Recover(&before.RicartAgrawala, everything)
}

func TestMutants(t *testing.T) {
	lamport := func(id sim.NodeID) Lamport { return NewLamport(id, 3) }
	ricart := func(id sim.NodeID) RicartAgrawala { return NewRicartAgrawala(id, 3) }
	mutant := func(property, algorithm string, set func(*Params), place func(*Params, sim.NodeID) sim.Spec[Msg]) modeltest.Mutant[Msg] {
		p := params(algorithm, set)
		return modeltest.Mutant[Msg]{Property: property, Correct: p.System, Mutant: modeltest.Replace(p.System, "process-", func(name string) sim.Spec[Msg] {
			id, err := strconv.Atoi(strings.TrimPrefix(name, "process-"))
			require.NoError(t, err)
			return place(&p, sim.NodeID(id))
		})}
	}
	apart := func(p *Params) { p.Start, p.Rounds, p.Think = list(0, 150, 300), []int{3}, dists(20) }
	modeltest.Mutants(t,
		mutant("mutual-exclusion", "lamport", nil, func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, hasty{lamport(id)}) }),
		mutant("mutual-exclusion", "lamport", nil, func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, arrivals{lamport(id)}) }),
		mutant("mutual-exclusion", "ricart-agrawala", nil, func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, polite{ricart(id)}) }),
		mutant("in-request-order", "ricart-agrawala", apart, func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, deaf{ricart(id)}) }),
		mutant("progress", "lamport", nil, func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, keeper{lamport(id)}) }),
		mutant("progress", "ricart-agrawala", nil, func(p *Params, id sim.NodeID) sim.Spec[Msg] { return place(p, id, forgetful{ricart(id)}) }),
	)
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	p := DefaultParams()
	modeltest.Needs(t, p.System())
}
