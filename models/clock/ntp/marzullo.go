package ntp

import (
	"cmp"
	"slices"
	"time"

	"fencepost/sim"
)

// edge is where an interval begins or ends.
type edge struct {
	at   time.Duration
	ends bool
}

func byEdge(a, b edge) int {
	if c := cmp.Compare(a.at, b.at); c != 0 || a.ends == b.ends {
		return c
	}
	if b.ends { // an interval holds both its ends: two that touch have a point in common
		return -1
	}
	return 1
}

// Marzullo is the smallest interval that holds every point that lies in all but faulty of
// the intervals, of n sources in all; a source without an interval counts as faulty. As
// long as no more than that many are wrong it holds the truth, since the truth lies in
// the interval of each source that is right. It is false if there is no such point: then
// more are wrong. There are at most [MaxServers] intervals.
//
// That there are right ones among them takes 2 faulty < n. A smaller faulty gives a
// smaller interval, and what is called Marzullo's algorithm most often, and what RFC 5905
// does, is to look for the smallest for which there is one. That is optimistic: a wrong
// source whose interval overlaps with those of the right ones may push the truth out.
//
// Source: Marzullo, "Maintaining the Time in a Distributed System", 1984; Marzullo and
// Owicki, 1983; RFC 5905, section 11.2.1.
func Marzullo(sources []Estimate, n, faulty int) (Estimate, bool) {
	var buffer [2 * MaxServers]edge
	edges := buffer[:0]
	for _, s := range sources {
		edges = append(edges, edge{s.Offset - s.Error, false}, edge{s.Offset + s.Error, true})
	}
	slices.SortFunc(edges, byEdge)
	low, high, depth, found := time.Duration(0), time.Duration(0), 0, false
	for _, e := range edges {
		if !e.ends {
			depth++
		}
		if depth >= n-faulty {
			if !found {
				low, found = e.at, true
			}
			high = e.at
		}
		if e.ends {
			depth--
		}
	}
	middle := low + (high-low)/2
	return Estimate{middle, high - middle}, found
}

// MajorityOf believes what enough servers agree on that at most faulty are wrong, by the
// best sample of each.
func MajorityOf(servers []Filter, faulty int, now sim.Mono, drift int64) (Estimate, bool) {
	var buffer [MaxServers]Estimate
	sources := buffer[:0]
	for i := range servers {
		if s := servers[i].Best(); s.Taken {
			sources = append(sources, s.estimate(now, drift))
		}
	}
	return Marzullo(sources, len(servers), faulty)
}
