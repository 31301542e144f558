package lock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// redlockOf is Redlock of as many instances, TTL 100 ms, work 20 ms and an attempt every 25 ms.
func redlockOf(instances int, property string, least, most, pause time.Duration) proof {
	return proof{name: "redlock", property: property, least: least, most: most, pause: pause, set: func(p *Params) {
		ttl, retry := 100*ms, sim.Constant(25*ms)
		p.Service, p.Instances, p.TTL, p.Retry, p.Work = "redlock", &instances, &ttl, &retry, []time.Duration{20 * ms}
	}}
}

// No run of the engine violates what is certified of Redlock, and one does just above the edge: attempts are 29 ms apart, and the
// one of 116 ms is the first of which instances have no key of the other, which was set at 2 ms. It is granted at 120 ms. The
// other has its locks at 4 ms, works for 20 ms and has the reply to its write 4 ms later.
func TestNoRunViolatesWhatIsCertifiedOfRedlock(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 16))
	c := redlockOf(3, "mutual-exclusion", 2*ms, 2*ms, 200*ms)
	s := c.search()
	p := held(c.name, r, s, &c)
	result, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, certify.Violated, result.Verdict)
	assert.Positive(t, p.Violating(t, 2000))
	e, err := s.Edge(t.Context(), 0, result)
	require.NoError(t, err)
	t.Logf("holds to %v, from %v, %d searches, %d states", e.Holds, e.From, e.Searches, e.Result.States)
	assert.Equal(t, 92*ms, e.Holds)
	assert.Equal(t, 92*ms+1, e.From)
	s.Faults = slices.Clone(s.Faults)
	s.Faults[0].Most = e.Holds
	assert.Zero(t, p.Violating(t, 2000))

	if !whole.Tests() {
		return
	}
	s.Unlike = true // instances that are alike change no verdict, and save states
	unlike, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, unlike.Verdict, e.Result.Verdict)
	assert.Less(t, 2*e.Result.States, unlike.States)

	s.Unlike, s.PauseAll = false, true // nor does a pause before a step that only remembers
	all, err := s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Certified, all.Verdict)
	assert.Less(t, e.Result.States, all.States)
	s.Faults[0].Most = e.From
	all, err = s.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, certify.Violated, all.Verdict)
}

// drawnRedlock is Redlock of three instances and random settings, with a pause of a client.
func drawnRedlock(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	instances, ttl, work, retry, timeout := 3, between(60, 100), between(5, 30), sim.Constant(between(20, 40)), between(8, 20)
	least := between(1, 3)
	p = proof{least: least, most: least + between(0, 2), pause: ttl, property: []string{"mutual-exclusion", "mutual-exclusion", "no-lost-update", "owner-release"}[r.IntN(4)], set: func(q *Params) {
		q.Service, q.Instances, q.TTL, q.Work, q.Retry, q.PerNode = "redlock", &instances, &ttl, []time.Duration{work}, &retry, &timeout
	}}
	s = p.search()
	s.Losses, s.Limits = r.IntN(6)/5, certify.Limits{States: 30_000}
	name = fmt.Sprintf("ttl %v, work %v, retry %v, per node %v, delay of %v to %v, %d lost: %s", ttl, work, retry, timeout, p.least, p.most, s.Losses, p.property)
	return name, p, s
}

// No run of the engine violates what is certified of a Redlock of random settings, and some do what is not. One takes seconds,
// so that there are some with -whole only.
func TestNoRunViolatesWhatIsCertifiedOfRedlocks(t *testing.T) {
	if !whole.Tests() {
		return
	}
	t.Parallel()
	r := rand.New(rand.NewPCG(27, 12))
	modeltest.Sound(t, 2, 4_000, func() modeltest.Proof {
		name, p, s := drawnRedlock(r)
		return held(name, r, s, &p)
	})
}
