package kv

import (
	"slices"
	"testing"
	"time"

	"fencepost/models/kv/core"
	"fencepost/models/kv/replica"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// deaf does not hear one kind of message, or acknowledges it and does nothing about it.
type deaf struct {
	replica.Node
	to   sim.Kind
	acks bool
}

func (d *deaf) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch {
	case in.Msg.Kind != d.to || in.Msg.Kind == core.Start:
		d.Node.Step(in, out)
	case d.acks:
		out.Send(in.From, core.NewWriteAck(&in.Msg, core.OK))
	}
}

// Reset implements [sim.Resetter].
func (d *deaf) Reset(initial *deaf) {
	d.to, d.acks = initial.to, initial.acks
	d.Node.Reset(&initial.Node)
}

// mutate is a store whose nodes with a prefix are deaf.
func mutate(t *testing.T, set func(*Params), prefix string, to sim.Kind, acks bool) func() sim.System[core.Msg] {
	p := DefaultParams()
	set(&p)
	return modeltest.Replace(system(t, set), prefix, func(name string) sim.Spec[core.Msg] {
		l := p.layout()
		return sim.Place[core.Msg](name, deaf{replica.Node{Settings: l.Settings, Ring: l.Ring}, to, acks})
	})
}

// repairMutants are nodes that do not do what they are asked for.
func repairMutants(t *testing.T) []modeltest.Mutant[core.Msg] {
	reads := func(p *Params) {
		p.Clients = []ClientParams{script("put x v1 via node-1", "get x from node-2 node-3 via node-2")}
	}
	misses := func(p *Params) {
		p.AntiEntropy, p.Converge = 10*time.Second, ptr(30*time.Second)
		p.Clients = []ClientParams{script("put x v1 via node-1")}
	}
	return []modeltest.Mutant[core.Msg]{
		{Property: "quorum-read", Correct: system(t, reads), Mutant: mutate(t, reads, "node-", core.ReplicaWrite, true)},
		{Property: "available", Correct: system(t, reads), Mutant: mutate(t, reads, "node-", core.ReplicaRead, false)},
		{Property: "convergence", Correct: system(t, misses), Mutant: mutate(t, misses, "node-3", core.Exchange, false),
			Changes: []simtest.Change{lose(core.ReplicaWrite, "node-1", "node-3", 1)}},
	}
}

// Each property has a mutant that violates it.
func TestMutants(t *testing.T) {
	modeltest.Mutants(t, slices.Concat(repairMutants(t), writeMutants(t), sessionMutants(t), []modeltest.Mutant[core.Msg]{linearizableMutant(t), hastyLeader(t)})...)
}

func TestPropertiesSayWhatExercisesThem(t *testing.T) {
	p := DefaultParams()
	modeltest.Needs(t, p.System())
}
