package idempotency

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// Cache is a Redis. Its keys expire on its own clock, and all are gone after a crash unless
// it is Durable.
type Cache struct {
	Durable     bool // append-only file, synced with every command
	Connections connections

	keys redis.DB[cacheKey]
}

// Reset implements [sim.Resetter].
func (c *Cache) Reset(initial *Cache) {
	c.Durable = initial.Durable
	c.Connections.reset(&initial.Connections)
	c.keys.CopyFrom(&initial.keys)
}

// Recover implements [sim.Recoverer].
func (c *Cache) Recover(before *Cache) {
	if c.Durable {
		c.keys.CopyFrom(&before.keys)
	}
}

// Step implements [sim.Node].
func (c *Cache) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	if m.Kind == start || !c.Connections.fresh(&in) {
		return
	}
	name, value, lifetime := m.cacheKey(), m.Values[3], time.Duration(m.Values[4])
	ok, got := true, Null
	switch m.Kind {
	case CacheGet:
		got, ok = c.get(in.Wall, name)
	case CacheSet:
		c.set(in.Wall, name, value, lifetime)
	case CacheAdd:
		if _, there := c.get(in.Wall, name); there {
			ok = false
		} else {
			c.set(in.Wall, name, value, lifetime)
		}
	case CacheDel:
		ok = c.keys.Del(in.Wall, name)
	case CacheDelIf:
		if got, there := c.get(in.Wall, name); there && got == value {
			c.keys.Del(in.Wall, name)
		} else {
			ok = false
		}
	default:
		panic("idempotency: the cache got " + m.String())
	}
	out.Send(in.From, m.found(CacheReply, ok, got, Null))
}

func (c *Cache) get(now sim.Wall, name cacheKey) (Value, bool) {
	value, ok, _ := c.keys.Get(now, name) // all values are numbers
	if !ok {
		return Null, false
	}
	return Value(value), true
}

// set is SET name value, with PX unless the lifetime is 0. Redis counts lifetimes in whole
// milliseconds, at least one; no other error can come of it here, since the memory is
// without limit.
func (c *Cache) set(now sim.Wall, name cacheKey, value Value, lifetime time.Duration) {
	if lifetime > 0 {
		_ = c.keys.SetPX(now, name, int64(value), max(lifetime, time.Millisecond))
		return
	}
	_ = c.keys.Set(now, name, int64(value))
}
