package ratelimit

import (
	"fmt"
	"time"
)

// NginxZone is the shared part of nginx's limit_req: the [LeakyMeter] in integers of a
// thousandth request and a millisecond. What that loses is part of it: the rate 1r/m
// is kept as 16/1000 a second, and between two requests closer than 1000/rate ms
// nothing leaks at all.
//
// The zone never runs out of memory here, and never forgets a key. nginx forgets one that is
// empty and was not asked for within 60 s, so a zone slower than 16r/m forgets 1 request more.
//
// Source: nginx 1.15.7 and later, src/http/modules/ngx_http_limit_req_module.c,
// limit_req_lookup and limit_req_account.
type NginxZone struct {
	Rate int64 // thousandths of a request per second, 1 and up
}

// NginxPerSecond is rate=<count>r/s.
func NginxPerSecond(count int64) NginxZone { return NginxZone{count * 1000} }

// NginxPerMinute is rate=<count>r/m as nginx keeps it.
func NginxPerMinute(count int64) NginxZone { return NginxZone{count * 1000 / 60} }

// NginxLimit is one limit_req directive on a zone.
type NginxLimit struct {
	Zone         NginxZone
	Burst, Delay int64 // requests: above Burst refused, above Delay delayed
	NoDelay      bool
}

// Validate returns all mistakes.
func (l NginxLimit) Validate() error {
	var m mistakes
	m.count("rate", l.Zone.Rate, MaxLimit)
	if min(l.Burst, l.Delay) < 0 || max(l.Burst, l.Delay) > MaxLimit {
		m.add("burst, delay: must be 0 to %d, got %d and %d", int64(MaxLimit), l.Burst, l.Delay)
	}
	return m.join()
}

// NginxState is what a zone remembers of a key. The zero value is a key never heard
// of: its first request has an excess of 0.
//
//  1. 0 <= excess <= 1000*burst
type NginxState struct {
	known  bool
	excess int64 // thousandths of a request
	last   int64 // milliseconds
}

// passed is how many milliseconds count since the last request.
func (k *NginxState) passed(ms int64) int64 {
	passed := ms - k.last
	if passed < -60000 {
		return 1 // a clock set back for good
	}
	return max(0, passed)
}

// leaked is what leaks in a number of milliseconds, at most most.
func (z NginxZone) leaked(passed, most int64) int64 {
	if passed > most*1000/z.Rate {
		return most
	}
	return z.Rate * passed / 1000
}

// excess is what there would be with cost more requests.
func (z NginxZone) excess(k *NginxState, ms, cost int64) (excess, passed int64) {
	if !k.known {
		return max(0, cost-1) * 1000, 1
	}
	passed = k.passed(ms)
	full := k.excess + cost*1000
	return full - z.leaked(passed, full), passed
}

func (z NginxZone) account(k *NginxState, ms, cost int64) (excess int64) {
	excess, passed := z.excess(k, ms, cost)
	k.known, k.excess = true, excess
	if passed != 0 {
		k.last = ms
	}
	return excess
}

// delay is how long a request with that excess waits, in whole milliseconds.
func (l NginxLimit) delay(excess int64) time.Duration {
	over := excess - l.Delay*1000
	if l.NoDelay || over <= 0 {
		return 0
	}
	return time.Duration(over*1000/l.Zone.Rate) * time.Millisecond
}

// Nginx decides a request under several directives, keys[i] being its key in the zone
// of limits[i]; nil for a request without that key, which the zone does not see. All
// are looked at before one is charged, so a refused request is charged to none. The
// delay is the longest.
func Nginx(limits []NginxLimit, keys []*NginxState, now Reading) (delay time.Duration, allowed bool) {
	ms := milliseconds(now)
	for i, l := range limits {
		if keys[i] == nil {
			continue
		}
		if excess, _ := l.Zone.excess(keys[i], ms, 1); excess > l.Burst*1000 {
			return 0, false
		}
	}
	for i, l := range limits {
		if keys[i] != nil {
			delay = max(delay, l.delay(l.Zone.account(keys[i], ms, 1)))
		}
	}
	return delay, true
}

func milliseconds(now Reading) int64 {
	return int64(floorTo(now, time.Millisecond)) / int64(time.Millisecond)
}

// Take decides a request under one directive.
func (l NginxLimit) Take(k *NginxState, now Reading) (delay time.Duration, allowed bool) {
	return Nginx([]NginxLimit{l}, []*NginxState{k}, now)
}

// NginxRule is one limit_req directive as a [Rule]. It admits burst+1 at once: burst=19 is what
// a [LeakyMeter] calls a capacity of 20. nginx has no costs; here a cost of c is c requests at
// once, of which all are admitted or none.
type NginxRule struct{ limit NginxLimit }

// NewNginxRule returns the rule, or all mistakes in its parameters.
func NewNginxRule(l NginxLimit) (*NginxRule, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	return &NginxRule{l}, nil
}

// Limit implements [Rule]: the burst, and the request that is in time.
func (r *NginxRule) Limit() int64 { return r.limit.Burst + 1 }

// Start implements [Rule]: a key never heard of.
func (r *NginxRule) Start(Reading) NginxState { return NginxState{} }

// Take implements [Rule].
func (r *NginxRule) Take(k *NginxState, now Reading, cost int64) (d Decision) {
	ms := milliseconds(now)
	switch excess, _ := r.limit.Zone.excess(k, ms, max(0, cost)); {
	case uint64(cost) > uint64(r.Limit()):
		d.Wait = Never
	case excess > r.limit.Burst*1000:
		d.Wait = r.when(k, now, k.excess+(cost-r.limit.Burst)*1000)
	case cost == 0:
		d.Allowed = true
	default:
		d.Allowed = true
		d.Wait = r.limit.delay(r.limit.Zone.account(k, ms, cost))
	}
	d.Remaining, d.ResetAfter = r.Limit(), 0
	if k.known {
		free := r.limit.Burst*1000 - k.excess + r.limit.Zone.leaked(k.passed(ms), k.excess+1000)
		d.Remaining = max(0, free/1000)
		d.ResetAfter = max(0, r.when(k, now, k.excess+1000))
	}
	return d
}

// when is how long until this much has leaked since the last request.
func (r *NginxRule) when(k *NginxState, now Reading, leaked int64) time.Duration {
	rate := r.limit.Zone.Rate
	passed := (leaked*1000 + rate - 1) / rate
	return time.Duration(Reading(k.last+passed)*Reading(time.Millisecond) - now)
}

// Check implements [Rule].
func (r *NginxRule) Check(k *NginxState) error {
	if k.excess < 0 || k.excess > r.limit.Burst*1000 {
		return fmt.Errorf("nginx, 1: excess %d of %d", k.excess, r.limit.Burst*1000)
	}
	return nil
}
