package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// changes are what makes each of some scenarios smaller.
func changesOf(list []*Scenario) (all []string) {
	for _, s := range list {
		all = append(all, s.Change)
	}
	return all
}

func TestSmaller(t *testing.T) {
	s := good(t, minimal+"params: {clients: 5, start: [1s, 2s, 3s]}\n")
	list := s.Smaller()
	require.Equal(t, []string{"params.clients=1", "params.clients=2", "params.clients=4"}, changesOf(list))
	require.Len(t, list[0].Program.Nodes, 4)
	require.Equal(t, []Setting{{"params.clients", "1"}, {"params.start", "[1s]"}}, list[0].Sets, "a list may not be longer than the count")
	require.Equal(t, []Setting{{"params.clients", "4"}}, list[2].Sets)
	require.Equal(t, s.Text, list[0].Text)
	require.Equal(t, s.Name, list[0].Name)

	again := good(t, s.Text, list[1].Sets...)
	require.Equal(t, again.Config, list[1].Config)
	require.Equal(t, again.Program.Nodes, list[1].Program.Nodes)
	next := list[2].Smaller()
	require.Equal(t, []string{"params.clients=1", "params.clients=2", "params.clients=3"}, changesOf(next))
	require.Equal(t, []Setting{{"params.clients", "3"}}, next[2].Sets, "the settings do not pile up")

	require.Equal(t, []string{"params.clients=1"}, changesOf(good(t, minimal).Smaller()), "the default")
	require.Empty(t, good(t, minimal+"params: {clients: 1}\n").Smaller())
	require.Nil(t, (&Scenario{}).Smaller())
}

// TestSmallerLeavesOut: what names a node that is gone is left out, and nothing else.
func TestSmallerLeavesOut(t *testing.T) {
	s := good(t, minimal+`params: {clients: 2}
network: {links: [{from: client-1, delay: 1ms}, {from: client-2, to: store, delay: 2ms}]}
clocks: {client-1: {drift: 1ppm}, client-2: {drift: 2ppm}}
costs: {client-2: 1ms, store: 2ms}
faults: [{pause: client-2, on: checked, for: {gclog: gc.log}}, {pause: client-1, on: checked, for: {gclog: gc.log}}, {cut: {between: [client-2, store]}}]
budget: {pauses: 1, nodes: [client-1, client-2]}
expect: {on-time: {violated: {nodes: client-2}}, writes: 3}
vary: {params.clients: [2, 3]}
`, Setting{"faults.0.name", "x"})
	list := s.Smaller()
	require.Equal(t, []string{"params.clients=1"}, changesOf(list))
	small := list[0]
	require.Equal(t, []sim.NodeID{1}, small.Config.Network.Rules[0].From)
	require.Len(t, small.Config.Network.Rules, 1)
	require.Equal(t, sim.PPB(1000), small.Config.Clocks[0].Rate)
	require.Len(t, small.Config.Faults, 1)
	require.Equal(t, s.Config.Faults[1], small.Config.Faults[0], "with the log of the file")
	require.Equal(t, []sim.NodeID{1}, small.Budget.Nodes)
	require.Nil(t, small.Expect)
	require.Nil(t, small.Variants)
	require.Len(t, small.Inputs, 1)
	_, err := small.Program.NewWorld(small.Config)
	require.NoError(t, err)

	s, err = loadText(s.Text, Options{NoFaults: true})
	require.NoError(t, err)
	require.Nil(t, s.Smaller()[0].Config.Faults, "faults that were dropped stay so")
	require.Equal(t, allHold(&s.Program), s.Smaller()[0].Expect)
}

// TestSmallerShipped: with the counts of the real models, what is smaller can be run,
// and it comes to an end with nothing smaller.
func TestSmallerShipped(t *testing.T) {
	for _, name := range Names() {
		s, err := Load(name, Options{})
		require.NoError(t, err)
		for steps := 0; ; steps++ {
			require.Less(t, steps, 30, name)
			list := s.Smaller()
			for _, small := range list {
				_, err := small.Program.NewWorld(small.Config)
				require.NoError(t, err, "%s: %s", name, small.Change)
			}
			if len(list) == 0 {
				break
			}
			s = list[len(list)-1] // the longest way down
			if steps >= 10 {
				s = list[0] // of hundreds of clients that would be too long
			}
		}
	}
	s, err := Load("lock/redlock-gc-pause", Options{Sets: []Setting{{"params.rounds", "[0, 3]"}, {"params.start", "[0s, 1s]"}, {"params.instances", "5"}}})
	require.NoError(t, err)
	require.Equal(t, []string{"params.clients=1", "params.instances=3", // fewer are no majority of several, and 4 are an even number
		"params.rounds.0=1", "params.rounds.0=2", "params.rounds.0=4", "params.rounds.1=1", "params.rounds.1=2"}, changesOf(s.Smaller()))
}
