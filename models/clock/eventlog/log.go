package eventlog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fencepost/models/clock"
)

// Log is one execution: events with vector clocks, as a program wrote them. Nothing says
// yet that they agree: see [Log.Order].
type Log struct {
	Format     string   // ShiViz, Script or Run
	Expression string   // by which it was read, "" of a script
	Execution  string   // which of several
	Hosts      []string // in the order in which they first appear, as hosts or in clocks
	Events     []Event  // as they stand in the file

	Lines        int // that say something
	Skipped      int // of them, those that are part of no event
	FirstSkipped int // the first of them, 0 if there is none

	counters []counter // the clocks, one behind the other
	ranks    [][]int32 // the events of each host by what they count
	chains   [][]int32 // in the order in which they happened: their ranks if no two count the same, else as in the file
	whole    []bool    // of each host, whether its events count 1, 2, 3 and so on
	straight []bool    // of each host, whether its chain is as in the file
}

// Event is an event of a log.
type Event struct {
	Host  int32
	Line  int32  // where it begins, from 1
	Text  string // in a script and a run, its name
	Count uint64 // its own counter: the how many-eth of its host it is; 0 if its clock has none

	at, len uint32 // its clock, in counters
}

// counter is an entry of a clock, packed: the host in 16 bits, and in 48 how many of
// its events are known. The counters of a clock ascend by host, and none is 0.
type counter uint64

func count(host int32, n uint64) counter { return counter(host)<<48 | counter(n) }

func (c counter) host() int32 { return int32(c >> 48) }
func (c counter) n() uint64   { return uint64(c & maxCount) }

// none is no event.
const none int32 = -1

func (l *Log) clock(e int32) []counter {
	x := &l.Events[e]
	return l.counters[x.at : x.at+x.len]
}

// known is how many events of a host are known to e.
func (l *Log) known(e, host int32) uint64 {
	v := l.clock(e)
	if i, ok := slices.BinarySearchFunc(v, host, func(c counter, host int32) int { return cmp.Compare(c.host(), host) }); ok {
		return v[i].n()
	}
	return 0
}

// stamp gives an event its clock, whose counters ascend.
func (l *Log) stamp(e *Event, v []counter) {
	e.at, e.len = uint32(len(l.counters)), uint32(len(v))
	l.counters = append(l.counters, v...)
	for _, c := range v {
		if c.host() == e.Host {
			e.Count = c.n()
		}
	}
}

// index files the events under their hosts.
func (l *Log) index() {
	sizes := make([]int, len(l.Hosts))
	for i := range l.Events {
		sizes[l.Events[i].Host]++
	}
	hosts := len(l.Hosts)
	l.chains, l.ranks, l.whole, l.straight = make([][]int32, hosts), make([][]int32, hosts), make([]bool, hosts), make([]bool, hosts)
	for h := range l.chains {
		l.chains[h] = make([]int32, 0, sizes[h])
	}
	for i := range l.Events {
		h := l.Events[i].Host
		l.chains[h] = append(l.chains[h], int32(i))
	}
	for h, chain := range l.chains {
		l.rank(h, chain)
	}
}

// rank finds the order of the events of a host, given as they stand in the file.
func (l *Log) rank(host int, events []int32) {
	counted := func(i int, rank []int32) uint64 { return l.Events[rank[i]].Count }
	l.ranks[host], l.whole[host], l.straight[host] = events, true, true
	for i := range events {
		l.whole[host] = l.whole[host] && counted(i, events) == uint64(i+1)
	}
	if l.whole[host] {
		return
	}
	rank := slices.Clone(events)
	slices.SortStableFunc(rank, func(a, b int32) int { return cmp.Compare(l.Events[a].Count, l.Events[b].Count) })
	distinct := counted(0, rank) > 0
	for i := 1; i < len(rank); i++ {
		distinct = distinct && counted(i-1, rank) < counted(i, rank)
	}
	l.ranks[host] = rank
	if distinct {
		l.chains[host], l.straight[host] = rank, slices.IsSorted(rank)
		l.whole[host] = counted(len(rank)-1, rank) == uint64(len(rank))
	}
}

// upTo is how many events of a host in the log count at most n.
func (l *Log) upTo(host int32, n uint64) int {
	rank := l.ranks[host]
	if l.whole[host] {
		return int(min(n, uint64(len(rank))))
	}
	i, _ := slices.BinarySearchFunc(rank, n, func(e int32, n uint64) int {
		if l.Events[e].Count <= n {
			return -1
		}
		return 1
	})
	return i
}

// Relation is how event a stands to event b by their clocks: each knows of the other,
// or does not. If both do, the clocks are equal, or the log goes round in a circle; the
// relation is then [clock.Equal].
func (l *Log) Relation(a, b int) clock.Relation {
	x, y := &l.Events[a], &l.Events[b]
	before := x.Count > 0 && l.known(int32(b), x.Host) >= x.Count
	after := y.Count > 0 && l.known(int32(a), y.Host) >= y.Count
	switch {
	case before && after:
		return clock.Equal
	case before:
		return clock.Before
	case after:
		return clock.After
	}
	return clock.Concurrent
}

// Clock is the vector clock of an event, as {alice:2,bob:1}, and of a large one the
// first counters alone, at most most of them.
func (l *Log) Clock(e, most int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, c := range l.clock(int32(e)) {
		if i > 0 {
			b.WriteByte(',')
		}
		if i == most {
			b.WriteString("...")
			break
		}
		b.WriteString(l.Hosts[c.host()] + ":" + strconv.FormatUint(c.n(), 10))
	}
	b.WriteByte('}')
	return b.String()
}

// Vector is the vector clock of an event with a counter for each host.
func (l *Log) Vector(e int) clock.Vector {
	v := make(clock.Vector, len(l.Hosts))
	for _, c := range l.clock(int32(e)) {
		v[c.host()] = c.n()
	}
	return v
}

// Name is what an event is called: its name in a script or a run, else its host and
// counter, alice:3.
func (l *Log) Name(e int) string {
	x := &l.Events[e]
	if l.Format != ShiViz {
		return x.Text
	}
	return l.Hosts[x.Host] + ":" + strconv.FormatUint(x.Count, 10)
}

// Find is the event of that name, and whether there is one; of several the first.
func (l *Log) Find(name string) (int, bool) {
	if l.Format != ShiViz {
		i := slices.IndexFunc(l.Events, func(e Event) bool { return e.Text == name })
		return i, i >= 0
	}
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(name[colon+1:], 10, 48)
	host := slices.Index(l.Hosts, name[:colon])
	if err != nil || host < 0 {
		return 0, false
	}
	i := 0
	if n > 0 {
		i = l.upTo(int32(host), n-1)
	}
	if rank := l.ranks[host]; i < len(rank) && l.Events[rank[i]].Count == n {
		return int(rank[i]), true
	}
	return 0, false
}
