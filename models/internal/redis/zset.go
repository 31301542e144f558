package redis

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"fencepost/sim"
)

// ZSet is a sorted set: members with a score each, in the order of the scores. A score
// is a double, as in Redis: nanoseconds since 1970 are rounded to multiples of 256,
// microseconds are exact.
type ZSet struct {
	entries []member // from head on
	head    int      // those before it are gone
	scores  map[uint64]float64
	added   int64 // members ever
}

type member struct {
	score float64
	name  uint64
}

// Bound is one end of a range of scores.
type Bound struct {
	Score float64
	Open  bool // "(score": the score itself is out
}

// CopyFrom makes the set equal to another, sharing nothing.
func (z *ZSet) CopyFrom(from *ZSet) {
	z.entries, z.head, z.added = copied(z.entries, from.live()), 0, from.added
	if z.scores == nil && from.scores != nil {
		z.scores = make(map[uint64]float64)
	}
	clear(z.scores)
	for _, m := range z.entries {
		z.scores[m.name] = m.score
	}
}

// live are the members.
func (z *ZSet) live() []member { return z.entries[z.head:] }

// Clear removes everything and keeps the memory.
func (z *ZSet) Clear() {
	if z.entries != nil {
		z.entries = z.entries[:0]
	}
	clear(z.scores)
	z.head, z.added = 0, 0
}

// Add is ZADD: a member that is there already only gets the new score. It reports
// whether the member is new.
func (z *ZSet) Add(score float64, name uint64) bool {
	if z.scores == nil {
		z.scores = make(map[uint64]float64)
	}
	before, known := z.scores[name]
	if known {
		at := z.place(member{before, name})
		z.entries = slices.Delete(z.entries, at, at+1)
	} else {
		z.added++
	}
	z.scores[name] = score
	z.entries = slices.Insert(z.entries, z.place(member{score, name}), member{score, name})
	return !known
}

// place is where a member is among the entries, or belongs.
func (z *ZSet) place(m member) int {
	at, _ := slices.BinarySearchFunc(z.live(), m, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	return z.head + at
}

// RemoveByScore is ZREMRANGEBYSCORE: it returns how many members it removed.
func (z *ZSet) RemoveByScore(least, most Bound) int {
	live := z.live()
	from := sort.Search(len(live), func(i int) bool { return live[i].score > least.Score || live[i].score == least.Score && !least.Open })
	to := sort.Search(len(live), func(i int) bool { return live[i].score > most.Score || live[i].score == most.Score && most.Open })
	if from >= to {
		return 0
	}
	for _, m := range live[from:to] {
		delete(z.scores, m.name)
	}
	if from > 0 {
		z.entries = slices.Delete(z.entries, z.head+from, z.head+to)
		return to - from
	}
	if z.head += to; 2*z.head >= len(z.entries) { // moved only when half is gone: that is cheap for each
		z.entries, z.head = append(z.entries[:0], z.live()...), 0
	}
	return to - from
}

// Card is ZCARD.
func (z *ZSet) Card() int { return len(z.live()) }

// Lowest is the score of the n-th member from the lowest, n from 0 and below Card.
func (z *ZSet) Lowest(n int) float64 { return z.live()[n].score }

// Bytes is what the set takes with members of 36 characters: 53 each up to 128 of
// them (a listpack), and beyond that 135 and its share of a table (a skiplist). It is
// within 2% of what Redis 7.0.15 said of 100, 200 and 1000 members.
//
// Source: measured on Redis 7.0.15.
func (z *ZSet) Bytes() int {
	n := z.Card()
	if n <= 128 {
		return 53 * n
	}
	return 135*n + 8<<bits.Len(uint(n-1))
}

// ZAdd is ZADD key score member.
func (d *DB[K]) ZAdd(now sim.Wall, name K, score float64, member uint64) (bool, error) {
	s, err := d.write(now, name, set)
	if err != nil {
		return false, err
	}
	return s.set.Add(score, member), nil
}

// ZRemRangeByScore is ZREMRANGEBYSCORE key least most. A set without members is no key.
func (d *DB[K]) ZRemRangeByScore(now sim.Wall, name K, least, most Bound) (int, error) {
	s := d.find(now, name)
	switch {
	case s == nil:
		return 0, nil
	case s.kind != set:
		return 0, WrongType
	}
	n := s.set.RemoveByScore(least, most)
	if s.set.Card() == 0 {
		d.Del(now, name)
	}
	return n, nil
}

// ZCard is ZCARD key.
func (d *DB[K]) ZCard(now sim.Wall, name K) (int, error) {
	s := d.find(now, name)
	switch {
	case s == nil:
		return 0, nil
	case s.kind != set:
		return 0, WrongType
	}
	return s.set.Card(), nil
}

// ZLowest is the score of the n-th member from the lowest, ZRANGE key n n WITHSCORES;
// ok is false if there is none.
func (d *DB[K]) ZLowest(now sim.Wall, name K, n int) (score float64, ok bool) {
	s := d.find(now, name)
	if s == nil || s.kind != set || n < 0 || n >= s.set.Card() {
		return 0, false
	}
	return s.set.Lowest(n), true
}
