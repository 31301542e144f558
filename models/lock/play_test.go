package lock

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

// rtt is how long the write and its reply take at a delay of 5 ms: the last part of the
// critical section, which the work w of the vectors includes.
const rtt = 10 * ms

func ptr[T any](v T) *T { return &v }

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// played is what came out of one run, and whose key is on each instance then.
type played struct {
	*simtest.Played
	keys check.Owners
}

// count is how many instances have a key.
func (r *played) count() int { return len(r.keys.Owner) - r.keys.Of(fact.Holder{}) }

// keysLeft copies the owners of the keys when the run ends.
type keysLeft struct {
	ledger *check.LockLedger
	to     *check.Owners
}

func (*keysLeft) Reset(*sim.View[core.Msg])                               {}
func (*keysLeft) Observe(*sim.View[core.Msg], *sim.Observation[core.Msg]) {}
func (k *keysLeft) End(*sim.View[core.Msg])                               { k.to.Owner = slices.Clone(k.ledger.Owners.Owner) }

// ledgerOf is the ledger of a lock system.
func ledgerOf(s *sim.System[core.Msg]) *check.LockLedger {
	for _, o := range s.Ledgers {
		if r, ok := o.(interface{ Remembers() any }); ok {
			return r.Remembers().(*check.LockLedger)
		}
	}
	return nil
}

// play runs a lock for a minute, or until the given instant, with a delay of 5 ms.
func play(t *testing.T, p Params, change ...simtest.Change) *played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, &p, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, p *Params, build func() sim.System[core.Msg], change ...simtest.Change) *played {
	t.Helper()
	r := &played{}
	c := sim.Config{Until: at(60_000)}
	c.Network.Default.Delay = sim.Constant(5 * ms)
	r.Played = simtest.Play(t, func() sim.System[core.Msg] {
		s := build()
		s.Meters = append(s.Meters, &keysLeft{ledgerOf(&s), &r.keys})
		return s
	}, c, change...)
	return r
}

// apart cuts a node off from others forever.
func apart(who string, from ...string) simtest.Change {
	return simtest.Part(sim.Fault{Do: sim.Cut, Forever: true}, []string{who}, from)
}
