package eventlog

import (
	"errors"
	"fmt"
)

// Happened is an event of a run.
type Happened struct {
	Host int    // from 0
	From int    // the event whose message it receives, from 0; -1: it receives none
	Name string // unlike that of any other event
}

// FromRun makes a log of a run whose causes are known: each event gets the vector clock
// that it would have, whatever clock the run has. An event stands behind those that
// caused it.
func FromRun(hosts []string, events []Happened) (*Log, error) {
	l := &Log{Format: Run, Hosts: hosts, Events: make([]Event, len(events))}
	if len(events) == 0 {
		return nil, errors.New("there is no event in it")
	}
	last := make([]int, len(hosts))
	for h := range last {
		last[h] = -1
	}
	for i, e := range events {
		if e.From >= i {
			return nil, fmt.Errorf("event %d receives event %d, which comes behind it", i, e.From)
		}
		l.Events[i] = Event{Host: int32(e.Host), Line: int32(i + 1), Text: e.Name}
		l.tick(i, last[e.Host], e.From)
		last[e.Host] = i
		if len(l.counters) > MaxCounters {
			return nil, fmt.Errorf("the clocks of all events have more than %d counters", MaxCounters)
		}
	}
	l.index()
	return l, nil
}
