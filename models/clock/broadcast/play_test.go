package broadcast

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

var at = modeltest.At

// Lengths in milliseconds, and what always gives them.
var list, dists = simtest.Lengths, simtest.Constants

const never = 3_600_000 // ms

// params are the parameters of an order, with changes.
func params(order string, set func(*Params)) Params {
	p := DefaultParams()
	p.Order, p.Within = order, time.Second
	if set != nil {
		set(&p)
	}
	return p
}

// play runs processes for three seconds, or until the given instant, over a network in
// which a message takes 5 ms.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return modeltest.Play(t, p.System, append([]simtest.Change{simtest.Until(at(3000))}, change...)...)
}

var (
	orders = []string{"none", "fifo", "causal", "total-lamport"}
	all    = []string{"fifo-order", "causal-order", "same-order", "agreement", "validity", "no-duplicates", "replicas-agree"}
)

func late(from, to string, nth int, by int64) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Delay, For: sim.Constant(time.Duration(by) * ms), Msg: sim.MsgChoice{Kind: Cast, Nth: nth}})
}

func twice(from, to string, nth int, after int64) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Duplicate, For: sim.Constant(time.Duration(after) * ms), Msg: sim.MsgChoice{Kind: Cast, Nth: nth}})
}

func lose(from, to string, kind sim.Kind, nth int) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: kind, Nth: nth}})
}

func crash(who string, when sim.When, down time.Duration) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: when, For: sim.Constant(down), Forever: down == 0})
}
