package kv

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// small is three nodes that store one key, a client that writes it twice, and one that reads
// it by way of each node. Nothing happens without cause: no gossip, no anti-entropy.
func small(p *Params) {
	p.Timeout, p.ReplicaTimeout, p.Suspect, p.Patience = 100*ms, 30*ms, 200*ms, 150*ms
	p.Gossip, p.AntiEntropy = 0, 0
	p.ReadRepair = "blocking"
	p.Clients = []ClientParams{script("put x v1", "put x v2"), script("get x via node-2", "get x via node-3", "get x via node-1")}
}

// hinted is three nodes of which two store a key: a client writes it twice, and one reads it
// later where it is stored first.
func hinted(quorum string) func(*Params) {
	return func(p *Params) {
		small(p)
		p.Quorum, p.Coordinator, p.ReplicaTimeout = quorum, "any", 20*ms
		p.Replicas, p.Read, p.Write, p.ReadRepair = ptr(2), ptr(1), ptr(2), "async"
		p.Clients = []ClientParams{script("put x v1 via node-2", "put x v2 via node-2"), script("at 150ms", "get x via node-1")}
	}
}

// result is what a search has found, and the names of the properties.
type result struct {
	*explore.Report
	properties []string
}

// searched is an exhaustive search of a store in which a message takes 5 ms, for violations of
// some properties, with faults that are there in each run besides.
func searched(t testing.TB, set func(*Params), b explore.Budget, properties []string, always ...sim.Fault) result {
	t.Helper()
	c := sim.Config{Until: modeltest.At(1000), Minimal: true, Faults: always}
	p := sim.NewProgram(system(t, set))
	simtest.Delay(5*ms)(&c, &p)
	s := explore.Search{Program: p, Config: c, Budget: b, Mode: explore.Exhaustive}
	for _, name := range properties {
		require.Contains(t, p.Properties, name)
		s.Targets = append(s.Targets, slices.Index(p.Properties, name))
	}
	r, err := explore.Find(context.Background(), s)
	require.NoError(t, err)
	return result{r, p.Properties}
}

// within is what may go wrong in the searches of these tests.
func within(pauses, crashes, lost int) explore.Budget {
	one := func(d time.Duration) explore.Lengths { return explore.Lengths{List: []time.Duration{d}} }
	return explore.Budget{Pauses: pauses, Crashes: crashes, Lost: lost, PauseFor: one(150 * ms), DownFor: one(30 * ms)}
}

// promised are the properties that a strict quorum of one writer keeps.
var promised = []string{"quorum-read", "no-lost-write", "concurrent-siblings"}

// exhausts checks that no schedule violates what is promised, and that it is put to the test.
func exhausts(t *testing.T, r result) {
	t.Helper()
	require.Nil(t, r.Found)
	require.True(t, r.Exhausted, r.Bound)
	for _, name := range promised {
		assert.Positive(t, r.Exercised[slices.Index(r.properties, name)], name)
	}
}

// A strict quorum whose reads repair before they answer keeps its promise in every schedule
// with two faults, wherever they come.
func TestStrictQuorumInEverySchedule(t *testing.T) {
	cases := []struct {
		name         string
		budget       explore.Budget
		runs, states int
	}{
		{"a crash", within(0, 1, 0), 102, 1049},
		{"a pause", within(1, 0, 0), 102, 1281},
		{"a lost message", within(0, 0, 1), 31, 303},
		{"a crash and a lost message", within(0, 1, 1), 2436, 14_574},
		{"two crashes", within(0, 2, 0), 3681, 21_022},
		{"a pause and a crash", within(1, 1, 0), 8391, 54_899},
	}
	if testing.Short() {
		cases = cases[:3]
	}
	for _, v := range cases {
		t.Run(v.name, func(t *testing.T) {
			r := searched(t, small, v.budget, promised)
			exhausts(t, r)
			assert.Equal(t, []int{v.runs, v.states}, []int{r.Runs, r.States}, "schedules and states")
		})
	}
}

// A key with one writer is a register: with a policy that keeps one value it is linearizable in
// every schedule with a crash and a lost message, since a read repairs before it answers.
func TestRegisterInEverySchedule(t *testing.T) {
	register := func(p *Params) {
		small(p)
		p.Conflict.Conflict = "last-write-wins-hlc"
	}
	r := searched(t, register, within(0, 1, 1), []string{"quorum-read", "linearizable"})
	require.Nil(t, r.Found)
	require.True(t, r.Exhausted, r.Bound)
	assert.Positive(t, r.Exercised[slices.Index(r.properties, "linearizable")])
	assert.Equal(t, []int{2436, 14_523}, []int{r.Runs, r.States}, "schedules and states")
}

// A strict quorum in a partition: each node on its own, and each with each client, from each instant
// at which something happens for each length up to the end of what the clients do, and a crash
// besides.
func TestStrictQuorumInEveryPartition(t *testing.T) {
	runs, states := 0, 0
	for _, side := range [][]sim.NodeID{{1}, {2}, {3}, {1, 4}, {2, 4}, {3, 4}, {1, 5}, {2, 5}, {3, 5}} {
		var rest []sim.NodeID
		for id := sim.NodeID(1); id <= 5; id++ {
			if !slices.Contains(side, id) {
				rest = append(rest, id)
			}
		}
		step := int64(whole.Of(10, 5))
		if testing.Short() {
			step = 20
		}
		for from := int64(0); from < 60; from += step {
			for _, length := range []int64{5, 20, 80} {
				cut := sim.Fault{Do: sim.Cut, Sides: [][]sim.NodeID{side, rest}, When: sim.When{At: modeltest.At(from)}, For: sim.Constant(time.Duration(length) * ms)}
				r := searched(t, small, within(0, 1, 0), promised, cut)
				require.Nil(t, r.Found, "%v from %d ms for %d ms", side, from, length)
				require.True(t, r.Exhausted, r.Bound)
				runs, states = runs+r.Runs, states+r.States
			}
		}
	}
	t.Logf("%d schedules, %d states", runs, states)
}

// The search finds that R + W > N does not help a sloppy quorum: a replica that was down for a
// moment has not got its hint yet. A strict one holds.
func TestSloppyQuorumInEverySchedule(t *testing.T) {
	for _, b := range []explore.Budget{within(0, 1, 0), within(1, 0, 0)} {
		r := searched(t, hinted("sloppy"), b, promised)
		require.NotNil(t, r.Found)
		assert.Len(t, r.Found.Faults, 1)
		exhausts(t, searched(t, hinted("strict"), b, promised))
	}
}

// Of two clients that write one after the other by way of two nodes, last write wins loses the
// second write to a clock that was set back a little. The search finds that; a policy that goes
// by what the writer has read, and by no clock, holds.
func TestLastWriteWinsInEverySchedule(t *testing.T) {
	turns := func(policy string) func(*Params) {
		return func(p *Params) {
			small(p)
			p.Conflict.Conflict = policy
			p.Clients = []ClientParams{script("put x v1 via node-1"), script("at 30ms", "get x via node-2", "put x v2 via node-2")}
		}
	}
	set := explore.Budget{ClockSteps: 1, StepBy: []time.Duration{-60 * ms}}
	r := searched(t, turns("last-write-wins"), set, promised)
	require.NotNil(t, r.Found)
	assert.Equal(t, "no-lost-write", r.properties[r.Found.Property])
	for _, policy := range []string{"dvvset", "vnode-vectors", "last-write-wins-hlc"} {
		exhausts(t, searched(t, turns(policy), set, promised))
	}
}

// BenchmarkExhaustive is states per second of a search with one crash and one lost message.
func BenchmarkExhaustive(b *testing.B) {
	b.ReportAllocs()
	states := 0
	for range b.N {
		r := searched(b, small, within(0, 1, 1), promised)
		require.True(b, r.Exhausted)
		states += r.States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(states)/float64(b.N), "states")
}
