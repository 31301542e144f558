package fact

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// Row says that a note is a fact. Fill copies what the note carries; kind, node and instant are there already.
type Row[M sim.Message] struct {
	Note sim.Kind
	Fact Kind
	Fill func(m *M, f *Fact) // nil: the note carries nothing
}

// Mapping says which notes of a model are which facts. Make it with [Map].
type Mapping[M sim.Message] struct {
	rows  [256][]Row[M]     // by note
	notes [kinds][]sim.Kind // by fact
}

// Map makes the table of a model. A note with several rows is several facts, in their order.
func Map[M sim.Message](rows ...Row[M]) *Mapping[M] {
	t := &Mapping[M]{}
	for _, r := range rows {
		t.rows[r.Note] = append(t.rows[r.Note], r)
		t.notes[r.Fact] = append(t.notes[r.Fact], r.Note)
	}
	return t
}

// ofWorld are the facts that the engine tells, by event.
var ofWorld = [...]Kind{sim.Noted: Nothing, sim.Paused: Paused, sim.Resumed: Resumed, sim.Crashed: Crashed, sim.Restarted: Restarted,
	sim.ClockChanged: ClockChanged, sim.NetworkChanged: NetworkChanged, sim.Elapsed: Elapsed, sim.Ended: Ended}

// watch is what an observer is told of that hears some kinds, a bit for each.
func (t *Mapping[M]) watch(on uint64) (w model.Watch) {
	for event, k := range ofWorld {
		if on>>k&1 != 0 {
			w.Also(sim.Event(event))
		}
	}
	for k, notes := range t.notes {
		if on>>k&1 != 0 {
			w.Notes(notes...)
		}
	}
	return w
}

// Hearing makes the fact of each observation of a system, once for all that hear it. It is the first ledger of the
// system. If there are others it watches everything: At is never the fact of an earlier observation then.
type Hearing[M sim.Message] struct {
	At       Fact // hand
	system   *sim.System[M]
	facts    *Mapping[M]
	heard    uint64 // the kinds that properties hear, a bit for each
	watch    model.Watch
	anything bool
}

// Hear adds a hearing to a system.
func Hear[M sim.Message](s *sim.System[M], facts *Mapping[M]) *Hearing[M] {
	h := &Hearing[M]{system: s, facts: facts}
	s.Ledgers = append([]sim.Observer[M]{h}, s.Ledgers...)
	return h
}

// Property is a property as one of the system.
func (h *Hearing[M]) Property(p Property) sim.Property[M] { return h.property(p) }

func (h *Hearing[M]) property(p Property) *property[M] {
	e := NewEvaluator(p, &h.At)
	h.heard |= e.on
	h.watch = h.facts.watch(h.heard)
	return &property[M]{h.facts.watch(e.on), e, h}
}

// Ledger adds to the system what several properties remember together. The checker changes what the memory, a pointer to a
// struct, refers to: see [model.NewLedger].
func (h *Hearing[M]) Ledger(memory any, c Checker) {
	h.anything = true
	e := NewLedger(memory, c, &h.At)
	h.system.Ledgers = append(h.system.Ledgers, &ledger[M]{property[M]{h.facts.watch(e.on), e, h}, memory})
}

// Reset implements [sim.Observer].
func (h *Hearing[M]) Reset(*sim.View[M]) {}

// Watches implements [sim.Selective].
func (h *Hearing[M]) Watches(event sim.Event, note sim.Kind) bool {
	return h.anything || h.watch.Watches(event, note)
}

// Print implements [sim.Printer]: the fact at hand is not remembered.
func (h *Hearing[M]) Print(*sim.Print) {}

// Observe implements [sim.Observer]. Notes reach those that hear their facts by [Hearing.Join].
func (h *Hearing[M]) Observe(v *sim.View[M], o *sim.Observation[M]) {
	h.At = Fact{Kind: ofWorld[o.Event], Node: o.Node, At: v.Now(), Nth: h.At.Nth + 1}
}

// fill makes the fact of a note that a row says.
func (h *Hearing[M]) fill(v *sim.View[M], o *sim.Observation[M], r *Row[M]) {
	h.At = Fact{Kind: r.Fact, Node: o.Node, At: v.Now(), Nth: h.At.Nth + 1}
	if r.Fill != nil {
		r.Fill(&o.Msg, &h.At)
	}
}

// End implements [sim.Ender].
func (h *Hearing[M]) End(v *sim.View[M]) { h.Observe(v, &sim.Observation[M]{Event: sim.Ended}) }

// Join implements [sim.Joiner]. Ledgers and properties hear a fact in their order, before all observers of notes.
func (h *Hearing[M]) Join(all []sim.Observer[M]) []sim.Observer[M] {
	t := &told[M]{hearing: h}
	var rest []sim.Observer[M]
	for _, o := range all[1:] {
		if q, ok := o.(interface{ itself() *property[M] }); ok && q.itself().hearing == h {
			t.hearers = append(t.hearers, q.itself().Evaluator)
		} else {
			rest = append(rest, o)
		}
	}
	if len(rest) > 0 {
		if j, ok := rest[0].(sim.Joiner[M]); ok {
			rest = j.Join(rest)
		}
	}
	return append([]sim.Observer[M]{t}, rest...)
}

// told is a hearing and all that hear the facts of one kind of note, as one observer.
type told[M sim.Message] struct {
	hearing *Hearing[M]
	hearers []*Evaluator
	facts   []telling[M] // of the kind of note, which the first note says
	begun   bool
}

// telling is a fact of the note, and the checkers that hear it.
type telling[M sim.Message] struct {
	row   *Row[M]
	calls []call
}

type call struct {
	checker Checker
	report  *Report
}

// Reset implements [sim.Observer]: the parts are reset one by one.
func (*told[M]) Reset(*sim.View[M]) {}

// Observe implements [sim.Observer].
func (t *told[M]) Observe(v *sim.View[M], o *sim.Observation[M]) {
	if !t.begun {
		t.begin(o.Msg.Label())
	}
	if len(t.facts) == 0 {
		t.hearing.Observe(v, o)
		return
	}
	for i := range t.facts {
		f := &t.facts[i]
		t.hearing.fill(v, o, f.row)
		for _, c := range f.calls {
			c.checker.Check(c.report)
		}
	}
}

// begin finds the facts of a kind of note and who hears them.
func (t *told[M]) begin(note sim.Kind) {
	t.begun = true
	rows := t.hearing.facts.rows[note]
	for i := range rows {
		f := telling[M]{row: &rows[i]}
		for _, e := range t.hearers {
			if e.on>>rows[i].Fact&1 != 0 {
				f.calls = append(f.calls, call{e.checker, &e.Report})
			}
		}
		t.facts = append(t.facts, f)
	}
}
