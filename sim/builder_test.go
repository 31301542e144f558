package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestNodeGivesTheNumberOfANode: the nodes of a system have the numbers that Node has returned, and each has a state.
func TestNodeGivesTheNumberOfANode(t *testing.T) {
	system := sim.System[Ball]{Kinds: []string{"start", "ball"}, Notes: []sim.Kind{1}}
	ping, pong := system.Node("ping"), system.Node("pong")
	sim.Put(&system, ping, Player{Peer: pong, Serve: true})
	_, err := sim.NewWorld(system, sim.Config{Until: 1})
	require.EqualError(t, err, "node pong has no state: want one by Put or Place")

	sim.Put(&system, pong, Player{Peer: ping})
	world, err := sim.NewWorld(system, sim.Config{Until: 1000})
	require.NoError(t, err)
	got := world.Run(1)
	placed, err := sim.NewWorld(sim.System[Ball]{Kinds: system.Kinds, Notes: system.Notes, Nodes: []sim.Spec[Ball]{
		sim.Place[Ball]("ping", Player{Peer: 2, Serve: true}), sim.Place[Ball]("pong", Player{Peer: 1}),
	}}, sim.Config{Until: 1000})
	require.NoError(t, err)
	require.Equal(t, placed.Run(1).Digest, got.Digest)
}
