package permits

import (
	"slices"
	"time"

	"fencepost/sim"
)

// Leases are permits that expire: a sorted set of requests scored by the time of their
// start, as one script of a Redis. A limiter that crashes takes no permit with it for
// longer than the TTL. The price is that of every lease: a request that runs for longer
// loses its permit and runs on, unless it is renewed meanwhile.
//
// Source: Stripe, "Scaling your API with rate limiters", 2017, the concurrent requests
// limiter.
type Leases struct {
	Permits int           // c, 1 and up
	TTL     time.Duration // of a permit, positive

	held []lease // by start
}

type lease struct {
	rid   uint32
	start sim.Wall // on the store's clock, or when it was last renewed
}

// Reset makes the set empty, with the parameters of another.
func (l *Leases) Reset(params *Leases) {
	held := l.held
	*l = *params
	l.held = refill(held, params.held)
}

// Purge is ZREMRANGEBYSCORE 0 now-TTL, one member at a time: it removes a permit that has
// expired, and says whose it was.
func (l *Leases) Purge(now sim.Wall) (rid uint32, ok bool) {
	if len(l.held) == 0 || now.Sub(l.held[0].start) < l.TTL {
		return 0, false
	}
	rid = l.held[0].rid
	l.held = slices.Delete(l.held, 0, 1)
	return rid, true
}

// Acquire is ZCARD, and ZADD if there is room. What has expired is to be purged before.
func (l *Leases) Acquire(now sim.Wall, rid uint32) bool {
	if l.Renew(now, rid) {
		return true // a second copy of the request
	}
	if len(l.held) >= l.Permits {
		return false
	}
	l.insert(lease{rid, now})
	return true
}

// Renew is ZADD XX: it gives a permit that is still held another TTL.
func (l *Leases) Renew(now sim.Wall, rid uint32) bool {
	if !l.Release(rid) {
		return false
	}
	l.insert(lease{rid, now})
	return true
}

// Release is ZREM. It reports whether the permit was still held.
func (l *Leases) Release(rid uint32) bool {
	for i := range l.held {
		if l.held[i].rid == rid {
			l.held = slices.Delete(l.held, i, i+1)
			return true
		}
	}
	return false
}

// insert keeps the order by start, also when the store's clock has gone back.
func (l *Leases) insert(n lease) {
	i := len(l.held)
	for i > 0 && l.held[i-1].start > n.start {
		i--
	}
	l.held = slices.Insert(l.held, i, n)
}

// InUse is ZCARD.
func (l *Leases) InUse() int { return len(l.held) }
