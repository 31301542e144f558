package sim

import (
	"fmt"
	"time"

	"fencepost/sim/internal/dist"
)

// Out takes the effects of a step. They leave in the order of the calls: at the
// end of the step's cost, or when the node resumes if a pause is injected between two
// of them. The engine owns and reuses it.
type Out[M Message] struct {
	w    *World[M]
	self NodeID
	mode outMode
}

type outMode uint8

const (
	leaving outMode = iota // effects leave at once: the usual case
	logging                // and are also written down, for a trace or a second run of the step
	holding                // they wait until the node resumes
	losing                 // the node has crashed in the middle of the step
	mocking                // the step is run a second time: effects are only written down
)

// An effect is what a step asks for.
type effect[M Message] struct {
	kind   effectKind
	to     NodeID // of a send
	length int64  // of a timer, in ns; of an alarm, the reading
	drawn  *Dist  // of a timer that is drawn, on a stage: its distribution
	met    bool   // the faults that wait for it have had their chance
	cause  int32  // the entry of the journal that asked for it, plus 1
	msg    M
}

type effectKind uint8

const (
	sends effectKind = iota
	arms
	sets
	notes
)

// Send sends a message over the network.
func (o *Out[M]) Send(to NodeID, m M) {
	w := o.w
	if uint(to-1) >= uint(len(w.nodes)-1) {
		noSuchNode(to, len(w.nodes)-1)
	}
	d := w.plain
	if o.mode != leaving || d == nil {
		o.dispatch(to, m)
		return
	}
	delay := dist.Fixed(d)
	n := w.nodes[o.self] // from here on what dispatch does, with five calls fewer
	if dist.Draws(d) {
		u := w.src.plainDelay(o.self, n.sent)
		if dist.IsExponential(d) {
			delay = dist.SampleExponential(d, u)
		} else {
			delay = d.Sample(u)
		}
	}
	n.sent++
	e := &w.q.Push(int64(w.now.Add(delay))).Body
	e.due, e.to, e.from, e.incarnation, e.class, e.msg = int64(w.now), to, o.self, 0, message, m
}

// dispatch sends a message to which more can happen than its delay.
func (o *Out[M]) dispatch(to NodeID, m M) {
	if o.mode == leaving {
		o.w.send(o.self, to, &m)
		return
	}
	o.other(effect[M]{kind: sends, to: to, msg: m})
}

// After arms a timer on the node's monotonic clock: m comes back to the node when
// that clock has advanced by d, 0 or more.
func (o *Out[M]) After(d time.Duration, m M) {
	if d < 0 {
		if _, _, _, differs := AsDifference(int64(d)); !differs {
			panic(fmt.Sprintf("sim: a timer of %v", d))
		}
	}
	if o.mode == leaving {
		o.w.arm(o.self, int64(d), &m)
		return
	}
	o.other(effect[M]{kind: arms, length: int64(d), msg: m})
}

// At sets an alarm on the node's wall clock: m comes back when that clock reads w
// or more. It moves when the clock is stepped.
func (o *Out[M]) At(w Wall, m M) {
	if o.mode == leaving {
		o.w.set(o.self, int64(w), &m)
		return
	}
	o.other(effect[M]{kind: sets, length: int64(w), msg: m})
}

// AfterDraw arms a timer whose length the engine draws.
func (o *Out[M]) AfterDraw(d Dist, m M) {
	length := int64(dist.Fixed(&d))
	if dist.Draws(&d) {
		length = int64(d.Sample(o.w.drawTimer(o.self, o.mode)))
	}
	if o.mode == leaving {
		o.w.arm(o.self, length, &m)
		return
	}
	e := effect[M]{kind: arms, length: length, msg: m}
	if o.w.ranges && dist.Draws(&d) {
		of := d
		e.drawn = &of
	}
	o.other(e)
}

// Note notifies the observers. It costs nothing and cannot be lost.
func (o *Out[M]) Note(m M) {
	if o.mode == leaving {
		o.w.note(o.self, &m)
		return
	}
	o.other(effect[M]{kind: notes, msg: m})
}

// other is what becomes of an effect that does not simply leave.
func (o *Out[M]) other(e effect[M]) {
	switch o.mode {
	case logging:
		if e.cause == 0 {
			e.cause = o.w.watch.Journal.current()
		}
		if o.w.beforeEffect(o.self, &e); o.mode != logging {
			o.other(e)
			return
		}
		o.w.write(e)
		o.w.perform(o.self, &e)
	case holding:
		if e.cause == 0 {
			e.cause = o.w.watch.Journal.current()
		}
		o.w.write(e)
		a := &o.w.saved[o.self]
		a.effects = append(a.effects, e)
	case losing:
		o.w.write(e)
	case mocking:
		o.w.mock = append(o.w.mock, e)
	}
}

// write keeps an effect for the trace or a second run of the step.
func (w *World[M]) write(e effect[M]) {
	if w.trace != nil || w.config.Twice || w.watch.Journal != nil {
		e.met, e.cause = false, 0 // the two runs of a step are compared
		if w.out.mode == logging {
			w.left = len(w.log) + 1
		}
		w.log = append(w.log, e)
	}
}

// beforeEffect injects the faults that wait until just before this effect leaves.
func (w *World[M]) beforeEffect(self NodeID, e *effect[M]) {
	if e.met {
		return
	}
	e.met = true
	if w.before != nil {
		w.trigger(w.before[e.msg.Label()], self)
	}
	if w.adversary != nil && w.nodes[self].state&(paused|down) == 0 {
		w.askBeforeEffect(self, e)
	}
}

// perform lets an effect leave.
func (w *World[M]) perform(self NodeID, e *effect[M]) {
	if w.watch.Journal != nil {
		w.watch.Journal.doing = e.cause
		defer w.caused(w.q.Seq(), self, e.cause)
	}
	switch e.kind {
	case sends:
		w.send(self, e.to, &e.msg)
	case arms:
		w.arm(self, e.length, &e.msg)
	case sets:
		w.set(self, e.length, &e.msg)
	case notes:
		w.note(self, &e.msg)
	}
}
