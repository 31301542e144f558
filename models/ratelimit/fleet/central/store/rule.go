package store

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
)

// Rule is what the store does with a key.
type Rule struct {
	Keep   Kept
	Limit  int64
	Window time.Duration
	TTL    time.Duration // that a key gets

	Named       bool   // the key's name has the number of the window in it
	LocalClock  bool   // window, score and now are by the clock of the limiter
	ByTimestamp bool   // the member of a log is the millisecond, not the request
	Dedup       bool   // a call that comes again is not counted again
	Multi       bool   // in place of the script: MULTI { SET NX; INCR }
	Source      bool   // in place of the script: that of S2
	Argument    string // its ttl, as it is written
}

// Kept is what the store keeps of a key.
type Kept uint8

// A counter with an expiry; a sorted set; a record of a window; the state of whatever
// algorithm it is.
const (
	Counters Kept = iota
	Logs
	Records
	States
)

// KeyBytes is what is kept of a key of a fleet, of a log while it is empty, without the
// key's name and whatever else a store takes for it.
func (k Kept) KeyBytes(f *core.Fleet) int64 {
	switch k {
	case Records:
		return ratelimit.NewSizer[record]().Bytes(new(record))
	case Logs:
		return ratelimit.SlidingLogBytes(0)
	}
	keys, err := f.Keys(f.Limit, 1)
	if err != nil {
		return 0 // the parameters are wrong, and their check says so
	}
	return keys.Bytes()
}

// windowOf is the number of the window of a reading.
func (r *Rule) windowOf(reading int64) int64 {
	n := reading / int64(r.Window)
	if reading%int64(r.Window) < 0 {
		n--
	}
	return n
}

// UntilNext is how long it is until the next window begins.
func (r *Rule) UntilNext(reading int64) time.Duration {
	return time.Duration((r.windowOf(reading)+1)*int64(r.Window) - reading)
}
