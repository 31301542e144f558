package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/models/kv/replica"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// partitioned is a store of three nodes, with a client at node-1 and one at node-2. Each
// writes every 100 ms from 1 s to 6 s.
func partitioned(w int) func(*Params) {
	return func(p *Params) {
		p.Write, p.Read, p.Timeout = ptr(w), ptr(1), 80*ms
		for _, via := range []string{"node-1", "node-2"} {
			c := script("put x " + via + " via " + via)
			c.Start, c.Repeat, c.Every = time.Second, ptr(50), 100*ms
			p.Clients = append(p.Clients, c)
		}
	}
}

// halves are the sides {A} and {B, C} of the partition.
var halves = simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: sim.Time(time.Second)}, For: sim.Constant(5 * time.Second)},
	[]string{"node-1", "client-1"}, []string{"node-2", "node-3", "client-2"})

// G-05: of 50 writes on each side are acknowledged 50 and 50 with W = 1, none and 50 with
// W = 2, none with W = 3.
func TestAPartitionByW(t *testing.T) {
	for w, want := range map[int][4]int{1: {50, 0, 50, 0}, 2: {0, 50, 50, 0}, 3: {0, 50, 0, 50}} {
		played := play(t, partitioned(w), halves)
		got := [4]int{
			int(total(played, "client-1-writes")), int(total(played, "client-1-failed-writes")),
			int(total(played, "client-2-writes")), int(total(played, "client-2-failed-writes")),
		}
		assert.Equal(t, want, got, "W = %d", w)
		if verdict := played.Finding("available").Verdict; w == 1 {
			assert.Equal(t, sim.Holds, verdict)
		} else {
			assert.Equal(t, sim.Violated, verdict)
		}
	}
}

// total is what a measure that is added up is in the run.
func total(p *simtest.Played, measure string) (sum int64) {
	for _, s := range p.Result.Samples {
		if p.Program.Measures[s.Measure].Name == measure {
			sum += s.Value
		}
	}
	return sum
}

// A request that does not reach a node is at none, one at a node that stops before it
// answers does not count, nor does one of a client that stops.
func TestAvailableCountsRequestsAtLiveNodes(t *testing.T) {
	one := func(p *Params) { p.Clients = []ClientParams{script("put x v1 via node-1", "get x via node-2")} }
	stop := func(do sim.Action, who string, note sim.Kind) simtest.Change {
		return simtest.Inject(who, sim.Fault{Do: do, When: sim.When{Note: note}, For: sim.Constant(10 * time.Second)})
	}
	for what, c := range map[string]struct {
		change simtest.Change
		want   sim.Verdict
	}{
		"nothing goes wrong":        {simtest.Until(sim.Time(time.Second)), sim.Holds},
		"the node crashes":          {stop(sim.Crash, "node-1", core.Received), sim.Holds}, // the read that follows counts
		"the node is paused":        {stop(sim.Pause, "node-1", core.Received), sim.Holds},
		"the client crashes":        {stop(sim.Crash, "client-1", core.Asked), sim.NotExercised},
		"requests are lost":         {lost(core.Put), sim.Holds},
		"all requests are lost":     {lost(core.Put, core.Get), sim.NotExercised},
		"answers are lost":          {lost(core.PutReply), sim.Violated},
		"replicas do not answer":    {lost(core.ReadAnswer), sim.Violated},
		"replicas are not asked":    {lost(core.ReplicaWrite), sim.Violated},
		"the node has been crashed": {simtest.Inject("node-1", sim.Fault{Do: sim.Crash, When: sim.When{At: 1}, For: sim.Constant(time.Second)}), sim.Holds},
	} {
		assert.Equal(t, c.want, play(t, one, c.change).Finding("available").Verdict, what)
	}
}

// lost is a network that loses all messages of some kinds.
func lost(kinds ...sim.Kind) simtest.Change {
	return func(c *sim.Config, p *sim.Program) {
		for _, k := range kinds {
			simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: k}})(c, p)
		}
	}
}

// An answer that comes late is none, and neither is one that has not come when the run ends.
func TestAvailableAsksForAnAnswerInTime(t *testing.T) {
	set := func(p *Params) {
		p.Clients, p.AnswerWithin = []ClientParams{script("put x v1 via node-1")}, ptr(19*ms)
	}
	late := play(t, set) // 20 ms: to the node, to the replicas, and back
	assert.Equal(t, sim.Violated, late.Finding("available").Verdict)
	assert.Equal(t, sim.Time(19*ms), late.Finding("available").First)
	assert.Contains(t, late.String(), "a write of client-1 at node-1, which is up, is answered after 20ms")

	open := play(t, set, simtest.Until(sim.Time(19500*time.Microsecond)))
	assert.Equal(t, sim.Violated, open.Finding("available").Verdict)
	short := play(t, set, simtest.Until(sim.Time(18*ms)))
	assert.Equal(t, sim.NotExercised, short.Finding("available").Verdict)
}

// unheard is a node that does not hear acknowledgements.
type unheard struct{ replica.Node }

func (n *unheard) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind != core.WriteAck {
		n.Node.Step(in, out)
	}
}

func (n *unheard) Reset(initial *unheard)  { n.Node.Reset(&initial.Node) }
func (n *unheard) Recover(before *unheard) { n.Node.Recover(&before.Node) }

// The mutant of available.
func TestAvailableSeesANodeThatDoesNotHear(t *testing.T) {
	set := func(p *Params) { p.Clients = []ClientParams{script("put x v1 via node-1")} }
	assert.Equal(t, sim.Holds, play(t, set).Finding("available").Verdict)
	deaf := modeltest.Play(t, func() sim.System[core.Msg] {
		p := DefaultParams()
		set(&p)
		l := p.layout()
		return modeltest.Replace(system(t, set), "node-", func(name string) sim.Spec[core.Msg] {
			return sim.Place[core.Msg](name, unheard{replica.Node{Settings: l.Settings, Ring: l.Ring}})
		})()
	})
	assert.Equal(t, sim.Violated, deaf.Finding("available").Verdict)
	assert.Contains(t, deaf.String(), "a write of client-1 at node-1, which is up, fails: timed out")
}
