package redislock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// A copy of the answer of a Sentinel, which comes after the client has forgotten the master, is no
// answer to a question: else the client counts one Sentinel too few, and asks a server.
func TestASecondCopyOfTheMastersNameIsNoAnswer(t *testing.T) {
	c := Connection{Sentinel: 7, Sentinels: 3, Patience: time.Second, query: 1, asked: 1}
	name := core.NewMasterIs(1, 5)
	assert.True(t, c.connect(sim.In[core.Msg]{Msg: name}, &sim.Out[core.Msg]{}))
	c.forget()
	assert.False(t, c.connect(sim.In[core.Msg]{Msg: name}, &sim.Out[core.Msg]{}), "the second copy")
	assert.Equal(t, Connection{Sentinel: 7, Sentinels: 3, Patience: time.Second, query: 1, answered: 1}, c)
}
