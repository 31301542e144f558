package eventlog

import (
	"container/heap"
	"slices"
)

// Order is what a log says about the order of its events.
type Order struct {
	// Inconsistencies are contradictions as they stand in the file, up to a limit; Found
	// is how many there are of each kind.
	Inconsistencies []Inconsistency
	Found           [kinds]int

	// Messages are those that the clocks show, by receiver.
	Messages []Message

	// Sequence is all events in an order that agrees with what happened before what; of
	// those that could be next, the one that comes first in the file. It is nil if there
	// is none: then Around is a circle of events, each before the next and the last
	// before the first, and Stuck is how many events are on a circle or behind one.
	Sequence []int32
	Around   []int32
	Stuck    int

	// Stamps are the Lamport clocks of the events, 0 for one that is stuck.
	Stamps []uint32

	// Ordered and Concurrent are how many pairs of events are which; Told is how many of
	// the concurrent ones have different Lamport stamps, which say nothing about them.
	// Counted is whether the clocks agree so far that this has a meaning: that events are
	// not in the log, or not in order, does not matter.
	Counted             bool
	Ordered, Concurrent uint64
	Told                uint64
}

// Consistent reports whether nothing contradicts anything.
func (o *Order) Consistent() bool { return o.Found == [kinds]int{} }

// Order finds out the order of the events, and all that contradicts it, of which up to
// a limit it says why.
func (l *Log) Order(limit int) *Order {
	o := &Order{}
	c := &checker{log: l, order: o, limit: limit}
	c.check()
	o.sort(l)
	if o.Stuck > 0 {
		o.Sequence = nil
		o.Found[Circle] = 1
		o.Around = o.around(l)
	}
	if o.Counted = o.Sequence != nil; o.Counted {
		for _, k := range []Kind{NotCounted, Backwards, Repeated, Forgotten, NotPassedOn, EqualClocks} {
			o.Counted = o.Counted && o.Found[k] == 0
		}
	}
	if o.Counted {
		o.pairs(l)
	}
	return o
}

// ready are events of which all that is before them is done, as a heap.
type ready []int32

func (r ready) Len() int           { return len(r) }
func (r ready) Less(i, j int) bool { return r[i] < r[j] }
func (r ready) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ready) Push(x any)        { *r = append(*r, x.(int32)) }
func (r *ready) Pop() any {
	x := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return x
}

// sort makes the sequence and the Lamport clocks.
func (o *Order) sort(l *Log) {
	n := len(l.Events)
	next, sends := l.after(), o.receipts(n)
	waits := make([]int32, n) // for how many events
	for _, e := range next {
		if e != none {
			waits[e]++
		}
	}
	for _, m := range o.Messages {
		waits[m.To]++
	}
	o.Stamps, o.Sequence = make([]uint32, n), make([]int32, 0, n)
	var open ready
	done := func(e int32, after uint32) {
		o.Stamps[e] = max(o.Stamps[e], after+1)
		if waits[e]--; waits[e] == 0 {
			heap.Push(&open, e)
		}
	}
	for i := range waits {
		if waits[i] == 0 {
			waits[i] = 1
			done(int32(i), 0)
		}
	}
	for len(open) > 0 {
		e := heap.Pop(&open).(int32)
		o.Sequence = append(o.Sequence, e)
		if next[e] != none {
			done(next[e], o.Stamps[e])
		}
		for _, to := range sends.of(e) {
			done(to, o.Stamps[e])
		}
	}
	o.Stuck = n - len(o.Sequence)
	for i := range waits {
		if waits[i] > 0 {
			o.Stamps[i] = 0
		}
	}
}

// receipts are the receivers of the messages of each event.
type receipts struct {
	begin []int32 // of each event, in to
	to    []int32
}

func (r *receipts) of(e int32) []int32 { return r.to[r.begin[e]:r.begin[e+1]] }

// after is, for each event, the one behind it on its host, or none.
func (l *Log) after() []int32 {
	next := make([]int32, len(l.Events))
	for _, chain := range l.chains {
		for i, e := range chain {
			if next[e] = none; i+1 < len(chain) {
				next[e] = chain[i+1]
			}
		}
	}
	return next
}

// receipts files the messages under the events that send them.
func (o *Order) receipts(n int) receipts {
	sends := receipts{make([]int32, n+2), make([]int32, len(o.Messages))}
	for _, m := range o.Messages {
		sends.begin[m.From+2]++
	}
	for i := 2; i < len(sends.begin); i++ {
		sends.begin[i] += sends.begin[i-1]
	}
	for _, m := range o.Messages {
		sends.to[sends.begin[m.From+1]] = m.To
		sends.begin[m.From+1]++
	}
	return sends
}

// pairs counts the pairs of events that are ordered, by what each event knows.
func (o *Order) pairs(l *Log) {
	for i := range l.Events {
		for _, c := range l.clock(int32(i)) {
			o.Ordered += uint64(l.upTo(c.host(), c.n()))
		}
		o.Ordered-- // it knows of itself
	}
	n := uint64(len(l.Events))
	o.Concurrent = (n*n-n)/2 - o.Ordered
	o.Told = o.Concurrent
	same := make([]uint64, slices.Max(o.Stamps)+1)
	for _, s := range o.Stamps {
		o.Told -= same[s] // events of one Lamport stamp are concurrent
		same[s]++
	}
}

// maxLooks is how many pairs of an event and a host Concurrents looks at.
const maxLooks = 1 << 26

// Concurrents are concurrent pairs of a log whose order is Counted, as they stand in the
// file, up to a limit, and whether that are all that there are.
func (l *Log) Concurrents(o *Order, limit int) (pairs [][2]int, all bool) {
	var with []int32
	for e := range int32(len(l.Events)) {
		if uint64(len(pairs)) == o.Concurrent {
			return pairs, true
		}
		if int(e)*len(l.Hosts) > maxLooks {
			return pairs, false
		}
		with = with[:0]
		for q := range int32(len(l.Hosts)) {
			if q != l.Events[e].Host {
				with = l.concurrent(with, e, q)
			}
		}
		slices.Sort(with)
		for _, f := range with {
			if len(pairs) == limit {
				return pairs, false
			}
			pairs = append(pairs, [2]int{int(e), int(f)})
		}
	}
	return pairs, true
}

// concurrent appends the events of another host that are concurrent to e and stand
// behind it in the file. On its host they stand side by side: behind those that e knows
// of, and before those that know of e.
func (l *Log) concurrent(to []int32, e, host int32) []int32 {
	chain, x := l.chains[host], &l.Events[e]
	from := l.upTo(host, l.known(e, host))
	if l.straight[host] {
		behind, _ := slices.BinarySearch(chain, e)
		from = max(from, behind)
	}
	for _, f := range chain[from:] {
		if l.known(f, x.Host) >= x.Count {
			break
		}
		if f > e {
			to = append(to, f)
		}
	}
	return to
}
