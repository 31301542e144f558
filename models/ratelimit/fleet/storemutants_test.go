package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// spoiled is a store to which something is done before it handles a call.
type spoiled struct {
	store store.Store
	how   spoiling
}

// spoiling is what is done to the counter of a call.
type spoiling uint8

const (
	forget  spoiling = iota // one of what was counted is lost
	persist                 // its expiry is lost, as by PERSIST
	extend                  // it is to live for ten windows
)

// Reset implements [sim.Resetter].
func (s *spoiled) Reset(initial *spoiled) {
	s.how = initial.how
	s.store.Reset(&initial.store)
}

// Step implements [sim.Node].
func (s *spoiled) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if db := &s.store.Db; in.Msg.Kind == message.Incr {
		name := s.store.Name(&in)
		switch value, ok, _ := db.Get(in.Wall, name); {
		case !ok:
		case s.how == forget:
			_ = db.SetKeepTTL(in.Wall, name, value-1, time.Minute)
		case s.how == persist:
			_ = db.Set(in.Wall, name, value)
		case s.how == extend:
			db.PExpire(in.Wall, name, 10*time.Minute)
		}
	}
	s.store.Step(in, out)
}

// TestStoreMutants: each property of a store has a mutant that violates it, and without
// the mutation it does not.
func TestStoreMutants(t *testing.T) {
	for _, v := range []struct {
		name, property string
		how            spoiling
		first          sim.Time
	}{
		{"forgets a count", "no-lost-count", forget, at(1_000)},
		{"loses an expiry", "counters-expire", persist, at(2_000)}, // at 1 s, and a second later it is one too long
		{"lets counters live", "counters-expire", extend, at(1_000)},
	} {
		t.Run(v.property+", "+v.name, func(t *testing.T) {
			p := atStore(2, "fixed-window", 5, time.Minute, central.StoreParams{Script: "incr-expire"}, core.ClientParams{Phases: []core.Phase{each(0, 9, time.Second)}})
			play(t, p).Holds(v.property)
			build := func() sim.System[message.Msg] {
				s := p.System()
				store, _ := p.Store.Stores(p.fleet())
				s.Nodes[3] = sim.Place[message.Msg]("store", spoiled{store, v.how})
				return s
			}
			r := playSystem(t, build)
			r.Violated(v.property, v.first)
			require.NotEmpty(t, r.String())
		})
	}
}
