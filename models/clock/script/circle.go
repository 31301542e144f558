package script

import (
	"slices"
	"strings"
)

// Last is, for each event, the one before it on its process, or [None].
func (s *Script) Last() []int {
	last, latest := make([]int, len(s.Events)), make([]int, len(s.Processes))
	for p := range latest {
		latest[p] = None
	}
	for i := range s.Events {
		p := s.Events[i].Process
		last[i], latest[p] = latest[p], i
	}
	return last
}

// circle is a way from an event back to itself, along processes and messages; nil if
// there is none, and the script is an order.
func (s *Script) circle() []int {
	last := s.Last()
	waits, any := s.waiting(last)
	if any == None {
		return nil
	}
	// What waits forever waits for something else that does: go back until an event
	// comes again.
	seen := map[int]int{}
	var way []int
	for at := any; ; {
		if first, again := seen[at]; again {
			way = way[first:]
			slices.Reverse(way)
			return way
		}
		seen[at] = len(way)
		way = append(way, at)
		if from := s.Events[at].From; from != None && waits[from] {
			at = from
		} else {
			at = last[at]
		}
	}
}

// waiting says which events never happen, if each waits for the one before it and for
// its message, and names one of them, or [None].
func (s *Script) waiting(last []int) (waits []bool, any int) {
	n := len(s.Events)
	needs, next := make([]int, n), make([][]int, n)
	for i := range s.Events {
		for _, before := range []int{last[i], s.Events[i].From} {
			if before != None {
				needs[i]++
				next[before] = append(next[before], i)
			}
		}
	}
	var ready []int
	waits, any = make([]bool, n), None
	for i := range needs {
		if waits[i] = needs[i] > 0; !waits[i] {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		e := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, f := range next[e] {
			if needs[f]--; needs[f] == 0 {
				waits[f] = false
				ready = append(ready, f)
			}
		}
	}
	return waits, slices.Index(waits, true)
}

// path is a circle in words.
func (s *Script) path(circle []int) string {
	var b strings.Builder
	for i, e := range circle {
		if i == longest {
			b.WriteString("... -> ")
			break
		}
		b.WriteString(s.Events[e].Name + " -> ")
	}
	return b.String() + s.Events[circle[0]].Name
}

// longest is how many events of a circle are named.
const longest = 20
