package kv

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/internal/whole"
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/linear"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// registers holds if what clients saw of each key is linearizable, compare-and-set included.
type registers struct {
	Ops    []linear.Op
	Latest []int // by client: its operation, plus 1
}

func (p *registers) Check(r *model.Report[core.Msg]) {
	m, latest := &r.Msg, model.At(&p.Latest, r.Node)
	now := int64(r.Now())
	if m.Kind == core.Asked {
		op := linear.Op{Client: int(r.Node), Kind: linear.Read, Outcome: linear.Open, Call: now, Return: now, Key: strconv.Itoa(int(m.Key()))}
		if m.Write != nil {
			op.Kind, op.Value = linear.Write, valueText(m.Write.Data)
		}
		if expects, compares := m.Compares(); compares {
			op.Kind, op.Old = linear.CAS, valueText(expects)
		}
		p.Ops = append(p.Ops, op)
		*latest = len(p.Ops)
		return
	}
	r.Saw()
	op := &p.Ops[*latest-1]
	switch op.Return = now; {
	case m.Kind == core.Answered:
		op.Outcome = linear.OK
	case m.Status() == core.Mismatch:
		op.Outcome = linear.Refused
	}
	if op.Kind == linear.Read {
		op.Value = linear.Nil
		if all := m.Obj.Values(); len(all) > 0 {
			op.Value = valueText(all[0].Data)
		}
	}
}

// unknown counts the runs whose histories are too long to be checked.
var unknown int

func valueText(data uint64) string {
	if data == 0 {
		return linear.Nil
	}
	return strconv.FormatUint(data, 10)
}

func (p *registers) End(r *model.Report[core.Msg]) {
	h := linear.History{Model: linear.Register, Ops: p.Ops}
	result, err := linear.Check(context.Background(), &h, linear.Limits{Steps: 200_000, Memory: 1 << 26})
	if err != nil {
		panic(err)
	}
	if result.Verdict == linear.Unknown {
		unknown++
	}
	if result.Verdict == linear.NotLinearizable && r.Violated() {
		r.Why("%s", result.Why)
	}
}

// checked is a system with registers among its properties.
func checked(t testing.TB, set func(*Params)) func() sim.System[core.Msg] {
	build := system(t, set)
	return func() sim.System[core.Msg] {
		s := build()
		s.Properties = append(s.Properties, model.NewProperty("registers", &registers{}, core.Asked, core.Answered, core.Failed))
		return s
	}
}

// contended is three clients that read, write and compare and set one key, each at another node.
func contended(p *Params) {
	p.Patience, p.Timeout = 400*ms, 200*ms
	for _, via := range []string{"node-1", "node-2", "node-3"} {
		c := script("cas x nothing a via "+via, "get x via "+via, "cas x a b via "+via, "get x via "+via, "cas x b "+via+" via "+via, "put x a via "+via)
		c.Repeat, c.Think = ptr(10), sim.Uniform(0, 500*ms)
		p.Clients = append(p.Clients, c)
	}
}

func led(p *Params) { p.Leader = &LeaderParams{} }

// With a leader everything is linearizable in every storm, and without one a compare-and-set is
// not: over a quorum with blocking read repair a register is, and nothing stronger.
func TestLinearizableWithALeader(t *testing.T) {
	modeltest.Storms(t, checked(t, func(p *Params) { contended(p); led(p) }), whole.Of(16, 40), []string{"registers", "quorum-read"}, []string{"available"})
	assert.Zero(t, unknown)
	modeltest.Storms(t, checked(t, func(p *Params) { contended(p); p.ReadRepair = "blocking" }), 20, nil, []string{"registers"})
}

// A leader that is cut off does not know that there is another one: if it answers reads with what
// it stores, they are stale.
func TestReadsOfItsOwnAreStale(t *testing.T) {
	for reads, want := range map[string]sim.Verdict{"own": sim.Violated, "confirmed": sim.Holds} {
		p := modeltest.Play(t, checked(t, func(p *Params) {
			p.Leader = &LeaderParams{Reads: reads}
			p.Clients = []ClientParams{
				script("put x a via node-1", "at 3s", "get x via node-1"),
				script("at 2500ms", "put x b via node-2"),
			}
		}), halves)
		assert.Equal(t, want, p.Finding("registers").Verdict, reads)
	}
}

// A write takes a message to the leader and a round trip to a majority; by way of another node one
// more each way. A read takes the same round to confirm who leads. A message takes 5 ms.
func TestLatencyWithALeader(t *testing.T) {
	for via, want := range map[string]time.Duration{"node-1": 20 * ms, "node-2": 30 * ms} {
		for _, step := range []string{"put x a", "cas x nothing a", "get x"} {
			p := play(t, func(p *Params) {
				led(p)
				p.Clients = []ClientParams{script("at 1s", step+" via "+via)}
			}, simtest.Until(sim.Time(2*time.Second)))
			assert.Equal(t, int64(want), total(p, "client-1-latency"), "%s via %s", step, via)
		}
	}
}

// The minority side of a partition is unavailable, with the leader on it, too; the majority has
// another leader after an election, and what was acknowledged is there.
func TestAPartitionWithALeader(t *testing.T) {
	for _, first := range []int{1, 2} {
		p := modeltest.Play(t, checked(t, func(p *Params) {
			partitioned(1)(p)
			p.Read, p.Write, p.Leader = nil, nil, &LeaderParams{First: ptr(first)}
			p.Converge = ptr(10 * time.Second)
		}), halves)
		assert.Equal(t, sim.Violated, p.Finding("available").Verdict)
		assert.Equal(t, sim.Holds, p.Finding("registers").Verdict)
		assert.Equal(t, sim.Holds, p.Finding("convergence").Verdict)
		assert.LessOrEqual(t, total(p, "client-1-writes"), int64(1), "after the cut")
		if first == 2 {
			assert.EqualValues(t, 50, total(p, "client-2-writes"))
		} else {
			assert.GreaterOrEqual(t, total(p, "client-2-writes"), int64(40), "an election takes less than a second")
		}
	}
}

// Two requests that are twice in the log are done once each: messages to the leader are doubled.
func TestAWriteThatIsTwiceInTheLogIsDoneOnce(t *testing.T) {
	p := modeltest.Play(t, checked(t, func(p *Params) {
		led(p)
		p.Clients = []ClientParams{
			script("at 1s", "put x a via node-2", "put x b via node-2", "get x via node-2"),
		}
	}), simtest.Disturb("node-2", "node-1", sim.Fault{Do: sim.Duplicate, Msg: sim.MsgChoice{Kind: core.Raft}, For: sim.Constant(22 * ms)}))
	assert.Equal(t, sim.Holds, p.Finding("registers").Verdict)
	assert.Contains(t, p.String(), "client-1 reads b from x")
}

func TestWhatALeaderCannotBeCombinedWith(t *testing.T) {
	with := func(set func(*Params)) func(*Params) { return func(p *Params) { led(p); set(p) } }
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "write-quorum", Says: "not with a leader", Set: with(func(p *Params) { p.Write = ptr(1) })},
		modeltest.Case[Params]{Path: "conflict.policy", Says: "one order of writes", Set: with(func(p *Params) { p.Conflict.Conflict = "or-set" })},
		modeltest.Case[Params]{Path: "disk", Says: "forgets its log", Set: with(func(p *Params) { p.Disk = "lost" })},
		modeltest.Case[Params]{Path: "nodes", Says: "want at most 7 with a leader, got 8", Set: with(func(p *Params) { p.Nodes = 8 })},
		modeltest.Case[Params]{Path: "leader.first", Says: "there are 3 nodes", Set: with(func(p *Params) { p.Leader.First = ptr(4) })},
		modeltest.Case[Params]{Path: "leader.election", Says: "at least two heartbeats, which are 60ms, got 50ms", Set: with(func(p *Params) { p.Leader.Election = ptr(50 * ms) })},
	)
}
