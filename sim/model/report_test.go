package model

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

// A checker has the world while it is called. The world is no part of the print of its property.
func TestThePrintOfAPropertyHasNoWorld(t *testing.T) {
	i := &idle{}
	p := NewProperty("idle", i)
	var v sim.View[ping]
	p.Observe(&v, &sim.Observation[ping]{})
	p.End(&v)
	assert.Equal(t, &idle{Seen: true, Over: true}, i)
	var was, fresh sim.Print
	p.Print(&was)
	NewProperty("idle", &idle{Seen: true, Over: true}).Print(&fresh)
	assert.Equal(t, fresh, was)
}
