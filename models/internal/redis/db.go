package redis

import (
	"time"

	"fencepost/sim"
)

// DB is a keyspace with names K: counters, texts and sorted sets, that expire, and that
// may not all fit into the memory. Commands take the reading of the server's wall clock
// and are atomic; a sequence of them in one call is a script.
//
// A key that has expired is gone for every command. It leaves the memory when it is
// asked for, or when its turn comes: each new key looks at some of the others.
type DB[K comparable] struct {
	Max   int  // keys that fit into the memory; 0 is without limit
	Evict bool // when it is full: allkeys-lru, the key not used for longest goes; else noeviction, writes fail

	index          map[K]int32 // of slots
	slots          []slot[K]
	free           []int32
	newest, oldest int32 // slot by use, plus 1; 0 for none
	cursor         int   // slot that is looked at next
	born           uint32
	evicted        []Evicted[K] // and not taken yet
}

// slot is one key.
type slot[K comparable] struct {
	Key
	name         K
	life         uint32
	kind         kind
	text         string
	set          ZSet
	newer, older int32 // plus 1
}

// kind is the type of a key.
type kind uint8

const (
	number kind = iota
	text
	set
)

// Entry is what there is under a name.
type Entry struct {
	Life     uint32 // its number among all keys that were ever made
	Value    int64  // of a counter; of a sorted set how many members it has ever got
	Expires  bool
	ExpireAt sim.Wall // as of Key
}

// Evicted is a key that made room for another.
type Evicted[K comparable] struct {
	Name K
	Life uint32
}

// GoneAt is the first reading at which an expiring key is gone.
func (e Entry) GoneAt() sim.Wall { return e.ExpireAt.Add(time.Millisecond) }

// CopyFrom makes the keyspace equal to another, sharing nothing.
func (d *DB[K]) CopyFrom(from *DB[K]) {
	index, slots, free, evicted := d.index, d.slots, d.free, d.evicted
	*d = *from
	if index == nil {
		index = make(map[K]int32)
	}
	clear(index)
	for i := range from.slots {
		if s := &from.slots[i]; s.Exists {
			index[s.name] = int32(i)
		}
	}
	d.index, d.free, d.evicted = index, copied(free, from.free), copied(evicted, from.evicted)
	if n := len(from.slots); n > cap(slots) {
		slots = append(slots[:cap(slots)], make([]slot[K], n-cap(slots))...)
	} else {
		slots = slots[:n]
	}
	for i := range slots {
		memory := slots[i].set
		slots[i] = from.slots[i]
		slots[i].set = memory
		slots[i].set.CopyFrom(&from.slots[i].set)
	}
	d.slots = slots
}

// Continue makes the lives of new keys follow those of another keyspace, whose keys are
// gone: no two have the same number.
func (d *DB[K]) Continue(before *DB[K]) { d.born = max(d.born, before.born) }

// Len is how many keys are in the memory.
func (d *DB[K]) Len() int { return len(d.slots) - len(d.free) }

// Flush removes everything, as a restart without persistence does.
func (d *DB[K]) Flush() {
	for d.oldest != 0 {
		d.remove(d.oldest - 1)
	}
}

// Entry is what there is under a name. It does not count as use.
func (d *DB[K]) Entry(now sim.Wall, name K) (Entry, bool) {
	i, ok := d.index[name]
	if !ok || !d.slots[i].Live(now) {
		return Entry{}, false
	}
	s := &d.slots[i]
	e := Entry{Life: s.life, Value: int64(s.Value), Expires: s.Expires, ExpireAt: s.ExpireAt}
	if s.kind == set {
		e.Value = s.set.added
	}
	return e, true
}

// Load puts a counter in the place of whatever there is, as a replica does with what
// it is told.
func (d *DB[K]) Load(now sim.Wall, name K, e Entry) {
	s := d.find(now, name)
	if s == nil {
		s = d.create(now, name)
	}
	s.Key = Key{Value: uint64(e.Value), Exists: true, Expires: e.Expires, ExpireAt: e.ExpireAt}
	s.kind, s.life = number, e.Life
	d.born = max(d.born, e.Life)
}

// TakeEvicted are the keys that have made room for others since it was last asked. They
// are good until the next command.
func (d *DB[K]) TakeEvicted() []Evicted[K] {
	list := d.evicted
	d.evicted = d.evicted[:0]
	return list
}

// find is the slot of a live key, which counts as use; nil if there is none.
func (d *DB[K]) find(now sim.Wall, name K) *slot[K] {
	i, ok := d.index[name]
	if !ok {
		return nil
	}
	if !d.slots[i].Live(now) {
		d.remove(i)
		return nil
	}
	d.unlink(i)
	d.link(i)
	return &d.slots[i]
}

// write is find for a command that needs memory: create makes what is not there.
func (d *DB[K]) write(now sim.Wall, name K, k kind) (*slot[K], error) {
	if d.full() {
		d.sweep(now, 20)
	}
	s := d.find(now, name)
	switch {
	case d.full() && !d.Evict:
		return nil, OOM
	case s == nil:
		s = d.create(now, name)
		s.kind = k
	case s.kind != k && (s.kind == set || k == set):
		return nil, WrongType
	}
	return s, nil
}

// create makes an empty key. In a full memory it takes the place of the one that was
// not used for longest.
func (d *DB[K]) create(now sim.Wall, name K) *slot[K] {
	d.sweep(now, 4)
	if d.full() && d.Evict {
		s := &d.slots[d.oldest-1]
		d.evicted = append(d.evicted, Evicted[K]{s.name, s.life})
		d.remove(d.oldest - 1)
	}
	if d.index == nil {
		d.index = make(map[K]int32)
	}
	var i int32
	if n := len(d.free); n > 0 {
		i, d.free = d.free[n-1], d.free[:n-1]
	} else {
		i = int32(len(d.slots))
		d.slots = append(d.slots, slot[K]{})
	}
	d.born++
	s := &d.slots[i]
	s.name, s.life, s.Key = name, d.born, Key{Exists: true}
	d.index[name] = i
	d.link(i)
	return s
}

// full reports whether there is no room for another key.
func (d *DB[K]) full() bool { return d.Max > 0 && d.Len() >= d.Max }

// sweep removes those of the next count keys that have expired. Four for each new key
// are enough to keep the memory within a few times of what is alive.
func (d *DB[K]) sweep(now sim.Wall, count int) {
	for range min(count, len(d.slots)) {
		d.cursor = (d.cursor + 1) % len(d.slots)
		if s := &d.slots[d.cursor]; s.Exists && !s.Live(now) {
			d.remove(int32(d.cursor))
		}
	}
}

func (d *DB[K]) remove(i int32) {
	d.unlink(i)
	s := &d.slots[i]
	delete(d.index, s.name)
	s.set.Clear()
	*s = slot[K]{set: s.set}
	d.free = append(d.free, i)
}

// link makes a slot the newest.
func (d *DB[K]) link(i int32) {
	s := &d.slots[i]
	s.newer, s.older = 0, d.newest
	if d.newest != 0 {
		d.slots[d.newest-1].newer = i + 1
	} else {
		d.oldest = i + 1
	}
	d.newest = i + 1
}

func (d *DB[K]) unlink(i int32) {
	s := &d.slots[i]
	if s.newer != 0 {
		d.slots[s.newer-1].older = s.older
	} else {
		d.newest = s.older
	}
	if s.older != 0 {
		d.slots[s.older-1].newer = s.newer
	} else {
		d.oldest = s.newer
	}
}

// Del is DEL key: it reports whether there was something to delete.
func (d *DB[K]) Del(now sim.Wall, name K) bool {
	if d.find(now, name) == nil {
		return false
	}
	d.remove(d.index[name])
	return true
}

// PExpire is PEXPIRE key px: a px of 0 or less deletes the key. It reports whether
// there was one.
func (d *DB[K]) PExpire(now sim.Wall, name K, px time.Duration) bool {
	s := d.find(now, name)
	switch {
	case s == nil:
		return false
	case px <= 0:
		return d.Del(now, name)
	}
	s.expire(now, px)
	return true
}

// PTTL is PTTL key in milliseconds: -1 for a key that does not expire, -2 for none.
func (d *DB[K]) PTTL(now sim.Wall, name K) int64 {
	switch e, ok := d.Entry(now, name); {
	case !ok:
		return -2
	case !e.Expires:
		return -1
	default:
		return milliseconds(e.ExpireAt) - milliseconds(now)
	}
}

// copied is a copy of a list in the memory of another. Without that it is nil if and
// only if the list is.
func copied[T any](into, from []T) []T {
	if into == nil && from != nil {
		into = make([]T, 0, len(from))
	}
	return append(into[:0], from...)
}
