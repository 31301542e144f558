package ratelimit

import "time"

// NginxZone is the shared part of nginx's limit_req: the [LeakyMeter] in integers of a
// thousandth request and a millisecond. What that loses is part of it: the rate 1r/m
// is kept as 16/1000 a second, and between two requests closer than 1000/rate ms
// nothing leaks at all.
//
// Source: nginx, src/http/modules/ngx_http_limit_req_module.c, limit_req_lookup and
// limit_req_account.
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
type NginxState struct {
	known  bool
	excess int64 // thousandths of a request
	last   int64 // milliseconds
}

// excess is what there would be with one more request.
func (z NginxZone) excess(k *NginxState, ms int64) (excess, passed int64) {
	if !k.known {
		return 0, 1
	}
	switch passed = ms - k.last; {
	case passed < -60000:
		passed = 1 // a clock set back for good
	case passed < 0:
		passed = 0
	}
	return max(0, k.excess-z.Rate*passed/1000+1000), passed
}

func (z NginxZone) account(k *NginxState, ms int64) (excess int64) {
	excess, passed := z.excess(k, ms)
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
	ms := int64(floorTo(now, time.Millisecond)) / int64(time.Millisecond)
	for i, l := range limits {
		if keys[i] == nil {
			continue
		}
		if excess, _ := l.Zone.excess(keys[i], ms); excess > l.Burst*1000 {
			return 0, false
		}
	}
	for i, l := range limits {
		if keys[i] != nil {
			delay = max(delay, l.delay(l.Zone.account(keys[i], ms)))
		}
	}
	return delay, true
}

// Take decides a request under one directive.
func (l NginxLimit) Take(k *NginxState, now Reading) (delay time.Duration, allowed bool) {
	return Nginx([]NginxLimit{l}, []*NginxState{k}, now)
}
