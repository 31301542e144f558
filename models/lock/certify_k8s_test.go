package lock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// shortElection is two members with a lease of 6 s, a deadline of 3.5 s and 1.3 s between two tries: of two renewals in one
// second a candidate sees one. The second member is leader for a moment only.
func shortElection(p *Params) {
	p.Service, p.Clients, p.Work, p.Start = "k8s-lease", 2, []time.Duration{6 * time.Second, 10 * ms}, []time.Duration{0, 1300 * ms}
	p.Kubernetes = &Kubernetes{Lease: []time.Duration{6 * time.Second}, Renew: []time.Duration{3500 * ms}, Retry: []time.Duration{1300 * ms, 2900 * ms}, Timeout: new(time.Duration)}
}

// electionProof is such an election whose API server restarts once, for up to 200 ms, so that a renewal is lost.
func electionProof(delay time.Duration, rate sim.PPB) (proof, *certify.Search) {
	p := proof{name: "k8s-lease", set: shortElection, property: "mutual-exclusion", most: delay}
	s := p.search()
	s.Faults = []certify.Fault{{Name: "restart", Do: sim.Crash, Nodes: []sim.NodeID{3}, Most: 200 * ms, Count: 1}}
	s.Rate = rate
	return p, s
}

// A leader stops a try and a deadline after the reply to its last renewal, by its own clock, and a candidate
// begins a lease after it saw that: it may have, as soon as it was carried out. So delay.max + (retry + renew) /
// (1 - e) <= lease / (1 + e). Of 6 s, 3.5 s and 1.3 s that is e <= 1/9 with no delay, and 111,019 ppm with one of up to 1 ms.
func TestTheLeaseOfKubernetesHoldsUpToItsRateOfClocks(t *testing.T) {
	for i, c := range []struct {
		delay time.Duration
		rate  sim.PPB
		want  certify.Verdict
	}{
		{0, 111_111_000, certify.Certified}, {0, 111_112_000, certify.Unknown},
		{ms, 111_010_000, certify.Certified}, {ms, 111_030_000, certify.Unknown},
	} {
		if !whole.Takes(i, 3) {
			continue
		}
		_, s := electionProof(c.delay, c.rate)
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		t.Logf("%+v: %v, %d states", c, r.Verdict, r.States)
		assert.Equal(t, c.want, r.Verdict, "%+v: %s", c, r.Bound)
	}
}

// No run violates what is certified, and some do 5,000 ppm above: the clock of the leader is slow and that of the
// candidate fast, or of any rate, a renewal is lost, the candidate tries all the time, and the
// leader leads for longer.
func TestNoClockOfAnElectionViolatesWhatIsCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 21))
	for rate, certain := range map[sim.PPB]bool{111_111_000: true, 116_111_000: false} {
		p, s := electionProof(0, rate)
		violated := 0
		for i := range 60 {
			c := s.Config
			c.Network.Default.Delay = sim.Constant(0)
			c.Clocks = []sim.Clock{{Rate: -rate}, {Rate: rate}, {}, {}}
			if i%3 == 0 {
				c.Clocks[r.IntN(2)].Rate = sim.PPB(r.Int64N(2*int64(rate)+1)) - rate
			}
			c.Faults = []sim.Fault{{Name: "loss", Do: sim.Lose, Msg: sim.MsgChoice{Kind: core.UpdateObject, From: 1, To: 3, Nth: 1 + r.IntN(5)}}}
			program := sim.NewProgram(func() sim.System[Msg] {
				q := DefaultParams()
				p.set(&q)
				q.Kubernetes.Retry[1], q.Work[0] = ms, 12*time.Second
				return q.System()
			})
			w, err := program.NewWorld(c)
			require.NoError(t, err)
			if w.Run(r.Uint64()).Properties[s.Property].Verdict == sim.Violated {
				violated++
			}
		}
		t.Logf("%v: %d of 60 runs violate it", rate, violated)
		assert.Equal(t, certain, violated == 0, "%v: %d runs", rate, violated)
	}
}

// drawnElection is an election of random settings, with a pause of a member.
func drawnElection(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	lease, retry, other := between(4000, 6000), between(500, 1200), between(1000, 2500)
	renew := max(lease*time.Duration(40+r.IntN(55))/100, other*6/5+ms) // client-go wants a deadline of more than 1.2 retries
	work, next, timeout := between(3000, 9000), between(10, 2000), between(100, 900)
	least := between(0, 3)
	p = proof{least: least, most: least + between(0, 5), pause: lease, property: []string{"mutual-exclusion", "mutual-exclusion", "no-lost-update"}[r.IntN(3)], set: func(q *Params) {
		shortElection(q)
		q.Work[0], q.Work[1] = work, next
		q.Kubernetes = &Kubernetes{Lease: []time.Duration{lease}, Renew: []time.Duration{renew}, Retry: []time.Duration{retry, other}, Timeout: &timeout}
	}}
	s = p.search()
	s.Losses, s.Limits = r.IntN(4)/3, certify.Limits{States: 20_000}
	name = fmt.Sprintf("lease %v, renew %v, retry %v and %v, work %v and %v, timeout %v, delay of %v to %v, %d lost: %s", lease, renew, retry, other, work, next, timeout, p.least, p.most, s.Losses, p.property)
	return name, p, s
}

// No run of the engine violates what is certified of an election of random settings, and some do what is not. An election takes
// seconds, so that there are some with -whole only.
func TestNoRunViolatesWhatIsCertifiedOfElections(t *testing.T) {
	if !whole.Tests() {
		return
	}
	t.Parallel()
	r := rand.New(rand.NewPCG(27, 11))
	modeltest.Sound(t, 3, 2_000, func() modeltest.Proof {
		name, p, s := drawnElection(r)
		return held(name, r, s, &p)
	})
}
