package lock

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/fact"
	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/models/lock/redislock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// Unless a test says otherwise a message takes 5 ms, the TTL is 10 s, five servers take
// part, and the allowance for drift is 102 ms.

func TestQuorumAndToleratedFailures(t *testing.T) { // L-01
	for n, want := range [][2]int{1: {1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {4, 2}, {4, 3}} {
		if n > 0 {
			assert.Equal(t, want, [2]int{redislock.Quorum(n), redislock.Tolerated(n)}, "N=%d", n)
		}
	}
}

// validityLeft is the validity after an acquisition that took elapsed, by preset.
func validityLeft(preset string, ttl, elapsed time.Duration) time.Duration {
	p := Params{Service: "redlock", Preset: preset, TTL: ptr(ttl), Clients: 1}
	rules := p.redlock().Rules
	var a redislock.Acquisition
	a.Begin(0)
	return a.Validity(&rules, int64(elapsed))
}

func TestValiditySubtractsDriftOfEachLibrary(t *testing.T) { // L-02
	for _, v := range []struct {
		id           string
		ttl, elapsed time.Duration
		want         [3]time.Duration // redlock-rb, node-redlock, redsync
	}{
		{"L-02a", 10_000 * ms, 10 * ms, [3]time.Duration{9888 * ms, 9888 * ms, 9890 * ms}},
		{"L-02b", 8_000 * ms, 10 * ms, [3]time.Duration{7908 * ms, 7908 * ms, 7910 * ms}},
		{"L-02c", 30_000 * ms, 200 * ms, [3]time.Duration{29_498 * ms, 29_498 * ms, 29_500 * ms}},
		{"L-02d", 150 * ms, 20 * ms, [3]time.Duration{127 * ms, 126 * ms, 128*ms + ms/2}},
		{"L-02e", 10_000 * ms, 9_898 * ms, [3]time.Duration{0, 0, 2 * ms}},
		{"L-02f", 10_000 * ms, 15_007 * ms, [3]time.Duration{-5109 * ms, -5109 * ms, -5107 * ms}},
	} {
		t.Run(v.id, func(t *testing.T) {
			for i, preset := range []string{"reference", "node-redlock", "redsync"} {
				assert.Equal(t, v.want[i], validityLeft(preset, v.ttl, v.elapsed), preset)
			}
		})
	}
}

// full is an acquisition from t1 = 0 that every instance has granted.
func full(r *redislock.Rules) *redislock.Acquisition {
	var a redislock.Acquisition
	a.Begin(0)
	for i := range r.Instances {
		a.Answer(i, true)
	}
	return &a
}

func TestNodeRedlockAloneAcceptsAValidityOfZero(t *testing.T) { // L-02e
	for preset, want := range map[string]bool{"reference": false, "node-redlock": true, "redsync": true} {
		p := Params{Service: "redlock", Preset: preset, TTL: ptr(10 * time.Second), Clients: 1}
		rules := p.redlock().Rules
		assert.Equal(t, want, full(&rules).Accept(&rules, int64(9898*ms)), preset)
	}
}

func TestValidityEndsAtOneInstantWhateverElapsed(t *testing.T) { // L-03
	rules := redislock.Rules{Instances: 5, Quorum: 3, TTL: 10 * time.Second, Drift: 102 * ms}
	a := full(&rules)
	for _, elapsed := range []time.Duration{10 * ms, 200 * ms} {
		t2 := int64(elapsed)
		assert.EqualValues(t, 9898*ms, t2+int64(a.Validity(&rules, t2)), "t2 + validity")
		assert.EqualValues(t, 9898*ms, a.ValidUntil(&rules))
	}
}

func TestLockWithoutTTLStaysHeldAfterCrash(t *testing.T) { // L-04
	p := Params{Service: "naive", Clients: 2, Start: []time.Duration{0, 50 * ms}}
	r := play(t, p, simtest.Until(at(3_600_000)), simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(100)}}))
	assert.EqualValues(t, 32_727, r.Measure("client-2-attempts"))
	assert.EqualValues(t, 0, r.Measure("client-2-acquisitions"))
	r.Violated("deadlock-free", at(30_100))
	r.Violated("takeover-bound", at(100+11_100)) // client-2 is waiting when client-1 crashes
	r.Violated("no-orphan", at(100+10_001))
}

// l05 is the schedule of L-05: client-1 releases at 9 990 while its lease runs out.
func l05(release string) Params {
	return Params{Service: "redis", Clients: 3, Release: release, Check: ptr(false),
		Start: []time.Duration{0, 10_010 * ms, 10_060 * ms}, Work: []time.Duration{9_980*ms - rtt, 3 * time.Second}}
}

func pauseL05(t *testing.T) simtest.Change {
	return simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(9_998)}, For: sim.Constant(52 * ms)})
}

func TestGetThenDelDeletesTheNextHoldersKey(t *testing.T) { // L-05a
	r := play(t, l05("get-del"), pauseL05(t))
	r.Violated("owner-release", at(10_055))
	r.Violated("quorum-behind-holder", at(10_055))
	r.Violated("mutual-exclusion", at(10_070))
	r.Violated("entitled-exclusion", at(10_070))
	assert.Equal(t, [2]sim.NodeID{3, 2}, r.Finding("mutual-exclusion").Nodes, "client-3 enters while client-2 is inside")

	t.Run("the DEL delayed by 55 ms, and no pause at all", func(t *testing.T) {
		r := play(t, l05("get-del"), simtest.Disturb("client-1", "", sim.Fault{Do: sim.Delay, For: sim.Constant(55 * ms), Msg: sim.MsgChoice{Kind: core.Del, Nth: 1}}))
		r.Violated("owner-release", at(10_055))
		r.Violated("mutual-exclusion", at(10_070))
	})
}

func TestReleaseScriptSparesTheNextHoldersKey(t *testing.T) { // L-05b
	// client-1 has decided to release; the script leaves when the pause is over.
	r := play(t, l05("script"), simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Released}, For: sim.Constant(60 * ms)}))
	assert.Regexp(t, `10\.055s +redis-1 .* from client-1: del-if 1\.1; sends client-1: del-reply no`, r.Trace(), "the script returns 0")
	r.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder", "no-lost-update", "deadlock-free")
	assert.Contains(t, r.String(), "10.070s client-3 is refused")
}

func TestConstantValueReleasesAnotherHoldersLock(t *testing.T) { // L-06
	p := Params{Service: "redis", Clients: 3, TTL: ptr(5 * time.Second), Value: "constant", Release: "del", Check: ptr(false),
		Start: []time.Duration{0, 5_005 * ms, 6_015 * ms}, Work: []time.Duration{6*time.Second - rtt}}
	r := play(t, p)
	r.Violated("owner-release", at(6_015))
	assert.Equal(t, [2]sim.NodeID{1, 2}, r.Finding("owner-release").Nodes, "A's DEL removes B's key")
	assert.Equal(t, 2, r.Finding("owner-release").Violations, "and B's DEL at 11 020 that of C")
	r.Violated("mutual-exclusion", at(5_015))
	assert.Contains(t, r.String(), "11.020s client-2 deletes the key of client-3 on redis-1")
	assert.Contains(t, r.String(), "6.025s client-3 acquired the lock while client-2 still believes it holds the lock")
}

func TestRedisKeyExpiresAfterItsLastMillisecond(t *testing.T) { // L-07
	var k redis.Key
	wall := func(ms int64) sim.Wall { return sim.Wall(ms * 1e6) }
	require.True(t, k.SetNX(wall(5), 1, 10*time.Second))
	assert.True(t, k.Live(wall(10_005)))
	assert.True(t, k.Live(wall(10_005)+999_999), "Redis counts whole milliseconds")
	assert.False(t, k.Live(wall(10_006)))
}

func TestRedlockFromFiveServersTakesTenMessages(t *testing.T) { // L-09
	r := play(t, Params{Service: "redlock", Clients: 1})
	assert.Contains(t, r.String(), "0.010s client-1 acquired the lock")
	assert.EqualValues(t, 10, r.Measure("messages-per-acquisition"))
	assert.EqualValues(t, 9_888*ms, r.Measure("validity"))
	assert.Equal(t, 5, play(t, Params{Service: "redlock", Clients: 1}, simtest.Until(at(20))).count())
	rules := (&Params{Service: "redlock", Clients: 1}).redlock().Rules
	assert.Equal(t, 9_888*ms, full(&rules).Validity(&rules, int64(10*ms)))
}

// r1a is Kleppmann's pause during acquisition: client-1 is stopped at 7 for 15 s.
func r1a(clock string) Params {
	return Params{Service: "redlock", Clients: 2, Clock: clock, Rounds: []int{1}, Tries: ptr(1),
		Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{time.Second, 6 * time.Second}}
}

func TestRedlockRefusesWhatAPauseInAcquisitionExpired(t *testing.T) { // L-10
	stop := func(do sim.Action) simtest.Change {
		return simtest.Inject("client-1", sim.Fault{Do: do, When: sim.When{At: at(7)}, For: sim.Constant(15 * time.Second)})
	}
	t.Run("a stop past the TTL", func(t *testing.T) { // L-10a
		for _, clock := range []string{"monotonic", "boottime", "wall"} {
			r := play(t, r1a(clock), stop(sim.Pause))
			assert.EqualValues(t, -5_109*ms, r.Measure("refused-validity"), "client-1 refuses")
			assert.Contains(t, r.String(), "10.020s client-2 acquired")
			r.Holds("mutual-exclusion", "entitled-exclusion", "no-lost-update", "owner-release")
		}
	})
	t.Run("the wall clock stepped back meanwhile", func(t *testing.T) { // L-10b
		step := simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(5_000)}, By: -10 * time.Second})
		r := play(t, r1a("wall"), stop(sim.Pause), step)
		r.Violated("mutual-exclusion", at(15_007))
		r.Violated("entitled-exclusion", at(15_007))
		r.Violated("quorum-behind-holder", at(15_007))
		assert.Contains(t, r.String(), "client-1 checks its lease: valid for another 3.891s", "validity 4 891, a second later")
		r = play(t, r1a("monotonic"), stop(sim.Pause), step)
		r.Holds("mutual-exclusion")
	})
	t.Run("a suspend that the monotonic clock leaves out", func(t *testing.T) { // L-10c
		r := play(t, r1a("monotonic"), stop(sim.Suspend))
		r.Violated("entitled-exclusion", at(15_007))
		assert.Contains(t, r.String(), "client-1 checks its lease: valid for another 8.891s", "validity 9 891, a second later")
		r = play(t, r1a("boottime"), stop(sim.Suspend))
		r.Holds("entitled-exclusion")
		assert.EqualValues(t, -5_109*ms, r.Measure("refused-validity"), "CLOCK_BOOTTIME counts the suspend")
	})
	t.Run("without the allowance for drift", func(t *testing.T) { // L-10d
		rules := (&Params{Service: "redlock", Clients: 1}).redlock().Rules
		a := full(&rules)
		assert.Equal(t, -52*ms, a.Validity(&rules, int64(9_950*ms)))
		assert.False(t, a.Accept(&rules, int64(9_950*ms)))
		source := rules // S0: majority and elapsed < TTL
		source.Drift = 0
		assert.True(t, a.Accept(&source, int64(9_950*ms)), "the source's rule accepts")
	})
	t.Run("without the validity test", func(t *testing.T) {
		p := r1a("monotonic")
		p.Validity = "ignored"
		play(t, p, stop(sim.Pause)).Violated("mutual-exclusion", at(15_007))
	})
}

// r2 is Kleppmann's clock jump: client-1 reaches redis-1 to 3 only, client-2 at
// 2 000 reaches redis-3 to 5 only.
func r2(p *Params) []simtest.Change {
	p.Service, p.Clients, p.Tries = "redlock", 2, ptr(1)
	p.Start = []time.Duration{0, 2_000 * ms}
	p.Work = []time.Duration{9_848 * ms}
	return []simtest.Change{
		apart("client-1", "redis-4", "redis-5"), apart("client-2", "redis-1", "redis-2")}
}

func jump(server string, by time.Duration) simtest.Change {
	return simtest.Inject(server, sim.Fault{Do: sim.StepClock, When: sim.When{At: at(1_000)}, By: by})
}

func TestRedlockClockJumpGrantsASecondClient(t *testing.T) { // L-11
	run := func(t *testing.T, server string, by time.Duration) *played {
		var p Params
		cuts := r2(&p)
		return play(t, p, append(cuts, jump(server, by))...)
	}
	t.Run("the server in the middle, by the TTL", func(t *testing.T) { // L-11a
		r := run(t, "redis-3", 10*time.Second)
		assert.Contains(t, r.String(), "0.050s client-1 acquired the lock")
		r.Violated("quorum-behind-holder", at(1_000))
		r.Violated("mutual-exclusion", at(2_050))
		r.Violated("entitled-exclusion", at(2_050))
		assert.EqualValues(t, 7_848*ms, r.Measure("entitled-overlap"), "[2050, 9898)")
		assert.Contains(t, r.Why[1], "so may client-1 until 9.898s")
	})
	t.Run("by less than the rest of the TTL", func(t *testing.T) { // L-11b
		r := run(t, "redis-3", 8_000*ms)
		r.Holds("mutual-exclusion", "entitled-exclusion")
		assert.Contains(t, r.String(), "2.050s client-2 is refused: 2 of 5 granted it")
	})
	t.Run("by the rest of the TTL", func(t *testing.T) { run(t, "redis-3", 8_001*ms).Violated("entitled-exclusion", at(2_050)) }) // L-11c

	holdsAll := func(t *testing.T, granted string, jumps ...string) *played {
		p := Params{Service: "redlock", Clients: 2, Tries: ptr(1), Start: []time.Duration{0, 2_000 * ms}, Work: []time.Duration{9 * time.Second}}
		var faults []simtest.Change
		for _, j := range jumps {
			faults = append(faults, jump(j, 10*time.Second))
		}
		r := play(t, p, faults...)
		assert.Contains(t, r.String(), granted)
		return r
	}
	t.Run("one of five", func(t *testing.T) { // L-11d
		holdsAll(t, "client-2 is refused: 1 of 5", "redis-1").Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder")
	})
	t.Run("two of five", func(t *testing.T) { // L-11e
		holdsAll(t, "client-2 is refused: 2 of 5", "redis-1", "redis-2").Holds("mutual-exclusion", "quorum-behind-holder")
	})
	t.Run("three of five", func(t *testing.T) { // L-11f
		r := holdsAll(t, "2.010s client-2 acquired", "redis-1", "redis-2", "redis-3")
		r.Violated("quorum-behind-holder", at(1_000))
		r.Violated("entitled-exclusion", at(2_010))
	})
	t.Run("backward", func(t *testing.T) { // L-11g
		p := Params{Service: "redlock", Clients: 2, Start: []time.Duration{0, 10_100 * ms}, Work: []time.Duration{9_840 * ms, 100 * ms}}
		crash := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(500)}})
		r := play(t, p, jump("redis-3", -10*time.Second), crash)
		assert.Contains(t, r.String(), "10.110s client-2 acquired")
		r.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder")
		r.Violated("no-orphan", at(500+10_001)) // C stays locked until true 20 005
	})
}

// l12 is m clients, one a second. The first reaches redis-1 to 3 only; jumps of the
// clocks make room for the others: redis-3 for the second, redis-1 to 3 for each
// further one.
func l12(m, jumps int) (Params, []simtest.Change) {
	p := Params{Service: "redlock", Clients: m, Tries: ptr(1), Work: []time.Duration{9 * time.Second}}
	var faults []simtest.Change
	for c := range m {
		p.Start = append(p.Start, time.Duration(c)*time.Second)
	}
	servers := []string{"redis-3"}
	for range m {
		servers = append(servers, "redis-1", "redis-2", "redis-3")
	}
	for i := range jumps {
		when := at(900 + 1000*int64((i+2)/3))
		faults = append(faults, simtest.Inject(servers[i], sim.Fault{Do: sim.StepClock, When: sim.When{At: when}, By: 10 * time.Second}))
	}
	return p, append(faults, apart("client-1", "redis-4", "redis-5"))
}

func TestHoldersAtOncePerPrematureExpiration(t *testing.T) { // L-12
	for m, jumps := range []int{1: 0, 2: 1, 3: 4, 4: 7, 5: 10, 6: 13} {
		if m == 0 {
			continue
		}
		p, faults := l12(m, jumps)
		assert.EqualValues(t, m, play(t, p, faults...).Measure("holders-at-once"), "%d premature expirations", jumps)
		if jumps > 0 {
			p, faults = l12(m, jumps-1)
			assert.EqualValues(t, m-1, play(t, p, faults...).Measure("holders-at-once"), "one fewer")
		}
	}
}

func TestClockJumpsNeededPerInstanceHeld(t *testing.T) { // L-13
	for held, want := range map[int]int{3: 1, 4: 2, 5: 3} {
		p := Params{Service: "redlock", Clients: 2, Tries: ptr(1), Start: []time.Duration{0, 2_000 * ms}, Work: []time.Duration{9 * time.Second}}
		cut := []string{"redis-5", "redis-4"}[:5-held]
		for jumps := want - 1; jumps <= want; jumps++ {
			var faults []simtest.Change
			if len(cut) > 0 {
				faults = append(faults, apart("client-1", cut...))
			}
			for i := range jumps {
				faults = append(faults, jump(fmt.Sprintf("redis-%d", i+1), 10*time.Second))
			}
			got := play(t, p, faults...).Finding("entitled-exclusion").Verdict
			assert.Equal(t, jumps == want, got == sim.Violated, "first holder has %d, %d jump", held, jumps)
		}
	}
}

// l14 is R3: client-1 holds redis-1 to 3, redis-3 crashes at 1 000 and is back at
// 1 100, client-2 starts at the given time and reaches all five.
func l14(start time.Duration, set func(*Params)) (Params, []simtest.Change) {
	p := Params{Service: "redlock", Clients: 2, Tries: ptr(1), Start: []time.Duration{0, start}, Work: []time.Duration{9_848 * ms}}
	if set != nil {
		set(&p)
	}
	return p, []simtest.Change{apart("client-1", "redis-4", "redis-5"),
		simtest.Inject("redis-3", sim.Fault{Do: sim.Crash, When: sim.When{At: at(1_000)}, For: sim.Constant(100 * ms)})}
}

func TestRedlockRestartWithoutKeysGrantsASecondClient(t *testing.T) { // L-14
	rejoin := func(clock string) func(*Params) {
		return func(p *Params) { p.RejoinAfter, p.RejoinClock = 10*time.Second, clock }
	}
	gone := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(5_000)}}) // so that its keys stay
	always := func(p *Params) { p.Persistence = "aof-always" }
	for _, v := range []struct {
		name  string
		start time.Duration
		set   func(*Params)
		more  simtest.Change
		says  string
		bad   bool
	}{
		{"without persistence", 2_000 * ms, nil, nil, "2.010s client-2 acquired", true},                                                                                                                                             // L-14a
		{"synced at each write", 2_000 * ms, always, nil, "2.010s client-2 is refused: 2 of 5", false},                                                                                                                              // L-14b
		{"joins again after the TTL", 2_000 * ms, rejoin("monotonic"), nil, "2.050s client-2 is refused: 2 of 5", false},                                                                                                            // L-14c
		{"the next client a millisecond after the TTL", 10_001 * ms, rejoin("monotonic"), gone, "10.051s client-2 acquired", false},                                                                                                 // L-14d
		{"the next client at the TTL", 10_000 * ms, rejoin("monotonic"), gone, "10.050s client-2 is refused: 2 of 5", false},                                                                                                        // L-14f
		{"joins again by a wall clock that is stepped", 2_000 * ms, rejoin("wall"), simtest.Inject("redis-3", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(1_101)}, By: 10 * time.Second}), "2.010s client-2 acquired", true}, // L-14e
	} {
		t.Run(v.name, func(t *testing.T) {
			p, faults := l14(v.start, v.set)
			if v.more != nil {
				faults = append(faults, v.more)
			}
			r := play(t, p, faults...)
			assert.Contains(t, r.String(), v.says)
			if v.bad {
				r.Violated("entitled-exclusion", at(2_010))
				assert.EqualValues(t, 7_888*ms, r.Measure("entitled-overlap"), "[2010, 9898)")
				return
			}
			assert.NotEqual(t, sim.Violated, r.Finding("entitled-exclusion").Verdict)
		})
	}
}

func TestLateSetLeavesAnOrphanKey(t *testing.T) { // L-15
	late := simtest.Disturb("client-1", "redis-5", sim.Fault{Do: sim.Delay, For: sim.Constant(20 * time.Second), Msg: sim.MsgChoice{Kind: core.Set, Nth: 1}})
	p := Params{Service: "redlock", Clients: 1, Work: []time.Duration{4_950 * ms}} // held at 50, released at 5 000
	r := play(t, p, late)
	r.Violated("no-orphan", at(20_000))
	r.Holds("mutual-exclusion", "owner-release")
	assert.Equal(t, 1, play(t, p, late, simtest.Until(at(30_001))).count(), "alive at 30 000")
	assert.Equal(t, 0, play(t, p, late, simtest.Until(at(30_002))).count(), "gone at 30 001")
	// client-2 reaches redis-3 to 5 only, so that the orphan decides.
	for start, says := range map[time.Duration]string{24_995 * ms: "client-2 is refused: 2 of 5", 29_996 * ms: "30.046s client-2 acquired"} {
		p := Params{Service: "redlock", Clients: 2, Tries: ptr(1), Start: []time.Duration{0, start}, Work: []time.Duration{4_950 * ms, ms}}
		assert.Contains(t, play(t, p, late, apart("client-2", "redis-1", "redis-2")).String(), says)
	}
}

func TestCleanupOfGrantedInstancesLeavesAnOrphanKey(t *testing.T) { // L-16
	for cleanup, orphans := range map[string]int{"granted": 1, "all": 0} {
		// client-1's request reaches redis-3 and the reply is lost: it has 2 of 5.
		p := Params{Service: "redlock", Clients: 1, Cleanup: cleanup, Tries: ptr(1)}
		r := play(t, p, apart("client-1", "redis-4", "redis-5"), simtest.Until(at(1_000)), losing(core.SetReply, "redis-3"))
		assert.Contains(t, r.String(), "client-1 is refused: 2 of 5")
		assert.Equal(t, orphans, r.count(), cleanup)
	}
}

// TestSplitVotesByClientsAtOnce enumerates who is first at each instance when k clients ask all five at
// the same time in random order: each instance goes to any of them alike.
func TestSplitVotesByClientsAtOnce(t *testing.T) { // L-17
	want := map[int]string{2: "0.0000", 3: "0.3704", 4: "0.5859", 5: "0.7104", 8: "0.8716"}
	for k, w := range want {
		nobody, all := 0, 1
		for range 5 {
			all *= k
		}
		for n := range all {
			rules := redislock.Rules{Instances: 5, Quorum: 3}
			acq := make([]redislock.Acquisition, k)
			for i, rest := 0, n; i < 5; i, rest = i+1, rest/k {
				for c := range acq {
					acq[c].Answer(i, c == rest%k)
				}
			}
			winner := false
			for c := range acq {
				winner = winner || acq[c].Accept(&rules, 0)
			}
			if !winner {
				nobody++
			}
		}
		assert.Equal(t, w, big.NewRat(int64(nobody), int64(all)).FloatString(4), "k=%d", k)
	}
}

func TestToleratedRateRatio(t *testing.T) { // L-18
	ratio := func(preset string, ttl time.Duration) string {
		p := Params{Service: "redlock", Preset: preset, TTL: ptr(ttl), Clients: 1}
		r := p.redlock().Rules
		return big.NewRat(int64(r.TTL), int64(r.TTL-r.Drift)).FloatString(6)
	}
	assert.Equal(t, "1.010101", ratio("redsync", 8*time.Second))
	assert.Equal(t, "1.010305", ratio("reference", 10*time.Second))
	// A 10 % error either way: D of 18.18 % of the TTL is enough, a millisecond less is not.
	for drift, bad := range map[time.Duration]bool{1_818 * ms: false, 1_817 * ms: true} {
		p := Params{Service: "redlock", Clients: 1, DriftMin: ptr(drift - 100*ms), Work: []time.Duration{8_183 * ms}}
		r := play(t, p, func(c *sim.Config, _ *sim.Program) {
			c.Network.Default.Delay = sim.Constant(0)
			c.Clocks = []sim.Clock{{Rate: -100_000_000}}
			for range 5 {
				c.Clocks = append(c.Clocks, sim.Clock{Rate: 100_000_000})
			}
		})
		assert.Equal(t, bad, r.Finding("quorum-behind-holder").Verdict == sim.Violated, "D = %v", drift)
	}
	// A key is alive for TTL and a millisecond on its server: 10 001 / 9 898.
	for rate, bad := range map[sim.PPB]bool{10_305_000: false, 10_406_000: false, 10_407_000: true} {
		p := Params{Service: "redlock", Clients: 1, Work: []time.Duration{9_898 * ms}}
		r := play(t, p, func(c *sim.Config, _ *sim.Program) {
			c.Network.Default.Delay = sim.Constant(0)
			c.Clocks = make([]sim.Clock, 6)
			for i := 1; i < 6; i++ {
				c.Clocks[i].Rate = rate
			}
		})
		assert.Equal(t, bad, r.Finding("quorum-behind-holder").Verdict == sim.Violated, "servers fast by %v", rate)
	}
}

func TestSlowClientClockOverlapsByItsRate(t *testing.T) { // L-19
	for rate, stops := range map[sim.PPB]sim.Time{-83_333_000: at(10_797) + 814_251, -500_000: at(9_902) + 951_476} {
		p := Params{Service: "redlock", Clients: 2, Start: []time.Duration{0, 9_900 * ms}, Work: []time.Duration{9_888_834 * time.Microsecond, 3 * time.Second}, Retry: ptr(sim.Constant(ms))}
		r := play(t, p, func(c *sim.Config, _ *sim.Program) { c.Clocks = []sim.Clock{{Rate: rate}} })
		overlap := time.Duration(r.Measure("entitled-overlap"))
		if rate == -500_000 {
			assert.Zero(t, overlap, "ntpd's 500 ppm is harmless")
		} else {
			assert.Greater(t, overlap, 700*ms)
			assert.LessOrEqual(t, overlap, 792_800*time.Microsecond)
		}
		assert.InDelta(t, float64(stops), float64(r.Moment("client-1 finds its lease at an end")), 1e6, "local 9 898")
	}
}

func TestPauseBeyondTheLeaseOverlaps(t *testing.T) { // L-21
	for pause, overlap := range map[time.Duration]time.Duration{0: 0, 8_060 * ms: 0, 8_061 * ms: ms, 15_000 * ms: 6_940 * ms} {
		p := Params{Service: "redis", Clients: 2, Start: []time.Duration{0, 50 * ms}, Work: []time.Duration{2*time.Second - rtt}, Hold: []time.Duration{0, 10 * time.Second}}
		r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Checked}, For: sim.Constant(pause)}))
		assert.EqualValues(t, overlap, r.Measure("overlap"), "pause %v", pause)
		assert.Equal(t, overlap > 0, r.Finding("mutual-exclusion").Verdict == sim.Violated)
		if pause > 0 {
			assert.Contains(t, r.String(), "10.070s client-2 acquired")
		}
	}
}

// TestRetryWithoutReleaseIsRefusedByItsOwnKeys is node-redlock between two tries: no release, the same value, and a key
// that exists is refused even to its owner. Client-2 has redis-5; client-1 reaches
// redis-1 and 2 at first, and 3 and 4 as well when it tries again.
func TestRetryWithoutReleaseIsRefusedByItsOwnKeys(t *testing.T) { // L-24
	p := Params{Service: "redlock", Preset: "node-redlock", Clients: 2, Tries: ptr(2), Start: []time.Duration{10 * ms, 0}}
	faults := []simtest.Change{apart("client-2", "redis-1", "redis-2", "redis-3", "redis-4"),
		simtest.Part(sim.Fault{Do: sim.Cut, For: sim.Constant(100 * ms)}, []string{"client-1"}, []string{"redis-3", "redis-4"})}
	r := play(t, p, faults...)
	assert.Contains(t, r.String(), "client-1 gives up: no tries are left")
	second := play(t, p, append(faults, simtest.Until(r.Moment("client-1 gives up")))...)
	assert.Equal(t, 4, second.keys.Of(fact.Holder{Node: 1, Task: 1}), "fails though 4 of 5 carry its value")
	assert.Regexp(t, `client-1 is refused: 2 of 5`, r.String())
}

func TestAppendOnlyFileKeepsWhatWasSynced(t *testing.T) { // L-26
	for i, v := range []struct {
		set, crash int64
		kept       bool
	}{{5, 500, false}, {5, 999, false}, {5, 1_001, true}, {1_005, 1_999, false}, {1_005, 2_001, true}} {
		p := Params{Service: "redis", Clients: 1, Persistence: "aof-everysec", Start: []time.Duration{time.Duration(v.set-5) * ms}, Work: []time.Duration{9 * time.Second}}
		r := play(t, p, simtest.Until(at(v.crash+5)), simtest.Inject("redis-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(v.crash)}, For: sim.Constant(ms)}))
		assert.Equal(t, v.kept, r.count() == 1, "row %d: set %d, crash %d", i+1, v.set, v.crash)
	}
}

func TestFencingPoliciesByTokenAndRequest(t *testing.T) { // F-01 to F-05
	for _, v := range []struct {
		id     string
		ops    [][2]uint64
		ge, gt string
		lex    string
	}{
		{"F-01", [][2]uint64{{33, 1}, {33, 2}, {34, 1}, {33, 3}, {34, 2}}, "AAARA", "ARARR", "AAARA"},
		{"F-02", [][2]uint64{{33, 2}, {33, 1}}, "AA", "AR", "AR"},
		{"F-03", [][2]uint64{{33, 1}, {33, 1}}, "AA", "AR", "AR"},
		{"F-04", [][2]uint64{{33, 1}, {33, 1}}, "AA", "AR", ""},
		{"F-05", [][2]uint64{{33, 1}, {34, 1}}, "AA", "AA", "AA"},
	} {
		t.Run(v.id, func(t *testing.T) {
			for policy, want := range map[Policy]string{RejectOlder: v.ge, RejectOlderOrEqual: v.gt, RejectLex: v.lex} {
				got := ""
				f := Fence{Policy: policy}
				for _, op := range v.ops {
					if f.Admit(op[0], op[1]) {
						got += "A"
					} else {
						got += "R"
					}
				}
				if want != "" {
					assert.Equal(t, want, got, "policy %d", policy)
				}
			}
		})
	}
}

// f06 is a resource that is fenced, and two increments under tokens 1 and 2. Client-1
// is stopped before its write until after client-2 has read.
func f06(fenceOp bool) (Params, simtest.Change) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Fencing: "ge", FenceOp: &fenceOp,
		Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}}
	return p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Checked}, For: sim.Constant(10_900 * ms)})
}

func TestStaleWriteBeforeTheFirstNewTokenIsAccepted(t *testing.T) { // F-06
	t.Run("not registered", func(t *testing.T) {
		p, pause := f06(false)
		r := play(t, p, pause)
		r.Violated("no-lost-update", at(12_000))
		r.Holds("fenced-order")
		assert.Contains(t, r.String(), "12.000s the store applies the write of client-2 with token 2: counter 1, over a write of client-1: 1 increment lost")
	})
	t.Run("registered", func(t *testing.T) {
		p, pause := f06(true)
		r := play(t, p, pause)
		r.Holds("no-lost-update", "fenced-order")
		assert.Contains(t, r.String(), "11.005s the store rejects client-1 with token 1: it has seen token 2")
		assert.Contains(t, r.String(), "12.000s the store applies the write of client-2 with token 2: counter 1")
	})
}

func TestVolatileFenceForgetsTheLastToken(t *testing.T) { // F-07
	for volatile, want := range map[bool]sim.Verdict{true: sim.Violated, false: sim.Holds} {
		p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Fencing: "ge", VolatileFence: volatile,
			Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}}
		r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Checked}, For: sim.Constant(15 * time.Second)}),
			simtest.Inject("store", sim.Fault{Do: sim.Crash, When: sim.When{At: at(13_000)}, For: sim.Constant(10 * ms)}))
		assert.Equal(t, want, r.Finding("fenced-order").Verdict, r)
	}
}

// TestCompareValue: Sanfilippo's random token. It keeps the late write out as soon as the
// next holder has registered its own value, and it knows no order.
func TestCompareValue(t *testing.T) {
	f := Fence{Policy: CompareValue}
	assert.False(t, f.Write(0, 1, 7), "nothing is registered")
	assert.True(t, f.Register(0, 7))
	assert.True(t, f.Write(0, 1, 7))
	assert.True(t, f.Register(0, 8))
	assert.False(t, f.Write(0, 2, 7), "another has registered")
	assert.True(t, f.Register(0, 7), "an old value may come back: it has no order")
	assert.False(t, f.Write(0, 1, 8))

	p := Params{Service: "redlock", Clients: 2, Fencing: "cas", Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}}
	after := func(kind sim.Kind) simtest.Change {
		return simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: kind}, For: sim.Constant(15 * time.Second)})
	}
	r := play(t, p, after(core.Checked))
	assert.Contains(t, r.String(), "15.105s the store rejects client-1: the value that was registered last is that of client-2")
	r.Holds("no-lost-update", "owner-release")

	// Paused before it registers, client-1 takes the place of client-2, and without a check it writes.
	p.Work, p.Check = []time.Duration{90 * ms, 8 * time.Second}, ptr(false)
	r = play(t, p, after(core.Acquired))
	assert.Contains(t, r.String(), "the store applies the write of client-1: counter 1")
	assert.Contains(t, r.String(), "18.025s the store rejects client-2: the value that was registered last is that of client-1")
	r.Holds("no-lost-update")
}

// TestFirstToken: the counter begins where it is told to, and goes on there after a crash.
func TestFirstToken(t *testing.T) {
	p := Params{Service: "redlock", Clients: 1, Rounds: []int{2}, Tokens: "counter", FirstToken: ptr(int64(33)), Fencing: "lex", Work: []time.Duration{time.Second}}
	r := play(t, p, crash("counter", 500, 100))
	assert.Contains(t, r.String(), "the counter issues token 33 to client-1")
	assert.Contains(t, r.String(), "the counter issues token 34 to client-1")
	r.Holds("increasing-tokens", "fenced-order", "no-lost-update")
}

// TestRestoredCounterIssuesATokenTwice takes a token from a counter on a majority: INCR on each granted instance,
// token = the largest. Instance C is restored from a snapshot in between.
func TestRestoredCounterIssuesATokenTwice(t *testing.T) { // F-08
	var counter [5]redis.Key
	for i := range counter {
		counter[i].Value, counter[i].Exists = 33, true
	}
	token := func(instances ...int) (most uint64) {
		for _, i := range instances {
			most = max(most, counter[i].Incr(0))
		}
		return most
	}
	snapshot := counter[2]
	first := token(0, 1, 2)
	counter[2] = snapshot
	assert.Equal(t, [2]uint64{34, 34}, [2]uint64{first, token(2, 3, 4)})
}
