package capacity

// A Key is what a limiter keeps of one user in a Redis, and what that takes there.
//
// Source: measured on Redis 7.0.15 with jemalloc as the difference of used_memory.
// S2 11 of docs/sources.md says 50 to 100 bytes per key, a third too little.
type Key struct {
	Name        string
	Least, Most int64 // bytes, of the key and all that hangs on it
}

// Keys are the measured ones, those with the least first.
func Keys() []Key {
	return []Key{
		{"counter, 34-byte key, no TTL", 90, 90},
		{"counter, 9-byte key, TTL", 101, 101},
		{"counter, 34-byte key, TTL", 133, 136},
		{"GCRA, a string", 149, 149},
		{"token bucket, a hash {t, ts}", 181, 181},
		{"log of 100, 13-byte members", 2_700, 2_700},
		{"log of 100, UUID members", 5_300, 5_300},
		{"log of 200", 29_600, 29_600},
		{"log of 1000", 142_000, 142_000},
	}
}

// Of is what a number of users with a number of limits each take: one key per limit. Both are 0
// and up; what does not fit is the greatest number.
func (k Key) Of(users, limits int64) (least, most int64) {
	keys := ceilMulDiv(users, limits, 1)
	return ceilMulDiv(keys, k.Least, 1), ceilMulDiv(keys, k.Most, 1)
}

// PerEntry is what an entry of a log takes once it has more than 128 and is a skiplist.
const PerEntry = 148

// Calls are the calls of the store per request.
type Calls struct {
	Name        string
	Least, Most int64
}

// CallsPerRequest is the table of section C11.
func CallsPerRequest() []Calls {
	return []Calls{
		{"fixed window, script", 1, 1}, // with 2 or 3 commands inside
		{"INCR and EXPIRE", 2, 2},      // pipelined one round trip
		{"read, modify, write", 2, 3},
		{"log", 3, 4}, // O(log n) each
	}
}

// Measured on one node, loopback, two cores: calls per second.
const (
	IncrLeast, IncrMost = 35_000, 53_000
	EvalLeast, EvalMost = 26_000, 48_000
	IncrPipelined       = 547_000 // 16 at a time
)
