package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// prompt is a Sentinel that takes no time besides down-after.
func prompt(b SentinelParams) *SentinelParams {
	tick := sim.Constant(20 * ms)
	b.Sentinels, b.DownAfter, b.Ping, b.Tick, b.Info = ptr(1), ptr(5*time.Second), ptr(20*ms), &tick, ptr(time.Duration(0))
	return &b
}

// near makes the messages of Sentinels, and those among the servers, take no time.
func near(servers int) (list []simtest.Change) {
	list = append(list, simtest.Link("", "sentinel-1", sim.Link{}), simtest.Link("sentinel-1", "", sim.Link{}))
	for i := range servers {
		for j := range servers {
			list = append(list, simtest.Link(redisName(i), redisName(j), sim.Link{}))
		}
	}
	return list
}

// kill ends a node at an instant.
func kill(who string, when int64) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{At: at(when)}, Forever: true})
}

// lostLock is the schedule of L-08.
func lostLock(b SentinelParams, change ...simtest.Change) (Params, []simtest.Change) {
	servers := 2
	if b.Replicas != nil {
		servers = *b.Replicas + 1
	}
	p := Params{Service: "sentinel", Clients: 2, Start: []time.Duration{0, 50 * ms}, Work: []time.Duration{9_848 * ms}, Hold: []time.Duration{time.Second}, Sentinel: prompt(b)}
	return p, append(near(servers), change...)
}

// L-08
func TestAFailoverLosesALockThatWasNotReplicated(t *testing.T) {
	p, changes := lostLock(SentinelParams{Lag: sim.Constant(50 * ms)}, kill("redis-1", 20))
	r := play(t, p, changes...)
	r.Violated("quorum-behind-holder", at(5_020))
	r.Violated("mutual-exclusion", at(5_030))
	r.Violated("entitled-exclusion", at(5_030))
	assert.EqualValues(t, 4_868*ms, r.Measure("entitled-overlap"), "[5030, 9898)")
}

// The write takes 5 ms to the master, which is paused at 20: what is sent by then is kept.
func TestAFailoverKeepsALockThatWasReplicated(t *testing.T) {
	for lag, lost := range map[time.Duration]bool{14 * ms: false, 16 * ms: true} {
		p, changes := lostLock(SentinelParams{Lag: sim.Constant(lag)}, kill("redis-1", 20))
		r := play(t, p, changes...)
		assert.Equal(t, lost, r.Finding("entitled-exclusion").Verdict == sim.Violated, "lag %v", lag)
	}
}

func TestWaitForTheOnlyReplicaLosesNoLockAndGrantsNoneWithoutIt(t *testing.T) {
	p, changes := lostLock(SentinelParams{Lag: sim.Constant(50 * ms), Wait: 1}, kill("redis-1", 20))
	assert.EqualValues(t, 0, play(t, p, changes...).Measure("acquisitions"), "the new master has no replica")
	p.Sentinel.Replicas = ptr(2)
	p, changes = lostLock(*p.Sentinel, kill("redis-1", 20))
	r := play(t, p, changes...)
	r.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder")
	assert.EqualValues(t, 1, r.Measure("client-2-acquisitions"))
}

// L-22: two replicas, and the first has acknowledged.
func TestWaitForOneOfTwoLosesTheLockIfTheOtherIsPromoted(t *testing.T) {
	for promoted, granted := range map[int]bool{3: true, 2: false} {
		priority := []int{100, 100, 100}
		priority[promoted-1] = 50
		p, changes := lostLock(SentinelParams{Replicas: ptr(2), Wait: 1, Priority: priority}, kill("redis-1", 100),
			simtest.Link("redis-1", "redis-3", sim.Link{Delay: sim.Constant(10 * time.Second)}))
		r := play(t, p, append(changes, simtest.Until(at(9_000)))...)
		assert.EqualValues(t, 1, r.Measure("client-1-acquisitions"))
		assert.Equal(t, granted, r.Measure("client-2-acquisitions") == 1, "redis-%d is promoted", promoted)
	}
}

func TestSentinelPromotesTheReplicaThatHasMore(t *testing.T) {
	p, changes := lostLock(SentinelParams{Replicas: ptr(2), Wait: 1}, kill("redis-1", 100),
		simtest.Link("redis-1", "redis-2", sim.Link{Delay: sim.Constant(10 * time.Second)}))
	r := play(t, p, append(changes, simtest.Until(at(9_000)))...)
	r.Holds("mutual-exclusion", "quorum-behind-holder")
	assert.EqualValues(t, 0, r.Measure("client-2-acquisitions"), "redis-3 is promoted, which has the key")
}

// behindPartition is a master behind a partition, with client-1 and one of three Sentinels: client-1
// extends the lock there every 3 s.
func behindPartition(b SentinelParams) (Params, []simtest.Change) {
	b.DownAfter, b.Sentinels = ptr(5*time.Second), ptr(3)
	p := Params{Service: "sentinel", Clients: 2, Extend: 3 * time.Second, Work: []time.Duration{50 * time.Second, time.Second},
		Start: []time.Duration{0, 2 * time.Second}, Sentinel: &b}
	return p, []simtest.Change{simtest.Part(sim.Fault{Do: sim.Cut, Forever: true, When: sim.When{At: at(1_000)}},
		[]string{"client-1", "redis-1", "sentinel-1"}, []string{"client-2", "redis-2", "sentinel-2", "sentinel-3"})}
}

func TestAMasterBehindAPartitionContinuesToGrant(t *testing.T) {
	p, changes := behindPartition(SentinelParams{})
	r := play(t, p, changes...)
	assert.Equal(t, sim.Violated, r.Finding("entitled-exclusion").Verdict)
	assert.EqualValues(t, 1, r.Measure("client-2-acquisitions"))

	p, changes = behindPartition(SentinelParams{MinReplicas: 1, MaxLag: ptr(time.Second)})
	p.Clock, p.Hold = "monotonic", []time.Duration{0}
	r = play(t, p, changes...)
	assert.Less(t, r.Measure("entitled-overlap"), int64(usualTTL), "the master refuses to extend it after the lag")
}

// A replica compares the master's absolute expiry with its own wall clock: one that is ahead
// by 4 s frees the lock 4 s early.
func TestAPromotedReplicaWhoseClockIsAheadFreesTheLockEarly(t *testing.T) {
	for ahead, want := range map[time.Duration]sim.Verdict{0: sim.Holds, 4 * time.Second: sim.Violated} {
		p, changes := lostLock(SentinelParams{}, kill("redis-1", 20), simtest.Clock("redis-2", sim.Clock{Offset: ahead}))
		r := play(t, p, changes...)
		assert.Equal(t, want, r.Finding("entitled-exclusion").Verdict, "ahead by %v", ahead)
	}
}

func TestAMasterThatReturnsBecomesAReplicaAndLosesItsWrites(t *testing.T) {
	p, changes := lostLock(SentinelParams{Lag: sim.Constant(50 * ms)},
		simtest.Inject("redis-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(20)}, For: sim.Constant(7 * time.Second)}))
	p.Persistence, p.Rounds = "aof-always", []int{1}
	followed := &followers{}
	r := playSystem(t, &p, func() sim.System[core.Msg] {
		s := p.System()
		s.Properties = append(s.Properties, model.NewProperty("no-master-follows", followed, core.Following))
		return s
	}, changes...)
	f := r.Finding("no-master-follows")
	assert.Equal(t, 1, f.Violations, "once")
	assert.Equal(t, at(15_020), f.First.Add(0), "8 s after it has come back at 7.020, at the next answer to a PING")
}

// followers holds if no server becomes a replica.
type followers struct{ Seen int }

func (f *followers) Check(r *model.Report[core.Msg]) {
	r.Saw()
	r.Violated(r.Node)
}

func TestAMasterThatRestartsEmptyEmptiesItsReplicas(t *testing.T) {
	p, changes := lostLock(SentinelParams{},
		simtest.Inject("redis-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(3_000)}, For: sim.Constant(100 * ms)}))
	r := play(t, p, changes...)
	r.Violated("quorum-behind-holder", at(3_100))
	assert.Equal(t, sim.Violated, r.Finding("entitled-exclusion").Verdict, "without any failover")
}

func TestSentinelsWithoutAMajorityPromoteNone(t *testing.T) {
	p := Params{Service: "sentinel", Clients: 2, Start: []time.Duration{0, 50 * ms}, Sentinel: &SentinelParams{Sentinels: ptr(3), Quorum: ptr(1), DownAfter: ptr(time.Second)}}
	r := play(t, p, kill("redis-1", 20), kill("sentinel-1", 20), kill("sentinel-2", 20))
	assert.EqualValues(t, 0, r.Measure("client-2-acquisitions"), "a quorum of one takes the master to be down, and cannot be elected")
	r = play(t, p, kill("redis-1", 20), kill("sentinel-1", 20))
	assert.EqualValues(t, 1, r.Measure("client-2-acquisitions"))
}

// Every message comes twice, and much goes wrong besides: no node gets what is for another.
func TestSentinelsAndTheirClientsBearSecondCopies(t *testing.T) {
	p := failing()["watchdog on sentinel"]
	simtest.Count(t, p.System, sim.Config{}, 300, restarts, func(c *sim.Config, _ *sim.Program) {
		c.Until, c.Network.Default.Duplicate = at(60_000), sim.Certain/2
	})
}

// The last of the servers is a replica too.
func TestAMasterHasEightReplicas(t *testing.T) {
	p := Params{Service: "sentinel", Clients: 2, Sentinel: &SentinelParams{Replicas: ptr(8), Wait: 8}}
	r := play(t, p)
	r.Holds("mutual-exclusion", "deadlock-free", "no-orphan")
	assert.EqualValues(t, 2, r.Measure("acquisitions"))
}
