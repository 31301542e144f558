package retry

import "time"

// Kind is how a wait grows from attempt to attempt, and what of it is drawn.
type Kind uint8

// With v = min(cap, base*2^(a-1)) after attempt a, and U drawn:
const (
	None         Kind = iota // 0: at once
	Fixed                    // base
	Exponential              // v
	Equal                    // v/2 + U[0, v/2]
	Full                     // U[0, v]
	Decorrelated             // min(cap, U[base, 3 times the last wait])
)

// Backoff is how long a client waits before it calls again.
//
// Clients that are refused together and wait equally long come back together: only what
// is drawn takes a herd apart.
//
// Source: Brooker, "Exponential backoff and jitter", AWS 2015.
type Backoff struct {
	Kind  Kind
	Base  time.Duration // of the first wait, 0 and up
	Cap   time.Duration // of any wait; 0 is none
	Grain time.Duration // draws are multiples of it; 0 is a nanosecond
}

// Wait is the wait after a number of failed attempts, 1 and up. last is the wait before, 0
// after the first attempt.
func (b *Backoff) Wait(attempt int, last time.Duration, src Source) time.Duration {
	switch b.Kind {
	case Fixed:
		return b.Base
	case Exponential:
		return b.growth(attempt)
	case Equal:
		half := b.growth(attempt) / 2
		return half + b.draw(half, src)
	case Full:
		return b.draw(b.growth(attempt), src)
	case Decorrelated:
		most := 3*min(max(last, b.Base), longest) - b.Base
		return min(b.most(), b.Base+b.draw(max(0, most), src))
	}
	return 0
}

// Draws reports whether a wait depends on what is drawn.
func (b *Backoff) Draws() bool { return b.Kind >= Equal }

// longest bounds every wait: ten years.
const longest = 87_600 * time.Hour

func (b *Backoff) most() time.Duration {
	if b.Cap > 0 {
		return min(b.Cap, longest)
	}
	return longest
}

// growth is v: the base doubled with each attempt, up to the cap.
func (b *Backoff) growth(attempt int) time.Duration {
	v := b.Base
	for ; attempt > 1 && v < b.most() && v > 0; attempt-- {
		v *= 2
	}
	return min(v, b.most())
}

// draw is U[0, most], in whole grains.
func (b *Backoff) draw(most time.Duration, src Source) time.Duration {
	grain := max(b.Grain, 1)
	return grain * time.Duration(src.Upto(uint64(most/grain)))
}
