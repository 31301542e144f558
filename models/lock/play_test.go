package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

// played is what came out of one run, and the keys that are left then.
type played struct {
	*simtest.Played
	keys keysLeft
}

// keysLeft counts the instances that have a key when the run ends.
type keysLeft struct{ owners owners }

func (k *keysLeft) Reset(*sim.View[core.Msg]) { k.owners.Grant.Reset() }

func (k *keysLeft) Observe(_ *sim.View[core.Msg], o *sim.Observation[core.Msg]) { k.owners.observe(o) }

func (k *keysLeft) count() int { return len(k.owners.Grant) - k.owners.of(0) }

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
	r.keys.owners = newOwners(p.layout(p.plan()))
	c := sim.Config{Until: at(60_000)}
	c.Network.Default.Delay = sim.Constant(5 * ms)
	r.Played = simtest.Play(t, func() sim.System[core.Msg] {
		s := build()
		s.Meters = append(s.Meters, &r.keys)
		return s
	}, c, change...)
	return r
}

// apart cuts a node off from others forever.
func apart(who string, from ...string) simtest.Change {
	return simtest.Part(sim.Fault{Do: sim.Cut, Forever: true}, []string{who}, from)
}
