package eventlog

import "slices"

// Chain is why an event happened before another: the events on a way from a to b with as
// few messages as possible, and of these the shortest. Each is right before the next, on
// its host or as the send of what the next receives. It is nil if there is no such way.
func (o *Order) Chain(l *Log, a, b int) []int32 {
	if a == b || o.Stuck > 0 || !o.knows(l, int32(b), int32(a)) {
		return nil
	}
	last, _ := l.before()
	sends := make([][]int32, len(l.Events)) // by receiver
	for _, m := range o.Messages {
		sends[m.To] = append(sends[m.To], m.From)
	}
	// Back from b: what needs no further message is put on top, what needs one below.
	const unseen = int32(-2)
	toward := make([]int32, len(l.Events)) // of an event, the next on the way
	for i := range toward {
		toward[i] = unseen
	}
	toward[b] = none
	now, next := []int32{int32(b)}, []int32(nil)
	for len(now) > 0 && toward[a] == unseen {
		for i := 0; i < len(now); i++ {
			e := now[i]
			if f := last[e]; f != none && toward[f] == unseen && o.knows(l, f, int32(a)) {
				toward[f], now = e, append(now, f)
			}
		}
		for _, e := range now {
			for _, f := range sends[e] {
				if toward[f] == unseen && o.knows(l, f, int32(a)) {
					toward[f], next = e, append(next, f)
				}
			}
		}
		now, next = next, now[:0]
	}
	if toward[a] == unseen {
		return nil
	}
	var way []int32
	for e := int32(a); e != none; e = toward[e] {
		way = append(way, e)
	}
	return slices.Clip(way)
}

// knows reports whether e is f or comes after it, by its clock.
func (o *Order) knows(l *Log, e, f int32) bool {
	x := &l.Events[f]
	return e == f || x.Count > 0 && l.known(e, x.Host) >= x.Count
}

// HostChain are the events of a host in the order in which they happened.
func (l *Log) HostChain(host int32) []int32 { return l.chains[host] }
