package smaller

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

// changes are what makes each of some scenarios smaller.
func changesOf(list []*format.Scenario) (all []string) {
	for _, s := range list {
		all = append(all, s.Change)
	}
	return all
}

func TestSmaller(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"params: {clients: 5, start: [1s, 2s, 3s]}\n")
	list := Of(s)
	require.Equal(t, []string{"params.clients=1", "params.clients=2", "params.clients=4"}, changesOf(list))
	require.Len(t, list[0].Program.Nodes, 4)
	require.Equal(t, []result.Setting{{Path: "params.clients", Value: "1"}, {Path: "params.start", Value: "[1s]"}}, list[0].Sets, "a list may not be longer than the count")
	require.Equal(t, []result.Setting{{Path: "params.clients", Value: "4"}}, list[2].Sets)
	require.Equal(t, s.Text, list[0].Text)
	require.Equal(t, s.Name, list[0].Name)

	again := fake.Good(t, s.Text, list[1].Sets...)
	require.Equal(t, again.Config, list[1].Config)
	require.Equal(t, again.Program.Nodes, list[1].Program.Nodes)
	next := Of(list[2])
	require.Equal(t, []string{"params.clients=1", "params.clients=2", "params.clients=3"}, changesOf(next))
	require.Equal(t, []result.Setting{{Path: "params.clients", Value: "3"}}, next[2].Sets, "the settings do not pile up")

	require.Equal(t, []string{"params.clients=1"}, changesOf(Of(fake.Good(t, fake.Minimal))), "the default")
	require.Empty(t, Of(fake.Good(t, fake.Minimal+"params: {clients: 1}\n")))
	require.Nil(t, Of(&format.Scenario{}))
}

// TestSmallerLeavesOut: what names a node that is gone is left out, and nothing else.
func TestSmallerLeavesOut(t *testing.T) {
	s := fake.Good(t, fake.Minimal+`params: {clients: 2}
network: {links: [{from: client-1, delay: 1ms}, {from: client-2, to: store, delay: 2ms}]}
clocks: {client-1: {drift: 1ppm}, client-2: {drift: 2ppm}}
costs: {client-2: 1ms, store: 2ms}
faults: [{pause: client-2, on: checked, for: {gclog: gc.log}}, {pause: client-1, on: checked, for: {gclog: gc.log}}, {cut: {between: [client-2, store]}}]
budget: {pauses: 1, nodes: [client-1, client-2], pause-nodes: [client-2, client-1]}
expect: {on-time: {violated: {nodes: client-2}}, writes: 3}
vary: {params.clients: [2, 3]}
`, result.Setting{Path: "faults.0.name", Value: "x"})
	list := Of(s)
	require.Equal(t, []string{"params.clients=1"}, changesOf(list))
	small := list[0]
	require.Equal(t, []sim.NodeID{1}, small.Config.Network.Rules[0].From)
	require.Len(t, small.Config.Network.Rules, 1)
	require.Equal(t, sim.PPB(1000), small.Config.Clocks[0].Rate)
	require.Len(t, small.Config.Faults, 1)
	require.Equal(t, s.Config.Faults[1], small.Config.Faults[0], "with the log of the file")
	require.Equal(t, []sim.NodeID{1}, small.Budget.Nodes)
	require.Equal(t, []sim.NodeID{1}, small.Budget.PauseNodes)
	require.Nil(t, small.Expect)
	require.Nil(t, small.Variants)
	require.Len(t, small.Inputs, 1)
	_, err := small.Program.NewWorld(small.Config)
	require.NoError(t, err)

	s, err = fake.LoadText(s.Text, format.Options{NoFaults: true})
	require.NoError(t, err)
	require.Nil(t, Of(s)[0].Config.Faults, "faults that were dropped stay so")
}

// TestSmallerShipped: with the counts of the real models, what is smaller can be run,
// and it comes to an end with nothing smaller.
func TestSmallerShipped(t *testing.T) {
	for i, name := range scenarios.Names() {
		if !whole.Takes(i, 4) {
			continue
		}
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		for steps := 0; ; steps++ {
			require.Less(t, steps, 30, name)
			list := Of(s)
			for _, small := range list {
				_, err := small.Program.NewWorld(small.Config)
				require.NoError(t, err, "%s: %s", name, small.Change)
			}
			if len(list) == 0 {
				break
			}
			s = list[len(list)-1] // the longest way down
			if steps >= 3 {
				s = list[0] // one less, and one less again, is no other
			}
		}
	}
	s, err := scenarios.Load("redlock/gc-pause", format.Options{Sets: []result.Setting{{Path: "params.rounds", Value: "[0, 3]"}, {Path: "params.start", Value: "[0s, 1s]"}, {Path: "params.instances", Value: "5"}}})
	require.NoError(t, err)
	require.Equal(t, []string{"params.clients=1", "params.instances=3", // fewer are no majority of several, and 4 are an even number
		"params.rounds.0=1", "params.rounds.0=2", "params.rounds.0=4", "params.rounds.1=1", "params.rounds.1=2"}, changesOf(Of(s)))
}
