// Package ordering makes the document of simctl order of a log and the order of its events.
package ordering

import (
	"cmp"
	"slices"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/models/clock/eventlog"
	"fencepost/reports/eventorder"
)

// Request says what of a log to put into the document.
type Request struct {
	File  string
	Pairs bool // the concurrent pairs, also of a log that is no script
	Limit int  // how many of each
}

// Document is the document of what a log says.
func Document(o *Request, l *eventlog.Log, order *eventlog.Order) *eventorder.Order {
	doc := &eventorder.Order{
		Schema: eventorder.OrderSchema, File: o.File, Format: l.Format, Expression: l.Expression, Execution: l.Execution,
		OK: order.Consistent(), Events: len(l.Events), Hosts: len(l.Hosts), Messages: len(order.Messages),
		Lines: l.Lines, Skipped: l.Skipped, FirstSkipped: l.FirstSkipped,
		Order: []eventorder.OrderedEvent{}, Concurrent: []eventorder.OrderedPair{},
		Kinds: []eventorder.OrderKind{}, Found: []eventorder.OrderMistake{}, Stuck: order.Stuck,
	}
	for _, e := range order.Sequence[:min(len(order.Sequence), o.Limit)] {
		doc.Order = append(doc.Order, event(l, int(e), order.Stamps[e]))
	}
	doc.CircleLength = len(order.Around)
	for _, e := range order.Around[:min(len(order.Around), o.Limit)] {
		doc.Circle = append(doc.Circle, event(l, int(e), 0))
	}
	for k, n := range order.Found {
		if n > 0 {
			doc.Kinds = append(doc.Kinds, eventorder.OrderKind{Kind: eventlog.Kind(k).String(), Count: n})
			doc.Inconsistent += n
		}
	}
	for _, x := range order.Inconsistencies {
		doc.Found = append(doc.Found, eventorder.OrderMistake{Line: x.Line, Kind: x.Kind.String(), Event: l.Name(x.Event), Why: x.Why})
	}
	doc.Traffic, doc.Routes = traffic(l, order, o.Limit)
	if order.Counted {
		doc.Pairs = &eventorder.OrderPairs{Ordered: order.Ordered, Concurrent: order.Concurrent, Told: order.Told}
	}
	if o.Pairs || l.Format != eventlog.ShiViz {
		var pairs [][2]int
		all := false
		if order.Counted {
			pairs, all = l.Concurrents(order, o.Limit)
		}
		doc.AllListed = &all
		for _, p := range pairs {
			doc.Concurrent = append(doc.Concurrent, eventorder.OrderedPair{A: l.Name(p[0]), B: l.Name(p[1]), AClock: l.Clock(p[0], clockHosts), BClock: l.Clock(p[1], clockHosts), Stamps: "||"})
		}
	}
	return doc
}

// clockHosts is how many counters of a clock are told.
const clockHosts = 100

func event(l *eventlog.Log, e int, stamp uint32) eventorder.OrderedEvent {
	x := eventorder.OrderedEvent{Name: l.Name(e), Host: l.Hosts[l.Events[e].Host], Line: int(l.Events[e].Line), Lamport: stamp, Clock: l.Clock(e, clockHosts)}
	if l.Format == eventlog.ShiViz {
		x.Text = l.Events[e].Text
	}
	return x
}

// traffic is who sends to whom, up to a limit, and how many such pairs there are.
func traffic(l *eventlog.Log, order *eventlog.Order, limit int) ([]eventorder.OrderTraffic, int) {
	type route struct{ from, to int32 }
	at, routes, counts := map[route]int{}, []route{}, []int{}
	for _, m := range order.Messages {
		r := route{l.Events[m.From].Host, l.Events[m.To].Host}
		i, known := at[r]
		if !known {
			i = len(routes)
			at[r], routes, counts = i, append(routes, r), append(counts, 0)
		}
		counts[i]++
	}
	by := make([]int, len(routes))
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(i, j int) int {
		return cmp.Or(cmp.Compare(counts[j], counts[i]), cmp.Compare(routes[i].from, routes[j].from), cmp.Compare(routes[i].to, routes[j].to))
	})
	list := []eventorder.OrderTraffic{}
	for _, i := range by[:min(len(by), limit)] {
		list = append(list, eventorder.OrderTraffic{From: l.Hosts[routes[i].from], To: l.Hosts[routes[i].to], Messages: counts[i]})
	}
	return list, len(routes)
}

// AddRun adds the stamps of a run, and what they say, up to a limit.
func AddRun(doc *eventorder.Order, run *execute.Ordering, limit int) {
	stamp := func(name string) (int, string) {
		i, _ := run.Log.Find(name)
		e, _ := run.Event(i)
		return i, e.Stamp
	}
	for i := range doc.Order {
		_, doc.Order[i].Stamp = stamp(doc.Order[i].Name)
	}
	for i := range doc.Concurrent {
		p := &doc.Concurrent[i]
		a, x := stamp(p.A)
		b, y := stamp(p.B)
		p.AClock, p.BClock, p.Stamps = x, y, run.Says(a, b).String()
	}
	doc.Stamps = run.Stamps(limit)
	doc.OK = doc.OK && doc.Stamps.Wrong == 0
}

// AddStamps adds the stamps of two events.
func AddStamps(b *eventorder.OrderBetween, run *execute.Ordering) {
	for _, e := range []*eventorder.OrderedEvent{&b.A, &b.B} {
		i, _ := run.Log.Find(e.Name)
		x, _ := run.Event(i)
		e.Stamp = x.Stamp
	}
}
