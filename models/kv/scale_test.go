package kv

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/models/kv/membership"
	"fencepost/models/kv/replica"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// loads are those that all nodes report, by sample from the first: thousandths of the capacity.
// The last one is that of all samples after it.
type loads struct{ list []uint64 }

// Immutable implements [sim.Immutable].
func (*loads) Immutable() {}

func (l *loads) of(sample uint32) uint64 { return l.list[min(int(sample), len(l.list))-1] }

// loaded is a node that reports a load as given.
type loaded struct {
	replica.Node
	loads *loads
}

func (n *loaded) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.LoadAsk {
		out.Send(in.From, core.NewLoadAnswer(&in.Msg, 10*n.loads.of(in.Msg.Sample())))
		return
	}
	n.Node.Step(in, out)
}

func (n *loaded) Reset(initial *loaded) {
	n.loads = initial.loads
	n.Node.Reset(&initial.Node)
}

// scaling is a run of 1,000 s in which nodes of 1,000 requests per second report loads.
func scaling(t *testing.T, set func(*Params), list ...uint64) *simtest.Played {
	change := func(p *Params) {
		p.Gossip, p.AntiEntropy, p.Scale = 0, 0, &ScaleParams{Capacity: 1000}
		set(p)
	}
	p := DefaultParams()
	change(&p)
	reports := &loads{list}
	return modeltest.Play(t, modeltest.Replace(system(t, change), "node-", func(name string) sim.Spec[core.Msg] {
		l := p.layout()
		return sim.Place[core.Msg](name, loaded{replica.Node{Settings: l.Settings, Ring: l.Ring}, reports})
	}), simtest.Until(at(1_000_000)))
}

// decisions are the instants at which the controller adds or drains a node, as "40.010s adds node-4".
func decisions(r *simtest.Played) (list []string) {
	for line := range strings.Lines(r.Log()) {
		if w := strings.Fields(line); len(w) > 3 && w[1] == "controller" && (w[2] == "adds" || w[2] == "drains") {
			list = append(list, strings.Join([]string{w[0], w[2], w[3]}, " "))
		}
	}
	return list
}

// times is n loads, all the same.
func times(n int, load uint64) (list []uint64) {
	for range n {
		list = append(list, load)
	}
	return list
}

func join(lists ...[]uint64) (all []uint64) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Reference: section 11.7: "controller every 10 s: load > 70 % for 3 samples, add one node;
// < 30 % for 30 samples and n > N, drain one; cool-down 300 s".
//
// Sample n starts at 10n s and is complete 10 ms later. The first one is not counted, as it has
// no sample before it. A change without data takes 50 ms, so that 300 s after it the sample at
// that time is too early, and the next one decides.
func TestControllerAddsAndDrains(t *testing.T) {
	grows := func(p *Params) { p.Spare = 2 }
	shrinks := func(p *Params) { p.Nodes, p.Replicas = 5, ptr(3) }
	for what, c := range map[string]struct {
		set   func(*Params)
		loads []uint64
		want  []string
	}{
		"70% is not above it":                     {grows, times(1, 700), nil},
		"three samples, then 300 s, and no spare": {grows, times(1, 701), []string{"40.010s adds node-4", "350.010s adds node-5"}},
		"three samples in a row":                  {grows, []uint64{999, 701, 701, 700, 701, 701, 701, 300}, []string{"70.010s adds node-4"}},
		"30% is not below it":                     {shrinks, times(1, 300), nil},
		"thirty samples, down to N":               {shrinks, times(1, 299), []string{"310.010s drains node-5", "620.010s drains node-4"}},
		"thirty samples in a row":                 {shrinks, join(times(30, 0), times(1, 300), times(30, 299), times(1, 300)), []string{"610.010s drains node-5"}},
		"two samples above do not add":            {grows, join(times(1, 0), times(2, 900), times(1, 400), times(2, 900), times(1, 400)), nil},
		"between 30% and 70% nothing changes":     {func(p *Params) { grows(p); p.Nodes = 4 }, []uint64{300, 700, 300, 700, 500}, nil},
		"a ramp down waits for the cool-down":     {grows, join(times(4, 701), times(1, 299)), []string{"40.010s adds node-4", "350.010s drains node-4"}},
		"a peak after a drain waits as well":      {shrinks, join(times(31, 299), times(1, 999)), []string{"310.010s drains node-5", "620.010s adds node-5"}},
	} {
		assert.Equal(t, c.want, decisions(scaling(t, c.set, c.loads...)), what)
	}
}

// Without a cool-down the next three samples decide, or, while a node fetches its keys, the
// first sample after that. Here it fetches 75 values of 1 kB at 2 kB/s.
func TestControllerWaitsForAStream(t *testing.T) {
	set := func(rate int) func(*Params) {
		return func(p *Params) {
			p.Spare, p.Scale.CoolDown, p.StreamRate, p.Conflict.ValueBytes = 2, ptr(time.Duration(0)), rate, 1000
			var puts []string
			for key := range 100 {
				puts = append(puts, fmt.Sprintf("put k%d v", key))
			}
			p.Clients = []ClientParams{script(puts...)}
		}
	}
	assert.Equal(t, []string{"40.010s adds node-4", "70.010s adds node-5"}, decisions(scaling(t, set(0), 701)))
	slow := scaling(t, set(2000), 701)
	joined := slow.Moment("node-4 has joined the ring")
	assert.Greater(t, joined, at(70_010))
	assert.Less(t, joined, at(80_010))
	assert.Equal(t, []string{"40.010s adds node-4", "80.010s adds node-5"}, decisions(slow))
}

func TestDefaultsOfTheController(t *testing.T) {
	assert.Equal(t, &membership.Scale{Every: 10 * time.Second, Capacity: 60, AddAbove: 700, DrainBelow: 300, AddAfter: 3, DrainAfter: 30, CoolDown: 300 * time.Second},
		(&ScaleParams{Capacity: 60}).scale())
}
