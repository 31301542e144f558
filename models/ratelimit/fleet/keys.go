package fleet

import "fencepost/models/ratelimit"

// keys is an algorithm with what it remembers of each key, whatever that is.
type keys interface {
	// take decides a request for a key, 1 and up; a key starts when it is first heard of.
	take(key uint64, now ratelimit.Reading, cost int64) ratelimit.Decision
	// fresh is the same algorithm without any key.
	fresh() keys
	// adopt takes the rule of others of the same algorithm and keeps what is remembered.
	adopt(other keys)
	// bytes is what is remembered of a key that has just started.
	bytes() int64
	// copyFrom makes the keys equal to others of the same algorithm, sharing nothing.
	copyFrom(other keys)
}

// copyKeys makes into equal to from, with the memory of into if there is any.
func copyKeys(into, from keys) keys {
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

func newKeys[S any](rule ratelimit.Rule[S], count int) keys {
	return &keysOf[S]{rule, make([]bool, count), make([]S, count)}
}

func (k *keysOf[S]) take(key uint64, now ratelimit.Reading, cost int64) ratelimit.Decision {
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

func (k *keysOf[S]) fresh() keys { return newKeys(k.rule, len(k.known)) }

func (k *keysOf[S]) bytes() int64 {
	state := k.rule.Start(0)
	return ratelimit.NewSizer[S]().Bytes(&state)
}

func (k *keysOf[S]) adopt(other keys) { k.rule = other.(*keysOf[S]).rule }

func (k *keysOf[S]) copyFrom(other keys) {
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
