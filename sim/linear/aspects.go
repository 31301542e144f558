package linear

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// checkQueue decides about the history of one queue whose values are unique: none is enqueued twice. It reports whether
// the history is such a one, and says why it is not linearizable, "" if it is.
//
// A history is linearizable if and only if
//
//  1. no dequeue returns a value that is not enqueued, or returns before its enqueue is called,
//  2. no two dequeues return one value,
//  3. if the enqueue of x returns before that of y is called and y is dequeued, x is dequeued too, and its dequeue is
//     called before that of y returns or just then, and
//  4. no dequeue finds the queue empty while at each instant of it some value is in the queue for certain: after the
//     return of its enqueue and before the call of its dequeue.
//
// An operation whose outcome is open returns at infinity. An enqueue of that kind whose value no dequeue returned comes before
// nothing and is in the queue for certain at no instant, so that it is as good as not there. A dequeue of that kind took one
// of the values that are left, or none. Taking more of them breaks no rule that taking fewer keeps, and neither does an
// earlier dequeue in place of a later one. So the one that is called first takes the value whose enqueue returned first, and
// so on: if two did it crosswise, the queue would hold some value at no fewer instants, and the first would leave it later.
//
// Source: Chakraborty, Henzinger, Sezgin and Vafeiadis, "Aspect-oriented linearizability proofs", Logical Methods in
// Computer Science 11(1:20), 2015: a complete history of a queue is linearizable if it has no violation of the kinds VFresh,
// VRepet, VOrd and VWit. These are the rules 1 to 4.
func checkQueue(ops []Op) (why string, applies bool) {
	q := stays{newClusters(ops, Enqueue, "")}
	if !q.addEnqueues() {
		return "", false
	}
	if why := q.addDequeues(); why != "" {
		return why, true
	}
	q.end()
	if why := q.overtaken(); why != "" {
		return why, true
	}
	return q.neverEmpty(), true
}

// stays are the times that values stay in a queue. The zone of a value is from f, the return of its enqueue, to s, the call
// of its dequeue; write is the enqueue and starts the dequeue. If f < s the value is in the queue between these.
type stays struct{ *clusters }

// undequeued is the dequeue of a value that stays forever.
const undequeued = -1

// addEnqueues makes a zone of each value, and reports whether values are unique.
func (q stays) addEnqueues() bool {
	for i := range q.ops {
		q.touch(i, Enqueue)
		o, n := &q.ops[i], int32(i)
		if o.Kind == Enqueue && o.Outcome != Failed && !q.add(zone{f: o.end(), s: math.MaxInt64, write: n, finishes: n, starts: undequeued}) {
			return false
		}
	}
	return true
}

// addDequeues gives each value the dequeue that returned it, and says which one cannot be, by rules 1 and 2.
func (q stays) addDequeues() (why string) {
	for i := range q.ops {
		q.touch(i, Dequeue)
		o := &q.ops[i]
		if o.Kind != Dequeue || o.Outcome != OK {
			continue
		}
		n, _, _ := q.find(o.Value)
		if n == 0 {
			return fmt.Sprintf("the %v returned a value that no client enqueued", o)
		}
		z := &q.zones[n-1]
		if z.starts != undequeued {
			return fmt.Sprintf("the %v returned a value that the %v returned as well", o, &q.ops[z.starts])
		}
		if enqueue := &q.ops[z.write]; o.Return < enqueue.Call {
			return fmt.Sprintf("the %v returned before the %v was called", o, enqueue)
		}
		z.s, z.starts = o.Call, int32(i)
	}
	return ""
}

// end sorts the stays by the return of the enqueue, and lets dequeues whose outcome is open take what is left.
func (q stays) end() {
	sortZones(q.zones)
	var open []zone
	for i := range q.ops {
		if o := &q.ops[i]; o.Kind == Dequeue && o.Outcome == Open {
			open = append(open, zone{f: o.Call, starts: int32(i), write: int32(i)})
		}
	}
	sortZones(open)
	for i := range q.zones {
		if z := &q.zones[i]; z.starts == undequeued && len(open) > 0 {
			z.s, z.starts, open = open[0].f, open[0].starts, open[1:]
		}
	}
}

// overtaken says which value left the queue before one that had come before it, by rule 3. Of all that had come before, the
// one whose dequeue is called last is looked at.
func (q stays) overtaken() (why string) {
	arrivals := slices.Clone(q.zones) // from the call of the enqueue to the return of the dequeue
	for i := range arrivals {
		z := &arrivals[i]
		if z.f = q.ops[z.write].Call; z.starts != undequeued {
			z.s = q.ops[z.starts].end()
		}
	}
	sortZones(arrivals)
	before, last := q.zones, zone{s: math.MinInt64}
	for _, z := range arrivals {
		for ; len(before) > 0 && before[0].f < z.f; before = before[1:] {
			if last.s <= before[0].s && last.starts != undequeued {
				last = before[0]
			}
		}
		if z.starts != undequeued && (z.s < last.s || last.starts == undequeued) {
			return q.order(last, z)
		}
	}
	return ""
}

// order says in words that x came before y and left after it.
func (q stays) order(x, y zone) string {
	why := fmt.Sprintf("the %v returned a value that came after %s: the %v had returned before the %v was called, and ",
		&q.ops[y.starts], show(q.value(x)), &q.ops[x.write], &q.ops[y.write])
	if x.starts == undequeued {
		return why + "no dequeue returned that one"
	}
	return why + fmt.Sprintf("the %v was called later", &q.ops[x.starts])
}

// neverEmpty says which dequeue found the queue empty while it was not, by rule 4. Stays that overlap are one time during
// which the queue is never empty.
func (q stays) neverEmpty() (why string) {
	var times []zone
	for _, z := range q.zones {
		switch last := len(times) - 1; {
		case last < 0 || !times[last].covers(z.f):
			times = append(times, z)
		case !times[last].covers(z.s):
			times[last].s, times[last].starts = z.s, z.starts
		}
	}
	for i := range q.ops {
		o := &q.ops[i]
		if o.Kind != Dequeue || o.Outcome != Refused {
			continue
		}
		if n := sort.Search(len(times), func(n int) bool { return times[n].f >= o.Call }); n > 0 && times[n-1].covers(o.Return) {
			return q.witness(o)
		}
	}
	return ""
}

// covers reports whether an instant after the beginning of a stay lies in it.
func (z zone) covers(at int64) bool { return at < z.s || z.starts == undequeued }

// witness says in words which values were in the queue, one after another, while a dequeue found it empty.
func (q stays) witness(o *Op) string {
	var chain []zone // of all that are there before the one before leaves the one that stays longest
	next, all := zone{s: math.MinInt64}, q.zones
	for at := o.Call; ; at = next.s {
		for ; len(all) > 0 && all[0].f < at; all = all[1:] {
			if next.s <= all[0].s && next.starts != undequeued {
				next = all[0]
			}
		}
		chain = append(chain, next)
		if next.covers(o.Return) {
			return fmt.Sprintf("the %v found the queue empty, and all the time it had a value in it: %s", o, q.said(chain))
		}
	}
}

// said is a chain of stays in words, of a long one its ends.
func (q stays) said(chain []zone) string {
	const most = 4
	var words []string
	for i, z := range chain {
		switch {
		case i == most-1 && len(chain) > most:
			words = append(words, fmt.Sprintf("%d more", len(chain)-most))
		case i >= most-1 && i < len(chain)-1:
		case z.starts == undequeued:
			words = append(words, fmt.Sprintf("%s from %d on", show(q.value(z)), z.f))
		default:
			words = append(words, fmt.Sprintf("%s from %d to %d", show(q.value(z)), z.f, z.s))
		}
	}
	return strings.Join(words, ", ")
}
