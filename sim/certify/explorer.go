package certify

import (
	"context"
	"errors"
	"slices"

	"fencepost/sim/certify/internal/dbm"
)

// move is one event of a path: which of the pending ones, and which way its branches went.
type move struct {
	event  int // -1: the run ends
	chosen string
	to     string // the places that nodes which are alike have then
}

// link is how a state was reached.
type link struct {
	from *link
	move move
}

func (l *link) path() (moves []move) {
	for ; l.from != nil; l = l.from {
		moves = append(moves, l.move)
	}
	slices.Reverse(moves)
	return moves
}

// item is a state that is kept.
type item struct {
	key    string
	zone   dbm.Packed
	link   *link
	next   *item // with the same key
	waits  bool  // it is in the queue
	within bool  // another has all its instants
	grown  int   // how often others were joined to it, or it and those before it took a place
}

// explorer visits state classes: states of the nodes, and of each the instants at which what is
// pending may happen.
//
// Source: Berthomieu and Menasche, "An Enumerative Approach for Analyzing Time Petri Nets", 1983. That
// zones may be joined is Daws and Tripakis, "Model Checking of Real-Time Reachability Properties
// Using Abstractions", 1998, section 4.
type explorer struct {
	*space
	joined           bool // one zone is kept for each key
	joins, mostGrown int  // zones that were joined to another or took its place, and the most of one state
	bounds           *dbm.Dictionary
	passed           map[string]*item
	queue            []*item
	result           Result
	limits           Limits
	memory           dbm.Memory                               // of one comparison
	shows            func(path []move) (stop bool, err error) // a path violates the property
}

// mostJoined is how many zones are joined to that of one state, or take its place, before a search gives up.
const mostJoined = 5000

// grows reports whether zones grow without end, maybe: what lies between those that are joined, or those of a search that keeps
// them apart, in which each takes the place of the last and so adds no state.
func (x *explorer) grows() bool {
	most := x.limits.States
	if !x.joined {
		most *= 10
	}
	return x.mostGrown > mostJoined || most > 0 && x.joins > most
}

// visit expands states until none is left, one violates the property, or a limit is reached.
func (x *explorer) visit(ctx context.Context, jobs int, progress func(states, waiting int)) error {
	r := newRound(x.space, x.bounds, jobs)
	for len(x.queue) > 0 {
		if progress != nil {
			progress(x.result.States, len(x.queue))
		}
		if why := x.bound(ctx); why != None {
			x.stop(why)
			return nil
		}
		if x.grows() {
			if !x.joined {
				x.stop(Grows)
			}
			return nil
		}
		x.take(r)
		r.expand()
		stop, err := x.collect(r)
		if errors.Is(err, errTooWide) {
			x.stop(TooWide)
			return nil
		}
		if err != nil || stop {
			return err
		}
	}
	if x.result.shown == 0 {
		x.result.Verdict = Certified
	}
	return nil
}

// stop ends the search before all is seen.
func (x *explorer) stop(why Limit) { x.result.Bound, x.result.shown = why, max(x.result.shown, 1) }

// bound is the limit that is reached.
func (x *explorer) bound(ctx context.Context) Limit {
	switch {
	case ctx.Err() != nil:
		return Time
	case x.limits.States > 0 && x.result.States >= x.limits.States:
		return States
	case x.limits.Memory > 0 && x.result.Memory >= x.limits.Memory:
		return Memory
	}
	return None
}

// take moves states from the queue to a round.
func (x *explorer) take(r *round) {
	r.begin()
	n := 0
	for _, i := range x.queue {
		if len(r.list) == roundSize {
			break
		}
		if n++; i.waits {
			r.list = append(r.list, expansion{item: i, grown: i.grown})
		}
	}
	x.queue = x.queue[n:]
	for k := range r.list {
		r.list[k].item.waits = false
	}
}

// collect keeps what came of a round, in the order of its states, and reports whether the search is over.
func (x *explorer) collect(r *round) (stop bool, err error) {
	for k := range r.list {
		e := &r.list[k]
		if e.err != nil {
			return false, e.err
		}
		if e.item.within || e.item.grown > e.grown { // a state that has more was found in this round
			continue
		}
		x.result.Fired += e.fired
		for _, o := range e.found {
			m := move{o.event, string(o.chosen), string(o.to)}
			if !o.violated {
				x.keep(o, e.item.link, m)
			} else if stop, err = x.shows((&link{e.item.link, m}).path()); err != nil || stop {
				return stop, err
			}
		}
	}
	return false, nil
}

// keepFirst keeps the state in which a search begins.
func (x *explorer) keepFirst(first *state) {
	var w keyWriter
	key, variables := w.write(first)
	zone := first.zone.Kept(new(dbm.Memory), variables)
	x.add(&item{key: string(key), zone: x.bounds.Pack(&zone), link: &link{}})
}

func (x *explorer) add(i *item) {
	i.next = x.passed[i.key]
	x.passed[i.key] = i
	if i.next == nil {
		x.result.Memory += int64(len(i.key)) + 64
	} else {
		i.key = i.next.key
	}
	x.result.Deepest = max(x.result.Deepest, i.zone.Len())
	x.result.States++
	x.result.Memory += i.zone.Size() + 250
	x.wait(i)
}

func (x *explorer) wait(i *item) {
	if !i.waits {
		i.waits = true
		x.queue = append(x.queue, i)
	}
}

// keep adds a state, unless its instants are all among those of one that is kept.
func (x *explorer) keep(o found, from *link, m move) {
	first := x.passed[string(o.key)]
	for k := first; k != nil; k = k.next {
		if x.bounds.Has(&k.zone, &o.zone) {
			return
		}
	}
	if x.joined && first != nil {
		x.bounds.Widen(&first.zone, &o.zone)
		first.link = &link{from, m}
		first.grown++
		x.joins, x.mostGrown = x.joins+1, max(x.mostGrown, first.grown)
		x.wait(first)
		return
	}
	rest, grown := &first, 0
	for k := first; k != nil; k = k.next {
		x.memory.Reset()
		if x.bounds.Lies(&x.memory, &k.zone, &o.zone) {
			k.within, k.waits = true, false
			x.result.States--
			x.joins, grown = x.joins+1, max(grown, k.grown+1)
			*rest = k.next
			continue
		}
		rest = &k.next
	}
	if first != x.passed[string(o.key)] {
		x.passed[string(o.key)] = first
	}
	x.mostGrown = max(x.mostGrown, grown)
	x.add(&item{key: string(o.key), zone: x.bounds.Pack(&o.zone), link: &link{from, m}, grown: grown})
}
