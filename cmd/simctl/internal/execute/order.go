package execute

import (
	"fmt"
	"slices"

	"fencepost/models/clock"
	"fencepost/models/clock/eventlog"
	"fencepost/reports"
	"fencepost/reports/eventorder"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// What is told of the order of a run's events.
const (
	maxOrdered     = 1000 // events of a report whose pairs are compared
	maxPairs       = 2016 // that are listed: all of 64 events
	maxOrderEvents = 4096 // of a run whose order is asked for
)

// Ordering is the first run of a scenario as a log: its events and what caused what.
type Ordering struct {
	Log   *eventlog.Log
	Order *eventlog.Order
	From  []int // by event: whose message it receives, -1 if it receives none

	nodes []string
	run   sim.EventOrder
}

// Order runs a scenario for the order of its events.
func Order(s *format.Scenario) (*Ordering, error) {
	if !s.Program.Ordered {
		return nil, fmt.Errorf("%s: the model %s has no events of its own that clocks stamp: want a scenario of the model clock", s.Name, s.Model)
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	w.Run(s.Seed)
	run := w.Order()
	if n := run.Len(); n > maxOrderEvents {
		return nil, &TooLongError{Scenario: s.Name, Events: n}
	}
	o, err := newOrdering(s.Program.Nodes, run)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return o, nil
}

// TooLongError is that a run has too many events to compare.
type TooLongError struct {
	Scenario string
	Events   int
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("%s: the run has %d events: want at most %d: --set until=... ends it sooner", e.Scenario, e.Events, maxOrderEvents)
}

func newOrdering(nodes []string, run sim.EventOrder) (*Ordering, error) {
	events, from := make([]eventlog.Happened, run.Len()), make([]int, run.Len())
	for i := range events {
		e := run.Event(i)
		events[i] = eventlog.Happened{Host: int(e.Node) - 1, From: e.From, Name: e.Name}
		from[i] = e.From
	}
	log, err := eventlog.FromRun(nodes, events)
	if err != nil {
		return nil, err
	}
	return &Ordering{Log: log, Order: log.Order(0), From: from, nodes: nodes, run: run}, nil
}

// Clock is what stamps the events.
func (o *Ordering) Clock() string { return o.run.Clock() }

// Event is one as a report has it, and what it does in words.
func (o *Ordering) Event(i int) (e reports.StampedEvent, text string) {
	x := o.run.Event(i)
	e = reports.StampedEvent{Name: x.Name, Node: o.nodes[x.Node-1], AtNS: int64(x.At), Stamp: x.Stamp, Lamport: o.Order.Stamps[i]}
	if x.From >= 0 {
		e.Receives = o.Log.Name(x.From)
	}
	return e, x.Text
}

// orderOf is the order of a run as its report has it.
func orderOf(nodes []string, run sim.EventOrder) (*reports.EventOrder, error) {
	n := run.Len()
	r := &reports.EventOrder{Clock: run.Clock(), Total: n, Events: []reports.StampedEvent{}, Says: []reports.StampsSay{}, Pairs: []reports.StampedPair{}}
	if n == 0 || n > maxOrdered {
		return r, nil
	}
	o, err := newOrdering(nodes, run)
	if err != nil {
		return nil, err
	}
	for i := range n {
		e, _ := o.Event(i)
		r.Events = append(r.Events, e)
	}
	o.compare(r)
	return r, nil
}

// telling sorts pairs: one of which the stamps say what is not so comes first, then by
// its rank, and then as the run has them.
type telling uint64

func (o *Ordering) telling(a, b int, is, says clock.Relation) telling {
	rank := 0
	switch {
	case is == clock.Concurrent: // first what Lamport's clock puts farthest from each other
		x, y := int(o.Order.Stamps[a]), int(o.Order.Stamps[b])
		rank = maxOrderEvents - max(x-y, y-x)
	case o.Log.Events[a].Host == o.Log.Events[b].Host:
		rank = 2
	case o.From[b] != a:
		rank = 1
	}
	first := telling(1)
	if is != says {
		first = 0
	}
	return first<<40 | telling(rank)<<24 | telling(a)<<12 | telling(b)
}

// Says is how two stamps stand to each other.
func (o *Ordering) Says(a, b int) clock.Relation {
	switch o.run.Says(a, b) {
	case "<":
		return clock.Before
	case ">":
		return clock.After
	case "=":
		return clock.Equal
	}
	return clock.Concurrent
}

func (t telling) pair() (a, b int) { return int(t >> 12 & 0xfff), int(t & 0xfff) }

// named is a pair as it is named: what is concurrent has no order but that of the nodes.
func (o *Ordering) named(t telling) (a, b int) {
	a, b = t.pair()
	if o.Log.Relation(a, b) == clock.Concurrent && o.Log.Events[a].Host > o.Log.Events[b].Host {
		return b, a
	}
	return a, b
}

// count compares each two events by what caused what, and by their stamps, and lists them
// by the first.
func (o *Ordering) count(r *reports.EventOrder) (before, concurrent []telling) {
	var counts [4][4]uint64
	for b := range o.From {
		for a := range b {
			is, says := o.Log.Relation(a, b), o.Says(a, b)
			counts[is][says]++
			if t := o.telling(a, b, is, says); is == clock.Before {
				before = append(before, t)
			} else {
				concurrent = append(concurrent, t)
			}
		}
	}
	for _, is := range []clock.Relation{clock.Before, clock.Concurrent} {
		for _, says := range []clock.Relation{clock.Before, clock.After, clock.Concurrent, clock.Equal} {
			if n := counts[is][says]; n > 0 {
				r.Says = append(r.Says, reports.StampsSay{Relation: is.String(), Stamps: says.String(), Pairs: n})
			}
		}
	}
	return before, concurrent
}

// compare compares each two events, and lists the most telling pairs.
func (o *Ordering) compare(r *reports.EventOrder) {
	before, concurrent := o.count(r)
	r.Ordered, r.Concurrent = uint64(len(before)), uint64(len(concurrent))
	r.Comparisons, r.Told = r.Ordered+r.Concurrent, o.Order.Told
	slices.Sort(before)
	slices.Sort(concurrent)
	if r.Comparisons > maxPairs {
		before, concurrent = before[:min(len(before), maxPairs/2)], concurrent[:min(len(concurrent), maxPairs/2)]
	}
	for _, t := range slices.Concat(concurrent, before) {
		a, b := o.named(t)
		r.Pairs = append(r.Pairs, reports.StampedPair{A: r.Events[a].Name, B: r.Events[b].Name,
			Relation: o.Log.Relation(a, b).String(), Stamps: o.run.Says(a, b)})
	}
	r.LeftOut = r.Comparisons - uint64(len(r.Pairs))
}

// Stamps is what the stamps say of all pairs of events, and up to a limit those of which
// they say what is not so.
func (o *Ordering) Stamps(limit int) *eventorder.OrderStamps {
	r := &reports.EventOrder{}
	s := &eventorder.OrderStamps{Clock: o.Clock(), WrongPairs: []eventorder.OrderedPair{}}
	before, concurrent := o.count(r)
	s.Says = r.Says
	for _, list := range [][]telling{before, concurrent} {
		slices.Sort(list)
		for _, t := range list {
			a, b := o.named(t)
			is, says := o.Log.Relation(a, b), o.Says(a, b)
			if is == says { // those of which they say what is not so come first
				break
			}
			if is == clock.Concurrent && !o.run.Partial() {
				break // to number all events is to put them in some order
			}
			if s.Wrong++; len(s.WrongPairs) < limit {
				x, y := o.run.Event(a), o.run.Event(b)
				p := eventorder.OrderedPair{A: x.Name, B: y.Name, AClock: x.Stamp, BClock: y.Stamp, Stamps: says.String()}
				if is == clock.Before {
					p.Relation = is.String()
				}
				s.WrongPairs = append(s.WrongPairs, p)
			}
		}
	}
	return s
}

// Between is how two events of a run, named with a comma between them, stand to each
// other, and why.
func (o *Ordering) Between(text string) (*reports.EventPair, error) {
	a, b, err := Named(o.Log, text)
	if err != nil {
		return nil, err
	}
	return o.pair(a, b), nil
}

// Telling is a pair that is concurrent and one that is not, if there are such: the first
// of the report, and the one with the longest way between.
func (o *Ordering) Telling() (list []*reports.EventPair) {
	if len(o.From) > maxOrdered {
		return nil
	}
	best, far, most := telling(0), [2]int{}, uint32(0)
	for b := range o.From {
		for a := range b {
			if o.Log.Relation(a, b) == clock.Concurrent {
				if t := o.telling(a, b, clock.Concurrent, o.Says(a, b)); best == 0 || t < best {
					best = t
				}
			} else if d := o.Order.Stamps[b] - o.Order.Stamps[a]; d > most && o.Log.Events[a].Host != o.Log.Events[b].Host {
				far, most = [2]int{a, b}, d
			}
		}
	}
	if best != 0 {
		list = append(list, o.pair(o.named(best)))
	}
	if most > 0 {
		list = append(list, o.pair(far[0], far[1]))
	}
	return list
}

func (o *Ordering) pair(a, b int) *reports.EventPair {
	p := &reports.EventPair{Relation: o.Log.Relation(a, b).String(), Clock: o.Clock(), Stamps: o.run.Says(a, b), Why: Why(o.Log, o.Order, a, b)}
	p.A, p.AText = o.Event(a)
	p.B, p.BText = o.Event(b)
	return p
}

// Named are the two events that a text names with a comma between them. There may be
// commas in the names, too.
func Named(l *eventlog.Log, text string) (a, b int, err error) {
	wrong := ""
	for i := range len(text) {
		if text[i] != ',' {
			continue
		}
		a, ok := l.Find(text[:i])
		b, too := l.Find(text[i+1:])
		if ok && too {
			return a, b, nil
		}
		if wrong = text[:i]; ok {
			wrong = text[i+1:]
		}
	}
	return 0, 0, &UnknownEventError{Name: wrong}
}

// UnknownEventError is that a log has no event of a name.
type UnknownEventError struct{ Name string }

func (e *UnknownEventError) Error() string { return fmt.Sprintf("there is no event %q", e.Name) }

// How much is told of why two events are ordered or not.
const (
	maxLinks    = 50 // of a chain
	maxCounters = 8  // of two clocks
)

// Why is why two events of a log stand to each other as they do; nothing of a log whose
// clocks contradict each other.
func Why(l *eventlog.Log, o *eventlog.Order, a, b int) (w reports.Why) {
	if !o.Counted {
		return w
	}
	switch l.Relation(a, b) {
	case clock.Before:
		w.Chain = links(l, o.Chain(l, a, b))
	case clock.After:
		w.Chain = links(l, o.Chain(l, b, a))
	case clock.Concurrent:
		w.AReaches, w.BReaches = reaches(l, a, b), reaches(l, b, a)
	default:
		return w
	}
	if w.ChainLength = len(w.Chain); w.ChainLength > maxLinks {
		w.Chain = w.Chain[:maxLinks]
	}
	x, y := l.Vector(a), l.Vector(b)
	for h, name := range l.Hosts {
		if x[h] == y[h] && len(l.Hosts) > maxCounters {
			continue
		}
		if len(w.Counters) == maxCounters {
			w.MoreCounters++
			continue
		}
		w.Counters = append(w.Counters, reports.CounterPair{Host: name, A: x[h], B: y[h]})
	}
	return w
}

// links are those of a chain: one for all that is on one host.
func links(l *eventlog.Log, chain []int32) (list []reports.ChainLink) {
	for i := 1; i < len(chain); i++ {
		from, to := l.Events[chain[i-1]].Host, l.Events[chain[i]].Host
		if n := len(list); n > 0 && from == to && list[n-1].FromHost == list[n-1].ToHost {
			list[n-1].To = l.Name(int(chain[i]))
			continue
		}
		list = append(list, reports.ChainLink{From: l.Name(int(chain[i-1])), To: l.Name(int(chain[i])), FromHost: l.Hosts[from], ToHost: l.Hosts[to]})
	}
	return list
}

// reaches is the first event of the host of b that happened after a, "" if there is none.
func reaches(l *eventlog.Log, a, b int) string {
	for _, e := range l.HostChain(l.Events[b].Host) {
		if l.Relation(a, int(e)) == clock.Before {
			return l.Name(int(e))
		}
	}
	return ""
}
