package lock

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/model/modeltest"
)

// shortWatchdog is Redisson's lock with a lease of 300 ms, of which the work outlives one.
func shortWatchdog(set func(*WatchdogParams)) func(*Params) {
	return func(p *Params) {
		lease := 300 * ms
		p.Service, p.TTL, p.Work, p.Watchdog = "watchdog", &lease, []time.Duration{400 * ms}, &WatchdogParams{}
		if set != nil {
			set(p.Watchdog)
		}
	}
}

// A lease begins when the server has carried out the script of lock or a renewal: its reply takes up to a delay, the next
// renewal is sent a third of the lease after that, late by the timer and by a pause, and takes another delay. The key is there
// for longer than the lease. So a renewal is in time up to pause + callback + late + lease/3 + 2 * delay.max = lease, and not a
// nanosecond above. Work that is shorter than a third of the lease is renewed once a pause is over, and needs that of Redis' lock:
// pause + work + 3 * delay.max = lease + delay.min.
func TestTheEdgeOfTheWatchdog(t *testing.T) {
	late := sim.Uniform(0, 20*ms+1)
	callback := 7 * ms
	for i, c := range []struct {
		name         string
		set          func(*Params)
		least, holds time.Duration
	}{
		{"renewed", shortWatchdog(nil), 0, 190 * ms},
		{"late", shortWatchdog(func(b *WatchdogParams) { b.Late = late }), 0, 170 * ms},
		{"told", shortWatchdog(func(b *WatchdogParams) { b.Tells = true }), 0, 190 * ms},
		{"callback", shortWatchdog(func(b *WatchdogParams) { b.Callback = &callback }), 2 * ms, 183 * ms},
		{"entered", shortWatchdog(func(b *WatchdogParams) { b.Entries = 2 }), 0, 190 * ms},
		{"not renewed", func(p *Params) { shortWatchdog(nil)(p); p.Work[0] = 40 * ms }, 0, 245 * ms},
	} {
		if !whole.Takes(i, 3) {
			continue
		}
		p := proof{set: c.set, property: "mutual-exclusion", least: c.least, most: 5 * ms, pause: 400 * ms}
		s := p.search()
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err, c.name)
		t.Logf("%s: %v, holds to %v, violated from %v, %d states", c.name, r.Verdict, e.Holds, e.From, e.Result.States)
		assert.Equal(t, c.holds, e.Holds, c.name)
		assert.LessOrEqual(t, e.From, e.Holds+2, c.name)
	}
}

// drawnWatchdog is a lock of Redisson of random settings, and a property of it.
func drawnWatchdog(r *rand.Rand) (name string, p proof, s *certify.Search) {
	between := func(low, high int) time.Duration { return time.Duration(low+r.IntN(high-low+1)) * ms }
	lease, work, retry, timeout, callback := between(50, 90), between(10, 80), sim.Constant(between(10, 40)), between(15, 60), between(0, 8)
	least := between(0, 3)
	p = proof{least: least, most: least + between(0, 4), pause: lease, property: []string{"mutual-exclusion", "mutual-exclusion", "no-lost-update", "owner-release"}[r.IntN(4)]}
	b := WatchdogParams{OnError: []string{"stop", "retry"}[r.IntN(2)], Cancel: []string{"answer", "freed"}[r.IntN(2)], Entries: 1 + r.IntN(4)/3, Resend: r.IntN(3) == 0, Tells: r.IntN(2) == 0, Most: max(0, r.IntN(5)-2)}
	if r.IntN(3) == 0 {
		b.Callback = &callback
	}
	if r.IntN(3) == 0 {
		b.Late = sim.Uniform(0, between(1, 20))
	}
	p.set = func(q *Params) {
		q.Service, q.TTL, q.Work, q.Retry, q.PerNode, q.Watchdog = "watchdog", &lease, []time.Duration{work}, &retry, &timeout, &b
	}
	s = p.search()
	s.Losses, s.Copies = r.IntN(6)/5, r.IntN(8)/7
	name = fmt.Sprintf("lease %v, work %v, %+v, callback %v, timeout %v, retry %v, delay of %v to %v, %d lost, %d twice: %s", lease, work, b, callback, timeout, retry, p.least, p.most, s.Losses, s.Copies, p.property)
	return name, p, s
}

// No run of the engine violates what is certified of a lock of Redisson, and some do what is not.
func TestNoRunViolatesWhatIsCertifiedOfAWatchdog(t *testing.T) {
	t.Parallel()
	locks, runs := drawn(1_000, 3_000)
	states, n := whole.Of(4_000, 20_000), uint64(2)
	modeltest.Sound(t, locks, runs, func() modeltest.Proof {
		r := rand.New(rand.NewPCG(26, n))
		n++
		name, p, s := drawnWatchdog(r)
		s.Limits = certify.Limits{States: states}
		return held(name, r, s, &p)
	})
}
