package replicas

import (
	"testing"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// Each property has a mutant here that violates it, and without the mutation it does not:
// a checker that cannot fail is a defect.

// deaf does not listen to one kind of message.
type deaf struct {
	Replica
	to sim.Kind
}

func (d *deaf) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != d.to {
		d.Replica.Step(in, out)
	}
}

// forgetful does not look at what a writer has read.
type forgetful struct{ Replica }

func (f *forgetful) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Put {
		w := *in.Msg.Write
		w.Read = nil
		in.Msg.Write = &w
	}
	f.Replica.Step(in, out)
}

// believer takes what it is told for what there is.
type believer struct{ Replica }

func (b *believer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Sync {
		b.kept = in.Msg.Set //fencepost:allow a Kept never changes once it is made
	}
	b.Replica.Step(in, out)
}

// impostor takes writes under the id of another replica.
type impostor struct {
	Replica
	as sim.NodeID
}

func (i *impostor) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Put {
		in.Self = i.as
	}
	i.Replica.Step(in, out)
}

// doubler takes each write twice.
type doubler struct{ Replica }

func (d *doubler) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Put {
		d.kept = d.kept.Put(in.Msg.Write, Place{Replica: ID(in.Self) << 32})
	}
	d.Replica.Step(in, out)
}

// busy is a run in which each property has something to check: concurrent writes and a
// cart from which something is taken out.
func busy() Params {
	p := params("dvvset", []string{"a", "b"},
		script("c1", "add a milk bread", "sync a b", "at 10ms", "read a", "remove a milk", "at 20ms", "sync a b", "read a", "at 30ms", "read a", "write a"),
		script("c2", "at 10ms", "read b", "add b eggs", "at 20ms", "sync b a"))
	p.Cart, p.Sync = "tombstones", 50*ms
	p.Final = []Final{{"a", "{a,3,[bread+eggs]}{b,1,[]}"}, {"b", "{a,3,[bread+eggs]}{b,1,[]}"}}
	return p
}

func TestMutants(t *testing.T) {
	replica := func(p Params) Replica {
		return Replica{Replicas: 2, Interval: p.Sync, kept: p.rules().empty()}
	}
	p := busy()
	union := busy()
	union.Cart = "union"
	place := func(node string, spec sim.Spec[Msg]) func() sim.System[Msg] {
		return modeltest.Replace(p.System, node, func(string) sim.Spec[Msg] { return spec })
	}
	var mutants []modeltest.Mutant[Msg]
	for _, m := range []modeltest.Mutant[Msg]{
		{Property: "no-false-siblings", Mutant: place("a", sim.Place[Msg]("a", forgetful{replica(p)}))},
		{Property: "no-lost-value", Mutant: place("b", sim.Place[Msg]("b", believer{replica(p)}))},
		{Property: "no-equal-versions", Mutant: place("b", sim.Place[Msg]("b", impostor{replica(p), 1}))},
		{Property: "no-resurrection", Mutant: place("c1", union.System().Nodes[2])},
		{Property: "converges", Mutant: place("b", sim.Place[Msg]("b", deaf{replica(p), Sync}))},
		{Property: "as-written", Mutant: place("a", sim.Place[Msg]("a", doubler{replica(p)}))},
	} {
		m.Correct, m.Changes = p.System, []simtest.Change{second}
		mutants = append(mutants, m)
	}
	modeltest.Mutants(t, mutants...)
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	p := DefaultParams()
	modeltest.Needs(t, p.System())
}
