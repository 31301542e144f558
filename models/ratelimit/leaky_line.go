package ratelimit

import "fmt"

// Item is a request that waits in a [LeakyLine].
type Item struct {
	ID       uint64
	Deadline Reading // after this instant the client does not want it any more; 0 for no deadline
}

// LeakyLine is the [LeakyQueue] with the requests themselves, so that one whose
// deadline has passed can be dropped: it does not use up a turn, and those behind it
// move up. If nothing expires it decides and starts as the LeakyQueue without Ticks.
//
// Its owner sets a timer to [LeakyLine.Next] and then calls Drop and Start until both
// say no.
//
// Source: S3 leaky bucket, of docs/sources.md.
type LeakyLine struct {
	rule  LeakyQueue
	items []Item  // waiting, oldest first; len <= N+1: one more than wait may be due and not yet started
	free  Reading // the next start that is not taken, if it is in the future
}

// NewLeakyLine returns an empty line, or all mistakes in its parameters. Ticks must not
// be set.
func NewLeakyLine(p LeakyQueueParams) (*LeakyLine, error) {
	if p.Ticks {
		return nil, fmt.Errorf("ticks: a line whose items expire has none")
	}
	q, err := NewLeakyQueue(p)
	if err != nil {
		return nil, err
	}
	return &LeakyLine{rule: *q, free: -1 << 62}, nil
}

// Arrive is step 1: it decides whether an item may join the line. The line must not
// hold items that have expired: call Drop first.
func (l *LeakyLine) Arrive(now Reading, item Item) Decision {
	k := LeakyQueueState{max(l.free, now) + Reading(len(l.items))*l.rule.service}
	if len(l.items) == 0 {
		k.free = l.free
	}
	d := l.rule.Take(&k, now, 1)
	if d.Allowed {
		l.items = append(l.items, item)
	}
	return d
}

// Next is the instant at which the first item of the line starts.
func (l *LeakyLine) Next(now Reading) (at Reading, ok bool) {
	return max(now, l.free), len(l.items) > 0
}

// Start is step 3: it takes the first item if its turn has come.
func (l *LeakyLine) Start(now Reading) (Item, bool) {
	if len(l.items) == 0 || now < l.free {
		return Item{}, false
	}
	l.free = now + l.rule.service
	return l.remove(0), true
}

// Drop takes out an item whose deadline has passed, the oldest first.
func (l *LeakyLine) Drop(now Reading) (Item, bool) {
	for i, item := range l.items {
		if item.Deadline != 0 && now > item.Deadline {
			return l.remove(i), true
		}
	}
	return Item{}, false
}

func (l *LeakyLine) remove(i int) Item {
	item := l.items[i]
	l.items = append(l.items[:i], l.items[i+1:]...)
	return item
}

// Len is the number of items in the line.
func (l *LeakyLine) Len() int { return len(l.items) }

// CopyFrom makes the line equal to another, in its own memory.
func (l *LeakyLine) CopyFrom(other *LeakyLine) {
	items := l.items
	if items == nil {
		items = []Item{} // so that two copies of an empty line are equal, whatever they have held
	}
	*l = *other
	l.items = append(items[:0], other.items...)
}
