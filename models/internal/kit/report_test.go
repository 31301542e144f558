package kit

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
)

type ping struct{}

func (ping) Label() sim.Kind              { return 1 }
func (ping) Fold(d sim.Digest) sim.Digest { return d }
func (ping) String() string               { return "ping" }

type idle struct{ Seen, Over bool }

func (i *idle) Check(r *Report[ping]) { i.Seen = r.View != nil && r.Observation != nil }
func (i *idle) End(r *Report[ping])   { i.Over = r.View != nil && r.Event == sim.Ended }

// What a property remembers is followed by every fingerprint: the world is no part of it.
func TestAPropertyKeepsNoHoldOfTheWorld(t *testing.T) {
	i := &idle{}
	p := NewProperty("idle", i)
	var v sim.View[ping]
	p.Observe(&v, &sim.Observation[ping]{})
	assert.True(t, i.Seen)
	assert.Equal(t, Report[ping]{}, p.report)
	p.End(&v)
	assert.True(t, i.Over)
	assert.Equal(t, Report[ping]{}, p.report)
}
