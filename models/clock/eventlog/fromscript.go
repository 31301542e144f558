package eventlog

import (
	"errors"
	"fmt"
	"slices"

	"fencepost/models/clock/script"
)

// readScript makes a log of a run that a person has written down: each event gets the
// vector clock that it would have.
func readScript(text string) (*Log, error) {
	s, err := script.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(s.Events) == 0 {
		return nil, errors.New("there is no event in it")
	}
	l := &Log{Format: Script, Hosts: s.Processes, Events: make([]Event, len(s.Events))}
	for i, e := range s.Events {
		l.Events[i] = Event{Host: int32(e.Process), Line: int32(e.Line), Text: e.Name}
	}
	last := s.Last()
	var waiting []int // for what is before it, the next one on top
	for i := range s.Events {
		waiting = append(waiting, i)
		for len(waiting) > 0 {
			e := waiting[len(waiting)-1]
			before, from := last[e], s.Events[e].From
			switch {
			case before != script.None && l.Events[before].Count == 0:
				waiting = append(waiting, before)
				continue
			case from != script.None && l.Events[from].Count == 0:
				waiting = append(waiting, from)
				continue
			case l.Events[e].Count == 0:
				l.tick(e, before, from)
			}
			waiting = waiting[:len(waiting)-1]
			if len(l.counters) > MaxCounters {
				return nil, fmt.Errorf("the clocks of all events have more than %d counters", MaxCounters)
			}
		}
	}
	l.index()
	return l, nil
}

// tick gives an event the clock that it has behind two others, or fewer.
func (l *Log) tick(e, before, from int) {
	var v, w []counter
	if before != script.None {
		v = l.clock(int32(before))
	}
	if from != script.None {
		w = l.clock(int32(from))
	}
	merged := make([]counter, 0, len(v)+len(w)+1)
	for len(v) > 0 || len(w) > 0 {
		switch {
		case len(w) == 0 || len(v) > 0 && v[0].host() < w[0].host():
			merged, v = append(merged, v[0]), v[1:]
		case len(v) == 0 || v[0].host() > w[0].host():
			merged, w = append(merged, w[0]), w[1:]
		default:
			merged, v, w = append(merged, max(v[0], w[0])), v[1:], w[1:]
		}
	}
	host := l.Events[e].Host
	own := slices.IndexFunc(merged, func(c counter) bool { return c.host() == host })
	if own >= 0 {
		merged[own]++
	} else {
		merged = append(merged, count(host, 1))
		slices.Sort(merged)
	}
	l.stamp(&l.Events[e], merged)
}
