package kv

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/kv/core"
	"fencepost/models/kv/replica"
	"fencepost/sim"
	"fencepost/sim/linear"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// overlapping is S-03 with names.
func overlapping(p *Params) {
	skew(p)
	p.Claims, p.ReadRepair = []string{"linearizable"}, "none"
	p.Clients[0].Name, p.Clients[1].Name, p.Clients[2].Name = "writer", "first", "second"
}

// S-03: R + W > N, and a read that starts after one has returned v1 does not.
func TestOverlappingQuorumsAreNotLinearizable(t *testing.T) {
	r := play(t, overlapping, arrivals...)
	r.Violated("linearizable", modeltest.At(40))
	assert.Contains(t, r.Why, "second reads nothing from x; it asks at 0.040s, after first reads v1 by 0.020s, which replaces it")
	r = play(t, func(p *Params) {
		overlapping(p)
		p.ReadRepair = "blocking"
	}, arrivals...)
	r.Holds("linearizable")
	r.Logs("second reads v1 from x")
}

// A write that failed may take effect later.
func TestWriteWithoutAcknowledgementMayTakeEffect(t *testing.T) {
	r := play(t, func(p *Params) {
		overlapping(p)
		p.Clients = append(p.Clients, p.Clients[1])
		p.Clients[3].Name, p.Clients[3].Start, p.Patience = "third", 80*ms, 50*ms
	}, arrivals...)
	r.Logs("writer fails in its write of v1 at x: no answer", "third reads v1 from x")
	r.Violated("linearizable", modeltest.At(40))
	r = play(t, func(p *Params) {
		overlapping(p)
		p.Clients, p.Patience = p.Clients[:2], 50*ms
	}, arrivals...)
	r.Logs("first reads v1 from x", "writer fails in its write of v1 at x: no answer")
	r.Holds("linearizable")
}

// forgetfulReader is a node that answers every second read with nothing.
type forgetfulReader struct {
	replica.Node
	odd bool
}

func (n *forgetfulReader) Reset(initial *forgetfulReader) {
	n.Node.Reset(&initial.Node)
	n.odd = initial.odd
}

func (n *forgetfulReader) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.ReplicaRead {
		if n.odd = !n.odd; !n.odd {
			out.Send(in.From, core.NewReadAnswer(&in.Msg, nil))
			return
		}
	}
	n.Node.Step(in, out)
}

// linearizableMutant is a store in which a read of every node asks one that forgets.
func linearizableMutant(t *testing.T) modeltest.Mutant[core.Msg] {
	set := func(p *Params) {
		p.Read, p.Write, p.Claims = ptr(3), ptr(3), []string{"linearizable"}
		p.Clients = []ClientParams{script("put x v1 via node-1", "get x via node-1", "wait 1ms", "get x via node-1")}
	}
	return modeltest.Mutant[core.Msg]{Property: "linearizable", Correct: system(t, set), Mutant: func() sim.System[core.Msg] {
		p := DefaultParams()
		set(&p)
		p.Read = ptr(1)
		s, l := p.System(), p.layout()
		s.Nodes[1] = sim.Place[core.Msg]("node-2", forgetfulReader{Node: replica.Node{Settings: l.Settings, Ring: l.Ring}})
		script := p.clients(l)[0]
		for i := range script.Script {
			if a := &script.Script[i]; a.Verb == GetKey {
				a.From = 1 << 2 // node-2
			}
		}
		s.Nodes[3] = sim.Place[core.Msg](s.Nodes[3].Name, script)
		return s
	}}
}

// history is what the property has seen, as sim/linear reads it.
func (p *linearizable) history() *linear.History {
	h := &linear.History{Model: linear.Register}
	for i := range p.Ops {
		o := &p.Ops[i]
		op := linear.Op{Client: int(o.Client), Key: p.Layout.key(o.Key), Kind: linear.Read, Call: int64(o.Call), Return: int64(o.Return)}
		if o.Write {
			op.Kind = linear.Write
		}
		if o.Return == sim.Never {
			op.Outcome = linear.Open
		}
		if op.Value = strconv.FormatUint(uint64(o.Value.Write), 10); o.Value.Write == 0 {
			op.Value = linear.Nil
		}
		if o.Call != sim.Never {
			h.Ops = append(h.Ops, op)
		}
	}
	return h
}

// On random runs of stores of all sorts the property decides as sim/linear does.
func TestLinearizableAgreesWithTheCheckerOfHistories(t *testing.T) {
	count := map[sim.Verdict]int{}
	for _, policy := range []string{"last-write-wins", "last-write-wins-hlc", "dvvset"} {
		for quorum := 1; quorum <= 3; quorum++ {
			for _, repair := range []string{"none", "blocking"} {
				p := DefaultParams()
				busy(&p)
				p.Read, p.Write, p.ReadRepair, p.Conflict.Conflict, p.Route = ptr(quorum), ptr(2), repair, policy, "in-turn"
				p.Workload.Keys = ptr(3)
				lin := &linearizable{Layout: p.layout()}
				s := p.System()
				s.Properties = []sim.Property[core.Msg]{lin.property()}
				c := sim.Config{}
				program := sim.NewProgram(func() sim.System[core.Msg] { return s })
				modeltest.Storm(&c, &program)
				c.Until = modeltest.At(3000)
				w, err := sim.NewWorld(s, c)
				require.NoError(t, err)
				for seed := range uint64(20) {
					found := w.Run(seed).Properties[0]
					result, err := linear.Check(t.Context(), lin.history(), linear.DefaultLimits())
					require.NoError(t, err)
					require.Equal(t, result.Verdict == linear.NotLinearizable, found.Verdict == sim.Violated, "%s: R = %d, repair %s, seed %d: %s", policy, quorum, repair, seed, result.Why)
					count[found.Verdict]++
				}
			}
		}
	}
	assert.Greater(t, count[sim.Holds], 60)
	assert.Greater(t, count[sim.Violated], 60)
	t.Log(count)
}

func BenchmarkLinearizable(b *testing.B) {
	p := DefaultParams()
	busy(&p)
	p.Claims = []string{"linearizable"}
	simtest.Benchmark(b, p.System, sim.Config{Until: modeltest.At(60_000)})
}
