package service

import (
	"math/rand/v2"
	"testing"
	"time"

	"fencepost/models/ratelimit"
)

// What we promise: at most limit requests in any window, wherever it begins.
const (
	limit  = 5
	window = time.Minute
)

// ourLimiter is the algorithm that we use, with the state of one key.
func ourLimiter() (ratelimit.Limiter, error) {
	rule, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: limit, Window: window})
	if err != nil {
		return nil, err
	}
	return ratelimit.One(rule, 0), nil
}

// TestNoWindowIsOverTheLimit asks at random instants, 1,000 times anew, and looks at every window.
func TestNoWindowIsOverTheLimit(t *testing.T) {
	for seed := range uint64(1000) {
		limiter, err := ourLimiter()
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(seed, 0))
		var now time.Duration
		var admitted []time.Duration
		for range 100 {
			now += time.Duration(random.Int64N(int64(10 * time.Second)))
			if !limiter.Take(ratelimit.Reading(now), 1).Allowed {
				continue
			}
			admitted = append(admitted, now)
			if n := len(admitted); n > limit && now-admitted[n-1-limit] < window {
				t.Fatalf("seed %d: %d admitted between %v and %v", seed, limit+1, admitted[n-1-limit], now)
			}
		}
	}
}
