package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// echoed delivers a message of a kind once more, so much later.
func echoed(kind sim.Kind, nth int, by time.Duration) simtest.Change {
	return func(c *sim.Config, _ *sim.Program) {
		c.Faults = append(c.Faults, sim.Fault{Name: "late", Do: sim.Duplicate, For: sim.Constant(by), Msg: sim.MsgChoice{Kind: kind, Nth: nth}})
		c.Network.Order = sim.Free
	}
}

// A request that comes again is another call: what the store has answered before is no
// answer to it.
func TestAnswerOfAnEarlierCall(t *testing.T) {
	c := asks(1, core.Phase{}, core.Phase{At: 500 * ms})
	c.Obey = true
	p := atStore(1, "fixed-window", 1, time.Second, central.StoreParams{}, c)
	// Told to wait for 498 ms at 504 ms, it is back at the limiter at 1003 ms, and admitted
	// at 1005 ms.
	r := play(t, p, simtest.Delay(ms), echoed(message.StoreAnswer, 2, 501*ms+500*time.Microsecond))
	assert.Equal(t, "ARA", r.verdicts("client-1"))
	r.Holds("no-false-rejection", "retry-after-honest")
}

// Nor is the answer to one command one to the next.
func TestAnswerToAnotherCommand(t *testing.T) {
	p := atStore(1, "fixed-window", 5, time.Minute, central.StoreParams{Script: "get-set", Fallback: "closed"}, asks(1, core.Phase{}))
	r := play(t, p, simtest.Delay(ms), echoed(message.StoreReply, 1, 500*time.Microsecond), func(c *sim.Config, _ *sim.Program) {
		c.Faults = append(c.Faults, sim.Fault{Name: "lost", Do: sim.Lose, Msg: sim.MsgChoice{Kind: message.Set, Nth: 1}})
	})
	assert.Equal(t, "R", r.verdicts("client-1"), "SET has not been answered")
}

// Each command has the timeout for itself, and a call that was answered none any more.
func TestTimeoutOfEachCommand(t *testing.T) {
	p := atStore(1, "fixed-window", 5, time.Minute, central.StoreParams{Script: "get-set", Fallback: "closed"}, asks(1, each(0, 3, time.Second)))
	r := play(t, p, simtest.Delay(24*ms))
	assert.Equal(t, "AAA", r.verdicts("client-1"), "96 ms for two commands")
	assert.Zero(t, r.Measure("fell-back"))
}

// A request that the network doubles is one request as long as it is under way.
func TestRequestArrivesTwice(t *testing.T) {
	p := atStore(1, "fixed-window", 5, time.Minute, central.StoreParams{}, asks(1, core.Phase{}))
	r := play(t, p, simtest.Delay(ms), echoed(message.Request, 1, ms))
	assert.EqualValues(t, 1, r.Measure("admitted"))
	assert.EqualValues(t, 1, r.Measure("store-operations"))
	r.Holds("one-answer")
}

// A limiter that has crashed names its calls anew: to the store they are no old ones.
func TestNamesOfCallsAfterACrash(t *testing.T) {
	p := atStore(1, "fixed-window", 2, time.Minute, central.StoreParams{Dedup: true}, asks(1, each(0, 2, ms), each(time.Second, 2, ms)))
	r := play(t, p, simtest.Delay(ms), simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(500)}, For: sim.Constant(10 * ms)}))
	assert.Equal(t, "AARR", r.verdicts("client-1"))
}

// Who reads from a replica reads from it when it is the store as well, and no more from
// the store that was.
func TestPromotedReplicaIsRead(t *testing.T) {
	p := atStore(1, "fixed-window", 3, time.Minute, central.StoreParams{Script: "get-incr", Replica: true, Promote: ptr(80 * time.Second), Fallback: "closed"},
		asks(1, each(61*time.Second, 2, time.Second), each(90*time.Second, 3, time.Second)))
	r := play(t, p, simtest.Delay(ms), simtest.Until(at(110_000)), simtest.Inject("store", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(70_000)}}))
	assert.Equal(t, "AA"+"ARR", r.verdicts("client-1"))
	assert.Zero(t, r.Measure("fell-back"))
	r.Holds("no-lost-count", "counters-expire")
}

// EXPIRE NX in each call neither renews the expiry, as EXPIRE does, nor leaves a hole. Who
// is rejected before it has arrived is told of the window that it will make.
func TestExpireNX(t *testing.T) {
	p := atStore(1, "anchored-window", 3, time.Second, central.StoreParams{Script: "incr-expire-nx"}, asks(1, each(0, 12, 300*ms)))
	r := play(t, p, simtest.Delay(ms))
	assert.Equal(t, "AAARAAARAAAR", r.verdicts("client-1"))
	r.Holds("counters-expire", "no-false-rejection", "retry-after-honest")

	p.Clients = []core.ClientParams{asks(1, burst(0, 5))}
	p.Clients[0].Obey = true
	assert.EqualValues(t, 5, play(t, p, simtest.Delay(ms)).Measure("admitted"), "two a second later")
}

// A call that arrives twice, be it the network or the limiter that sends it again, is
// counted twice unless calls have names.
func TestCallsArriveTwice(t *testing.T) {
	twice := simtest.Disturb("", "", sim.Fault{Do: sim.Duplicate, For: sim.Constant(ms), Msg: sim.MsgChoice{Kind: message.Eval, Nth: 1}})
	lost := simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: message.StoreAnswer, Nth: 1}})
	for name, f := range map[string]simtest.Change{"duplicate": twice, "reply lost": lost} {
		for dedup, want := range map[bool]string{false: "AAAARR", true: "AAAAAR"} {
			p := atStore(1, "fixed-window", 5, time.Minute, central.StoreParams{Retries: 1, Dedup: dedup}, asks(1, each(0, 6, time.Second)))
			r := play(t, p, simtest.Delay(ms), f)
			assert.Equal(t, want, r.verdicts("client-1"), name)
			r.Holds("one-answer", "no-lost-count", "counters-expire")
		}
	}
}
