package ratelimit

import (
	"math/big"
	"time"
)

// The references decide as the definitions read: with rationals and with everything
// that ever happened in a list. A reference is asked in order and says whether it
// admits.
type reference func(now Reading, cost int64) bool

func rat(a int64) *big.Rat { return big.NewRat(a, 1) }

// perNano is a rate in tokens per nanosecond.
func perNano(r Rate) *big.Rat { return big.NewRat(r.Tokens, int64(r.Per)) }

// bucketReference is A1 with a rational level.
func bucketReference(capacity int64, r Rate, start Reading) reference {
	level, last := rat(capacity), start
	return func(now Reading, cost int64) bool {
		now = max(now, last)
		level.Add(level, new(big.Rat).Mul(rat(int64(now-last)), perNano(r)))
		if level.Cmp(rat(capacity)) > 0 {
			level = rat(capacity)
		}
		last = now
		if cost < 0 || level.Cmp(rat(cost)) < 0 {
			return false
		}
		level.Sub(level, rat(cost))
		return true
	}
}

// gcraReference is A5 with a rational arrival time.
func gcraReference(burst int64, r Rate, start Reading) reference {
	tat, interval := rat(int64(start)), new(big.Rat).Inv(perNano(r))
	return func(now Reading, cost int64) bool {
		base := rat(int64(now))
		if tat.Cmp(base) > 0 {
			base = tat
		}
		next := new(big.Rat).Add(base, new(big.Rat).Mul(rat(cost), interval))
		early := new(big.Rat).Sub(next, new(big.Rat).Mul(rat(burst), interval))
		if cost < 0 || cost > burst || early.Cmp(rat(int64(now))) > 0 {
			return false
		}
		tat = next
		return true
	}
}

// intervalReference is A2, tick by tick.
func intervalReference(p IntervalBucketParams, start Reading) reference {
	tokens, next := p.Capacity, start+Reading(p.Interval)
	return func(now Reading, cost int64) bool {
		for ; next <= now; next += Reading(p.Interval) {
			tokens = min(p.Capacity, tokens+p.Refill)
		}
		if cost < 0 || cost > tokens {
			return false
		}
		tokens -= cost
		return true
	}
}

// queueReference is A3 with the list of all starts: a cost of c is c arrivals, of which
// all are taken or none.
func queueReference(p LeakyQueueParams, start Reading) reference {
	service := Reading(p.Service)
	if p.Ticks {
		start = floorTo(start, p.Service)
	}
	starts := []Reading{start - service}
	return func(now Reading, cost int64) bool {
		if cost < 0 {
			return false
		}
		trial := append([]Reading(nil), starts...)
		for range cost {
			waiting := int64(0)
			for _, s := range trial {
				waiting += int64(btoi(s > now))
			}
			start := now
			for p.Ticks && start%service != 0 {
				start++
			}
			if n := len(trial); n > 0 {
				start = max(start, trial[n-1]+service)
			}
			if waiting >= p.Places && start > now || start-now > Reading(p.Places)*service {
				return false // a clock that goes back finds holes between the starts: nobody waits longer for them
			}
			trial = append(trial, start)
		}
		if cost == 0 { // refused if more than N wait: only after the clock has gone back
			return starts[len(starts)-1]-now <= Reading(p.Places)*service
		}
		starts = trial
		return true
	}
}

// fixedReference is A6 with the list of all charges.
func fixedReference(p FixedWindowParams, start Reading) reference {
	w := Reading(p.Window)
	type charge struct {
		window Reading
		cost   int64
	}
	var charges []charge
	count := func(window Reading) (sum int64) {
		for _, c := range charges {
			if c.window == window {
				sum += c.cost
			}
		}
		return sum
	}
	current := floorTo(start, p.Window)
	if p.Anchored {
		current = start
	}
	return func(now Reading, cost int64) bool {
		now = max(now, current)
		switch {
		case !p.Anchored:
			current = floorTo(now, p.Window)
		case count(current) == 0 || now >= current+w:
			current = now
		}
		ok := cost >= 0 && count(current)+cost <= p.Limit
		if cost > 0 && (ok || p.ChargesRejected) {
			charges = append(charges, charge{current, cost})
		}
		return ok
	}
}

// logReference is A7 with a list that nothing is ever taken out of.
func logReference(p SlidingLogParams, start Reading) reference {
	var log []admit
	last := start
	return func(now Reading, cost int64) bool {
		now = max(now, last)
		last = now
		sum := int64(0)
		for _, a := range log {
			if a.at > now-Reading(p.Window) || p.Closed && a.at == now-Reading(p.Window) {
				sum += a.cost
			}
		}
		ok := cost >= 0 && sum+cost <= p.Limit
		if cost > 0 && (ok || p.Retain) {
			log = append(log, admit{now, cost})
		}
		return ok
	}
}

// counterReference is A8 with rationals and the literal comparisons.
func counterReference(p SlidingCounterParams, start Reading) reference {
	var log []admit
	w := Reading(p.Window)
	index := floorTo(start, p.Window)
	return func(now Reading, cost int64) bool {
		now = max(now, index)
		index = floorTo(now, p.Window)
		var cur, prev int64
		for _, a := range log {
			switch floorTo(a.at, p.Window) {
			case index:
				cur += a.cost
			case index - w:
				prev += a.cost
			}
		}
		ok := cost >= 0 && counterAdmits(p, cur, prev, int64(now-index), cost)
		if cost > 0 && (ok || p.ChargesRejected) {
			log = append(log, admit{now, cost})
		}
		return ok
	}
}

func counterAdmits(p SlidingCounterParams, cur, prev, e, cost int64) bool {
	w := int64(p.Window)
	weighed := new(big.Rat).Mul(rat(prev), big.NewRat(w-e, w))
	est := new(big.Rat).Add(rat(cur), weighed)
	after, limit := new(big.Rat).Add(est, rat(cost)), rat(p.Limit)
	switch p.Rounding {
	case Strict: // one request: est < L
		return after.Cmp(rat(p.Limit+1)) < 0
	case HalfUp:
		twice := new(big.Rat).Mul(weighed, rat(2))
		twice.Add(twice, rat(1))
		half := new(big.Int).Div(new(big.Int).Div(twice.Num(), twice.Denom()), big.NewInt(2))
		return cur+half.Int64()+cost <= p.Limit
	case OffByOne: // one request: est <= L
		return after.Cmp(rat(p.Limit+1)) <= 0
	}
	return after.Cmp(limit) <= 0
}

// subReference is A9 with the list of all admits.
func subReference(p SubWindowsParams, start Reading) reference {
	var log []admit
	width := time.Duration(int64(p.Window) / p.Buckets)
	current := floorTo(start, width)
	return func(now Reading, cost int64) bool {
		now = max(now, current)
		current = floorTo(now, width)
		oldest := now - Reading(p.Window)
		if !p.DropPartial {
			oldest -= Reading(width)
		}
		sum := int64(0)
		for _, a := range log {
			if floorTo(a.at, width) > oldest {
				sum += a.cost
			}
		}
		if cost < 0 || sum+cost > p.Limit {
			return false
		}
		if cost > 0 {
			log = append(log, admit{now, cost})
		}
		return true
	}
}

// nginxReference is the arithmetic of limit_req as its source has it, with a cost for the number of requests at once.
func nginxReference(l NginxLimit) reference {
	known, excess, last := false, int64(0), int64(0)
	return func(now Reading, cost int64) bool {
		if cost < 0 || cost > l.Burst+1 {
			return false
		}
		ms := int64(now) / int64(time.Millisecond)
		if now < 0 && now%Reading(time.Millisecond) != 0 {
			ms--
		}
		passed := ms - last
		if passed < -60000 {
			passed = 1
		} else if passed < 0 {
			passed = 0
		}
		next := max(0, excess-l.Zone.Rate*passed/1000+1000*cost)
		if !known {
			next, passed = max(0, cost-1)*1000, 1
		}
		if next > l.Burst*1000 {
			return false
		}
		if cost > 0 {
			known, excess = true, next
			if passed != 0 {
				last = ms
			}
		}
		return true
	}
}
