package format

import (
	"fmt"
	"slices"
	"time"

	"fencepost/internal/text"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// findTrigger finds the one trigger.
func (e *entry) findTrigger() {
	for _, k := range e.keys {
		switch {
		case !slices.Contains(e.triggers, k.Key):
		case e.trigger == "":
			e.trigger = k.Key
		default:
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("a fault has one trigger, and this one has %q already", e.trigger))
		}
	}
	if e.verb.Trigger && e.untriggered() && !e.fromLog() {
		e.whole.Errorf("%s needs a trigger: %s", e.verb.Do, e.triggerExamples())
	}
}

// untriggered reports whether a fault has no trigger, not even a misspelt one.
func (e *entry) untriggered() bool { return e.trigger == "" && !e.meant(e.triggers...) }

// fromLog reports whether the fault may follow the schedule of a log.
func (e *entry) fromLog() bool {
	v := e.get("for")
	return e.verb.Replays && v != nil && v.Field("gclog") != nil
}

func (e *entry) triggerExamples() string {
	switch {
	case e.verb.Replays:
		return "at: 100ms, after: {fault: NAME, end: 1s}, on: NOTE, before: MESSAGE, every: {exp: 30s}, or the schedule of a log by for: {gclog: FILE}"
	case e.verb.Has(keyEvery.Name):
		return "at: 100ms, after: {fault: NAME, end: 1s}, on: NOTE, before: MESSAGE or every: {exp: 30s}"
	}
	return "at: 100ms, after: {fault: NAME, end: 1s}, on: NOTE or before: MESSAGE"
}

func (e *entry) readAt(v *strict.Value) {
	at, ok := strict.Read[time.Duration](v)
	if !ok || !e.before(v, at) {
		return
	}
	e.fault.When.At = sim.Time(at)
	e.when = fmt.Sprintf(" at %v", at)
}

func (t *faultWriter) at() {
	w := &t.fault.When
	other := w.Note != 0 || w.Before != 0 || !w.Every.IsZero() || len(w.Replay) > 0 || w.After != ""
	if !other && (w.At != 0 || t.verb.Trigger) {
		t.add("at", text.Duration(time.Duration(w.At)))
	}
}

func (e *entry) readEvery(v *strict.Value) {
	dist, ok := strict.Read[sim.Dist](v)
	switch {
	case !ok:
	case dist.Most() == 0:
		v.Errorf("every 0 would never end: want a length of time, such as 30s or {exp: 30s}")
	case e.before(v, dist.Least()):
		e.fault.When.Every = dist
		e.when = fmt.Sprintf(" every %v", dist)
	}
}

func (t *faultWriter) every() {
	if every := &t.fault.When.Every; !every.IsZero() {
		t.add("every", t.dist(every))
	}
}

// before reports whether an instant at which the fault begins is one of the run.
func (e *entry) before(v *strict.Value, at time.Duration) bool {
	if e.until > 0 && at >= time.Duration(e.until) {
		v.Errorf("the fault begins at %v, after the run, which ends at %v", at, time.Duration(e.until))
		return false
	}
	return true
}

// NoteFormat is the long form of `on:`.
type NoteFormat struct {
	Note *strict.Value `yaml:"note,required" schema:"note"` // what is noted
	By   *strict.Value `yaml:"by" schema:"node"`            // who notes it: the node into which the fault is injected
	Nth  *strict.Value `yaml:"nth" schema:"count"`          // which one: each
}

// EffectFormat is the long form of `before:`.
type EffectFormat struct {
	Effect *strict.Value `yaml:"effect,required" schema:"kind"` // the message, timer or note
	By     *strict.Value `yaml:"by" schema:"node"`              // whom it leaves: the node into which the fault is injected
	Nth    *strict.Value `yaml:"nth" schema:"count"`            // which one: each
}

// readBefore reads the effect that the fault comes before: a word, with by and nth
// beside it; or {effect: write, by: client-1, nth: 2}, which a clock step, whose `by`
// is how far, needs to come before the effect of another node.
func (e *entry) readBefore(v *strict.Value) {
	f := EffectFormat{Effect: v}
	if v.Kind() != strict.Mapping {
		f.By, f.Nth = e.beside()
	} else if !v.Decode(&f) {
		return
	}
	e.fault.When.Before, _ = e.sent(f.Effect)
	e.when = " before " + f.Effect.Scalar()
	e.counted(f.By, f.Nth)
}

func (t *faultWriter) before() { t.effect("before", "effect", t.fault.When.Before) }

// readOn reads the note that the fault follows: a word, with by and nth beside it; or
// {note: checked, by: client-1, nth: 2}, which a clock step, whose `by` is how far,
// needs to follow the note of another node.
func (e *entry) readOn(v *strict.Value) {
	f := NoteFormat{Note: v}
	if v.Kind() != strict.Mapping {
		f.By, f.Nth = e.beside()
	} else if !v.Decode(&f) {
		return
	}
	e.fault.When.Note, _ = e.noted(f.Note)
	e.when = " on " + f.Note.Scalar()
	e.counted(f.By, f.Nth)
	if f.By == nil && e.verb.Subject == subjects[sim.TwoSides] {
		v.Errorf("%s is done to no node of its own: want %q as well, for who notes it", e.verb.Do, "by")
	}
}

func (t *faultWriter) on() { t.effect("on", "note", t.fault.When.Note) }

// beside is who does what the fault waits for, and which one it is, beside the trigger.
func (e *entry) beside() (by, nth *strict.Value) {
	if !e.verb.OwnBy {
		by = e.get("by")
	}
	return by, e.get("nth")
}

// counted takes who does what the fault waits for, and which one it is.
func (e *entry) counted(by, nth *strict.Value) {
	w := &e.fault.When
	if n, ok := e.count(nth, "nth", MaxRuns); ok {
		w.Nth = n
		e.when += fmt.Sprintf(" nth %d", n)
	}
	if by == nil {
		return
	}
	if id, _ := e.node(by); id != e.fault.Node {
		w.By = id
		e.when += " by " + e.nameOf(id)
	}
}

// effect writes the note or effect that a fault waits for, with by and nth inside of it where the verb has a `by` of
// another meaning.
func (t *faultWriter) effect(key, inner string, kind sim.Kind) {
	switch {
	case kind == 0:
	case t.inside():
		in := faultWriter{program: t.program}
		in.add(inner, in.kind(kind))
		in.add("by", in.node(t.fault.When.By))
		in.count(t.fault.When.Nth)
		t.add(key, in.mapping(t))
	default:
		t.add(key, t.kind(kind))
	}
}

// inside reports whether the trigger holds by and nth itself.
func (t *faultWriter) inside() bool {
	return t.fault.When.By != sim.None && t.verb.OwnBy
}

// readBy and readNth refuse what stands beside no trigger that it could belong to. The trigger reads it.
func (e *entry) readBy(*strict.Value) { e.belongs("by", `"by" says who notes: want "on" as well`) }

func (e *entry) readNth(*strict.Value) { e.belongs("nth", `"nth" counts notes: want "on" as well`) }

func (e *entry) belongs(key, message string) {
	if e.trigger == "on" || e.trigger == "before" {
		if e.get(e.trigger).Kind() != strict.Mapping {
			return
		}
		message = fmt.Sprintf("%q stands inside of %q here", key, e.trigger)
	}
	if !e.meant("on") {
		e.doc.Add(e.keys[slices.Index(e.keys.Keys(), key)].Pos, key, message)
	}
}

func (t *faultWriter) by() {
	if t.fault.When.By != sim.None && !t.inside() {
		t.add("by", t.node(t.fault.When.By))
	}
}

func (t *faultWriter) nth() {
	if !t.inside() {
		t.count(t.fault.When.Nth)
	}
}
