package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// onZooKeeper are parameters of the lock on ZooKeeper, with a session of 6 s and ticks of 2 s
// unless they are changed.
func onZooKeeper(clients int, change func(*Params)) Params {
	p := Params{Service: "zookeeper", ZooKeeper: &ZooKeeperParams{}, Clients: clients, TTL: ptr(6 * time.Second)}
	if change != nil {
		change(&p)
	}
	return p
}

// Z-05
func TestAHerdWakesAllWaitersAndAWatchOnThePredecessorOne(t *testing.T) {
	for _, c := range []struct {
		clients           int
		herd, predecessor int64
	}{{2, 1, 1}, {10, 45, 9}, {100, 4950, 99}} {
		for watch, want := range map[string]int64{"directory": c.herd, "predecessor": c.predecessor} {
			r := play(t, onZooKeeper(c.clients, func(p *Params) { p.ZooKeeper.Watch, p.Work = watch, []time.Duration{500 * ms} }), simtest.Once())
			assert.Equal(t, want, r.Measure("wake-ups"), "%d clients, %s", c.clients, watch)
			assert.EqualValues(t, c.clients, r.Measure("acquisitions"))
			r.OnlyViolates()
		}
	}
}

// cutOff is the schedule of Z-03: client-1, which starts at the given time, pings at 2.04 s
// after that, hears the answer at 2.05 s, and is cut off from ZooKeeper. Its bucket is over
// at 10 s.
func cutOff(t *testing.T, start time.Duration, change func(*ZooKeeperParams), more ...simtest.Change) *played {
	t.Helper()
	p := onZooKeeper(2, func(p *Params) {
		p.Start, p.Work = []time.Duration{start, 2500 * ms}, []time.Duration{30 * time.Second}
		change(p.ZooKeeper)
	})
	cut := simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(4020)}, For: sim.Constant(20 * time.Second)}, []string{"client-1"}, []string{"zookeeper"})
	return play(t, p, append(more, cut)...)
}

// Z-03, Z1
func TestTheHolderStopsAtSuspendedOrAtLostOrAtTheServersWord(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     func(*ZooKeeperParams)
		stops   int64 // with a start at 0
		overlap time.Duration
	}{
		{"suspended: 4 s", func(z *ZooKeeperParams) { z.StopAt = "suspended" }, 6_050, 0},
		{"33%: 5.98 s", func(z *ZooKeeperParams) { z.StopAt, z.Percent = "lost", ptr(33) }, 8_030, 0},
		{"100%: 10 s", func(z *ZooKeeperParams) { z.StopAt = "lost" }, 12_050, 2_035 * ms},
		{"at reconnection", func(z *ZooKeeperParams) { z.StopAt = "expired" }, 24_060, 14_045 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := cutOff(t, 0, c.set)
			assert.Equal(t, at(c.stops), r.Moment("client-1 has lost the lock, and leaves its critical section"))
			assert.Equal(t, at(10_000), r.Moment("the session of client-1 expires, 7.955s after its last sign of life"))
			assert.EqualValues(t, c.overlap, r.Measure("overlap"))
		})
	}
}

// What a watch of an earlier session says comes on the connection of that, and is no event of the present one, which the server
// counts: client-2, whose session is LOST at 6.408 s, is not suspended again when that one's watch fires at 7.010 s.
func TestAnEventOfAnEarlierSessionSuspendsNone(t *testing.T) {
	p := onZooKeeper(2, func(p *Params) {
		p.Start, p.Work = []time.Duration{0, 100 * ms}, []time.Duration{7 * time.Second, 10 * ms}
		p.ZooKeeper.Creates, p.ZooKeeper.Percent = 1, ptr(5)
	})
	cut := simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(3_000)}, For: sim.Constant(3350 * ms)}, []string{"client-2"}, []string{"zookeeper"})
	r := play(t, p, simtest.Once(), cut)
	assert.EqualValues(t, 1, r.Measure("suspensions"))
	assert.EqualValues(t, 2, r.Measure("acquisitions"))
}

// A session that is closed has nothing to expire when its client is cut off; each acquisition has one of its own.
func TestAFreshSessionIsClosedAfterTheRelease(t *testing.T) {
	for session, expired := range map[string]int64{"kept": 1, "fresh": 0} {
		p := onZooKeeper(1, func(p *Params) {
			p.ZooKeeper.Session, p.Work, p.Rounds, p.Think = session, []time.Duration{100 * ms}, []int{2}, []time.Duration{time.Second}
		})
		cut := simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(4020)}, For: sim.Constant(20 * time.Second)}, []string{"client-1"}, []string{"zookeeper"})
		r := play(t, p, simtest.Once(), cut)
		assert.EqualValues(t, 2, r.Measure("acquisitions"), session)
		assert.EqualValues(t, expired, r.Measure("expired-sessions"), session)
	}
}

// Z-03: "server (6000, 8000]".
func TestTheOverlapIsTwoToFourSecondsByTheTimeOfThePing(t *testing.T) {
	for _, c := range []struct{ start, lag, overlap time.Duration }{
		{0, 7955, 2035}, {1000, 6955, 3035}, {1954, 6001, 3989},
	} {
		r := cutOff(t, c.start*ms, func(z *ZooKeeperParams) { z.StopAt = "lost" })
		assert.EqualValues(t, c.lag*ms, r.Measure("expiry-lag"))
		assert.EqualValues(t, c.overlap*ms, r.Measure("overlap"))
	}
}

func TestCuratorsLostIsMeasuredOnTheWallClock(t *testing.T) {
	step := func(by time.Duration) simtest.Change {
		return simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: by, When: sim.When{At: at(7_000)}})
	}
	set := func(z *ZooKeeperParams) { z.StopAt, z.Percent = "lost", ptr(33) }
	stops := func(by time.Duration) sim.Time {
		return cutOff(t, 0, set, step(by)).Moment("client-1 has lost the lock, and leaves its critical section")
	}
	assert.Equal(t, at(8_030), stops(5*time.Second), "the wait is one on the monotonic clock")
	assert.Equal(t, at(13_030), stops(-5*time.Second), "and is repeated until the wall clock agrees")
}

// Z2
func TestAPausedHolderWritesLateUnlessTheCzxidFences(t *testing.T) {
	late := func(fencing string) *played {
		p := onZooKeeper(2, func(p *Params) {
			p.Start, p.Hold, p.Fencing = []time.Duration{0, time.Second}, []time.Duration{0, 30 * time.Second}, fencing
		})
		return play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Before: core.Write, Nth: 1}, For: sim.Constant(15 * time.Second)}))
	}
	r := late("none")
	r.Violated("mutual-exclusion", at(10_015))
	r.Violated("no-lost-update", at(17_055))
	r = late("lex")
	r.Holds("no-lost-update", "fenced-order", "increasing-tokens")
	assert.EqualValues(t, 1, r.Measure("rejected-writes"))
}

// Z3
func TestACreateWhoseReplyIsLostIsFoundByItsGUID(t *testing.T) {
	lost := func(guid bool) *played {
		p := onZooKeeper(2, func(p *Params) {
			p.Start, p.Fencing, p.ZooKeeper.Creates, p.ZooKeeper.GUID = []time.Duration{0, time.Second}, "lex", 1, &guid
		})
		return play(t, p, simtest.Disturb("", "client-1", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.ZKCreated, Nth: 1}}))
	}
	r := lost(false)
	r.Violated("deadlock-free", at(24_000))
	assert.Zero(t, r.Measure("acquisitions"), "client-1 waits for its own first node, and client-2 too")
	r = lost(true)
	r.OnlyViolates()
	assert.EqualValues(t, 2, r.Measure("acquisitions"))
	assert.Contains(t, r.Trace(), "issued token 3", "the czxid of the node that it finds")
}

// Z4
func TestOnlyTheCzxidIncreasesWhenTheDirectoryIsMadeAnew(t *testing.T) {
	tokens := func(token string) *played {
		p := onZooKeeper(2, func(p *Params) {
			p.Start, p.Fencing, p.ZooKeeper.Creates, p.ZooKeeper.Token = []time.Duration{0, 70 * time.Second}, "lex", 41, token
		})
		return play(t, p, simtest.Until(at(120_000)))
	}
	r := tokens("suffix")
	r.Violated("increasing-tokens", at(70_050))
	assert.EqualValues(t, 1, r.Measure("client-2-acquisitions"))
	assert.Contains(t, r.Trace(), "fence token 1", "suffix 0, after 42 for suffix 41")
	tokens("version").Violated("increasing-tokens", at(70_050))
	tokens("czxid").OnlyViolates()
}

// Z5
func TestASuffixThatOverflowsIsFirst(t *testing.T) {
	queue := func(creates int32, overflow string, guid bool) *played {
		return play(t, onZooKeeper(3, func(p *Params) {
			p.Start, p.ZooKeeper.Creates = []time.Duration{0, 100 * ms, 200 * ms}, creates
			p.ZooKeeper.Overflow, p.ZooKeeper.GUID = overflow, &guid
		}))
	}
	queue(1<<31-2, "negative", true).Violated("mutual-exclusion", at(230))
	queue(1<<31-4, "negative", true).OnlyViolates()
	stuck := queue(1<<31-2, "stuck", true)
	stuck.OnlyViolates()
	assert.EqualValues(t, 3, stuck.Measure("acquisitions"), "two suffixes are equal, and the names are not")
	stuck = queue(1<<31-2, "stuck", false)
	stuck.OnlyViolates()
	assert.Zero(t, stuck.Measure("client-3-acquisitions"), "the name is taken")
}

// Z-07
func TestAClientThatSortsWholeNamesOvertakesTheHolder(t *testing.T) {
	sorted := func(by string) *played {
		return play(t, onZooKeeper(2, func(p *Params) {
			p.Start, p.ZooKeeper.Sort = []time.Duration{100 * ms, 0}, by // the GUID of client-1 is the smaller one
		}))
	}
	sorted("name").Violated("mutual-exclusion", at(130))
	sorted("suffix").OnlyViolates()
}

// Z-01: an ephemeral node goes with its session, not with its connection.
func TestTheLockPassesOnWhenTheSessionExpiresNotWhenTheConnectionIsLost(t *testing.T) {
	p := onZooKeeper(2, func(p *Params) {
		p.Start, p.Work, p.ZooKeeper.StopAt = []time.Duration{0, time.Second}, []time.Duration{20 * time.Second, time.Second}, "expired"
	})
	r := play(t, p, simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(3_000)}, For: sim.Constant(4 * time.Second)}, []string{"client-1"}, []string{"zookeeper"}))
	r.OnlyViolates()
	assert.EqualValues(t, 1, r.Measure("suspensions"), "4 s without a sign of life")
	assert.Zero(t, r.Measure("expired-sessions"))
	assert.Greater(t, r.Moment("client-2 acquired the lock"), at(20_000), "after the release")

	r = play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(3_000)}}))
	assert.Equal(t, at(10_015), r.Moment("client-2 acquired the lock"), "the tick after 2.045 s and 6 s, and a list")
	assert.EqualValues(t, 7_955*ms, r.Measure("expiry-lag"))
}

// Z-02
func TestTheSessionThatAServerGrantsHasTwoToTwentyTicks(t *testing.T) {
	for _, c := range []struct{ ttl, tick, expires time.Duration }{{3_000, 2_000, 6_000}, {60_000, 2_000, 42_000}, {100, 500, 1_500}} {
		p := onZooKeeper(1, func(p *Params) { p.TTL, p.ZooKeeper.Tick = ptr(c.ttl*ms), ptr(c.tick*ms) })
		r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{Note: core.Acquired}}))
		assert.EqualValues(t, c.expires*ms-45*ms, r.Measure("expiry-lag"), "asked for %v", c.ttl*ms)
	}
}

// Z-06
func TestANewLeaderBeginsALaterEpochAndSessionsOutliveIt(t *testing.T) {
	p := onZooKeeper(2, func(p *Params) {
		p.Start, p.Work, p.Fencing = []time.Duration{0, 100 * ms}, []time.Duration{time.Second}, "lex"
		p.Rounds, p.Think = []int{2}, []time.Duration{3 * time.Second}
	})
	r := play(t, p, simtest.Inject("zookeeper", sim.Fault{Do: sim.Crash, When: sim.When{At: at(500)}, For: sim.Constant(time.Second)}))
	r.OnlyViolates()
	assert.EqualValues(t, 4, r.Measure("acquisitions"))
	assert.Zero(t, r.Measure("expired-sessions"))
	assert.Contains(t, r.Trace(), "issued token 4294967", "2^32 and more: epoch 1")
}

func TestAWallClockMeansNothingToSessions(t *testing.T) {
	p := onZooKeeper(3, func(p *Params) { p.ZooKeeper.StopAt = "expired" })
	r := play(t, p, simtest.InjectAll(sim.Fault{Do: sim.StepClock, By: time.Hour, When: sim.When{At: at(1_000)}}))
	r.OnlyViolates()
	assert.EqualValues(t, 3, r.Measure("acquisitions"))
	assert.Zero(t, r.Measure("suspensions"))
}

// Whatever the network and pauses do, the czxid is a token that fences, and no client
// deletes the node of another.
func TestStormsOnZooKeeper(t *testing.T) {
	for name, v := range map[string]struct {
		set         func(*Params)
		never, some []string
	}{
		"fenced by the czxid": {func(p *Params) { p.Fencing = "lex" },
			[]string{"no-lost-update", "fenced-order", "owner-release"}, []string{"mutual-exclusion"}},
		"a herd": {func(p *Params) { p.ZooKeeper.Watch = "directory" },
			[]string{"owner-release"}, []string{"mutual-exclusion"}},
		"fenced by the version": {func(p *Params) { p.Fencing, p.ZooKeeper.Token = "ge", "version" },
			[]string{"owner-release"}, []string{"increasing-tokens", "no-lost-update"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := onZooKeeper(3, v.set)
			p.TTL, p.ZooKeeper.Tick = ptr(400*ms), ptr(200*ms)
			p.Rounds, p.Work, p.Think = []int{0}, []time.Duration{200 * ms}, []time.Duration{50 * ms}
			c := simtest.Count(t, p.System, sim.Config{}, 300, storm, func(c *sim.Config, _ *sim.Program) { c.Network.Order = sim.FIFO })
			c.Holds(v.never...)
			c.Violates(v.some...)
		})
	}
}

func TestParametersOfZooKeeperThatContradictOneAnother(t *testing.T) {
	modeltest.Refused(t, func() Params { return onZooKeeper(2, nil) }, (*Params).Problems,
		modeltest.Case[Params]{Path: "ttl", Says: "whole milliseconds", Set: func(p *Params) { p.TTL = ptr(1500 * time.Microsecond) }},
		modeltest.Case[Params]{Path: "zookeeper.tick", Says: "whole milliseconds", Set: func(p *Params) { p.ZooKeeper.Tick = ptr(1500 * time.Microsecond) }},
		modeltest.Case[Params]{Path: "zookeeper.expiration-percent", Says: "no LOST", Set: func(p *Params) { p.ZooKeeper.StopAt, p.ZooKeeper.Percent = "expired", ptr(33) }},
		modeltest.Case[Params]{Path: "zookeeper.token", Says: "tokens: own", Set: func(p *Params) { p.ZooKeeper.Token = "suffix" }},
		modeltest.Case[Params]{Path: "zookeeper", Says: "service redis has none", Set: func(p *Params) { p.Service = "redis" }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Fencing, p.ZooKeeper.Token = "lex", "suffix" }},
	)
}

func TestALockOnZooKeeperAllocatesNothingOnceWarm(t *testing.T) {
	p := onZooKeeper(3, func(p *Params) { p.Rounds, p.Work = []int{0}, []time.Duration{100 * ms} })
	c := sim.Config{Until: at(60_000)}
	c.Network.Default.Delay = sim.Constant(5 * ms)
	assert.Zero(t, simtest.Allocs(t, p.System, c))
}
