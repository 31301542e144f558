package sim

import "math"

// Result is the result of one run.
type Result struct {
	Seed       uint64
	Steps      uint64
	Digest     uint64
	End        Time
	Faults     []Injection // by [Config].Faults
	Properties []Finding   // by [System].Properties
	Samples    []Sample    // what was recorded, one for each measure that is summed
	Stopped    bool        // an adversary ended the run: nothing else here counts
	Panic      *Panic      // a step panicked, and the run ended there; nil if none did
}

// Panic is a broken promise inside a model: a finding, with where it happened.
type Panic struct {
	At      Time
	Node    NodeID
	Name    string // of the node
	Message string // that it was handling
	Value   string // what it said
	Stack   string
}

// Moment is one decisive moment of a run, in words.
type Moment struct {
	At   Time
	Text string
	// Fault is what a fault did, in the plural and with where: "pauses of client-1". It is
	// the same for each of them, and empty in what the model says.
	Fault string
	Until Time // when what the fault did is to end: later than At, if it takes a time
	Ends  bool // it describes the end of what the fault did
}

// finish closes the run.
func (w *World[M]) finish() {
	if w.result.Panic == nil {
		w.now = w.horizon
	}
	for _, o := range w.observers {
		if e, ok := o.(Ender[M]); ok {
			e.End(&w.view)
		}
	}
	if w.goal != nil {
		w.goal.end(&w.view)
	}
	if w.describe != nil && w.result.Panic == nil {
		w.seen = Observation[M]{Event: Ended}
		if text := w.describe(&w.view, &w.seen); text != "" {
			w.view.Describe(w.now, text)
		}
	}
	w.chart.finish()
	r := &w.result
	r.Stopped = w.adversary != nil && w.adversary.stopped
	r.Steps, r.Digest, r.End, r.Samples = w.steps, w.digest.Sum(), w.now, w.samples
	for i := range w.plans {
		r.Faults = append(r.Faults, w.plans[i].injection)
	}
	for _, p := range w.system.Properties {
		r.Properties = append(r.Properties, p.Finding())
	}
}

// Near is how close the last run was to a violation of a property: [math.MaxInt64] if it did, else as
// [Leveled] has it, and [Unreached] if the property has no level.
func (w *World[M]) Near(property int) int64 {
	p := w.system.Properties[property]
	if p.Finding().Verdict == Violated {
		return math.MaxInt64
	}
	if l, ok := p.(Leveled); ok {
		return l.Near()
	}
	return Unreached
}

// Why says in words what happened at the first violation of a property in the
// last run, "" if there was none.
func (w *World[M]) Why(property int) string {
	p := w.system.Properties[property]
	if p.Finding().Verdict != Violated {
		return ""
	}
	return p.Why(&w.view)
}
