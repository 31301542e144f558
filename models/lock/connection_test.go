package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// A copy of the answer of a Sentinel, which comes after the client has forgotten the master, is no
// answer to a question: else the client counts one Sentinel too few, and asks a server.
func TestASecondCopyOfTheMastersNameIsNoAnswer(t *testing.T) {
	c := connection{Sentinel: 7, Sentinels: 3, Patience: time.Second, query: 1, asked: 1}
	name := Msg{Kind: MasterIs, Try: 1, X: 5}
	assert.True(t, c.connect(sim.In[Msg]{Msg: name}, &sim.Out[Msg]{}))
	c.forget()
	assert.False(t, c.connect(sim.In[Msg]{Msg: name}, &sim.Out[Msg]{}), "the second copy")
	assert.Equal(t, connection{Sentinel: 7, Sentinels: 3, Patience: time.Second, query: 1, answered: 1}, c)
}

// Every message comes twice, and much goes wrong besides: no node gets what is for another.
func TestSentinelsAndTheirClientsBearSecondCopies(t *testing.T) {
	p := failing()["watchdog on sentinel"]
	simtest.Count(t, p.System, sim.Config{}, 300, restarts, func(c *sim.Config, _ *sim.Program) {
		c.Until, c.Network.Default.Duplicate = at(60_000), sim.Certain/2
	})
}

// The last of the servers is a replica too.
func TestAMasterHasEightReplicas(t *testing.T) {
	p := Params{Service: "sentinel", Clients: 2, Sentinel: &SentinelParams{Replicas: ptr(8), Wait: 8}}
	r := play(t, p)
	r.Holds("mutual-exclusion", "deadlock-free", "no-orphan")
	assert.EqualValues(t, 2, r.Measure("acquisitions"))
}
