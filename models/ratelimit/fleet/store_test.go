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

// atStore is a fleet of limiters with a store.
func atStore(limiters int, algorithm string, limit int64, window time.Duration, s central.StoreParams, clients ...core.ClientParams) Params {
	p := DefaultParams()
	p.Form, p.Limiters, p.Store, p.Clients = "central", limiters, s, clients
	p.Algorithm.Algorithm, p.Limit, p.Window = algorithm, limit, window
	return p
}

// asks is a client of one limiter that asks so often at each instant.
func asks(limiter int, phases ...core.Phase) core.ClientParams {
	return core.ClientParams{Route: "fixed", To: limiter, Phases: phases}
}

func burst(at time.Duration, n int) core.Phase { return core.Phase{At: at, Burst: &n} }

func each(at time.Duration, n int, every time.Duration) core.Phase {
	return core.Phase{At: at, Count: &n, Every: sim.Constant(every)}
}

// ahead sets the wall clock of a node.
func ahead(who string, by time.Duration) simtest.Change {
	return simtest.Clock(who, sim.Clock{Offset: by})
}

// admittedIn is how many were admitted in each part of so many verdicts.
func admittedIn(verdicts string, parts ...int) (list []int) {
	for _, n := range parts {
		count := 0
		for _, v := range verdicts[:n] {
			if v == 'A' {
				count++
			}
		}
		verdicts = verdicts[n:]
		list = append(list, count)
	}
	return list
}

// "INCR, client dies before EXPIRE; L=3; four more, wait 1.3 s, one more: A A R R, after
// 1.3 s R, counter 6, TTL -1".
func TestDiesBeforeExpire(t *testing.T) {
	t.Run("RD-01", func(t *testing.T) {
		p := atStore(2, "anchored-window", 3, time.Second, central.StoreParams{Script: "incr-expire"},
			asks(1, core.Phase{}), asks(2, burst(100*ms, 4), burst(1400*ms, 1)))
		crash := simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{Before: message.Expire}, For: sim.Constant(100 * ms)})
		r := play(t, p, simtest.Delay(ms), crash)
		assert.Equal(t, "AARRR", r.verdicts("client-2"))
		assert.EqualValues(t, 6, r.Measure("highest-count"))
		r.Violated("counters-expire", at(1_002))
	})
	for _, fix := range []string{"atomic", "multi", "incr-expire-nx"} {
		t.Run(fix, func(t *testing.T) {
			p := atStore(2, "anchored-window", 3, time.Second, central.StoreParams{Script: fix},
				asks(1, core.Phase{}), asks(2, burst(100*ms, 4), burst(1400*ms, 1)))
			r := play(t, p, simtest.Delay(ms), simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(2)}, For: sim.Constant(100 * ms)}))
			r.Holds("counters-expire", "no-lost-count")
			assert.Equal(t, "AARRA", r.verdicts("client-2"), "the one that died was counted")
		})
	}
}

// The hole needs no crash: the answer to the first INCR comes after the timeout, nobody
// waits for it any more, and nobody sends EXPIRE.
func TestHoleWithoutCrash(t *testing.T) {
	p := atStore(1, "anchored-window", 3, time.Second, central.StoreParams{Script: "incr-expire"}, asks(1, burst(time.Second, 1), burst(5*time.Second, 5)))
	pause := simtest.Inject("store", sim.Fault{Do: sim.Pause, When: sim.When{At: at(1_000)}, For: sim.Constant(60 * ms)})
	r := play(t, p, simtest.Delay(ms), pause)
	r.Violated("counters-expire", at(2_060))
	assert.Equal(t, "AAARRR", r.verdicts("client-1"))
	p.Store.Script = "atomic"
	play(t, p, simtest.Delay(ms), pause).Holds("counters-expire")
}

// "two clients, counter 3, limit 4: GET GET SET SET / GET GET INCR INCR / INCR INCR".
func TestTwoClients(t *testing.T) {
	for _, v := range []struct {
		script   string
		admitted int64
		stored   int64
	}{{"get-set", 5, 4}, {"get-incr", 5, 5}, {"incr-expire", 4, 5}, {"atomic", 4, 5}} {
		t.Run("RD-06/"+v.script, func(t *testing.T) {
			p := atStore(2, "anchored-window", 4, time.Minute, central.StoreParams{Script: v.script},
				asks(1, each(0, 3, time.Second), burst(10*time.Second, 1)), asks(2, burst(10_001*ms, 1)))
			r := play(t, p, simtest.Delay(ms), simtest.Until(at(30_000)))
			assert.Equal(t, v.admitted, r.Measure("admitted"))
			assert.Equal(t, v.stored, r.Measure("highest-count"))
			lost := v.admitted > v.stored
			assert.Equal(t, lost, r.Finding("no-lost-count").Verdict == sim.Violated, r)
			r.Holds("one-answer", "counters-expire")
		})
	}
}

// "50 connections, 2000 requests, L=100: RMW admits 2000 every time (stored 66..94);
// check-then-INCR 105..135; INCR-then-check 100 (stored 2000)".
func TestFiftyConnections(t *testing.T) {
	for _, v := range []struct {
		script                string
		least, most           int64
		storedLeast, storedTo int64
	}{
		{"get-set", 2000, 2000, 50, 99},
		{"get-incr", 101, 149, 101, 149},
		{"incr-expire", 100, 100, 2000, 2000},
		{"atomic", 100, 100, 2000, 2000},
	} {
		t.Run("RD-07/"+v.script, func(t *testing.T) {
			p := atStore(4, "fixed-window", 100, time.Minute, central.StoreParams{Script: v.script},
				core.ClientParams{Phases: []core.Phase{{Count: ptr(2000), Every: sim.Exponential(20 * time.Microsecond)}}})
			r := play(t, p, simtest.Delay(250*time.Microsecond), simtest.Until(at(30_000)),
				simtest.Link("client-1", "", sim.Link{}), simtest.Link("", "client-1", sim.Link{}))
			admitted, stored := r.Measure("admitted"), r.Measure("highest-count")
			assert.True(t, v.least <= admitted && admitted <= v.most, "admitted %d", admitted)
			assert.True(t, v.storedLeast <= stored && stored <= v.storedTo, "stored %d", stored)
			r.Holds("one-answer", "counters-expire")
		})
	}
}

// "five ZADD in one ms, member=timestamp / unique member: ZCARD 1 / 5".
func TestCollidingMembers(t *testing.T) {
	for member, want := range map[string]struct{ admitted, stored int64 }{"timestamp": {5, 1}, "request": {3, 3}} {
		t.Run("RD-09/"+member, func(t *testing.T) {
			r := play(t, atStore(1, "sliding-log", 3, time.Minute, central.StoreParams{Member: member}, asks(1, burst(time.Second, 5))))
			assert.Equal(t, want.admitted, r.Measure("admitted"))
			assert.Equal(t, want.stored, r.Measure("highest-count"))
		})
	}
}

// "limit 2, one place left, interleaved".
func TestInterleavedLogs(t *testing.T) {
	for script, want := range map[string][2]string{"zadd-zcard": {"AR", "R"}, "zcard-zadd": {"AA", "A"}, "atomic": {"AA", "R"}} {
		t.Run("RD-10/"+script, func(t *testing.T) {
			r := play(t, atStore(2, "sliding-log", 2, time.Minute, central.StoreParams{Script: script},
				asks(1, burst(time.Second, 1), burst(10*time.Second, 1)), asks(2, burst(10*time.Second, 1))), simtest.Delay(ms))
			assert.Equal(t, want, [2]string{r.verdicts("client-1"), r.verdicts("client-2")})
			r.Holds("no-lost-count", "counters-expire")
		})
	}
}

// "40 INCR replicated, link cut, 60 more, master killed, replica promoted, L=100:
// counter 40; 60 more admitted: 160".
func TestFailover(t *testing.T) {
	t.Run("RD-13", func(t *testing.T) {
		p := atStore(1, "fixed-window", 100, time.Minute, central.StoreParams{Replica: true, Promote: ptr(20 * time.Second)},
			asks(1, burst(time.Second, 40), burst(5*time.Second, 60), burst(30*time.Second, 100)))
		r := play(t, p, simtest.Delay(ms), simtest.Until(at(60_000)),
			func(c *sim.Config, p *sim.Program) {
				c.Faults = append(c.Faults, sim.Fault{Name: "cut", Do: sim.Cut, Forever: true, When: sim.When{At: at(3_000)},
					Sides: [][]sim.NodeID{{p.Node("store")}, {p.Node("replica")}}})
			}, simtest.Inject("store", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(15_000)}}))
		assert.Equal(t, []int{40, 60, 60}, admittedIn(r.verdicts("client-1"), 40, 60, 100))
		r.Violated("no-lost-count", at(30_003))
	})
}

// "2 req/s, limit 3 per 1 s: A A A R R R R R, never resets".
func TestRefreshedExpiry(t *testing.T) {
	t.Run("RD-15", func(t *testing.T) {
		p := atStore(1, "anchored-window", 3, time.Second, central.StoreParams{Script: "incr-expire-always"}, asks(1, each(0, 8, 500*ms)))
		r := play(t, p, simtest.Delay(ms))
		assert.Equal(t, "AAARRRRR", r.verdicts("client-1"))
		assert.EqualValues(t, 8, r.Measure("highest-count"))
	})
}

// "EVALSHA after restart: NOSCRIPT": the limiter sends the text, and the breaker does
// not count it.
func TestNoScript(t *testing.T) {
	t.Run("RD-22", func(t *testing.T) {
		p := atStore(1, "fixed-window", 100, time.Minute, central.StoreParams{Errors: ptr(1), Fallback: "closed"}, asks(1, burst(time.Second, 1), burst(10*time.Second, 3)))
		r := play(t, p, simtest.Delay(ms), simtest.Inject("store", sim.Fault{Do: sim.Crash, When: sim.When{At: at(5_000)}, For: sim.Constant(ms)}))
		assert.Equal(t, "AAAA", r.verdicts("client-1"))
		assert.Contains(t, r.Trace(), "NOSCRIPT No matching script")
		assert.Zero(t, r.Measure("fell-back"))
	})
}

// The script of S2 with what its author does not pass.
func TestSourceScript(t *testing.T) {
	for _, v := range []struct {
		id       string
		ttl      *string
		verdicts string
		stored   int64
	}{
		{"RD-02", ptr("0.5"), "RAARR", 5}, // an error, 1, 1, 0, 0
		{"RD-03", ptr("0"), "AAAAA", 0},
		{"RD-03/negative", ptr("-5"), "AAAAA", 0},
		{"RD-04", ptr(""), "RAARR", 5},
		{"as meant", nil, "AAARR", 5},
	} {
		t.Run(v.id, func(t *testing.T) {
			p := atStore(1, "anchored-window", 3, time.Minute, central.StoreParams{Script: "source", TTL: v.ttl, Fallback: "closed"}, asks(1, each(0, 5, 100*ms)))
			r := play(t, p, simtest.Delay(ms))
			assert.Equal(t, v.verdicts, r.verdicts("client-1"))
			assert.Equal(t, v.stored, r.Measure("highest-count"))
		})
	}
}

func TestClocks(t *testing.T) {
	local := central.StoreParams{Clock: "limiter"}
	t.Run("CK-01", func(t *testing.T) {
		p := atStore(2, "fixed-window", 100, time.Minute, local,
			asks(1, burst(55*time.Second, 150), burst(60*time.Second, 150), burst(111*time.Second, 150)),
			asks(2, burst(55*time.Second, 150), burst(110*time.Second, 150)))
		r := play(t, p, simtest.Delay(ms), ahead("limiter-2", 10*time.Second))
		assert.Equal(t, []int{100, 0, 0}, admittedIn(r.verdicts("client-1"), 150, 150, 150))
		assert.Equal(t, []int{100, 100}, admittedIn(r.verdicts("client-2"), 150, 150))
	})
	t.Run("CK-02", func(t *testing.T) {
		p := atStore(2, "sliding-log", 100, time.Minute, local,
			asks(1, burst(0, 150), burst(32*time.Second, 150), burst(90*time.Second, 150), burst(120*time.Second, 150), burst(121*time.Second, 150)),
			asks(2, burst(31*time.Second, 150)))
		r := play(t, p, simtest.Delay(ms), ahead("limiter-2", 30*time.Second))
		assert.Equal(t, []int{100, 0, 0, 0, 100}, admittedIn(r.verdicts("client-1"), 150, 150, 150, 150, 150))
		assert.Equal(t, []int{100}, admittedIn(r.verdicts("client-2"), 150))
	})
	t.Run("CK-03", func(t *testing.T) {
		p := atStore(2, "anchored-window", 10, time.Minute, central.StoreParams{Script: "record", Clock: "limiter"},
			asks(1, burst(10*time.Second, 15)), asks(2, burst(10*time.Second, 15)))
		r := play(t, p, simtest.Delay(ms), ahead("limiter-2", -2*time.Second))
		assert.EqualValues(t, 10, r.Measure("client-1-admitted"))
		assert.EqualValues(t, 10, r.Measure("client-2-admitted"))
	})
	for elapsed, want := range map[string][2]int64{"signed": {29, 0}, "clamped": {100, 100}, "monotone": {24, 5}} {
		t.Run("CK-04/"+elapsed, func(t *testing.T) {
			p := atStore(2, "token-bucket", 10, 10*time.Second, local, asks(1, each(0, 100, 200*ms)), asks(2, each(100*ms, 100, 200*ms)))
			p.Elapsed = elapsed
			r := play(t, p, simtest.Delay(ms), ahead("limiter-1", 30*time.Second))
			assert.Equal(t, want, [2]int64{r.Measure("client-1-admitted"), r.Measure("client-2-admitted")})
			p.Store.Clock = "store"
			r = play(t, p, simtest.Delay(ms), ahead("limiter-1", 30*time.Second))
			assert.EqualValues(t, 29, r.Measure("admitted"), "by one clock")
		})
	}
	// At 200 ms the requests of client-1 meet each new token, and it gets 24 of 29 by clocks
	// that agree, too. At 190 ms the clock is the cause (T3).
	t.Run("CK-04/monotone, fair", func(t *testing.T) {
		p := atStore(2, "token-bucket", 10, 10*time.Second, local, asks(1, each(0, 100, 190*ms)), asks(2, each(95*ms, 100, 190*ms)))
		p.FairFrom = 900
		r := play(t, p, simtest.Delay(500*time.Microsecond), ahead("limiter-1", 30*time.Second))
		assert.Equal(t, [2]int64{23, 5}, [2]int64{r.Measure("client-1-admitted"), r.Measure("client-2-admitted")})
		r.Violated("fair", at(300_000))
		r = play(t, p, simtest.Delay(500*time.Microsecond))
		assert.Equal(t, [2]int64{14, 14}, [2]int64{r.Measure("client-1-admitted"), r.Measure("client-2-admitted")})
		r.Holds("fair", "retry-after-honest")
	})
	t.Run("CK-05", func(t *testing.T) {
		p := atStore(2, "token-bucket", 2, time.Second, local, asks(1, burst(20*time.Second, 5), burst(20_002*ms, 5)), asks(2, burst(20_001*ms, 1)))
		p.Burst, p.Elapsed = ptr(int64(4)), "clamped"
		r := play(t, p, ahead("limiter-2", -10*time.Second))
		assert.Equal(t, "AAAAR"+"AAAAR", r.verdicts("client-1"))
		assert.Equal(t, "R", r.verdicts("client-2"))
	})
	// "17.28 s phase" after a day: the next minute begins at 42.72 by a clock that is 200
	// ppm fast, less what it gains in these 42.72 s.
	t.Run("CK-06", func(t *testing.T) {
		day := 24 * time.Hour
		p := atStore(2, "fixed-window", 100, time.Minute, local, asks(1, burst(day, 100)), asks(2, burst(day+42_711*ms, 10), burst(day+42_712*ms, 10)))
		p.Aligned = true
		r := play(t, p, simtest.Until(sim.Time(25*time.Hour)), func(c *sim.Config, p *sim.Program) {
			c.Clocks = make([]sim.Clock, len(p.Nodes))
			c.Clocks[p.Node("limiter-2")-1].Rate = 200_000
		})
		assert.Equal(t, []int{0, 10}, admittedIn(r.verdicts("client-2"), 10, 10))
		r.Violated("aligned-window-limit", sim.Time(day+42_712*ms))
		play(t, p, simtest.Until(sim.Time(25*time.Hour))).Holds("aligned-window-limit")
	})
}

// What a key has left is no instant: the store may count its time from wherever it likes,
// and nobody can tell.
func TestClockOfTheStore(t *testing.T) {
	for _, script := range []string{"atomic", "multi", "incr-expire-nx", "incr-expire", "get-set", "get-incr"} {
		p := atStore(2, "anchored-window", 3, time.Second, central.StoreParams{Script: script}, asks(1, each(0, 50, 100*ms)))
		p.Clients[0].Obey = true
		digest := play(t, p, simtest.Delay(ms)).Result.Digest
		for _, offset := range []time.Duration{-time.Hour, -1500 * ms, time.Hour} {
			r := play(t, p, simtest.Delay(ms), ahead("store", offset))
			assert.Equal(t, digest, r.Result.Digest, "%s, %v", script, offset)
			r.Holds("one-answer")
		}
	}
}

// Windows begin at multiples of their length before 1970, too.
func TestWindowBefore1970(t *testing.T) {
	p := atStore(1, "fixed-window", 2, time.Minute, central.StoreParams{}, asks(1, burst(10*time.Second, 3), burst(40*time.Second, 3)))
	r := play(t, p, simtest.Delay(ms), ahead("store", -30*time.Second)) // a window ends at 30 s
	assert.Equal(t, "AARAAR", r.verdicts("client-1"))
	assert.Contains(t, r.Log(), "2 of key 1 in 1m, retry after 19.998s")
}

// A counter that another window's limiter has left without expiry is not forgotten
// because the next window has no counter yet.
func TestHoleOfTheWindowBefore(t *testing.T) {
	p := atStore(2, "fixed-window", 3, time.Second, central.StoreParams{Script: "get-incr"}, asks(1, core.Phase{At: 900 * ms}), asks(2, core.Phase{At: 1100 * ms}))
	crash := simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{Before: message.Expire}, For: sim.Constant(100 * ms)})
	play(t, p, simtest.Delay(ms), crash).Violated("counters-expire", at(1_904))
}

// A counter without expiry that the store loses in time is no leak.
func TestHoleThatGoesAway(t *testing.T) {
	for name, s := range map[string]central.StoreParams{
		"evicted": {Script: "incr-expire", Memory: 3, Full: "evict", Others: &core.Phase{At: 100 * ms, Count: ptr(5), Every: sim.Constant(ms)}},
		"crashed": {Script: "incr-expire"},
	} {
		p := atStore(2, "fixed-window", 3, time.Minute, s, asks(1, core.Phase{}), asks(2, core.Phase{At: 5 * time.Second}))
		change := []simtest.Change{simtest.Delay(ms), simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{Before: message.Expire}, For: sim.Constant(100 * ms)})}
		if name == "crashed" {
			change = append(change, simtest.Inject("store", sim.Fault{Do: sim.Crash, When: sim.When{At: at(200)}, For: sim.Constant(ms)}))
		}
		play(t, p, change...).Holds("counters-expire")
	}
}

// "store down 120 s, 4 nodes x 10 rps, L=100/min: open 4800, closed 0, local L/n 200,
// local L 800". Each counts what is admitted of the 4800 requests that are asked in the
// outage; two aligned minutes with a store would be 200.
func TestStoreDown(t *testing.T) {
	var clients []core.ClientParams
	for i := range 4 {
		clients = append(clients, asks(i+1, each(0, 1200, 100*ms)))
	}
	crash := simtest.Inject("store", sim.Fault{Do: sim.Crash, Forever: true})
	for _, v := range []struct {
		name, fallback, share string
		admitted              int64
	}{{"open", "open", "", 4800}, {"closed", "closed", "", 0}, {"divided", "local", "divided", 200}, {"whole", "local", "whole", 800}} {
		t.Run("SD-01/"+v.name, func(t *testing.T) {
			p := atStore(4, "fixed-window", 100, time.Minute, central.StoreParams{Fallback: v.fallback}, clients...)
			p.Share = v.share
			r := play(t, p, simtest.Delay(ms), crash, simtest.Until(at(181_000)))
			assert.Equal(t, v.admitted, r.Measure("admitted"))
			assert.EqualValues(t, 4800, r.Measure("asked"))
			r.Holds("one-answer")
		})
	}
	t.Run("healthy", func(t *testing.T) {
		r := play(t, atStore(4, "fixed-window", 100, time.Minute, central.StoreParams{}, clients...), simtest.Delay(ms))
		assert.EqualValues(t, 200, r.Measure("admitted"))
		r.Holds("no-lost-count", "counters-expire", "no-false-rejection", "one-answer")
	})
}

// "lagging 0, 50, 200, 1000 ms; 1000 rps, L=100/s: 100, 150, 300, 1000".
func TestStaleReplica(t *testing.T) {
	for lag, want := range map[time.Duration]int64{0: 100, 50 * ms: 150, 200 * ms: 300, time.Second: 1000} {
		t.Run("ST-01/"+lag.String(), func(t *testing.T) {
			p := atStore(1, "fixed-window", 100, time.Second, central.StoreParams{Script: "get-incr", Replica: true, Reads: "replica"}, asks(1, each(0, 1000, ms)))
			r := play(t, p, simtest.Delay(100*time.Microsecond), simtest.Link("store", "replica", sim.Link{Delay: sim.Constant(lag)}), simtest.Until(at(2_000)))
			assert.Equal(t, want, r.Measure("admitted"))
		})
	}
}

// The breaker opens after five errors, lets one call try after a second, and closes when
// that is answered. Nobody waits longer than for the timeout.
func TestBreakerOfAFleet(t *testing.T) {
	p := atStore(1, "fixed-window", 1000, time.Minute, central.StoreParams{}, asks(1, each(0, 50, 100*ms)))
	r := play(t, p, simtest.Delay(ms), simtest.Inject("store", sim.Fault{Do: sim.Crash, When: sim.When{At: at(990)}, For: sim.Constant(2 * time.Second)}))
	assert.EqualValues(t, 50, r.Measure("admitted"))
	// Asked at 1.0 to 1.4: timeouts, and the fifth at 1.451 opens it until 2.451. One at 2.5
	// tries, at 2.551 it opens again, and one at 3.6 is answered: first
	// that the store has not got the script any more.
	assert.Equal(t, []sim.Time{at(1_051), at(1_451), at(3_605)}, []sim.Time{r.Moment("decides 1.11 without"), r.Moment("opens its breaker"), r.Moment("closes its breaker")})
	assert.EqualValues(t, 26, r.Measure("fell-back"))
	assert.EqualValues(t, 24, r.Measure("store-operations"))
	r.Holds("one-answer", "no-lost-count")
}

// Algorithms that are no counters and no logs have their state in the store; a queue
// lets its requests wait as it does elsewhere.
func TestStatesInTheStore(t *testing.T) {
	for _, algorithm := range []string{"token-bucket", "interval-bucket", "leaky-meter", "gcra", "sliding-counter", "sub-windows", "leaky-queue"} {
		p := atStore(3, algorithm, 5, time.Minute, central.StoreParams{}, core.ClientParams{Phases: []core.Phase{burst(time.Second, 20)}})
		r := play(t, p)
		want := int64(5)
		if algorithm == "leaky-queue" {
			want = 6 // one starts at once
		}
		assert.Equal(t, want, r.Measure("admitted"), algorithm)
		r.Holds("one-answer")
	}
}

// A cost counts as such, and one above the limit is refused forever.
func TestCostAtTheStore(t *testing.T) {
	c := asks(1, each(0, 4, time.Second))
	c.Cost = ptr(int64(2))
	large := asks(1, burst(10*time.Second, 1))
	large.Cost = ptr(int64(6))
	p := atStore(1, "fixed-window", 5, time.Minute, central.StoreParams{}, c, large)
	r := play(t, p)
	assert.Equal(t, "AARR", r.verdicts("client-1"))
	assert.Equal(t, "R", r.verdicts("client-2"))
	assert.Contains(t, r.Log(), "client-2 forever: a cost of 6")
}
