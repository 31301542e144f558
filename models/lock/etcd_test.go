package lock

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// etcdLock is a lock in etcd with a TTL of 10 s, and clients that start 50 ms apart.
func etcdLock(clients int, set func(*Params)) Params {
	p := Params{Service: "etcd", Etcd: &EtcdParams{}, Clients: clients}
	for i := range clients {
		p.Start = append(p.Start, time.Duration(i)*50*ms)
	}
	if set != nil {
		set(&p)
	}
	return p
}

// sent counts the messages of a kind in a trace.
func sent(r *played, kind string) int { return strings.Count(r.Trace(), "sends etcd-1: "+kind+" ") }

func TestUncontendedAcquisitionIsOneTransaction(t *testing.T) {
	const rounds = 3
	r := play(t, etcdLock(1, func(p *Params) { p.Rounds, p.Work = []int{rounds}, []time.Duration{100 * ms} }))
	assert.Equal(t, 1, sent(r, "lease-grant"), "one session")
	assert.Equal(t, rounds, sent(r, "lock-txn"))
	assert.Equal(t, rounds, sent(r, "delete-key"))
	assert.Zero(t, sent(r, "get-predecessor"))
	// Each with its answer: the lease and a transaction; then a deletion and a transaction.
	assert.EqualValues(t, 4+2*4, r.Measure("messages-per-acquisition"))
	assert.EqualValues(t, 20*ms+2*10*ms, r.Measure("acquire-latency"))

	r = play(t, etcdLock(1, func(p *Params) { p.Rounds, p.Work, p.Etcd.Session = []int{rounds}, []time.Duration{100 * ms}, "fresh" }))
	assert.Equal(t, rounds, sent(r, "lease-grant"))
	assert.Equal(t, rounds, sent(r, "lease-revoke"))
	assert.EqualValues(t, 4+2*8, r.Measure("messages-per-acquisition"))
}

// E-01
func TestWaitersAreGrantedTheLockInTheOrderOfTheirKeys(t *testing.T) {
	r := play(t, etcdLock(3, func(p *Params) { p.Fencing = "lex" }))
	r.Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder", "fenced-order", "increasing-tokens", "no-lost-update", "owner-release")
	r.Logs("0.020s client-1 acquired the lock", "2.060s client-2 acquired the lock", "4.100s client-3 acquired the lock")
	for i, token := range []int{2, 3, 4} { // create revisions, not the revisions at the grants: 2, 5 and 6
		assert.Contains(t, r.Trace(), fmt.Sprintf("notes issued token %d", token))
		assert.Contains(t, r.String(), fmt.Sprintf("client-%d has token %d", i+1, token))
	}
	assert.Equal(t, 2, sent(r, "watch-key"), "each waiter watches one key, once")
}

// A crowd is served in the order in which its keys were made, and each release wakes one.
func TestACrowdIsServedInOrder(t *testing.T) {
	const crowd = 10
	p := etcdLock(crowd, func(p *Params) { p.Start, p.Work = []time.Duration{0}, []time.Duration{100 * ms} })
	r := play(t, p)
	last := sim.Time(-1)
	for c := range crowd {
		at := r.Moment(fmt.Sprintf("client-%d acquired", c+1))
		assert.Greater(t, at, last)
		last = at
	}
	assert.Equal(t, crowd-1, strings.Count(r.Trace(), "from etcd-1: watch-event"))
}

// One fixed key that all watch is a herd: each release wakes all who wait.
func TestAFixedKeyWakesEveryWaiter(t *testing.T) {
	const crowd = 10
	p := etcdLock(crowd, func(p *Params) {
		p.Start, p.Work, p.Etcd.Recipe = []time.Duration{0}, []time.Duration{100 * ms}, "txn"
	})
	r := play(t, p)
	assert.EqualValues(t, crowd, r.Measure("acquisitions"))
	assert.Equal(t, crowd*(crowd-1)/2, strings.Count(r.Trace(), "from etcd-1: watch-event"))
}

// E-05
func TestKeepAliveIsSentAtTheFirstPollAfterAThirdOfTheTTL(t *testing.T) {
	r := play(t, etcdLock(1, nil), simtest.Until(at(11_000)))
	// The session opens at 10 ms, and is polled each 500 ms from then on. The answers come at
	// 20, 3520 and 7020 ms.
	assert.Equal(t, []string{"0.010s", "3.510s", "7.010s", "10.510s"}, moments(r, "sends etcd-1: keep-alive"))
}

// moments are when there is a text in a line of the trace.
func moments(r *played, text string) (list []string) {
	for line := range strings.Lines(r.Trace()) {
		if strings.Contains(line, text) {
			list = append(list, strings.Fields(line)[0])
		}
	}
	return list
}

// E-03
func TestAShortTTLIsRaised(t *testing.T) {
	for ticks, want := range map[time.Duration]time.Duration{10: 2 * time.Second, 50: 8 * time.Second} {
		p := etcdLock(1, func(p *Params) {
			p.TTL, p.Etcd.Election = ptr(time.Second), ptr(ticks*100*ms)
		})
		r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(100)}}))
		assert.Equal(t, []string{(sim.Time(15*ms) + sim.Time(want.Truncate(500*ms))).Add(485 * ms).String()}, moments(r, "notes freed"))
	}
}

// E-04: the last keep-alive is processed at R and answered at R+5; client-2 has the lock at
// R+10,035, and client-1 looks at its deadline, R+10,005, once a second.
func TestOverlapByThePhaseOfTheDeadlineLoop(t *testing.T) {
	seen := map[time.Duration]bool{}
	for _, shift := range []int64{410, 500, 700, 842, 845, 859, 860, 870, 889, 890} {
		// A pause over the poll at 500 ms moves the loop of keep-alives against that of deadlines.
		sent := 100 + shift // after the session was opened
		for sent <= 3_343 { // the second keep-alive
			sent += 500
		}
		sent += 3_500                  // the third
		opened := 1_000 - (sent+5)%500 // so that the lease expires at a scan
		renewed := opened + sent + 5
		p := etcdLock(2, func(p *Params) {
			p.Start = []time.Duration{time.Duration(opened-10) * ms, time.Duration(opened+700) * ms}
			p.Work, p.Hold = []time.Duration{time.Minute, time.Second}, []time.Duration{0, 5 * time.Second}
			p.Etcd.Revocation = 10 * ms
		})
		r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(opened + 100)}, For: sim.Constant(time.Duration(shift) * ms)}),
			simtest.Part(sim.Fault{Do: sim.Cut, Forever: true, When: sim.When{At: at(renewed + 50)}}, []string{"client-1"}, []string{"etcd-1"}))
		require.Equal(t, at(renewed+10_035), r.Moment("client-2 acquired"))
		noticed := opened
		for noticed <= renewed+10_005 {
			noticed += 1_000
		}
		want := max(0, time.Duration(noticed-renewed-10_035)*ms)
		assert.EqualValues(t, want, r.Measure("overlap"), "%d ms\n%v", shift, r)
		seen[want] = true
	}
	assert.True(t, seen[970*ms], "the most: %v", seen)
	assert.True(t, seen[0])
}

// A partition that heals in time costs nothing: requests and watches are sent again.
func TestAWaiterSurvivesAPartition(t *testing.T) {
	p := etcdLock(2, func(p *Params) { p.Work, p.TTL = []time.Duration{3 * time.Second}, ptr(20*time.Second) })
	for _, from := range []int64{60, 70, 80, 90, 2_500} { // before each of its requests, and while it watches
		r := play(t, p, simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(from)}, For: sim.Constant(4 * time.Second)}, []string{"client-2"}, []string{"etcd-1"}))
		assert.EqualValues(t, 2, r.Measure("acquisitions"), "from %d ms\n%v", from, r)
		r.Holds("mutual-exclusion", "no-lost-update")
	}
}

// A restart of the cluster keeps keys, leases and watches.
func TestARestartKeepsTheQueue(t *testing.T) {
	p := etcdLock(3, nil)
	r := play(t, p, crash("etcd-1", 1_000, 500))
	r.Holds("mutual-exclusion", "quorum-behind-holder", "no-lost-update", "deadlock-free")
	assert.EqualValues(t, 3, r.Measure("acquisitions"))
}

// A keep-alive that comes after the expiry waits for the revocation, and is told that the
// lease is gone.
func TestALateKeepAliveIsToldThatTheLeaseIsGone(t *testing.T) {
	p := etcdLock(1, func(p *Params) { p.Work, p.Etcd.Revocation = []time.Duration{time.Minute}, 2*time.Second })
	r := play(t, p, simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(100)}, For: sim.Constant(10_500 * ms)}))
	assert.Equal(t, []string{"12.500s"}, moments(r, "notes freed"))
	assert.Equal(t, []string{"10.600s"}, moments(r, "lock-lost"), "its own deadline is earlier")
}

// Each recipe of one machine does what the pure store does: the lock's key is made by one
// command and deleted by one.
func TestRevisionsOfOneRound(t *testing.T) {
	for recipe, want := range map[string]int64{"mutex": 2, "election": 2, "txn": 2, "put": 2} {
		r := play(t, etcdLock(1, func(p *Params) { p.Fencing, p.Etcd.Recipe = "lex", recipe }))
		assert.Contains(t, r.Trace(), fmt.Sprintf("issued token %d", want), recipe)
		r.Holds("mutual-exclusion", "owner-release", "no-orphan")
	}
}

// A waiter whose history has been compacted starts over.
func TestAWaiterWhoseHistoryIsGoneQueuesAgain(t *testing.T) {
	var s etcd.Store
	s.Retain = 1
	for v := range uint64(10) {
		s.Apply(0, &etcd.Command{Then: [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Value: v}}})
	}
	w := etcd.Watch{Next: 2}
	_, err := w.Take(&s)
	assert.Equal(t, etcd.Compacted, err)
}

func TestEtcdIsPureAndForgetsBetweenRuns(t *testing.T) {
	p := etcdLock(3, func(p *Params) {
		p.Rounds, p.Fencing, p.Etcd.Session = []int{0}, "lex", "fresh"
		p.Etcd.Changes, p.Etcd.Checkpoints = []time.Duration{20 * time.Second}, time.Second
	})
	faults := []simtest.Change{simtest.Delay(5 * ms), simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: core.Checked}, For: sim.Constant(15 * time.Second)}),
		crash("etcd-1", 30_000, 1_000)}
	simtest.Forgets(t, p.System, sim.Config{Until: at(60_000)}, faults...)
	twice := sim.Config{Until: at(60_000), Twice: true}
	simtest.Play(t, p.System, twice, faults...)
	assert.Zero(t, simtest.Allocs(t, p.System, sim.Config{Until: at(60_000)}, faults[:1]...))
}
