package sim

import (
	"cmp"
	"slices"
	"time"
)

// plan is a fault during a run.
type plan struct {
	*Fault
	stream uint64
	side   []uint8 // of Cut and Hold, by node: its group from 1, 0 if it is in none

	strike Strike
	drawn  uint64
	noted  int    // notes that could have been the Nth
	seen   int    // messages that could have been the Nth, since it last began
	next   int    // of a replayed log: the stop to come
	base   Time   // of a replayed log: where its time 0 lies
	active int    // how many times it has begun and not ended
	ends   Time   // of Cut and Hold: when the last of them does
	latest uint64 // of SetRate: when it last began, as a count of all such beginnings
}

// operation is what a planned change does; the change's number is
// plan<<opBits | operation.
type operation uint8

const (
	begin  operation = iota // the plan strikes
	end                     // and is over
	wake                    // the node goes on, if nothing holds it any more
	thaw                    // the oscillator of a suspended machine goes on
	revive                  // a crashed node starts anew
)

const opBits = 3

func (w *World[M]) plan() {
	for i := range w.config.Faults {
		f := &w.config.Faults[i]
		p := plan{Fault: f, stream: f.Stream()}
		if f.When.Note != 0 {
			if w.triggers == nil {
				w.triggers = make([][]int, len(w.system.Kinds))
			}
			w.triggers[f.When.Note] = append(w.triggers[f.When.Note], i)
		}
		if f.onNetwork() {
			w.guarded = true
			p.side = make([]uint8, len(w.names))
			for g, ids := range f.Sides {
				for _, id := range ids {
					p.side[id] = uint8(g + 1)
				}
			}
		}
		w.plans = append(w.plans, p)
	}
}

// schedule plans the first strike of each fault that does not wait for a note.
func (w *World[M]) schedule() {
	for i := range w.plans {
		p := &w.plans[i]
		*p = plan{Fault: p.Fault, stream: p.stream, side: p.side, strike: Strike{First: Never}}
		when := &p.When
		switch {
		case when.Note != 0:
		case !when.Every.IsZero():
			w.at(Time(p.draw(&w.src, &when.Every)), p.Node, i, begin)
		case len(when.Replay) > 0:
			w.startReplay(i)
		default:
			w.at(when.At, p.Node, i, begin)
		}
	}
}

// at plans a change.
func (w *World[M]) at(t Time, id NodeID, plan int, op operation) {
	e := w.q.push(t)
	var none M
	e.due, e.to, e.from, e.life, e.class, e.msg = int64(plan)<<opBits|int64(op), id, None, 0, change, none
}

// draw samples a distribution with the fault's next draw.
func (p *plan) draw(s *source, d *Dist) time.Duration {
	if !d.draws() {
		return time.Duration(d.a)
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
	case wake:
		w.wake(id)
	case thaw:
		w.thaw(id)
	case revive:
		w.restart(id)
	}
}

// trigger lets the faults strike that wait for this note.
func (w *World[M]) trigger(by NodeID, kind Kind) {
	for _, i := range w.triggers[kind] {
		p := &w.plans[i]
		if who := p.When.By; by != who && (who != None || by != p.Node) {
			continue
		}
		p.noted++
		if p.When.Nth == 0 || p.noted == p.When.Nth {
			w.begin(i)
		}
	}
}

// begin lets a fault strike, and plans its end and its next strike.
func (w *World[M]) begin(i int) {
	p := &w.plans[i]
	until := w.until(p)
	w.again(i, until) // before the wake-up that this strike plans: stops without a gap are one
	switch p.Do {
	case Pause, Suspend:
		w.pause(p, until)
	case Crash:
		if w.nodes[p.Node].state&down == 0 {
			if w.strike(p) {
				w.say(p.Node, "crashes")
			}
			w.crash(p.Node)
			w.at(until, p.Node, i, revive)
		}
	case StepClock:
		if w.strike(p) {
			w.say(p.Node, "has its wall clock stepped by %v", p.By)
		}
		w.clocks[p.Node].step(p.By)
		w.retime(p.Node)
	case SetRate:
		w.slew(i, until)
	case Cut, Hold:
		if until > w.now {
			p.active++
			p.ends = max(p.ends, until)
			w.at(until, None, i, end)
			w.sayNetwork(p, until)
		}
	default:
		p.active, p.seen = 1, 0
	}
}

// until is when a strike that begins now is over. Only one that lasts draws how long.
func (w *World[M]) until(p *plan) Time {
	switch {
	case p.Do == StepClock || p.Do > Hold:
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

// again plans the next strike of a fault that recurs.
func (w *World[M]) again(i int, until Time) {
	p := &w.plans[i]
	switch {
	case p.When.Note != 0:
	case !p.When.Every.IsZero():
		w.at(max(until, w.now).Add(p.draw(&w.src, &p.When.Every)), p.Node, i, begin)
	case len(p.When.Replay) > 0:
		p.next++
		w.nextStop(i)
	}
}

// slew gives a node's oscillator a rate until an instant.
func (w *World[M]) slew(i int, until Time) {
	p := &w.plans[i]
	if until <= w.now {
		return
	}
	if w.strike(p) {
		w.say(p.Node, "has its clocks run at %v%s", p.Rate, lasting(w.now, until))
	}
	p.active++
	w.slews++
	p.latest = w.slews
	w.clocks[p.Node].setRate(w.now, p.Rate)
	w.retime(p.Node)
	w.at(until, p.Node, i, end)
}

// end is the end of a fault that lasts.
func (w *World[M]) end(i int) {
	p := &w.plans[i]
	p.active--
	if p.Do != SetRate {
		if p.active == 0 {
			w.sayNetwork(p, w.now)
		}
		return
	}
	rate := w.rate(p.Node)
	if w.telling() {
		w.say(p.Node, "has its clocks run at %v again", rate)
	}
	w.clocks[p.Node].setRate(w.now, rate)
	w.retime(p.Node)
}

// rate is the rate error of a node's oscillator: that of the fault that set it
// last and is not over, else that of the configuration.
func (w *World[M]) rate(id NodeID) PPB {
	var rate PPB
	if int(id) <= len(w.config.Clocks) {
		rate = w.config.Clocks[id-1].Rate
	}
	var latest uint64
	for i := range w.plans {
		if p := &w.plans[i]; p.Do == SetRate && p.Node == id && p.active > 0 && p.latest > latest {
			rate, latest = p.Rate, p.latest
		}
	}
	return rate
}

// strike records that a fault had an effect, and reports whether to say so.
func (w *World[M]) strike(p *plan) bool {
	if p.strike.Count == 0 {
		p.strike.First = w.now
	}
	p.strike.Count++
	return w.telling()
}

// pause stops a node, or suspends its machine, until an instant.
func (w *World[M]) pause(p *plan, until Time) {
	id := p.Node
	n, a := &w.nodes[id], &w.aside[id]
	if n.state&down != 0 || until <= w.now {
		return
	}
	if tell := w.strike(p); tell && p.Do == Suspend {
		w.say(id, "has its machine suspended%s", lasting(w.now, until))
	} else if tell {
		w.say(id, "is paused%s", lasting(w.now, until))
	}
	if p.Do == Suspend {
		a.frozen = max(a.frozen, until)
		w.clocks[id].suspend(w.now)
		w.retime(id)
		w.at(until, id, 0, thaw)
	}
	first := n.state&paused == 0
	if first {
		a.since = w.now
	}
	if n.state&busy != 0 && until > a.until { // a step under way makes no progress meanwhile
		a.occupied = a.occupied.Add(until.Sub(max(a.until, w.now)))
	}
	w.block(id, until, paused)
	if first {
		var none M
		w.tell(Paused, id, none)
	}
}

// block keeps a node from handling anything, and its effects from leaving, until
// an instant.
func (w *World[M]) block(id NodeID, until Time, why state) {
	w.nodes[id].state |= why
	if w.handling.Self == id && w.out.mode != losing {
		w.out.mode = holding
	}
	a := &w.aside[id]
	end := &a.until
	if why == busy {
		end = &a.occupied
	}
	if until > *end {
		*end = until
		w.at(until, id, 0, wake)
	}
}

// wake lets a node go on: first what had not left leaves, then it handles what
// came meanwhile, until it is blocked anew.
func (w *World[M]) wake(id NodeID) {
	n, a := &w.nodes[id], &w.aside[id]
	switch {
	case n.state&(paused|busy) == 0 || n.state&paused != 0 && w.now < a.until:
		return
	case n.state&paused != 0:
		w.resume(id)
		if n.state&busy != 0 && w.now < a.occupied {
			w.at(a.occupied, id, 0, wake)
			return
		}
	case w.now < a.occupied:
		return
	}
	n.state &^= busy
	if w.release(id) {
		w.drain(id)
	}
}

// resume ends the pause of a node.
func (w *World[M]) resume(id NodeID) {
	w.nodes[id].state &^= paused
	var none M
	w.tell(Resumed, id, none)
	if w.telling() {
		w.say(id, "resumes")
	}
	w.arrange(&w.aside[id])
}

// release lets the effects leave that were held back, until the node is blocked
// anew. It reports whether all have left and the node is ready.
func (w *World[M]) release(id NodeID) bool {
	n, a := &w.nodes[id], &w.aside[id]
	if len(a.effects) == 0 {
		return true
	}
	for i := range a.effects {
		if w.trace != nil {
			w.trace.release(w, id, &a.effects[i])
		}
		w.perform(id, &a.effects[i])
		if n.state&(paused|down) != 0 {
			a.effects = slices.Delete(a.effects, 0, min(i+1, len(a.effects))) // a crash empties it
			return false
		}
	}
	a.effects = a.effects[:0]
	return true
}

// drain handles the inbox until the node is blocked anew.
func (w *World[M]) drain(id NodeID) {
	n, a := &w.nodes[id], &w.aside[id]
	for a.handled < len(a.inbox) && n.state&(paused|busy|down) == 0 {
		e := &a.inbox[a.handled]
		from, to, m := e.from, e.to, e.msg
		a.handled++
		w.step(n, from, to, m)
	}
	// What is handled is removed by halves: a node that falls behind would
	// otherwise move its whole inbox at each step.
	if a.handled > len(a.inbox)/2 {
		a.inbox = slices.Delete(a.inbox, 0, a.handled)
		a.handled = 0
	}
}

// arrange puts what came during a pause into the order in which it is handled. It
// is in order of due time and arrival already.
func (w *World[M]) arrange(a *aside[M]) {
	if w.config.Resume == ByArrival {
		return
	}
	rank := func(e event[M]) int {
		if (e.class == message) == (w.config.Resume == MessagesFirst) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(a.inbox[a.handled:], func(x, y event[M]) int { return rank(x) - rank(y) })
}

// thaw ends the suspension of a machine; the process goes on with [World.wake].
func (w *World[M]) thaw(id NodeID) {
	if a := &w.aside[id]; w.now >= a.frozen && w.clocks[id].suspended {
		w.clocks[id].resume(w.now)
		w.retime(id)
	}
}

func (w *World[M]) crash(id NodeID) {
	n, a := &w.nodes[id], &w.aside[id]
	n.life++
	n.state = n.state&^(paused|busy) | down
	a.until, a.occupied, a.frozen = 0, 0, 0
	a.inbox, a.effects, a.handled = a.inbox[:0], a.effects[:0], 0
	if w.handling.Self == id {
		w.out.mode = losing
	}
	var none M
	w.tell(Crashed, id, none)
}

func (w *World[M]) restart(id NodeID) {
	n := &w.nodes[id]
	w.homes[id].restart()
	n.state &^= down
	w.clocks[id].reboot(w.now)
	w.retime(id)
	var none M
	if w.telling() {
		w.say(id, "restarts")
	}
	w.tell(Restarted, id, none)
	w.step(n, id, id, none)
}

// retime moves a node's timers and alarms to where its clocks, which have just
// been changed, will reach them.
func (w *World[M]) retime(id NodeID) {
	w.readClocks(id)
	c, life := &w.clocks[id], w.nodes[id].life
	var due []turn
	w.q.move(func(e *event[M]) {
		if e.to != id || e.life != life {
			return
		}
		switch e.class {
		case timer:
			e.at = c.when(MonoClock, e.due, w.now)
		case alarm:
			if e.at = c.when(WallClock, e.due, w.now); e.at == w.now {
				due = append(due, turn{e.due, e.seq})
			}
		}
	})
	if len(due) > 1 {
		w.reorder(due)
	}
	var none M
	w.tell(Retimed, id, none)
}

// turn is where an alarm stands among those that are due at the same instant.
type turn struct {
	reading int64
	seq     uint64
}

// reorder makes alarms that a step of the clock has made due ring in the order of
// their readings, not in that in which they were set.
func (w *World[M]) reorder(due []turn) {
	seqs := make([]uint64, len(due))
	for i := range due {
		seqs[i] = due[i].seq
	}
	slices.Sort(seqs)
	slices.SortFunc(due, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.reading, b.reading), cmp.Compare(a.seq, b.seq))
	})
	to := make(map[uint64]uint64, len(due))
	for i := range due {
		to[due[i].seq] = seqs[i]
	}
	w.q.move(func(e *event[M]) {
		if seq, ok := to[e.seq]; ok {
			e.seq = seq
		}
	})
}

// readClocks refreshes what a step needs to know of the clocks.
func (w *World[M]) readClocks(id NodeID) {
	n, c := &w.nodes[id], &w.clocks[id]
	if !c.steady() {
		n.state |= unsteady
		return
	}
	n.state &^= unsteady
	n.mono = int64(c.mono(w.now)) - int64(w.now)
	n.boot = int64(c.boot(w.now)) - int64(w.now)
	n.wall = int64(c.wall(w.now)) - int64(w.now)
}
