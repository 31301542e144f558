package store

import (
	"time"

	"fencepost/models/ratelimit"
)

// record is a window as a record of its start, its end and its count, which a caller
// compares with a clock of its own. A clock that is before the start resets it,
// and so two clocks that disagree reset it by turns.
//
// Source: Laravel, RateLimiter.php.
type record struct {
	start, end ratelimit.Reading
	count      int64
}

// take counts a request and decides it.
func (r *record) take(now ratelimit.Reading, cost, limit int64, window ratelimit.Reading) ratelimit.Decision {
	if now < r.start || now >= r.end {
		*r = record{start: now, end: now + window}
	}
	d := ratelimit.Decision{Allowed: r.count+cost <= limit}
	if d.Allowed {
		r.count += cost
	} else {
		d.Wait = time.Duration(r.end - now)
	}
	d.Remaining = max(0, limit-r.count)
	return d
}
