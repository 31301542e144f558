// Package redis is the part of Redis that the models need, as plain data
// structures: no node, no network.
//
// Source: Redis documentation, "SET", "EXPIRE" and "Persistence".
package redis

import (
	"time"

	"fencepost/sim"
)

// Key is one string key. The zero Key does not exist. A command takes the reading
// of the server's wall clock, which Redis uses in whole milliseconds; a script
// sees one reading throughout.
type Key struct {
	Value    uint64
	Exists   bool
	Expires  bool
	Count    uint32   // of a reentrant lock: how often its owner, which is the value, has entered
	ExpireAt sim.Wall // if it expires: the last millisecond of the wall clock at which it is alive
}

func milliseconds(w sim.Wall) int64 { return int64(w.Truncate(time.Millisecond)) / 1e6 }

// Live reports whether the key exists and has not expired. Expiry is strict: a key
// set at 5 ms with PX 10000 is alive at 10,005 and gone at 10,006.
func (k *Key) Live(now sim.Wall) bool {
	return k.Exists && (!k.Expires || now.Before(k.GoneAt()))
}

// GoneAt is the first reading at which an expiring key is gone.
func (k *Key) GoneAt() sim.Wall { return k.ExpireAt.Add(time.Millisecond) }

// SetNX is SET key value NX PX px: it sets the key unless it is alive. A px of 0
// sets it without expiry.
func (k *Key) SetNX(now sim.Wall, value uint64, px time.Duration) bool {
	if k.Live(now) {
		return false
	}
	*k = Key{Value: value, Exists: true}
	k.expire(now, px)
	return true
}

func (k *Key) expire(now sim.Wall, px time.Duration) {
	if px > 0 {
		k.Expires, k.ExpireAt = true, now.Truncate(time.Millisecond).Add(px.Truncate(time.Millisecond))
	}
}

// Get is GET key.
func (k *Key) Get(now sim.Wall) (value uint64, ok bool) {
	if !k.Live(now) {
		return 0, false
	}
	return k.Value, true
}

// Del is DEL key: it reports whether there was something to delete.
func (k *Key) Del(now sim.Wall) bool {
	was := k.Live(now)
	*k = Key{}
	return was
}

// DelIf is the script that deletes the key if it holds the value.
func (k *Key) DelIf(now sim.Wall, value uint64) bool {
	if got, ok := k.Get(now); !ok || got != value {
		return false
	}
	*k = Key{}
	return true
}

// PExpireIf is the script that gives the key a new expiry if it holds the value.
func (k *Key) PExpireIf(now sim.Wall, value uint64, px time.Duration) bool {
	if got, ok := k.Get(now); !ok || got != value {
		return false
	}
	k.expire(now, px)
	return true
}

// Incr is INCR key: a key that is not alive counts as 0.
func (k *Key) Incr(now sim.Wall) uint64 {
	if !k.Live(now) {
		*k = Key{Exists: true}
	}
	k.Value++
	return k.Value
}

// Persistence is what survives a crash of the server.
type Persistence uint8

// Nothing; what was written before the last whole second; everything answered.
const (
	None Persistence = iota
	EverySecond
	Always
)

// Disk is the append-only file of one key: what a restart will find. Expiry is an
// absolute time and elapses while the server is down.
type Disk struct {
	Mode Persistence

	saved Key
	dirty bool // the file lags behind memory
}

// Wrote tells the disk of a change and reports whether a sync must be planned for
// the next whole second.
func (d *Disk) Wrote(k Key) (plan bool) {
	switch d.Mode {
	case Always:
		d.saved = k
	case EverySecond:
		plan, d.dirty = !d.dirty, true
	}
	return plan
}

// Sync brings the file up to date.
func (d *Disk) Sync(k Key) { d.saved, d.dirty = k, false }

// Rewrite gives the key in the file another value.
func (d *Disk) Rewrite(value func(uint64) uint64) { d.saved.Value = value(d.saved.Value) }

// Load is what a restart finds: memory and file are the same again.
func (d *Disk) Load() Key {
	d.dirty = false
	return d.saved
}
