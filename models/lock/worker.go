package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// algorithm is an [core.Algorithm] that is part of the state of a node. One that owns slices
// implements [sim.Resetter] too, and one that keeps more than the number of its attempts
// across a crash [sim.Recoverer].
type algorithm[A any] interface {
	*A
	core.Algorithm
}

// Worker is a client: it takes the lock, does its job in the critical section, gives the
// lock back, and thinks before it wants it again.
type Worker[A any, P algorithm[A]] struct {
	Critical
	Lock A

	round int // acquisitions so far
}

// Step implements [sim.Node].
func (w *Worker[A, P]) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; {
	case m.Kind == core.Start:
		w.wants(&in, out, w.Start)
	case m.Kind == core.Begin:
		w.round++
		w.follow(P(&w.Lock).Acquire(in, out), &in, out)
	case ofJob(m):
		if w.Critical.step(&in, out) {
			w.follow(P(&w.Lock).Release(in, out), &in, out)
		}
	default:
		w.follow(P(&w.Lock).Receive(in, out), &in, out)
	}
}

// follow does what an outcome of the algorithm asks for.
func (w *Worker[A, P]) follow(o core.Outcome, in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch o {
	case core.Granted:
		a := P(&w.Lock).Shared()
		w.enter(in, out, P(&w.Lock).Hold(), a.Sent)
		a.Sent = 0
	case core.Renewed:
		w.renewed(out, P(&w.Lock).Hold())
	case core.Lost:
		if w.inside {
			w.leave(out, core.New(core.LockLost))
			w.follow(P(&w.Lock).Release(*in, out), in, out)
		}
	case core.GaveUp:
		out.Note(core.New(core.Failed).Of(P(&w.Lock).Shared().Try))
		w.think(in, out)
	case core.Done:
		w.think(in, out)
	}
}

// think plans the next acquisition, if there is to be one.
func (w *Worker[A, P]) think(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if w.Rounds == 0 || w.round < w.Rounds {
		w.wants(in, out, w.Think)
	}
}

// Reset implements [sim.Resetter].
func (w *Worker[A, P]) Reset(initial *Worker[A, P]) {
	if r, ok := any(P(&w.Lock)).(sim.Resetter[A]); ok {
		r.Reset(&initial.Lock)
		w.Critical, w.round = initial.Critical, initial.round
		return
	}
	*w = *initial
}

// Recover implements [sim.Recoverer]. The number of attempts stands for what makes a
// client's values unique, and never comes again.
func (w *Worker[A, P]) Recover(before *Worker[A, P]) {
	P(&w.Lock).Shared().Try = P(&before.Lock).Shared().Try
	if r, ok := any(P(&w.Lock)).(sim.Recoverer[A]); ok {
		r.Recover(&before.Lock)
	}
}

// worker makes what places a worker of a lock.
func worker[A any, P algorithm[A]](lock A) func(name string, c Critical) sim.Spec[core.Msg] {
	return func(name string, c Critical) sim.Spec[core.Msg] {
		return sim.Place[core.Msg](name, Worker[A, P]{Critical: c, Lock: lock})
	}
}
