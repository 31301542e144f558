package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/fact"
	"fencepost/sim/simtest"
)

// An effect counts once however often it is told, and not after it is undone. One that is undone does not come back.
func TestEffectsCountOnce(t *testing.T) {
	var e Effects
	for _, c := range []struct {
		kind       fact.Kind
		sort       uint16
		id, intent uint64
		n          uint16
		fresh      bool
	}{
		{fact.Effect, 1, 7, 3, 1, true}, {fact.Effect, 1, 7, 3, 1, false}, {fact.Effect, 0, 7, 3, 1, true}, {fact.Effect, 1, 5, 3, 2, true},
		{fact.Effect, 1, 6, 2, 1, true}, {fact.Undone, 1, 9, 3, 2, false}, {fact.Undone, 1, 7, 3, 1, true}, {fact.Undone, 1, 7, 3, 1, false},
		{fact.Effect, 1, 7, 3, 1, false}, {fact.Undone, 1, 6, 2, 0, true},
	} {
		n, fresh := e.Take(&fact.Fact{Kind: c.kind, N: c.sort, Token: c.id, ID: c.intent})
		assert.Equal(t, c.n, n, c)
		assert.Equal(t, c.fresh, fresh, c)
	}
	assert.True(t, e.Has(3))
	assert.False(t, e.Has(2), "it is undone")
	assert.False(t, e.Has(1))
	simtest.Print(t, &AtMostOnce{Effects: e})
}
