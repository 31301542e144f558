package ntp

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// Each property has a mutant here that violates it, and without the mutation it does not:
// a checker that cannot fail is a defect.

// coarse is a server that tells whole seconds only, as those of RFC 868 and the dates of
// HTTP.
type coarse struct{ Server }

func (c *coarse) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	in.Wall -= in.Wall % sim.Wall(time.Second)
	c.Server.Step(in, out)
}

// doubler is a client that takes every offset twice: it adds the two halves, and does not
// divide.
type doubler struct{ Client }

func (d *doubler) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Reply {
		m := in.Msg
		ahead := (m.receive() - d.sent + m.transmit() - in.Wall) / 2
		in.Msg = reply(m.number(), m.origin(), m.receive()+ahead, m.transmit()+ahead)
	}
	d.Client.Step(in, out)
}

func TestMutants(t *testing.T) {
	var mutants []modeltest.Mutant[Msg]
	for _, v := range []struct {
		property, what string
		set, mutate    func(*Params)
		mutant         func(*Params) (string, sim.Spec[Msg])
		setup          []simtest.Change
	}{
		{property: "within-bound", what: "a server that tells whole seconds",
			set: func(p *Params) { p.Start = []time.Duration{500 * ms} },
			mutant: func(*Params) (string, sim.Spec[Msg]) {
				return "server-1", sim.Place[Msg]("server-1", coarse{})
			}},
		{property: "within-bound", what: "a client that takes every offset twice",
			set: func(p *Params) { p.Settle = 10 * time.Second },
			mutant: func(p *Params) (string, sim.Spec[Msg]) {
				return "client-1", sim.Place[Msg]("client-1", doubler{p.client(0)})
			}, setup: []simtest.Change{simtest.Clock("client-1", sim.Clock{Offset: -200 * ms})}},
		{property: "bounded-error", what: "a client that takes every offset twice",
			set: func(p *Params) { p.Settle = 10 * time.Second },
			mutant: func(p *Params) (string, sim.Spec[Msg]) {
				return "client-1", sim.Place[Msg]("client-1", doubler{p.client(0)})
			}, setup: []simtest.Change{simtest.Clock("client-1", sim.Clock{Offset: -200 * ms})}},
		{property: "bounded-error", what: "a client that looks and does nothing",
			set:    func(p *Params) { p.Settle = 10 * time.Second },
			mutate: func(p *Params) { p.Discipline = "none" },
			setup:  []simtest.Change{simtest.Clock("client-1", sim.Clock{Offset: -200 * ms})}},
		{property: "monotonic", what: "a slew that is faster than the clock",
			set:    func(p *Params) { p.Settle = 10 * time.Second },
			mutate: func(p *Params) { p.SlewRate = ptr(sim.PPB(1_500_000_000)) },
			setup:  []simtest.Change{simtest.Clock("client-1", sim.Clock{Offset: 200 * ms})}},
		{property: "monotonic", what: "a step back",
			set:    func(p *Params) { p.Settle = 10 * time.Second },
			mutate: func(p *Params) { p.Threshold = ptr(100 * ms) },
			setup:  []simtest.Change{simtest.Clock("client-1", sim.Clock{Offset: 200 * ms})}},
		{property: "no-falseticker", what: "a client that thinks that nobody is wrong",
			set:    func(p *Params) { p.Servers, p.Select, p.Timeout = 3, "marzullo", nil },
			mutate: func(p *Params) { p.Faulty = ptr(0) },
			// The wrong server's interval begins where the right ones' end: all agree on a bit of it.
			setup: []simtest.Change{simtest.Clock("server-3", sim.Clock{Offset: 9 * ms})}},
		{property: "no-falseticker", what: "a client that believes the last answer",
			set:    func(p *Params) { p.Servers, p.Select = 3, "marzullo" },
			mutate: func(p *Params) { p.Select = "latest" },
			setup:  []simtest.Change{simtest.Clock("server-3", sim.Clock{Offset: 50 * ms})}},
		{property: "no-falseticker", what: "a client that believes the nearest",
			set:    func(p *Params) { p.Servers, p.Select = 3, "marzullo" },
			mutate: func(p *Params) { p.Select = "least-delay" },
			setup: []simtest.Change{simtest.Clock("server-3", sim.Clock{Offset: 50 * ms}),
				way("server-3", "client-1", ms)}},
		{property: "no-falseticker", what: "a client that trusts its oscillator more than it should",
			set:    func(p *Params) { p.Select, p.Drift, p.Epsilon = "least-delay", 400_000, time.Second },
			mutate: func(p *Params) { p.Drift = 0 },
			// The first sample is the best, and grows old.
			setup: []simtest.Change{simtest.Clock("client-1", sim.Clock{Rate: 300_000}),
				simtest.Disturb("client-1", "server-1", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Request}, For: sim.Constant(20 * ms), When: sim.When{At: at(1000)}})}},
		{property: "bounded-rate", what: "a client that takes its oscillator for better than it is",
			set:    func(p *Params) { p.Drift = 300_000 },
			mutate: func(p *Params) { p.Drift = 299_999 },
			setup:  []simtest.Change{simtest.Clock("client-1", sim.Clock{Rate: -300_000})}},
	} {
		correct := params(v.set)
		mutated := params(v.set)
		if v.mutate != nil {
			v.mutate(&mutated)
		}
		m := modeltest.Mutant[Msg]{Property: v.property, Correct: correct.System, Mutant: mutated.system, Changes: append([]simtest.Change{hour}, v.setup...)}
		if v.mutant != nil {
			name, spec := v.mutant(&mutated)
			m.Mutant = modeltest.Replace(mutated.system, name, func(string) sim.Spec[Msg] { return spec })
		}
		mutants = append(mutants, m)
	}
	modeltest.Mutants(t, mutants...)
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	p := DefaultParams()
	modeltest.Needs(t, p.System())
}
