package policy

import (
	"errors"
	"fmt"
	"time"

	"fencepost/models/ratelimit"
)

// SoftParams are the parameters of a [Soft].
type SoftParams struct {
	Limit  int64         // L, the nominal one: 1 and up
	Hard   int64         // L*(1+s): Limit and up
	Window time.Duration // of both, 1 ns and up
	Grace  time.Duration // D, 0 and up
}

// Soft is a limit of two: what is above the nominal one is admitted up to the hard one,
// with a warning, but only for Grace from the first such request on. The time begins
// anew after a whole window without a request that is above. Both limits are exact: they
// are those of a log.
//
// The reading should be of a monotonic clock: on a wall clock that is stepped back the grace
// lasts longer by as much.
//
// Source: S3 summary, hard and soft limits, of docs/sources.md.
type Soft struct {
	log *ratelimit.SlidingLog // of the hard limit
	SoftParams
}

// SoftState is what a [Soft] remembers of a key.
type SoftState struct {
	Log ratelimit.SlidingLogState

	over        bool
	since, last ratelimit.Reading // the first and the last request that was above
}

// NewSoft returns the rule, or all mistakes in its parameters.
func NewSoft(p SoftParams) (*Soft, error) {
	log, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: p.Hard, Window: p.Window})
	found := []error{err}
	if p.Limit < 1 || p.Limit > p.Hard {
		found = append(found, fmt.Errorf("limit: must be 1 to the hard limit of %d, got %d", p.Hard, p.Limit))
	}
	if p.Grace < 0 || p.Grace > ratelimit.MaxWindow {
		found = append(found, fmt.Errorf("grace: must be 0s to %v, got %v", ratelimit.MaxWindow, p.Grace))
	}
	if err := errors.Join(found...); err != nil {
		return nil, err
	}
	return &Soft{log, p}, nil
}

// Start is the state of a new key.
func (s *Soft) Start(now ratelimit.Reading) SoftState { return SoftState{Log: s.log.Start(now)} }

// Take decides a request; warn says that it was admitted above the nominal limit.
// Remaining counts up to the hard limit.
func (s *Soft) Take(k *SoftState, now ratelimit.Reading, cost int64) (d ratelimit.Decision, warn bool) {
	used := s.Hard - s.log.Take(&k.Log, now, 0).Remaining
	if used+cost <= s.Limit {
		return s.log.Take(&k.Log, now, cost), false
	}
	if !k.over || time.Duration(now-k.last) >= s.Window {
		k.over, k.since = true, now
	}
	k.last = now
	if time.Duration(now-k.since) > s.Grace {
		// So much more would fit under the hard limit exactly when the request fits under
		// the nominal one. It does not, so nothing is charged.
		return s.log.Take(&k.Log, now, min(cost, ratelimit.MaxLimit)+s.Hard-s.Limit), false
	}
	d = s.log.Take(&k.Log, now, cost)
	return d, d.Allowed
}
