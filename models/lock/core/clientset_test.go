package core

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

func TestASetOfClientsHasThoseThatWerePutIn(t *testing.T) {
	s := NewClientSet(10_000)
	for _, id := range []sim.NodeID{10_000, 1, 64, 65, 2} {
		s.Put(id, true)
	}
	s.Put(2, false)
	var got []sim.NodeID
	s.Each(func(id sim.NodeID) { got = append(got, id) })
	assert.Equal(t, []sim.NodeID{1, 64, 65, 10_000}, got)
}
