package sim

import (
	"errors"
	"fmt"
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
	seen   int  // notes or messages that could have been the Nth
	next   int  // of a replayed log: the stop to come
	base   Time // of a replayed log: where its time 0 lies
	active int  // how many times it has begun and not ended
	ends   Time // of Cut and Hold: when the last of them does
}

// operation is what a planned change does; the change's number is
// plan<<opBits | operation.
type operation uint8

const (
	begin   operation = iota // the plan strikes
	end                      // and is over
	wake                     // the node goes on, if nothing holds it any more
	thaw                     // the oscillator of a suspended machine goes on
	restart                  // the node starts anew
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
func (w *World[M]) startReplay(i int) {
	p := &w.plans[i]
	phase := Uniform(0, p.When.Span)
	skip := p.draw(&w.src, &phase)
	p.base = -Time(skip)
	p.next, _ = slices.BinarySearchFunc(p.When.Replay, skip, func(s Stop, at time.Duration) int {
		return int(max(min(s.At-at, 1), -1))
	})
	w.nextStop(i)
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
	case restart:
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
		p.seen++
		if p.When.Nth == 0 || p.seen == p.When.Nth {
			w.begin(i)
		}
	}
}

// begin lets a fault strike, and plans its end and its next strike.
func (w *World[M]) begin(i int) {
	p := &w.plans[i]
	length := p.length(&w.src)
	until := w.now.Add(length)
	if p.Forever {
		until = Never
	}
	switch p.Do {
	case Pause, Suspend:
		w.pause(p, until)
	case Crash:
		if w.nodes[p.Node].state&down == 0 {
			if w.strike(p) {
				w.say("%s crashes", w.names[p.Node])
			}
			w.crash(p.Node)
			w.at(until, p.Node, i, restart)
		}
	case StepClock:
		if w.strike(p) {
			w.say("the wall clock of %s is stepped by %v", w.names[p.Node], p.By)
		}
		w.clocks[p.Node].step(p.By)
		w.retime(p.Node)
	case SetRate:
		if w.strike(p) {
			w.say("the clocks of %s now run at %v", w.names[p.Node], p.Rate)
		}
		w.clocks[p.Node].setRate(w.now, p.Rate)
		w.retime(p.Node)
		w.at(until, p.Node, i, end)
	default:
		p.active++
		p.ends = max(p.ends, until)
		if p.Do == Cut || p.Do == Hold {
			w.at(until, None, i, end)
		}
	}
	w.again(i, until)
}

// length is how long this strike lasts.
func (p *plan) length(s *source) time.Duration {
	if len(p.When.Replay) > 0 {
		return p.When.Replay[p.next].For
	}
	return p.draw(s, &p.For)
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

// end is the end of a fault that lasts.
func (w *World[M]) end(i int) {
	p := &w.plans[i]
	if p.Do != SetRate {
		p.active--
		return
	}
	var c Clock
	if int(p.Node) <= len(w.config.Clocks) {
		c = w.config.Clocks[p.Node-1]
	}
	w.clocks[p.Node].setRate(w.now, c.Rate)
	w.retime(p.Node)
}

// strike records that a fault had an effect, and reports whether to say so.
func (w *World[M]) strike(p *plan) bool {
	if p.strike.Count == 0 {
		p.strike.First = w.now
	}
	p.strike.Count++
	return w.story != nil
}

// say adds a moment to the story.
func (w *World[M]) say(format string, args ...any) {
	w.story(Moment{At: w.now, Text: fmt.Sprintf(format, args...)})
}

// pause stops a node, or suspends its machine, until an instant.
func (w *World[M]) pause(p *plan, until Time) {
	id := p.Node
	n, a := &w.nodes[id], &w.aside[id]
	if n.state&down != 0 || until <= w.now {
		return
	}
	if p.Do == Suspend {
		if w.strike(p) {
			w.say("the machine of %s is suspended for %v", w.names[id], until.Sub(w.now))
		}
		a.frozen = max(a.frozen, until)
		w.clocks[id].suspend(w.now)
		w.retime(id)
		w.at(until, id, 0, thaw)
	} else {
		if w.strike(p) {
			w.say("%s is paused for %v", w.names[id], until.Sub(w.now))
		}
	}
	first := n.state&paused == 0
	if first {
		a.since = w.now
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
	if a := &w.aside[id]; until > a.until {
		a.until = until
		w.at(until, id, 0, wake)
	}
}

// wake lets a node go on: first what had not left leaves, then it handles what
// came meanwhile, until it is blocked anew.
func (w *World[M]) wake(id NodeID) {
	n, a := &w.nodes[id], &w.aside[id]
	if w.now < a.until || n.state&(paused|busy) == 0 {
		return
	}
	was := n.state
	n.state &^= paused | busy
	if was&paused != 0 {
		var none M
		w.tell(Resumed, id, none)
		if w.story != nil {
			w.say("%s resumes", w.names[id])
		}
		w.arrange(a)
	}
	for i := range a.effects {
		w.perform(id, &a.effects[i])
		if n.state&(paused|busy|down) != 0 {
			a.effects = slices.Delete(a.effects, 0, min(i+1, len(a.effects)))
			return
		}
	}
	a.effects = a.effects[:0]
	w.drain(id)
}

// drain handles the inbox until the node is blocked anew.
func (w *World[M]) drain(id NodeID) {
	n, a := &w.nodes[id], &w.aside[id]
	done := 0
	for done < len(a.inbox) && n.state&(paused|busy|down) == 0 {
		e := a.inbox[done]
		done++
		w.step(n, e.from, e.to, e.msg)
	}
	if len(a.inbox) > 0 { // a crash empties it
		a.inbox = slices.Delete(a.inbox, 0, done)
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
	slices.SortStableFunc(a.inbox, func(x, y event[M]) int { return rank(x) - rank(y) })
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
	a.until, a.frozen = 0, 0
	a.inbox, a.effects = a.inbox[:0], a.effects[:0]
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
	if w.story != nil {
		w.say("%s restarts", w.names[id])
	}
	w.tell(Restarted, id, none)
	w.step(n, id, id, none)
}

// retime moves a node's timers and alarms to where its clocks, which have just
// been changed, will reach them.
func (w *World[M]) retime(id NodeID) {
	w.readClocks(id)
	c, life := &w.clocks[id], w.nodes[id].life
	w.q.move(func(e *event[M]) {
		if e.to != id || e.life != life {
			return
		}
		switch e.class {
		case timer:
			e.at = c.when(MonoClock, e.due, w.now)
		case alarm:
			e.at = c.when(WallClock, e.due, w.now)
		}
	})
	var none M
	w.tell(Retimed, id, none)
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

// intercept lets the faults on the network decide about a message, in their order,
// until one does not let it pass. It reports whether one did.
func (w *World[M]) intercept(from, to NodeID, m M, delay time.Duration) bool {
	for i := range w.plans {
		p := &w.plans[i]
		if p.active == 0 || !p.concerns(from, to, m.Label()) {
			continue
		}
		switch p.Do {
		case Cut, Lose:
			if w.strike(p) {
				w.say("%v from %s to %s is lost", m, w.names[from], w.names[to])
			}
		case Hold:
			if w.strike(p) {
				w.say("%v from %s to %s is held back", m, w.names[from], w.names[to])
			}
			if p.ends != Never {
				w.deliver(p.ends.Add(delay), from, to, m)
			}
		case Delay:
			late := p.draw(&w.src, &p.For)
			if w.strike(p) {
				w.say("%v from %s to %s will take %v", m, w.names[from], w.names[to], late)
			}
			w.deliver(w.now.Add(late), from, to, m)
		case Duplicate:
			if w.strike(p) {
				w.say("%v from %s to %s is duplicated", m, w.names[from], w.names[to])
			}
			w.deliver(w.now.Add(p.draw(&w.src, &p.For)), from, to, m)
			continue
		}
		return true
	}
	return false
}

// concerns reports whether a fault decides about a message of a kind on a link.
func (p *plan) concerns(from, to NodeID, kind Kind) bool {
	if p.Do == Cut || p.Do == Hold {
		a, b := p.side[from], p.side[to]
		return a != 0 && b != 0 && a != b && (!p.OneWay || a == 1)
	}
	c := &p.Msg
	if c.Kind != kind || c.From != None && c.From != from || c.To != None && c.To != to {
		return false
	}
	p.seen++
	return c.Nth == 0 || p.seen == c.Nth
}

// check refuses a fault that names what the system does not have.
func (f *Fault) check(nodes, kinds int) error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("fault %q: "+format, append([]any{f.Name}, args...)...))
	}
	node := func(what string, id NodeID) {
		if id < 0 || int(id) >= nodes {
			bad("%s: there is no node %d, only 1 to %d", what, id, nodes-1)
		}
	}
	if f.Do <= SetRate && f.Node == None {
		bad("%v needs a node", f.Do)
	}
	node("node", f.Node)
	node("noted by", f.When.By)
	node("from", f.Msg.From)
	node("to", f.Msg.To)
	for _, side := range f.Sides {
		for _, id := range side {
			node("side", id)
		}
	}
	if int(f.When.Note) >= max(kinds, 1) || int(f.Msg.Kind) >= max(kinds, 1) {
		bad("there is no such kind of message")
	}
	if (f.Do == Cut || f.Do == Hold) && (len(f.Sides) < 2 || len(f.Sides) > 200) {
		bad("%v needs at least two sides", f.Do)
	}
	if f.Rate < -MaxPPB || f.Rate > MaxPPB {
		bad("a rate error of %v is beyond %v", f.Rate, MaxPPB)
	}
	if len(f.When.Replay) > 0 && f.When.Span <= 0 {
		bad("a replayed log needs a span")
	}
	return errors.Join(errs...)
}
