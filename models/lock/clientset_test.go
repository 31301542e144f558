package lock

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

func TestASetOfClientsHasThoseThatWerePutIn(t *testing.T) {
	s := newClientSet(10_000)
	for _, id := range []sim.NodeID{10_000, 1, 64, 65, 2} {
		s.put(id, true)
	}
	s.put(2, false)
	var got []sim.NodeID
	s.each(func(id sim.NodeID) { got = append(got, id) })
	assert.Equal(t, []sim.NodeID{1, 64, 65, 10_000}, got)
}
