package lock

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
)

// TestIncrementsCountOnce adds increments of two clients in order, late and again.
func TestIncrementsCountOnce(t *testing.T) {
	a, b := core.GrantOf(1, 7), core.GrantOf(2, 7)
	s := newUpdates(&Layout{Clients: 2}).Wrote
	for range 2 {
		for _, w := range []write{{a, 0}, {a, 2}, {b, 0}, {a + 2, 0}, {a, 1}, {a - 1, 0}, {a + 1, 0}} {
			assert.True(t, s.add(w), w)
			assert.False(t, s.add(w), w)
		}
		for _, w := range []write{{a, 0}, {a, 1}, {a, 2}, {a - 1, 0}, {a + 1, 0}, {a + 2, 0}, {b, 0}} {
			assert.False(t, s.add(w), w)
		}
		s.Reset()
	}
}
