package linear

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
)

// A zone is what matters of a cluster: of the write of a value and the reads that
// return it. In the paper f is the earliest finish of a cluster and s its latest start.
//
// If f < s the zone is forward: from f to s the register holds the value. Else it is
// backward: at some instant from s to f the register holds the value, and no more than
// one is needed.
type zone struct {
	f, s             int64
	write            int32 // the operations: -1 is the initial write, which comes before all others
	finishes, starts int32 // those that f and s are of
}

// initially is the write of what the register holds at first.
const initially = -1

// checkZones decides about the history of one register whose values are unique: the
// initial value is never written, each other value at most once, and there are only
// reads and writes. It reports whether the history is such a one, and says why it is
// not linearizable, "" if it is.
//
// A history is linearizable if and only if
//
//  1. no read returns a value that is not written, or returns before its write is called,
//  2. no two forward zones overlap, and
//  3. no backward zone lies in a forward zone.
//
// Why that is enough: a cluster must come before another if some operation of it
// returns before some operation of the other is called, that is if f < s'. Clusters on
// a cycle of this relation cannot be put in order, all others can. Every cycle has two
// clusters that are each before the other: the one with the latest s of all and its
// successor, f < s' and f' < s, as whatever comes after the successor has no later s.
// Two such clusters are what 2 and 3 speak of; two backward zones would have
// f < s' <= f' < s <= f.
//
// An operation whose outcome is open finishes at infinity. A write that may or may not
// have taken effect then needs no rule of its own. If its value was read, it took
// effect. If it was not, its cluster has f at infinity and comes before none, so it is
// on no cycle: it may be put at the end, where it is as good as not there. A read that
// did not return may be left out.
//
// Source: Gibbons and Korach, "Testing shared memories", SIAM J. Comput. 26(4), 1997,
// section 4.2: linearizability with a read-mapping.
func checkZones(ops []Op, initial string) (why string, applies bool) {
	c := newClusters(ops, Write, initial)
	if !c.addWrites() {
		return "", false
	}
	if why := c.addReads(); why != "" {
		return why, true
	}
	// In the order of f, a zone can only be in conflict with the last forward zone
	// before it: the forward zones up to there do not overlap, and lie before that one.
	sortZones(c.zones)
	forward := zone{s: math.MinInt64} // overlaps none
	for _, z := range c.zones {
		if z.f < forward.s && forward.f < z.s {
			return c.conflict(forward, z), true
		}
		if z.f < z.s {
			forward = z
		}
	}
	return "", true
}

// sortZones sorts by f, and zones of the same f by their writes. Those of a history that was
// recorded as it happened are nearly in order: each is moved a few places. Those of any other
// history take a general sort, after a bounded number of moves.
func sortZones(zones []zone) {
	moves := 8 * len(zones)
	for i := 1; i < len(zones) && moves >= 0; i++ {
		z, j := zones[i], i
		for ; j > 0 && zones[j-1].f > z.f && moves >= 0; j-- {
			zones[j] = zones[j-1]
			moves--
		}
		zones[j] = z
	}
	if moves < 0 {
		slices.SortFunc(zones, func(a, b zone) int { return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.write, b.write)) })
	}
}

// clusters finds the zone of a value. The table has open addressing and is never more than
// half full. An entry is the number of a zone, one up, below a part of the hash of its value,
// so that other values are passed over without a look at them; 0 is none.
type clusters struct {
	ops     []Op
	initial string
	zones   []zone
	table   []uint32
	seed    maphash.Seed
	touched uint32 // without meaning
}

// numberBits are those of the number in an entry of the table.
const numberBits = 20

const _ = uint(1<<numberBits - 1 - (MaxOps + 1)) // there are numbers enough

// newClusters has room for what operations of a kind write.
func newClusters(ops []Op, k Kind, initial string) *clusters {
	writes := 1 // the initial one
	for i := range ops {
		if ops[i].Kind == k {
			writes++
		}
	}
	size := 2
	for size < 2*writes {
		size *= 2
	}
	return &clusters{ops: ops, initial: initial, zones: make([]zone, 0, writes), table: make([]uint32, size), seed: maphash.MakeSeed()}
}

// value is what the write of a zone writes.
func (c *clusters) value(z zone) string {
	if z.write == initially {
		return c.initial
	}
	return c.ops[z.write].Value
}

// find returns the number of the zone of a value, one up, or 0, and where the table has it
// or would have it.
func (c *clusters) find(value string) (n uint32, slot *uint32, hash uint32) {
	h := maphash.String(c.seed, value)
	hash = uint32(h>>32) >> numberBits << numberBits
	for last, i := uint64(len(c.table)-1), h; ; i++ {
		slot = &c.table[i&last]
		n = *slot % (1 << numberBits)
		if n == 0 || *slot-n == hash && c.value(c.zones[n-1]) == value {
			return n, slot, hash
		}
	}
}

// touch reads, at the first of 64 operations, where the table has the values of those that
// are of a kind: these misses of the cache overlap, and later ones would not. A table that
// fits the cache needs none of it.
func (c *clusters) touch(i int, k Kind) {
	const together, cached = 64, 1 << 17
	if i%together != 0 || len(c.table) < cached {
		return
	}
	sum := uint32(0)
	ops := c.ops[i:min(i+together, len(c.ops))]
	for j := range ops {
		if ops[j].Kind == k {
			sum += c.table[maphash.String(c.seed, ops[j].Value)&uint64(len(c.table)-1)]
		}
	}
	c.touched += sum
}

// add adds a zone, unless its value has one.
func (c *clusters) add(z zone) bool {
	n, slot, hash := c.find(c.value(z))
	if n != 0 {
		return false
	}
	c.zones = append(c.zones, z)
	*slot = hash + uint32(len(c.zones))
	return true
}

// addWrites makes a zone of each write, and reports whether the history is one that
// zones can decide about.
func (c *clusters) addWrites() bool {
	c.add(zone{f: math.MinInt64, s: math.MinInt64, write: initially, finishes: initially, starts: initially})
	for i := range c.ops {
		c.touch(i, Write)
		o, n := &c.ops[i], int32(i)
		switch {
		case o.Kind == Read || o.Outcome == Failed:
		case o.Kind != Write || !c.add(zone{f: o.end(), s: o.Call, write: n, finishes: n, starts: n}):
			return false
		}
	}
	return true
}

// addReads puts each read into the cluster of what it returned, and says which one
// cannot be.
func (c *clusters) addReads() (why string) {
	for i := range c.ops {
		c.touch(i, Read)
		o := &c.ops[i]
		if o.Kind != Read || o.idle() {
			continue
		}
		n, _, _ := c.find(o.Value)
		if n == 0 {
			return fmt.Sprintf("the %v returned a value that no client wrote", o)
		}
		z := &c.zones[n-1]
		if z.write != initially && o.Return < c.ops[z.write].Call {
			return fmt.Sprintf("the %v returned before the %v was called", o, &c.ops[z.write])
		}
		if o.Return < z.f {
			z.f, z.finishes = o.Return, int32(i)
		}
		if o.Call > z.s {
			z.s, z.starts = o.Call, int32(i)
		}
	}
	return ""
}

// conflict says in words why two clusters each come before the other. The later start
// is that of a read, as the zone with it is forward and no read is before its write:
// the read that should have returned the other value. The initial cluster can only be
// the first of the two, and no value is overwritten by the initial one.
func (c *clusters) conflict(stale, by zone) string {
	if by.s > stale.s && stale.write != initially {
		stale, by = by, stale
	}
	read, first := &c.ops[stale.starts], &c.ops[by.finishes]
	why := fmt.Sprintf("the %v returned a value overwritten by %s: the ", read, show(c.value(by)))
	if stale.finishes == initially {
		return why + fmt.Sprintf("%v had returned before", first)
	}
	why += fmt.Sprintf("%v had returned before the %v was called, and ", &c.ops[stale.finishes], &c.ops[by.starts])
	if by.finishes == by.starts {
		return why + "that one before this read was"
	}
	return why + fmt.Sprintf("the %v before this read was", first)
}
