package kv_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fencepost/models/kv"
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// neverBack is a property of one's own: no client reads a version of the settings that is older
// than one that it has read. Versions are numbered in the order in which the scripts name them.
type neverBack struct {
	seen  map[sim.NodeID]uint64
	found sim.Finding
	why   string
}

func (p *neverBack) Name() string                   { return "never-back" }
func (p *neverBack) Finding() sim.Finding           { return p.found }
func (p *neverBack) Why(*sim.View[core.Msg]) string { return p.why }
func (p *neverBack) End(*sim.View[core.Msg])        {}
func (p *neverBack) Reset(*sim.View[core.Msg])      { *p = neverBack{seen: map[sim.NodeID]uint64{}} }
func (p *neverBack) Watches(e sim.Event, k sim.Kind) bool {
	return e == sim.Noted && k == core.Answered
}
func (p *neverBack) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Msg.Write != nil {
		return
	}
	version := uint64(0)
	for _, value := range o.Msg.Obj.Values() {
		version = max(version, value.Data)
	}
	before := p.seen[o.Node]
	p.seen[o.Node] = max(before, version)
	switch {
	case version < before && p.found.Verdict != sim.Violated:
		p.found = sim.Finding{Verdict: sim.Violated, Violations: 1, First: v.Now(), Nodes: [2]sim.NodeID{o.Node}}
		p.why = fmt.Sprintf("%s has read version %d, and now reads %d", v.Name(o.Node), before, version)
	case p.found.Verdict == sim.NotExercised:
		p.found.Verdict = sim.Holds
	}
}

// settings is a store of three nodes, R = W = 2, with a client that writes the settings twice and
// one that reads them, the second time from the two other nodes.
func settings(repair string) func() sim.System[core.Msg] {
	return func() sim.System[core.Msg] {
		p := kv.DefaultParams()
		p.ReadRepair = repair
		p.Clients = []kv.ClientParams{client("put settings one", "put settings two"), client("at 30ms", "get settings via node-1", "get settings from node-2 node-3 via node-2")}
		s := p.System()
		s.Properties = append(s.Properties, &neverBack{})
		return s
	}
}

func client(lines ...string) (c kv.ClientParams) {
	for _, line := range lines {
		var s kv.ScriptStep
		if err := s.UnmarshalText([]byte(line)); err != nil {
			panic(err)
		}
		c.Steps = append(c.Steps, s)
	}
	return c
}

// printer is a test that prints the verdict of its search; in your tests t is a *testing.T.
type printer struct{ testing.TB }

func (printer) Helper()                        {}
func (printer) Name() string                   { return "TestSettings" }
func (printer) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...) }
func (printer) Logf(format string, a ...any) {
	if verdict, counts, _ := strings.Cut(fmt.Sprintf(format, a...), ","); strings.Contains(counts, "schedules") {
		fmt.Println(verdict)
	}
}

// Every schedule of a store of one's own in which two messages are late: with repair that blocks no
// client reads an older version after a newer one.
func Example_everySchedule() {
	simtest.Explore(printer{}, simtest.Case[core.Msg]{
		System:     settings("blocking"),
		Config:     sim.Config{Until: sim.Time(900 * time.Millisecond), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * time.Millisecond)}}},
		Properties: []string{"never-back", "quorum-read"},
		Mode:       explore.Exhaustive,
		Budget:     explore.Budget{Late: 2, LateBy: explore.Lengths{List: []time.Duration{60 * time.Millisecond}}},
	})
	// Output:
	// holds: exhausted
}

// One schedule, written down: the second version reaches the others late, and no read repairs it.
func Example_oneSchedule() {
	r := simtest.Play(printer{}, settings("none"), sim.Config{Until: sim.Time(900 * time.Millisecond)},
		simtest.Delay(5*time.Millisecond),
		simtest.Disturb("node-1", "", sim.Fault{Name: "to node-2", Do: sim.Delay, Msg: sim.MsgChoice{Kind: core.ReplicaWrite, Nth: 3}, For: sim.Constant(60 * time.Millisecond)}),
		simtest.Disturb("node-1", "", sim.Fault{Name: "to node-3", Do: sim.Delay, Msg: sim.MsgChoice{Kind: core.ReplicaWrite, Nth: 4}, For: sim.Constant(60 * time.Millisecond)}))
	fmt.Print(r.Log())
	fmt.Println(r.Verdicts(sim.Violated), "violated")
	// Output:
	// 0.000s client-1 writes one to settings
	// 0.005s node-1 stores one at settings
	// 0.010s node-2 stores one at settings
	// 0.010s node-3 stores one at settings
	// 0.020s client-1 has its write of one to settings acknowledged
	// 0.020s client-1 writes two to settings
	// 0.025s node-1 stores two at settings
	// 0.025s node-1 sends node-2 replica-write key-0, which takes 60ms
	// 0.025s node-1 sends node-3 replica-write key-0, which takes 60ms
	// 0.030s client-2 reads settings
	// 0.050s client-2 reads two from settings
	// 0.050s client-2 reads settings
	// 0.070s client-2 reads one from settings
	// 0.085s node-2 stores two at settings
	// 0.085s node-3 stores two at settings
	// 0.095s client-1 has its write of two to settings acknowledged
	// [never-back] violated
}
