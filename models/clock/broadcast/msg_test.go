package broadcast

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
)

// TestKinds: each kind has a text of its own, and each field counts in a digest.
func TestKinds(t *testing.T) {
	require.Len(t, kindNames, int(Delivered)+1)
	seen := map[string]bool{}
	for k := range kindNames {
		m := Msg{Kind: sim.Kind(k), Op: Operation{Adds, 2}, Sender: 3, Seq: 4, C: 5, V: clock.Vector{6, 7}}
		assert.Equal(t, sim.Kind(k), m.Label())
		assert.False(t, seen[m.String()], m.String())
		seen[m.String()] = true
		for i, change := range []func(*Msg){
			func(m *Msg) { m.Kind++ }, func(m *Msg) { m.Op.Does++ }, func(m *Msg) { m.Op.Amount++ }, func(m *Msg) { m.Sender++ },
			func(m *Msg) { m.Seq++ }, func(m *Msg) { m.C++ }, func(m *Msg) { m.V = nil }, func(m *Msg) { m.V = clock.Vector{6, 8} },
		} {
			other := m
			change(&other)
			assert.NotEqual(t, m.Fold(1), other.Fold(1), "%v, change %d", m, i)
		}
	}
}
