package redis

import (
	"math"
	"strconv"
	"time"

	"fencepost/sim"
)

// The scripts of rate limiters. A script is atomic towards other clients and sees one
// reading of the clock, but it is no transaction: what was written before an error
// stays.

// Count is the right script of a counter: INCRBY, and an expiry for a key that has
// none, be it new or be it one that a client has left without.
//
// Source: Redis documentation, INCR, "Pattern: Rate limiter 2", with the expiry
// repaired where there is none.
func (d *DB[K]) Count(now sim.Wall, name K, by int64, px time.Duration) (int64, error) {
	count, err := d.IncrBy(now, name, by)
	if err != nil {
		return 0, err
	}
	if e, _ := d.Entry(now, name); !e.Expires {
		d.PExpire(now, name, px)
	}
	return count, nil
}

// SourceCount is the script of S2 as it stands, with its arguments as the
// client wrote them: limit and ttl in seconds. It is fine as long as they are.
//
//	local limit = tonumber(ARGV[1])
//	local ttl = tonumber(ARGV[2])
//	local current = redis.call('INCR', key)
//	if current == 1 then redis.call('EXPIRE', key, ttl) end
//	if current > limit then return 0 else return 1 end
//
// Source: S2 5 of docs/sources.md.
func (d *DB[K]) SourceCount(now sim.Wall, name K, argv ...string) (admitted bool, err error) {
	argument := func(i int) (string, bool) { // that tonumber makes something of
		if i >= len(argv) {
			return "", false
		}
		_, err := strconv.ParseFloat(argv[i], 64)
		return argv[i], err == nil
	}
	current, err := d.IncrBy(now, name, 1)
	if err != nil {
		return false, err
	}
	if current == 1 {
		ttl, ok := argument(1)
		if !ok {
			return false, ScriptError
		}
		if err := d.Expire(now, name, ttl); err != nil {
			return false, err
		}
	}
	limit, ok := argument(0)
	if !ok {
		return false, ScriptError
	}
	most, err := strconv.ParseFloat(limit, 64)
	return err == nil && float64(current) <= most, err
}

// Log is the right script of a log in a sorted set: drop what is out of the window,
// count, and add if there is room. The member must be unique. A refused call renews the
// expiry too: what is in the log decides by its scores, and scores that are not the
// store's own clock may need it for longer.
//
// Source: Redis documentation, ZADD, ZREMRANGEBYSCORE and ZCARD, in one script.
func (d *DB[K]) Log(now sim.Wall, name K, limit int, score, cut float64, member uint64, px time.Duration) (admitted bool, err error) {
	if _, err = d.ZRemRangeByScore(now, name, Bound{Score: math.Inf(-1)}, Bound{Score: cut}); err != nil {
		return false, err
	}
	n, err := d.ZCard(now, name)
	if err != nil {
		return false, err
	}
	if n < limit {
		if _, err = d.ZAdd(now, name, score, member); err != nil {
			return false, err
		}
	}
	d.PExpire(now, name, px)
	return n < limit, nil
}

// ChargeAll is the script of several limits: look at all counters, and charge all or
// none. It returns the place of the first that is full, -1 if none is.
//
// Source: Redis documentation, Scripting with Lua (one script is atomic).
func (d *DB[K]) ChargeAll(now sim.Wall, names []K, limits []int64, px time.Duration) (full int, err error) {
	for i, name := range names {
		value, _, err := d.Get(now, name)
		if err != nil {
			return i, err
		}
		if value+1 > limits[i] {
			return i, nil
		}
	}
	for i, name := range names {
		if _, err := d.Count(now, name, 1, px); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// SetNXIncr is MULTI { SET key 0 PX px NX; INCRBY key by } EXEC, of which the second command
// runs later than the first. If expiry is frozen, as in Redis 7, the key cannot expire
// in between; else it can, and the INCR makes one that never does.
//
// Source: Redis 7.0.15, where an expiry is frozen while a script or a transaction runs.
func (d *DB[K]) SetNXIncr(first, second sim.Wall, name K, by int64, px time.Duration, frozen bool) (set bool, count int64, err error) {
	if set, err = d.SetNX(first, name, 0, px); err != nil {
		return set, 0, err
	}
	if frozen {
		second = first
	}
	count, err = d.IncrBy(second, name, by)
	return set, count, err
}

// BucketTTL is how long the widely copied bucket script keeps its keys, in whole
// seconds: floor(capacity / rate * 2). With a rate above twice the capacity that is 0,
// and the SETEX with it is an error in each call.
//
// Source: Spring Cloud Gateway, request_rate_limiter.lua.
func BucketTTL(capacity, rate int64) time.Duration {
	return time.Duration(2*capacity/rate) * time.Second
}

// Scripts are those that the server has: a restart and SCRIPT FLUSH forget them.
type Scripts struct{ loaded []string }

// Eval is EVAL: the server has the script from now on.
func (s *Scripts) Eval(script string) {
	if s.EvalSHA(script) != nil {
		s.loaded = append(s.loaded, script)
	}
}

// EvalSHA is EVALSHA: an error if the server does not have the script. It means "send
// the text", not that the store is down.
func (s *Scripts) EvalSHA(script string) error {
	for _, l := range s.loaded {
		if l == script {
			return nil
		}
	}
	return NoScript
}

// Flush is SCRIPT FLUSH.
func (s *Scripts) Flush() { s.loaded = nil }
