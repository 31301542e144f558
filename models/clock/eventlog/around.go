package eventlog

import "slices"

// tries is from how many events the shortest circle is looked for.
const tries = 64

// around is a short circle among the events that are stuck: the shortest through one of
// the first events of the circle that is found first.
func (o *Order) around(l *Log) []int32 {
	before := o.befores(l)
	circle := o.some(before)
	toward := make([]int32, len(before))
	for _, e := range circle[:min(len(circle), tries)] {
		if c := through(e, before, toward, len(circle)); c != nil {
			circle = c
		}
	}
	// It is told from the event that stands first in the file.
	first := slices.Index(circle, slices.Min(circle))
	return append(slices.Clone(circle[first:]), circle[:first]...)
}

// befores are, of each event that is stuck, those right before it that are, too.
func (o *Order) befores(l *Log) [][]int32 {
	before := make([][]int32, len(l.Events))
	add := func(a, b int32) {
		if o.Stamps[a] == 0 && o.Stamps[b] == 0 {
			before[b] = append(before[b], a)
		}
	}
	for _, chain := range l.chains {
		for i := 1; i < len(chain); i++ {
			add(chain[i-1], chain[i])
		}
	}
	for _, m := range o.Messages {
		add(m.From, m.To)
	}
	return before
}

// some is a circle: each event that is stuck waits for another one, so going back one
// reaches an event for the second time.
func (o *Order) some(before [][]int32) []int32 {
	at := int32(slices.IndexFunc(before, func(b []int32) bool { return len(b) > 0 }))
	seen := make([]int32, len(before))
	var way []int32
	for seen[at] == 0 {
		way = append(way, at)
		seen[at] = int32(len(way))
		at = before[at][len(before[at])-1]
	}
	way = way[seen[at]-1:]
	slices.Reverse(way)
	return way
}

// through is the shortest circle through an event, nil if there is none of fewer than
// that many events. toward is where it notes, for events, the way on; it is 0 for all
// before and after.
func through(e int32, before [][]int32, toward []int32, fewer int) []int32 {
	edge, seen := []int32{e}, []int32{e}
	defer func() {
		for _, a := range seen {
			toward[a] = 0
		}
	}()
	for length := 1; length < fewer && len(edge) > 0; length++ {
		var farther []int32
		for _, b := range edge {
			for _, a := range before[b] {
				if a == e {
					circle := []int32{e}
					for at := b; at != e; at = toward[at] - 1 {
						circle = append(circle, at)
					}
					return circle
				}
				if toward[a] == 0 {
					toward[a] = b + 1
					farther, seen = append(farther, a), append(seen, a)
				}
			}
		}
		edge = farther
	}
	return nil
}
