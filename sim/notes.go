package sim

// observing is the observers of a run, and what they are notified of.
type observing[M Message] struct {
	observers []Observer[M]
	audiences [Ended][]audience[M] // by event and, of notes, by kind
	awaited   Time                 // see [View.Await]
	view      View[M]
	seen      Observation[M]
	kept      keptPrints
	goal      *goal[M]                                   // that a search looks for, if there is one
	describe  func(v *View[M], o *Observation[M]) string // of the run under way, if its moments are watched
	detail    func(v *View[M], o *Observation[M]) string // the same, if there is a journal
}

// audience is the observers that are notified of an event.
type audience[M Message] struct {
	observers []Observer[M]
	prints    uint64 // which of the kept prints are theirs, see printBit
}

// note notifies the observers, and injects the faults that wait for this note.
func (w *World[M]) note(self NodeID, m *M) {
	w.digest = (*m).Fold(w.digest.Fold(uint64(w.now), uint64(self)<<32|1<<31))
	w.notify(Noted, self, m)
	if w.after != nil {
		w.trigger(w.after[(*m).Label()], self)
	}
}

// notify shows an event to the observers that watch it, and describes it for the log.
func (w *World[M]) notify(event Event, id NodeID, m *M) {
	self := w.handling.Self
	w.handling.Self = None // a panic of an observer is not one of the step
	if w.now > w.awaited {
		w.elapse()
	}
	w.seen.Event, w.seen.Node, w.seen.Msg = event, id, *m
	kind := Kind(0)
	if event == Noted {
		kind = (*m).Label()
	}
	w.audiences[event][kind].notify(w)
	if w.chart != nil {
		w.chart.observe(&w.seen)
	}
	if w.describe != nil {
		if text := w.describe(&w.view, &w.seen); text != "" {
			w.relate(text)
		}
	}
	if w.watch.Journal != nil {
		w.witness()
	}
	w.handling.Self = self
}

// networkChanged notifies the observers that watch it that a cut or a hold began or ended. The log has a line for it already.
func (w *World[M]) networkChanged() {
	self := w.handling.Self
	w.handling.Self = None
	if w.now > w.awaited {
		w.elapse()
	}
	w.seen = Observation[M]{Event: NetworkChanged}
	w.audiences[NetworkChanged][0].notify(w)
	w.handling.Self = self
}

// elapse notifies the observers that watch it that time has passed.
func (w *World[M]) elapse() {
	w.awaited = Never
	w.seen = Observation[M]{Event: Elapsed}
	w.audiences[Elapsed][0].notify(w)
}

func (a *audience[M]) notify(w *World[M]) {
	w.kept.heard |= a.prints
	for _, o := range a.observers {
		o.Observe(&w.view, &w.seen)
	}
}
