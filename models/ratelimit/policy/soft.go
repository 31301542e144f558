package policy

import (
	"errors"
	"fmt"
	"time"

	"fencepost/models/ratelimit"
)

// Soft is a limit of two: what is above the nominal one is admitted up to the limit of
// the rule, with a warning, but only for Grace from the first such request on. The time
// begins anew after a whole window without a request that is above.
//
// The reading should be of a monotonic clock: on a wall clock that is stepped back the grace
// lasts longer by as much.
//
// Source: spec, rate limiting and idempotency, section C3.
type Soft[S any] struct {
	rule    ratelimit.Rule[S]
	nominal int64
	grace   time.Duration
	window  time.Duration
}

// SoftState is what a [Soft] remembers of a key.
type SoftState[S any] struct {
	Key S

	over        bool
	since, last ratelimit.Reading // the first and the last request that was above
}

// NewSoft makes a soft limit of a rule that holds the hard one: L*(1+s). The rule must
// not charge what it refuses. Nominal is L, window its length.
func NewSoft[S any](rule ratelimit.Rule[S], nominal int64, grace, window time.Duration) (*Soft[S], error) {
	var found []error
	if nominal < 1 || nominal > rule.Limit() {
		found = append(found, fmt.Errorf("nominal: must be 1 to the hard limit of %d, got %d", rule.Limit(), nominal))
	}
	if grace < 0 || grace > ratelimit.MaxWindow {
		found = append(found, fmt.Errorf("grace: must be 0s to %v, got %v", ratelimit.MaxWindow, grace))
	}
	if window < 1 || window > ratelimit.MaxWindow {
		found = append(found, fmt.Errorf("window: must be 1ns to %v, got %v", ratelimit.MaxWindow, window))
	}
	if err := errors.Join(found...); err != nil {
		return nil, err
	}
	return &Soft[S]{rule, nominal, grace, window}, nil
}

// Start is the state of a new key.
func (s *Soft[S]) Start(now ratelimit.Reading) SoftState[S] {
	return SoftState[S]{Key: s.rule.Start(now)}
}

// Take decides a request; warn says that it was admitted above the nominal limit.
// Remaining counts up to the hard limit.
func (s *Soft[S]) Take(k *SoftState[S], now ratelimit.Reading, cost int64) (d ratelimit.Decision, warn bool) {
	hard := s.rule.Limit()
	used := hard - s.rule.Take(&k.Key, now, 0).Remaining
	if used+cost <= s.nominal {
		return s.rule.Take(&k.Key, now, cost), false
	}
	if !k.over || time.Duration(now-k.last) >= s.window {
		k.over, k.since = true, now
	}
	k.last = now
	if time.Duration(now-k.since) > s.grace {
		// So much more would fit under the hard limit exactly when the request fits under
		// the nominal one.
		return s.rule.Take(&k.Key, now, min(cost+hard-s.nominal, ratelimit.MaxLimit)), false
	}
	d = s.rule.Take(&k.Key, now, cost)
	return d, d.Allowed
}
