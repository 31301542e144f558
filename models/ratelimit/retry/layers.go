package retry

import "math/bits"

// Calls is how often the last layer is called for one operation if every
// layer makes the given number of attempts: attempts^layers. ok is false if that does not fit 64
// bits. Both count from 1; of no layers there is one call.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 22, "Addressing
// cascading failures", retries.
func Calls(layers, attempts uint64) (calls uint64, ok bool) {
	calls = 1
	if attempts < 2 { // as many layers as one likes
		if layers > 0 {
			return attempts, true
		}
		return calls, true
	}
	for range layers {
		hi, lo := bits.Mul64(calls, attempts)
		if hi != 0 {
			return 0, false
		}
		calls = lo
	}
	return calls, true
}
