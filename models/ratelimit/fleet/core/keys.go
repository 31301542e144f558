package core

import "fencepost/models/ratelimit"

// Keys is an algorithm with what it remembers of each key, whatever that is.
type Keys interface {
	// take decides a request for a key, 1 and up; a key starts when it is first heard of.
	Take(key uint64, now ratelimit.Reading, cost int64) ratelimit.Decision
	// fresh is the same algorithm without any key.
	fresh() Keys
	// adopt takes the rule of others of the same algorithm and keeps what is remembered.
	Adopt(other Keys)
	// bytes is what is remembered of a key that has just started.
	Bytes() int64
	// copyFrom makes the keys equal to others of the same algorithm, sharing nothing.
	copyFrom(other Keys)
}

// CopyKeys makes into equal to from, with the memory of into if there is any.
func CopyKeys(into, from Keys) Keys {
	if from == nil {
		return nil
	}
	if into == nil {
		into = from.fresh()
	}
	into.copyFrom(from)
	return into
}

// keysOf is keys for states S.
type keysOf[S any] struct {
	rule  ratelimit.Rule[S]
	known []bool // by key less 1
	state []S
}

func newKeys[S any](rule ratelimit.Rule[S], count int) Keys {
	return &keysOf[S]{rule, make([]bool, count), make([]S, count)}
}

func (k *keysOf[S]) Take(key uint64, now ratelimit.Reading, cost int64) ratelimit.Decision {
	i := key - 1
	if !k.known[i] {
		k.known[i] = true
		if r, ok := k.rule.(interface{ Restart(*S, ratelimit.Reading) }); ok {
			r.Restart(&k.state[i], now) // in the memory that it has
		} else {
			k.state[i] = k.rule.Start(now)
		}
	}
	return k.rule.Take(&k.state[i], now, cost)
}

func (k *keysOf[S]) fresh() Keys { return newKeys(k.rule, len(k.known)) }

func (k *keysOf[S]) Bytes() int64 {
	state := k.rule.Start(0)
	return ratelimit.NewSizer[S]().Bytes(&state)
}

func (k *keysOf[S]) Adopt(other Keys) { k.rule = other.(*keysOf[S]).rule }

func (k *keysOf[S]) copyFrom(other Keys) {
	o := other.(*keysOf[S])
	k.rule = o.rule
	copy(k.known, o.known)
	for i := range o.state {
		if s, ok := any(&k.state[i]).(interface{ CopyFrom(*S) }); ok {
			s.CopyFrom(&o.state[i])
		} else {
			k.state[i] = o.state[i]
		}
	}
}
