package queue

import (
	"math/bits"
	"slices"
)

// A calendar holds the slots of later events in time buckets of equal width. A bucket is a
// list of slots, linked through next; nothing of it is sorted before its time comes. There
// are one or two in most, so that few keys are then out of order.
//
// Source: Brown, "Calendar queues", Communications of the ACM 31(10), 1988.
type calendar struct {
	heads   []uint32 // by bucket: the slot that was added last, 0 if it is empty; a power of two of them, or none
	busy    []uint64 // a bit per bucket: not empty
	next    []uint32 // by slot: the one that was added to the bucket before it, or the next free one
	held    int
	present int64 // the number of the last bucket that was taken
	shift   uint  // a bucket is 1<<shift ns wide
}

// lay makes a calendar of that many empty buckets, a power of two and 64 or more.
func (c *calendar) lay(size int, shift uint, present int64) {
	c.heads, c.busy = Grow(c.heads[:0], size), Grow(c.busy[:0], size/64)
	clear(c.heads)
	clear(c.busy)
	c.held, c.shift, c.present = 0, shift, present
}

// bucket is the number of the bucket of an instant.
func (c *calendar) bucket(at int64) int64 { return int64(at) >> (c.shift & 63) }

// add puts a slot into a bucket after the present one, and reports whether the calendar
// reaches that far.
func (c *calendar) add(at int64, slot uint32) bool {
	b := c.bucket(at)
	if b-c.present > int64(len(c.heads)) {
		return false
	}
	i := uint64(b) & uint64(len(c.heads)-1)
	c.next[slot] = c.heads[i]
	c.heads[i] = slot
	c.busy[i/64] |= 1 << (i % 64)
	c.held++
	return true
}

// read reads the buckets of keys that are to be added. The cache misses of reads alone overlap;
// those of additions do so less.
func (c *calendar) read(keys []Key) (sum uint32) {
	if len(c.heads) == 0 {
		return 0
	}
	for _, k := range keys {
		sum += c.heads[uint64(c.bucket(k.At))&uint64(len(c.heads)-1)]
	}
	return sum
}

// peek reads the first slots of the next buckets, which are about to be taken. To follow one list is to
// wait for the memory at each of its slots; the lists of many buckets do not wait for each other.
func (c *calendar) peek() (sum uint32) {
	if len(c.heads) == 0 {
		return 0
	}
	for i := range int64(peeked) {
		sum += c.next[c.next[c.next[c.heads[uint64(c.present+1+i)&uint64(len(c.heads)-1)]]]]
	}
	return sum
}

// peeked is how many buckets peek reads: the usual 64 keys lie in about as many.
const peeked = 24

// following is the number of the first bucket that holds slots, of which there are some, and
// how many words of busy had to be looked through.
func (c *calendar) following() (bucket int64, words int) {
	mask := uint64(len(c.heads) - 1)
	start := uint64(c.present+1) & mask
	if w := c.busy[start/64] >> (start % 64); w != 0 {
		return c.present + 1 + int64(bits.TrailingZeros64(w)), 0
	}
	for d := 64 - start%64; ; d += 64 {
		words++
		i := (start + d) & mask
		if w := c.busy[i/64]; w != 0 {
			return c.present + 1 + int64(d) + int64(bits.TrailingZeros64(w)), words
		}
	}
}

// take empties a bucket, which is the present one from then on, and appends its slots to
// s, in the order in which they were added if there are many.
func (c *calendar) take(s []Key, bucket int64) []Key {
	c.present = bucket
	i := uint64(bucket) & uint64(len(c.heads)-1)
	n := len(s)
	for slot := c.heads[i]; slot != 0; slot = c.next[slot] {
		s = append(s, Key{Order: uint64(slot)})
	}
	c.heads[i] = 0
	c.busy[i/64] &^= 1 << (i % 64)
	c.held -= len(s) - n
	if len(s)-n > few {
		slices.Reverse(s[n:])
	}
	return s
}

// slots appends all slots to s, those of the following buckets first.
func (c *calendar) slots(s []Key) []Key {
	for i := range c.heads {
		for slot := c.heads[(int(c.present)+1+i)&(len(c.heads)-1)]; slot != 0; slot = c.next[slot] {
			s = append(s, Key{Order: uint64(slot)})
		}
	}
	return s
}
