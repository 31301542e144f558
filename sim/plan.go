package sim

import (
	"cmp"
	"slices"
	"time"

	"fencepost/sim/internal/dist"
)

// planned is the faults of a run and what they wait for.
type planned struct {
	plans   []plan
	latest  uint64     // how often a fault has begun whose last beginning counts
	after   [][]int    // by kind: the plans that wait for such a note; nil if none does
	before  [][]int    // by kind: the plans that wait until before such an effect
	waiting [2]waiting // the memory of after and before
}

// plan is a fault during a run.
type plan struct {
	*Fault
	row       *FaultKind
	stream    uint64
	side      []uint8 // of Cut and Hold, by node: its group from 1, 0 if it is in none
	followers []int   // the plans that come after it

	injection Injection
	drawn     uint64
	noted     int    // effects that could have been the Nth
	seen      int    // messages that could have been the Nth, since it last began
	next      int    // of a replayed log: the stop to come; of FollowLog: the change
	base      Time   // of such a log: where its time 0 lies
	active    int    // how many times it has begun and not ended
	ends      Time   // of Cut and Hold: when the last of them does
	latest    uint64 // when it last began, as a count of all such beginnings, of kinds where the last one counts
}

// operation is what a planned change does; the change's number is
// plan<<opBits | operation.
type operation uint8

const (
	begin         operation = iota // the plan is injected
	end                            // and is over
	unblockNode                    // the node resumes, if nothing holds it any more
	unsuspendNode                  // the oscillator of a suspended machine continues
	restartNode                    // a crashed node starts anew
	advance                        // the log that a clock follows continues
)

const opBits = 3

// plan makes plans of the configured faults, in the memory of those before.
func (w *World[M]) plan() {
	w.after, w.before, w.guarded = nil, nil, false
	w.waiting[0].clear()
	w.waiting[1].clear()
	w.plans = slices.Grow(w.plans[:0], len(w.config.Faults))[:len(w.config.Faults)]
	for i := range w.plans {
		f := &w.config.Faults[i]
		p := plan{Fault: f, row: f.Do.Row(), stream: f.Stream(), side: w.plans[i].side[:0], followers: w.plans[i].followers[:0]}
		if f.When.Note != 0 {
			w.after = w.waiting[0].add(f.When.Note, i, len(w.system.Kinds))
		} else if f.When.Before != 0 {
			w.before = w.waiting[1].add(f.When.Before, i, len(w.system.Kinds))
		}
		if f.onNetwork() {
			w.guarded = true
			p.side = slices.Grow(p.side, len(w.names))[:len(w.names)]
			clear(p.side)
			for g, ids := range f.Sides {
				for _, id := range ids {
					p.side[id] = uint8(g + 1)
				}
			}
		}
		w.plans[i] = p
	}
	for i := range w.plans {
		if after := w.plans[i].When.After; after != "" {
			w.comesAfter(i, after)
		}
	}
}

// comesAfter makes a plan one of the followers of the fault of a name. A search may have left that fault out.
func (w *World[M]) comesAfter(i int, name string) {
	k := slices.IndexFunc(w.plans, func(p plan) bool { return p.Name == name })
	if k >= 0 {
		w.plans[k].followers = append(w.plans[k].followers, i)
	}
}

// waiting is, by kind, the plans that wait for an effect of it.
type waiting [][]int

func (q *waiting) clear() {
	for k := range *q {
		(*q)[k] = (*q)[k][:0]
	}
}

func (q *waiting) add(kind Kind, plan, kinds int) [][]int {
	if *q == nil {
		*q = make([][]int, kinds)
	}
	(*q)[kind] = append((*q)[kind], plan)
	return *q
}

// schedule plans the first injection of each fault that waits for no effect and no other fault.
func (w *World[M]) schedule() {
	for i := range w.plans {
		p := &w.plans[i]
		*p = plan{Fault: p.Fault, row: p.row, stream: p.stream, side: p.side, followers: p.followers, injection: Injection{First: Never}}
		when := &p.When
		switch {
		case when.onEffect():
		case !when.Every.IsZero():
			w.recur(i, 0)
		case len(when.Replay) > 0:
			w.startReplay(i)
		case when.After != "":
		default:
			w.at(when.At, p.Node, i, begin)
		}
	}
}

// at plans a change.
func (w *World[M]) at(t Time, id NodeID, plan int, op operation) {
	e := &w.q.Push(int64(t)).Body
	var none M
	e.due, e.to, e.from, e.incarnation, e.class, e.msg = int64(plan)<<opBits|int64(op), id, None, 0, change, none
}

// draw samples a distribution with the fault's next draw.
func (p *plan) draw(s *source, d *Dist) time.Duration {
	if !dist.Draws(d) {
		return dist.Fixed(d)
	}
	p.drawn++
	return d.Sample(s.fault(p.stream, p.drawn-1))
}

// startReplay begins a log of stops at a place that is drawn, each equally likely.
// A stop that is under way there holds the node for what is left of it: otherwise
// a run would see less of the stops in its beginning than in its middle.
func (w *World[M]) startReplay(i int) {
	p := &w.plans[i]
	phase := Uniform(0, p.When.Span)
	skip := p.draw(&w.src, &phase)
	p.base = -Time(skip)
	p.next, _ = slices.BinarySearchFunc(p.When.Replay, skip, func(s Stop, at time.Duration) int {
		return cmp.Compare(s.At, at)
	})
	if p.next--; p.next < 0 {
		p.next = len(p.When.Replay) - 1
		p.base = p.base.Add(-p.When.Span)
	}
	if p.stopEnds() <= 0 {
		p.next++
	}
	w.nextStop(i)
}

// stopEnds is when the stop to come of a replayed log is over. That does not
// depend on when it could begin, so that stops may overlap.
func (p *plan) stopEnds() Time {
	s := &p.When.Replay[p.next]
	return p.base.Add(s.At).Add(s.For)
}

// nextStop plans the next stop of a replayed log; after the last, the first again.
func (w *World[M]) nextStop(i int) {
	p := &w.plans[i]
	if p.next == len(p.When.Replay) {
		p.next = 0
		p.base = p.base.Add(p.When.Span)
	}
	w.at(max(p.base.Add(p.When.Replay[p.next].At), w.now), p.Node, i, begin)
}

// change carries out a planned change.
func (w *World[M]) change(id NodeID, due int64) {
	i, op := int(due>>opBits), operation(due&(1<<opBits-1))
	w.digest = w.digest.Fold(uint64(w.now), uint64(id)<<32|1<<30|uint64(due))
	switch op {
	case begin:
		w.begin(i)
	case end:
		w.end(i)
	case unblockNode:
		w.unblock(id)
	case unsuspendNode:
		w.unsuspend(id)
	case restartNode:
		w.restart(id)
	case advance:
		w.watch.Journal.blame(i+1, None, 0)
		w.follow(i)
		w.watch.Journal.blame(0, None, 0)
	}
}

// by is whose note or effect the plan waits for.
func (p *plan) by() NodeID {
	if p.When.By != None {
		return p.When.By
	}
	return p.Node
}

// trigger injects the faults of the plans that wait for this effect of a node.
func (w *World[M]) trigger(plans []int, by NodeID) {
	for _, i := range plans {
		p := &w.plans[i]
		if by != p.by() {
			continue
		}
		p.noted++
		if p.When.Nth == 0 || p.noted == p.When.Nth {
			w.begin(i)
		}
	}
}

// begin injects a fault, and plans its end and its next injection.
func (w *World[M]) begin(i int) {
	p := &w.plans[i]
	until := w.until(p)
	w.again(i, until) // before the resumption that this injection plans: stops without a gap are one
	w.watch.Journal.blame(i+1, None, 0)
	p.row.begin(w, p, i, until)
	w.watch.Journal.blame(0, None, 0)
	w.begun(p, until)
}

// begun plans the faults that come after one that begins now, or after its end.
func (w *World[M]) begun(p *plan, until Time) {
	for _, k := range p.followers {
		f, from := &w.plans[k], w.now
		if f.When.Ends {
			from = until
		}
		if from != Never {
			w.at(from.Add(time.Duration(f.When.At)), f.Node, k, begin)
		}
	}
}

// until is when an injection that begins now is over. Only one that lasts draws how long.
func (w *World[M]) until(p *plan) Time {
	switch {
	case !p.row.Lasting:
		return w.now
	case len(p.When.Replay) > 0:
		return max(p.stopEnds(), w.now)
	}
	length := p.draw(&w.src, &p.For)
	if p.Forever {
		return Never
	}
	return w.now.Add(length)
}

// again plans the next injection of a fault that recurs.
func (w *World[M]) again(i int, until Time) {
	p := &w.plans[i]
	switch {
	case p.When.onEffect():
	case !p.When.Every.IsZero():
		w.recur(i, max(until, w.now))
	case len(p.When.Replay) > 0:
		p.next++
		w.nextStop(i)
	}
}

// recur plans the next injection of a fault that recurs, after the given instant. The minimal
// draw is that it is not injected any more.
func (w *World[M]) recur(i int, after Time) {
	p := &w.plans[i]
	d := &p.When.Every
	length := dist.Fixed(d)
	if dist.Draws(d) {
		u := w.src.fault(p.stream, p.drawn)
		if p.drawn++; u == 0 {
			return
		}
		length = d.Sample(u)
	}
	w.at(after.Add(length), p.Node, i, begin)
}

// end is the end of a fault that lasts.
func (w *World[M]) end(i int) {
	p := &w.plans[i]
	p.active--
	w.watch.Journal.ending(i + 1)
	defer w.watch.Journal.blame(0, None, 0)
	p.row.end(w, p)
}

// last is the plan that began last at a node of those that count and are not over, nil if there is none.
func (w *World[M]) last(id NodeID, counts func(*plan) bool) (last *plan) {
	for i := range w.plans {
		if p := &w.plans[i]; p.Node == id && p.active > 0 && counts(p) && (last == nil || p.latest > last.latest) {
			last = p
		}
	}
	return last
}

// inject records that a fault had an effect, and reports whether to say so.
func (w *World[M]) inject(p *plan) bool {
	if p.injection.Count == 0 {
		p.injection.First = w.now
	}
	p.injection.Count++
	return w.describing()
}
