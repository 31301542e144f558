package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// elected are two members with the default durations: client-1 leads from 20 ms on, and
// renews at 30 ms, 2.04 s, 4.05 s and so on.
func elected(set func(*Kubernetes)) Params {
	p := Params{Service: "k8s-lease", Kubernetes: &Kubernetes{}, Clients: 2, Check: ptr(false), Start: []time.Duration{0, time.Second}, Work: []time.Duration{50 * time.Second}}
	if set != nil {
		set(p.Kubernetes)
	}
	return p
}

// outage is an API server that client-1 does not reach, from an instant on.
func outage(from time.Duration, long sim.Dist) simtest.Change {
	return simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: sim.Time(from)}, For: long}, []string{"client-1"}, []string{"api-server"})
}

// Source: client-go v0.34.1, NewLeaderElector, in its words.
func TestElectionIsRefusedInTheWordsOfClientGo(t *testing.T) {
	for _, v := range []struct {
		lease, renew, retry time.Duration
		path, message       string
	}{
		{10 * time.Second, 10 * time.Second, 2 * time.Second, "kubernetes.lease", "leaseDuration must be greater than renewDeadline"},
		{15 * time.Second, 2400 * ms, 2 * time.Second, "kubernetes.renew", "renewDeadline must be greater than retryPeriod*JitterFactor"},
		{15 * time.Second, 10 * time.Second, 0, "kubernetes.retry", "retryPeriod must be greater than zero"},
		{0, 0, 0, "kubernetes.lease", "leaseDuration must be greater than renewDeadline"},
		{time.Second, 0, 0, "kubernetes.renew", "renewDeadline must be greater than retryPeriod*JitterFactor"},
		{999 * ms, 500 * ms, 100 * ms, "kubernetes.lease", "leaseDurationSeconds must be greater than 0"},
	} {
		p := elected(func(k *Kubernetes) {
			k.Lease, k.Renew, k.Retry = []time.Duration{v.lease}, []time.Duration{v.renew}, []time.Duration{v.retry}
		})
		found := p.Problems()
		require.Len(t, found, 1, "%v", v)
		assert.Equal(t, v.path, found[0].Path)
		assert.Contains(t, found[0].Message, v.message)
	}
	p := elected(func(k *Kubernetes) { k.Renew, k.Retry = []time.Duration{2401 * ms}, []time.Duration{2 * time.Second} })
	require.Empty(t, p.Problems())
}

// TestLeaderStopsTwelveSecondsAfterItsLastRenewal: the sleep of 2 s, and the deadline of
// 10 s that begins only then. Within it there are two requests of 5 s each.
func TestLeaderStopsTwelveSecondsAfterItsLastRenewal(t *testing.T) { // K-01
	p := elected(nil)
	r := play(t, p, outage(3*time.Second, sim.Constant(time.Hour)), simtest.Part(sim.Fault{Do: sim.Cut, Forever: true}, []string{"client-2"}, []string{"api-server"}))
	assert.Equal(t, at(2_040+12_000), r.Moment("client-1 has lost the lock"), r)
}

// TestLongestHarmlessOutage: the leader tries at the end of its sleep, and its second
// request at half of the deadline. An outage that ends before the reply to that can come,
// costs no leadership.
func TestLongestHarmlessOutage(t *testing.T) {
	for _, v := range []struct {
		from, to time.Duration
		lost     bool
	}{
		{2041 * ms, 9039 * ms, false}, // the request of 9.040 s arrives
		{2041 * ms, 9041 * ms, true},  // it does not, and has no reply by 14.040 s
		{4039 * ms, 9039 * ms, false},
	} {
		r := play(t, elected(nil), outage(v.from, sim.Constant(v.to-v.from)))
		assert.Equal(t, v.lost, r.Finding("mutual-exclusion").Verdict == sim.Holds && r.Measure("acquisitions") == 2, "%v: %v", v, r)
	}
}

// TestTakeoverAfterACrash: 15 s after it saw the last renewal, for which it may have waited
// 4.4 s, and with another wait of up to 4.4 s.
func TestTakeoverAfterACrash(t *testing.T) { // K-02
	crash := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(4_060)}})
	p := elected(nil)
	build := func() sim.System[core.Msg] {
		s := p.System()
		s.Meters = append(s.Meters, &takeovers{t: t, renewed: at(4_045), least: 15 * time.Second, most: 23*time.Second + 860*ms})
		return s
	}
	simtest.Count(t, build, sim.Config{Until: at(60_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}}, 400, crash)
}

// takeovers checks when client-2 acquires the lock.
type takeovers struct {
	t           *testing.T
	renewed     sim.Time
	least, most time.Duration
	taken       bool
}

func (k *takeovers) Reset(*sim.View[core.Msg]) { k.taken = false }

func (k *takeovers) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event == sim.Noted && o.Msg.Kind == core.Acquired && o.Node == 2 {
		k.taken = true
		after := v.Now().Sub(k.renewed)
		assert.True(k.t, after > k.least && after <= k.most, "client-2 leads %v after the last renewal", after)
	}
}

func (k *takeovers) End(*sim.View[core.Msg]) { assert.True(k.t, k.taken) }

// TestPollStartsAfreshAfterAPause: the leader resumes at 25 s, and leads until its deadline,
// counted from there, is over.
func TestPollStartsAfreshAfterAPause(t *testing.T) {
	r := play(t, elected(nil), simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(5_000)}, For: sim.Constant(20 * time.Second)}))
	r.Violated("entitled-exclusion", at(25_000))
	assert.EqualValues(t, 10*time.Second, r.Measure("entitled-overlap"))
	assert.Equal(t, at(35_000), r.Moment("client-1 has lost the lock"), r)
}

// TestPauseWithinAPollEndsIt: the deadline of a poll that had begun is over when the leader
// resumes, and it leads no longer.
func TestPauseWithinAPollEndsIt(t *testing.T) {
	r := play(t, elected(nil), outage(4*time.Second, sim.Constant(2*time.Second)),
		simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(5_000)}, For: sim.Constant(20 * time.Second)}))
	assert.Equal(t, at(25_000), r.Moment("client-1 has lost the lock"), r)
}

// TestReleaseOnCancelIsTaken at the next try of a candidate, not after the lease.
func TestReleaseOnCancelIsTaken(t *testing.T) {
	for release, most := range map[bool]time.Duration{true: 4500 * ms, false: 23800 * ms} {
		p := elected(func(k *Kubernetes) { k.Release = release })
		p.Work = []time.Duration{10 * time.Second}
		r := play(t, p)
		gap := r.Moment("client-2 acquired").Sub(r.Moment("client-1 releases"))
		assert.LessOrEqual(t, gap, most)
		assert.Equal(t, release, gap < 15*time.Second)
		r.Holds("mutual-exclusion")
		if release {
			r.Holds("owner-release")
		}
	}
}

// TestReleaseKeepsTheWorkGoing: the context of the work is cancelled after the release, whose
// request waits for 5 s; without a release it is cancelled at once.
func TestReleaseKeepsTheWorkGoing(t *testing.T) {
	r := play(t, elected(func(k *Kubernetes) { k.Release = true }), outage(3*time.Second, sim.Constant(time.Hour)))
	assert.Equal(t, at(2_040+12_000+5_000), r.Moment("client-1 has lost the lock"), r)
}

// TestSameIdentityKeepsItsToken: a process that restarts with its identity renews the lease
// of the one before it, with the same count of transitions.
func TestSameIdentityKeepsItsToken(t *testing.T) {
	crash := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(5_000)}, For: sim.Constant(time.Second)})
	for _, identity := range []string{"same", "fresh"} {
		p := elected(func(k *Kubernetes) { k.Identity = identity })
		p.Clients, p.Start, p.Tokens, p.Fencing = 1, nil, "own", "gt"
		r := play(t, p, crash)
		if identity == "same" {
			r.Violated("increasing-tokens", at(6_020))
		} else {
			r.Holds("increasing-tokens")
		}
	}
}

// TestElectionInStorms: what the election promises while clocks are right, with pauses, lost
// messages and crashes, and what it does not.
func TestElectionInStorms(t *testing.T) {
	p := elected(func(k *Kubernetes) {
		k.Lease, k.Renew, k.Retry = []time.Duration{3 * time.Second}, []time.Duration{2 * time.Second}, []time.Duration{400 * ms}
		k.Release = true
	})
	p.Clients, p.Work, p.Rounds, p.Tokens, p.Fencing = 3, []time.Duration{700 * ms}, []int{0}, "own", "lex"
	c := simtest.Count(t, p.System, sim.Config{}, 300, storm)
	c.Holds("fenced-order", "no-lost-update", "increasing-tokens")
	c.Violates("mutual-exclusion", "entitled-exclusion")
}

func TestElectionForgetsEverything(t *testing.T) {
	p := elected(func(k *Kubernetes) { k.Release, k.StopHook = true, []time.Duration{time.Second} })
	p.Work, p.Rounds = []time.Duration{3 * time.Second}, []int{0}
	crash := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(9 * time.Second)}, For: sim.Constant(time.Second)})
	simtest.Forgets(t, p.System, sim.Config{}, storm, crash)
}

// A member that leaves without a release has a renewal under way now and then, and the object is
// its own for LeaseDuration from the renewal's arrival.
func TestARenewalThatIsUnderWayLeavesNoOrphan(t *testing.T) {
	p := Params{Service: "k8s-lease", Kubernetes: &Kubernetes{}, Clients: 2}
	c := simtest.Count(t, p.System, sim.Config{Until: at(60_000)}, 200, func(c *sim.Config, _ *sim.Program) {
		c.Network.Default.Delay = sim.Exponential(5 * ms)
	})
	c.Holds("no-orphan", "mutual-exclusion", "deadlock-free")
	assert.Equal(t, 20*time.Second, p.bounds(p.plan()).orphan, "15s, and 5s for a request")
}
