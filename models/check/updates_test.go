package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/fact"
)

// TestIncrementsCountOnce adds increments of two clients in order, late and again.
func TestIncrementsCountOnce(t *testing.T) {
	a := func(task uint32) fact.Holder { return fact.Holder{Node: 1, Task: task} }
	b := fact.Holder{Node: 2, Task: 7}
	s := newUpdates(&Lock{Clients: 2}).Wrote
	for range 2 {
		for _, w := range []write{{a(7), 0}, {a(7), 2}, {b, 0}, {a(9), 0}, {a(7), 1}, {a(6), 0}, {a(8), 0}} {
			assert.True(t, s.add(w), w)
			assert.False(t, s.add(w), w)
		}
		for _, w := range []write{{a(7), 0}, {a(7), 1}, {a(7), 2}, {a(6), 0}, {a(8), 0}, {a(9), 0}, {b, 0}} {
			assert.False(t, s.add(w), w)
		}
		s.Reset()
	}
}
