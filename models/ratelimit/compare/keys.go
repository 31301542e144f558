package compare

import (
	"hash/maphash"
	"reflect"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/traffic"
)

// keys numbers the keys in the order in which they come. The table has open addressing and is
// never more than half full. A slot is the number of a key, one up, below the upper half of its
// hash; 0 is none. The key itself is with the client of that number, and only looked at where
// the hashes agree.
type keys struct {
	slots []uint64
	seed  maphash.Seed
}

func newKeys() keys { return keys{make([]uint64, 2*batchSize), maphash.MakeSeed()} }

func (k *keys) hash(key uint64) uint64 { return maphash.Comparable(k.seed, key) }

// slot is the place where a hash is looked for first; the others follow.
func (k *keys) slot(hash uint64) *uint64 { return &k.slots[hash&uint64(len(k.slots)-1)] }

// find returns the number, one up, of the key that has a hash and is the right one; 0 is none.
func (k *keys) find(hash uint64, right func(n int) bool) int {
	for i := hash; ; i++ {
		s := *k.slot(i)
		if n := int(uint32(s)); n == 0 || (s^hash)>>32 == 0 && right(n-1) {
			return n
		}
	}
}

// add adds a key that is not there.
func (k *keys) add(hash uint64, n int) {
	i := hash
	for *k.slot(i) != 0 {
		i++
	}
	*k.slot(i) = hash>>32<<32 | uint64(n+1)
}

// find finds the clients of the batch.
func (c *Comparison) find(b *batch) {
	sum := uint64(0)
	for i := range b.n {
		b.hashes[i] = c.keys.hash(b.requests[i].Key)
		sum += *c.keys.slot(b.hashes[i])
	}
	for i := range b.n {
		if n := int(uint32(*c.keys.slot(b.hashes[i]))); n > 0 {
			sum += uint64(c.store.touch(c.store.at(n - 1)))
		}
	}
	c.touched += int64(sum)
	for i := range b.n {
		r := &b.requests[i]
		n := c.keys.find(b.hashes[i], func(n int) bool { return c.clients.at(n).key == r.Key })
		if n == 0 {
			n = c.newClient(r, b.hashes[i]) + 1
		}
		b.records[i] = c.store.at(n - 1)
	}
}

func (c *Comparison) newClient(r *traffic.Request, hash uint64) int {
	i := c.store.grow()
	k, of := c.clients.at(i), c.store.at(i)
	k.key, k.ring = r.Key, k.first[:]
	c.arrivals += int64(len(k.ring))
	if 2*c.store.n > len(c.keys.slots) {
		c.keys.slots = make([]uint64, 2*len(c.keys.slots))
		for j := range i {
			c.keys.add(c.keys.hash(c.clients.at(j).key), j)
		}
	}
	c.keys.add(hash, i)
	for _, col := range c.Columns {
		col.limiter.start(of, ratelimit.Reading(r.At))
	}
	return i
}

// arrange says what is in a record.
func (c *Comparison) arrange() {
	c.clients = addField[client](&c.store)
	c.tallies = c.store.add(reflect.ArrayOf(len(c.Columns)+1, reflect.TypeFor[tally]()))
	for _, col := range c.Columns {
		col.limiter.join(&c.store)
	}
}
