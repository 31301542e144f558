package mutex

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestMessages: each kind has a text of its own, and each field counts in a digest.
func TestMessages(t *testing.T) {
	require.Len(t, kindNames, int(Resumed)+1)
	seen := map[string]bool{}
	for k := range kindNames {
		m := Msg{Kind: sim.Kind(k), P: 1, N: 2, C: 3}
		assert.Equal(t, sim.Kind(k), m.Label())
		assert.False(t, seen[m.String()], m.String())
		seen[m.String()] = true
		for _, other := range []Msg{{m.Kind + 1, 1, 2, 3}, {m.Kind, 2, 2, 3}, {m.Kind, 1, 3, 3}, {m.Kind, 1, 2, 4}} {
			assert.NotEqual(t, m.Fold(1), other.Fold(1), "%v %v", m, other)
		}
	}
}
