package eventlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind is a way in which a log contradicts itself.
type Kind uint8

// The kinds.
const (
	NotCounted  Kind = iota // the clock of an event does not count it
	Backwards               // a host counts back, to what it has counted before
	OutOfOrder              // an event stands behind a later one of its host
	Repeated                // a host counts two events as one
	Missing                 // a host has counted events that are not in the log
	Forgotten               // a host knows less than before
	UnknownHost             // a clock counts events of a host that has none
	NotSent                 // a clock knows of an event that is not in the log
	NotPassedOn             // a clock knows of an event, and not of all that this event knew
	EqualClocks             // two events have one clock
	Circle                  // events each of which is before itself
	kinds
)

// String is the name of the kind, as not-sent.
func (k Kind) String() string {
	return [...]string{"not-counted", "backwards", "out-of-order", "repeated", "missing", "forgotten", "unknown-host",
		"not-sent", "not-passed-on", "equal-clocks", "circle"}[k]
}

// Inconsistency is a contradiction in a log, and the event at which it shows.
type Inconsistency struct {
	Kind  Kind
	Event int
	Line  int // of the event
	Why   string
}

// Message is a message as the clocks show it: what event To knows of event From and the
// event before To on its host did not. One that brings no news does not show.
type Message struct{ From, To int32 }

// checker goes through the events as they stand in the file.
type checker struct {
	log   *Log
	order *Order
	limit int

	sums   []uint64 // of the counters of each event: how much it knows
	have   []uint64 // the clock of the event that is looked at, by host
	before []uint64 // and of the one before it on its host
	news   []int32  // events that it knows of, of each host the last, and the one before it did not
	fresh  []bool   // by host, whether there are news of it that no message has brought yet
	seen   []bool   // hosts without events that have been reported
}

func (c *checker) found(k Kind, e int32, format string, args ...any) {
	if c.order.Found[k]++; len(c.order.Inconsistencies) < c.limit {
		c.order.Inconsistencies = append(c.order.Inconsistencies,
			Inconsistency{k, int(e), int(c.log.Events[e].Line), fmt.Sprintf(format, args...)})
	}
}

// check looks at each event, and infers the messages.
func (c *checker) check() {
	l := c.log
	hosts := len(l.Hosts)
	c.have, c.before, c.fresh, c.seen = make([]uint64, hosts), make([]uint64, hosts), make([]bool, hosts), make([]bool, hosts)
	c.sums = make([]uint64, len(l.Events))
	for i := range l.Events {
		for _, n := range l.clock(int32(i)) {
			c.sums[i] += n.n()
		}
	}
	last, counted := l.before()
	written := make([]int32, hosts) // last, as the file has it
	for h := range written {
		written[h] = none
	}
	for i := range l.Events {
		e, host := int32(i), l.Events[i].Host
		c.load(c.have, e)
		c.load(c.before, last[e])
		if f := written[host]; f != none && !l.straight[host] && l.Events[f].Count > l.Events[e].Count {
			c.found(OutOfOrder, e, "event %d of %s stands behind event %d, in line %d", l.Events[e].Count, l.Hosts[host], l.Events[f].Count, l.Events[f].Line)
		}
		c.counted(e, counted[e])
		c.remembers(e, last[e])
		c.learns(e)
		c.unload(c.have, e)
		c.unload(c.before, last[e])
		written[host] = e
	}
}

// before is, for each event, the one before it on its host, or none, and the same of
// those that are counted.
func (l *Log) before() (last, counted []int32) {
	last, counted = make([]int32, len(l.Events)), make([]int32, len(l.Events))
	for _, chain := range l.chains {
		before, number := none, none
		for _, e := range chain {
			last[e], counted[e], before = before, number, e
			if l.Events[e].Count > 0 {
				number = e
			}
		}
	}
	return last, counted
}

func (c *checker) load(v []uint64, e int32) {
	if e != none {
		for _, n := range c.log.clock(e) {
			v[n.host()] = n.n()
		}
	}
}

func (c *checker) unload(v []uint64, e int32) {
	if e != none {
		for _, n := range c.log.clock(e) {
			v[n.host()] = 0
		}
	}
}

// counted checks the own counter of an event: one more than that of the last that has one.
func (c *checker) counted(e, last int32) {
	l := c.log
	x := &l.Events[e]
	name, expected := l.Hosts[x.Host], uint64(1)
	if last != none {
		expected = l.Events[last].Count + 1
	}
	switch {
	case x.Count == 0:
		c.found(NotCounted, e, "the clock has no counter for %s itself", name)
		return
	case x.Count > expected && x.Count == expected+1:
		c.found(Missing, e, "event %d of %s is not in the log", expected, name)
	case x.Count > expected:
		c.found(Missing, e, "events %d to %d of %s are not in the log", expected, x.Count-1, name)
	case x.Count < expected-1:
		hint := ""
		if x.Count == 1 {
			hint = "; if another execution begins here, give the delimiter between executions"
		}
		c.found(Backwards, e, "%s counts %d after %d in line %d%s", name, x.Count, expected-1, l.Events[last].Line, hint)
	}
	if l.whole[x.Host] {
		return
	}
	first := l.ranks[x.Host][l.upTo(x.Host, x.Count-1)]
	switch {
	case first == e:
	case slices.Equal(l.clock(first), l.clock(e)):
		c.found(EqualClocks, e, "the same clock as the event in line %d", l.Events[first].Line)
	case x.Count == expected-1:
		c.found(Repeated, e, "%s counts %d again, as in line %d", name, x.Count, l.Events[last].Line)
	}
}

// remembers checks that an event knows of all that the last of its host knew.
func (c *checker) remembers(e, last int32) {
	if last == none {
		return
	}
	l, lost, example := c.log, 0, counter(0)
	for _, n := range l.clock(last) {
		if h := n.host(); h != l.Events[e].Host && c.have[h] < n.n() {
			if lost++; lost == 1 {
				example = n
			}
		}
	}
	if lost == 0 {
		return
	}
	more := ""
	if lost > 1 {
		more = fmt.Sprintf(", and of %d more hosts less than before", lost-1)
	}
	c.found(Forgotten, e, "%s counted %d of %s in line %d, and now counts %d%s", l.Hosts[l.Events[e].Host],
		example.n(), l.Hosts[example.host()], l.Events[last].Line, c.have[example.host()], more)
}

// learns finds the messages that have brought an event its news: those events that it
// knows of now and whose clocks no other of them covers. It checks that they exist, and
// that all that they knew has come with them.
func (c *checker) learns(e int32) {
	c.news = c.news[:0]
	for _, n := range c.log.clock(e) {
		if h := n.host(); h != c.log.Events[e].Host && n.n() > c.before[h] {
			if f := c.sent(e, n); f != none {
				c.news, c.fresh[h] = append(c.news, f), true
			}
		}
	}
	// What knows more can have brought the news of what knows less, not the reverse.
	if len(c.news) > 1 {
		slices.SortStableFunc(c.news, func(a, b int32) int { return cmp.Compare(c.sums[b], c.sums[a]) })
	}
	for _, f := range c.news {
		if h := c.log.Events[f].Host; c.fresh[h] {
			c.fresh[h] = false
			c.received(e, f)
		}
	}
}

// sent is the event that a counter of e speaks of, or of the same host the last before.
func (c *checker) sent(e int32, n counter) int32 {
	l, host := c.log, n.host()
	rank := l.ranks[host]
	if len(rank) == 0 {
		if !c.seen[host] {
			c.seen[host] = true
			c.found(UnknownHost, e, "the clock counts %d of %s, and the log has no event of it", n.n(), l.Hosts[host])
		}
		return none
	}
	f := none
	if i := l.upTo(host, n.n()); i > 0 {
		f = rank[i-1]
	}
	if f == none || l.Events[f].Count != n.n() {
		c.found(NotSent, e, "the clock has event %d of %s, which is not in the log", n.n(), l.Hosts[host])
	}
	return f
}

// received notes a message from f to e.
func (c *checker) received(e, f int32) {
	l := c.log
	host, less := l.Events[e].Host, counter(0)
	for _, n := range l.clock(f) {
		h := n.host()
		if h == host || n.n() < c.have[h] {
			continue
		}
		c.fresh[h] = false // it came with this message
		if n.n() > c.have[h] && less == 0 {
			less = n
		}
	}
	switch {
	case less != 0:
		c.found(NotPassedOn, e, "the clock has event %d of %s, in line %d, which counts %d of %s, and counts %d of %s itself", l.Events[f].Count,
			l.Hosts[l.Events[f].Host], l.Events[f].Line, less.n(), l.Hosts[less.host()], c.have[less.host()], l.Hosts[less.host()])
	case e > f && l.Events[e].Count > 0 && slices.Equal(l.clock(e), l.clock(f)): // a circle, too, which is found later
		c.found(EqualClocks, e, "the same clock as the event in line %d, of %s", l.Events[f].Line, l.Hosts[l.Events[f].Host])
	}
	c.order.Messages = append(c.order.Messages, Message{f, e})
}

// String is the count of each kind that there is, as "2 not-sent, 1 circle".
func (o *Order) String() string {
	var list []string
	for k, n := range o.Found {
		if n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, Kind(k)))
		}
	}
	return strings.Join(list, ", ")
}
