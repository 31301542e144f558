package sim

import "io"

// Watch is what a run reports beside its result. The zero Watch is nothing. No part of it
// changes a digest.
type Watch struct {
	Trace    io.Writer          // a line for each step
	Moments  func(Moment)       // the decisive ones. What is known late is reported late: At says when it was
	Journal  *Journal           // what caused what
	Timeline *Timeline          // who was in which state when
	Draws    func(Draw, uint64) // each draw and what it gave
	Samples  func(Time, Sample) // each value of a measure, and the true time at which it is recorded
	Shown    func(Shown)        // what leaves the system, see [Out.Show]
}

// watching is what a world keeps of a Watch.
type watching[M Message] struct {
	watch  Watch
	trace  *tracer[M]
	chart  *chart[M]
	causes []asked // by sequence of an event, with a journal
}

// Watch makes the following runs report what o names, and no more, until it is called again.
func (w *World[M]) Watch(o Watch) {
	w.watching = watching[M]{watch: o, causes: w.causes}
	if o.Trace != nil {
		w.trace = &tracer[M]{out: o.Trace}
	}
	if o.Timeline != nil {
		w.chart = &chart[M]{w: w, to: o.Timeline}
	}
	w.src.watch = o.Draws
	if o.Draws != nil && w.config.Twice {
		w.src.watch = func(d Draw, v uint64) {
			if w.out.mode != mocking { // a step that is run a second time draws the same again
				o.Draws(d, v)
			}
		}
	}
	w.draws()
}
