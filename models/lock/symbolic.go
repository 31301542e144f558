package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Symbolic implements [sim.Symbolic].
func (w *Worker[A, P]) Symbolic() string {
	a, ok := any(P(&w.Lock)).(core.Symbolic)
	switch {
	case !ok:
		return sim.SaysNothing
	case w.Beat > 0 || w.Period > 0:
		return "only clients that write once for each acquisition can"
	}
	return a.Unsupported()
}

// Forget implements [sim.Symbolic].
func (w *Worker[A, P]) Forget() {
	a := P(&w.Lock).Shared()
	a.Sent = 0 // only the note of the next grant says it
	if w.Rounds == 0 {
		w.round = 0
	}
	if w.written {
		w.hold.Until = 0 // the lease was checked
	}
	any(P(&w.Lock)).(core.Symbolic).Forget()
}

// Ignores implements [sim.Symbolic]. No attempt is granted twice, so that what belongs to one that
// is over never has an effect again.
func (w *Worker[A, P]) Ignores(e *sim.Arrival[Msg]) bool {
	switch m := &e.Msg; {
	case m.Kind == core.Start || m.Kind == core.Begin || m.Kind == core.Retry:
		return false
	case ofJob(m):
		return !w.inside || m.Try != w.hold.Try || m.Kind == core.Timeout && w.written && !w.awaits
	}
	return any(P(&w.Lock)).(core.Symbolic).Ignores(e)
}

// Rename implements [sim.Renamer].
func (w *Worker[A, P]) Rename(to sim.Renaming) {
	w.hold.Renumber(to)
	if l, ok := any(P(&w.Lock)).(sim.Renamer); ok {
		l.Rename(to)
	}
}

// Symbolic implements [sim.Symbolic].
func (s *Store) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (s *Store) Forget() {}

// Ignores implements [sim.Symbolic].
func (s *Store) Ignores(*sim.Arrival[Msg]) bool { return false }

// Rename implements [sim.Renamer].
func (s *Store) Rename(to sim.Renaming) { s.fence.value = core.RenamedGrant(s.fence.value, to) }

// Symbolic implements [sim.Symbolic].
func (c *Counter) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (c *Counter) Forget() {}

// Ignores implements [sim.Symbolic].
func (c *Counter) Ignores(*sim.Arrival[Msg]) bool { return false }
