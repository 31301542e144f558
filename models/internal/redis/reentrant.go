package redis

import (
	"time"

	"fencepost/sim"
)

// The scripts of Redisson's RLock. The key is a hash with one field, the owner: the identity
// of the client and the number of its thread. The field counts how often the owner has entered.
//
// Source: Redisson 3.17 to 3.2x, RedissonLock.tryLockInnerAsync and unlockInnerAsync,
// RedissonBaseLock.renewExpirationAsync.

// Enter is the script of lock: it enters if the key is free or the owner's already, and gives
// it a new lease. Else ttl is PTTL, what is left of the lease of another: 0 in its last millisecond,
// and -1 ms without an end.
func (k *Key) Enter(now sim.Wall, owner uint64, lease time.Duration) (entered bool, ttl time.Duration) {
	switch got, ok := k.Get(now); {
	case !ok:
		*k = Key{Value: owner, Exists: true}
	case got != owner:
		switch {
		case !k.Expires:
			return false, -time.Millisecond
		case !now.Before(k.ExpireAt):
			return false, 0
		}
		return false, k.ExpireAt.Sub(now.Truncate(time.Millisecond))
	}
	k.Count++
	k.expire(now, lease)
	return true, 0
}

// Leave is the script of unlock: it takes one entry back. When none is left the key is deleted,
// which is published; else it gets a new lease. It is not held if another owns the key, or no
// client: unlock throws an IllegalMonitorStateException.
func (k *Key) Leave(now sim.Wall, owner uint64, lease time.Duration) (held, freed bool) {
	if got, ok := k.Get(now); !ok || got != owner {
		return false, false
	}
	if k.Count--; k.Count > 0 {
		k.expire(now, lease)
		return true, false
	}
	*k = Key{}
	return true, true
}

// ExtendOrSet is the script of redsync's WithSetNXOnExtend: it gives the key a new expiry if it
// holds the value, and sets it if there is none. What it reports as extended may have been
// another's in the meantime.
//
// Source: redsync 4.13, mutex.go, touchWithSetNXScript.
func (k *Key) ExtendOrSet(now sim.Wall, value uint64, px time.Duration) bool {
	return k.PExpireIf(now, value, px) || k.SetNX(now, value, px)
}
