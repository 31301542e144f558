package clients

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestRecommendedLease: `simctl advise k8s-lease` for pauses up to 12 s and outages up to 20 s says lease 25 s, renew 10 s, retry 2 s.
// client-go has two leaders in none of 500 runs with these. The leader stops right after a renewal, before it waits for the
// next, and the API server does not answer when it resumes, or a little before or after: to it, or to both members. With the
// usual lease of 15 s two lead, and with 23 s, which is a second less than the rule has it: pause, renew and retry.
func TestRecommendedLease(t *testing.T) {
	const runs = 500
	overlaps := func(lease time.Duration) (n int, longest time.Duration) {
		for seed := int64(1); seed <= runs; seed++ {
			m := twice(t, seed, func(j *journal) []*member { return pausedThenCutOff(j, seed, lease) })
			if d := both(m[0].led, m[1].led); d > 0 {
				n, longest = n+1, max(longest, d)
			}
		}
		return n, longest
	}
	for lease, safe := range map[time.Duration]bool{25 * time.Second: true, 23 * time.Second: false, 15 * time.Second: false} {
		n, longest := overlaps(lease)
		t.Logf("lease %v: two leaders in %d of %d runs, for at most %v", lease, n, runs, longest)
		assert.Equal(t, safe, n == 0, lease)
	}
}

// pausedThenCutOff runs two members. The first stops for up to 12 s after one of its first renewals, and an outage of up to 20 s
// begins within 2 s of when it resumes.
func pausedThenCutOff(j *journal, seed int64, lease time.Duration) []*member {
	draw := rand.New(rand.NewSource(seed))
	upTo := func(d time.Duration) time.Duration { return time.Duration(draw.Int63n(int64(d) + 1)) }
	stopped, outage, shift := 12*time.Second, 20*time.Second, upTo(4*time.Second)-2*time.Second
	if draw.Intn(2) == 0 {
		stopped -= upTo(time.Second)
	}
	if draw.Intn(3) > 0 {
		outage -= upTo(outage - time.Second)
	}
	renewal, everyone := 1+draw.Intn(3), draw.Intn(2) == 0
	a, b := &member{lock: &lock{}, lease: lease}, &member{lock: &lock{}, lease: lease, start: time.Second}
	renewals := 0
	a.lock.updated = func() {
		if renewals++; renewals != renewal {
			return
		}
		from := j.at() + stopped + shift
		a.lock.stalled = [2]time.Duration{from, from + outage}
		if everyone {
			b.lock.stalled = a.lock.stalled
		}
		time.Sleep(stopped)
	}
	return elect(j, 40*time.Second, a, b)
}
