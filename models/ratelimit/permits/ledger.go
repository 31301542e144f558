package permits

import (
	"slices"
	"time"

	"fencepost/sim"
)

// request is what observers know of one that has arrived and is not over.
type request struct {
	rid       uint32
	seq       int        // of the arrivals, from 1
	limiter   sim.NodeID // where it arrived
	at        sim.Time   // when
	deadline  int64      // the reading of the limiter's clock up to which it may wait
	due       sim.Time   // when that was to be, as seen at its arrival
	queued    bool       // it has been told to wait
	permit    bool       // it has one, and has not returned it
	running   bool       // its handler runs
	started   bool       // its handler has run
	answered  bool
	cancelled bool // the limiter knows that its client is gone
	gone      bool // its client is gone
	late      bool // that it has waited too long has been said
}

// waits reports whether it waits for a permit.
func (r *request) waits() bool { return !r.permit && !r.started && !r.answered }

// Layout is what observers know of a system.
type Layout struct {
	Clients  int        // nodes 1 to Clients
	Limiter  sim.NodeID // the first limiter; the others follow
	Limiters int
	Leased   bool // permits are in a store, and expire
	Permits  int
	Queue    int
}

func (l *Layout) isLimiter(id sim.NodeID) bool {
	return id >= l.Limiter && id < l.Limiter+sim.NodeID(l.Limiters)
}

// ledger is who waits, who runs and who has permits, as the notes tell it.
type ledger struct {
	layout Layout

	open     []request // by arrival
	arrivals int
	inUse    int // permits, as the limiter or the store counts them
	owners   int // requests with a permit
	running  int // handlers
	draining bool
	paused   []sim.Time    // by limiter: when it last stopped
	resumed  sim.Time      // when a limiter last resumed
	stopped  time.Duration // for how long it had been stopped
}

func newLedger(l Layout) ledger {
	return ledger{layout: l, open: make([]request, 0, 16), paused: make([]sim.Time, l.Limiters)}
}

// Reset forgets the run.
func (l *ledger) Reset() {
	clear(l.paused)
	*l = ledger{layout: l.layout, open: l.open[:0], paused: l.paused}
}

// find is the request with that id, nil if it is over.
func (l *ledger) find(rid uint32) *request {
	for i := range l.open {
		if l.open[i].rid == rid {
			return &l.open[i]
		}
	}
	return nil
}

// waiting is how many requests wait in a queue.
func (l *ledger) waiting() (n int) {
	for i := range l.open {
		if r := &l.open[i]; r.queued && r.waits() {
			n++
		}
	}
	return n
}

// observe brings the ledger up to date. It returns what was known of the request that
// was noted; known is false if it is none, or over.
func (l *ledger) observe(v *sim.View[Msg], o *sim.Observation[Msg]) (was request, known bool) {
	if l.layout.isLimiter(o.Node) {
		switch o.Event {
		case sim.Paused:
			l.paused[o.Node-l.layout.Limiter] = v.Now()
		case sim.Resumed:
			l.wentOn(v, o.Node)
		case sim.Crashed:
			l.lost(o.Node)
		}
	}
	if o.Event != sim.Noted {
		return request{}, false
	}
	m := &o.Msg
	r := l.find(m.Rid)
	if r != nil {
		was = *r
	}
	switch m.Kind {
	case Arrived:
		l.arrivals++
		until := v.Read(o.Node, sim.MonoClock) + int64(m.Wait)
		l.open = append(l.open, request{rid: m.Rid, seq: l.arrivals, limiter: o.Node, at: v.Now(),
			deadline: until, due: v.When(o.Node, sim.MonoClock, until)})
		return request{}, false
	case Draining:
		l.draining = true
	case Granted, Freed, Purged:
		l.inUse = int(m.InUse)
	case Panicked:
		if m.Rid == 0 {
			l.lost(o.Node)
			return request{}, false
		}
	}
	if r == nil {
		return request{}, false
	}
	l.update(r, m)
	return was, true
}

// update is what a note says of a request that is not over.
func (l *ledger) update(r *request, m *Msg) {
	switch m.Kind {
	case Queued:
		r.queued = true
	case Granted:
		l.own(r, true)
	case Freed, Purged:
		l.own(r, false)
	case Started:
		r.running, r.started = true, true
		l.running++
	case Done, Overridden:
		r.running = false
		l.running--
		l.own(r, false) // what it has not returned by now it never will
	case Answered, Panicked:
		r.answered = true
	case Cancelled:
		r.cancelled = true
	case Gone:
		r.gone = true
	}
	if r.answered && !r.running { // no handler is left that could return a permit
		l.own(r, false)
		l.drop(r)
	}
}

func (l *ledger) own(r *request, has bool) {
	switch {
	case has && !r.permit:
		l.owners++
	case !has && r.permit:
		l.owners--
	}
	r.permit = has
}

func (l *ledger) drop(r *request) {
	i := slices.IndexFunc(l.open, func(s request) bool { return s.rid == r.rid })
	l.open = slices.Delete(l.open, i, i+1)
}

// lost forgets the requests of a limiter whose process is gone. Permits in its own memory
// are gone with it; those in a store are not.
func (l *ledger) lost(limiter sim.NodeID) {
	for i := len(l.open) - 1; i >= 0; i-- {
		r := &l.open[i]
		if r.limiter != limiter {
			continue
		}
		if r.running {
			l.running--
		}
		l.own(r, false)
		l.open = slices.Delete(l.open, i, i+1)
	}
	if !l.layout.Leased {
		l.inUse, l.draining = 0, false
	}
}

// wentOn is a limiter that resumes after a pause. A request that waited there may have to wait
// for so much longer: the pause may have been injected between the note of an arrival and its
// timer.
func (l *ledger) wentOn(v *sim.View[Msg], limiter sim.NodeID) {
	l.resumed = v.Now()
	l.stopped = v.Now().Sub(l.paused[limiter-l.layout.Limiter])
	for i := range l.open {
		if r := &l.open[i]; r.limiter == limiter {
			r.due, r.deadline = r.due.Add(l.stopped), r.deadline+int64(l.stopped)
		}
	}
}

// awake is the first instant, not before t, by which a limiter that is up can be expected
// to have done what was due at t; ok is false if it has no such duty now.
func (l *ledger) awake(v *sim.View[Msg], limiter sim.NodeID, t sim.Time) (by sim.Time, ok bool) {
	if _, paused := v.PausedSince(limiter); paused || v.Down(limiter) {
		return 0, false
	}
	by = max(t, l.resumed).Add(slack)
	return by, v.Now() > by
}

// leaked is how many permits are in use that no handler will return.
func (l *ledger) leaked() int { return l.inUse - l.owners }

// unbacked is the first request whose handler runs without a permit, nil if there is none.
func (l *ledger) unbacked() *request {
	for i := range l.open {
		if r := &l.open[i]; r.running && !r.permit {
			return r
		}
	}
	return nil
}
