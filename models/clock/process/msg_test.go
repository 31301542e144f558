package process

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/clock"
	"fencepost/sim"
)

// TestFold: messages that differ in one field differ in their digests.
func TestFold(t *testing.T) {
	seen := map[sim.Digest]Msg{}
	for _, m := range []Msg{
		{}, {Kind: Local}, {Why: 1}, {From: 1}, {N: 1}, {Event: 1}, {PT: 1}, {Stamp: Stamp{L: 1}}, {Stamp: Stamp{C: 1}},
		{Stamp: Stamp{Vector: &clock.Vector{}}}, {Stamp: Stamp{Vector: &clock.Vector{1, 2}}}, {Stamp: Stamp{Vector: &clock.Vector{2, 1}}},
	} {
		d := m.Fold(0)
		assert.NotContains(t, seen, d, "%v", m)
		seen[d] = m
	}
}
