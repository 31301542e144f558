package format

import (
	"fmt"
	"slices"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Triggers are the keys that say when a fault is injected.
var Triggers = []string{"at", "on", "before", "every"}

// untriggered reports whether a fault has no trigger, not even a misspelt one.
func (e *entry) untriggered() bool {
	return !slices.ContainsFunc(e.keys.Keys(), func(k string) bool { return slices.Contains(Triggers, k) }) && !e.meant(Triggers...)
}

// trigger reads when the fault is injected.
func (e *entry) trigger() {
	first := ""
	for _, k := range e.keys {
		switch {
		case !slices.Contains(Triggers, k.Key):
		case first == "":
			first = k.Key
		default:
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("a fault has one trigger, and this one has %q already", first))
		}
	}
	switch first {
	case "at":
		e.at(e.get("at"))
	case "on":
		e.on(e.get("on"))
	case "before":
		e.beforeEffect(e.get("before"))
	case "every":
		e.every(e.get("every"))
	default:
		if e.verb.Trigger && e.untriggered() && !e.fromLog() {
			e.whole.Errorf("%s needs a trigger: %s", e.verb.Do, e.triggerExamples())
		}
	}
	if first != "on" && first != "before" {
		e.misplaced("nth", `"nth" counts notes: want "on" as well`)
		if e.verb.Do != sim.StepClock {
			e.misplaced("by", `"by" says who notes: want "on" as well`)
		}
	}
}

// fromLog reports whether the fault may follow the schedule of a log.
func (e *entry) fromLog() bool {
	v := e.get("for")
	return e.verb.Replays && v != nil && v.Field("gclog") != nil
}

func (e *entry) triggerExamples() string {
	switch {
	case e.verb.Replays:
		return "at: 100ms, on: NOTE, before: MESSAGE, every: {exp: 30s}, or the schedule of a log by for: {gclog: FILE}"
	case e.verb.Do == sim.Crash:
		return "at: 100ms, on: NOTE, before: MESSAGE or every: {exp: 30s}"
	}
	return "at: 100ms, on: NOTE or before: MESSAGE"
}

// misplaced reports a key that has no meaning here, unless that is known already.
func (e *entry) misplaced(key, message string) {
	i := slices.Index(e.keys.Keys(), key)
	if i >= 0 && !e.meant("on") && slices.Contains(e.verb.Fields(), key) {
		e.doc.Add(e.keys[i].Pos, key, message)
	}
}

func (e *entry) at(v *strict.Value) {
	at, ok := strict.Read[time.Duration](v)
	if !ok || !e.before(v, at) {
		return
	}
	e.fault.When.At = sim.Time(at)
	e.when = fmt.Sprintf(" at %v", at)
}

func (e *entry) every(v *strict.Value) {
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

// beforeEffect reads the effect that the fault comes before: a word, with by and nth
// beside it; or {effect: write, by: client-1, nth: 2}, which a clock step, whose `by`
// is how far, needs to come before the effect of another node.
func (e *entry) beforeEffect(v *strict.Value) {
	f := EffectFormat{Effect: v}
	if v.Kind() != strict.Mapping {
		f.By, f.Nth = e.beside()
	} else if !e.inOne("before", v, &f) {
		return
	}
	e.fault.When.Before, _ = e.sent(f.Effect)
	e.when = " before " + f.Effect.Scalar()
	e.counted(f.By, f.Nth)
}

// on reads the note that the fault follows: a word, with by and nth beside it; or
// {note: checked, by: client-1, nth: 2}, which a clock step, whose `by` is how far,
// needs to follow the note of another node.
func (e *entry) on(v *strict.Value) {
	f := NoteFormat{Note: v}
	if v.Kind() != strict.Mapping {
		f.By, f.Nth = e.beside()
	} else if !e.inOne("on", v, &f) {
		return
	}
	e.fault.When.Note, _ = e.noted(f.Note)
	e.when = " on " + f.Note.Scalar()
	e.counted(f.By, f.Nth)
	if f.By == nil && (e.verb.Do == sim.Cut || e.verb.Do == sim.Hold) {
		v.Errorf("%s is done to no node of its own: want %q as well, for who notes it", e.verb.Do, "by")
	}
}

// beside is who does what the fault waits for, and which one it is, beside the trigger.
func (e *entry) beside() (by, nth *strict.Value) {
	if e.verb.Do != sim.StepClock {
		by = e.get("by")
	}
	return by, e.get("nth")
}

// inOne reads a trigger that holds by and nth itself.
func (e *entry) inOne(trigger string, v *strict.Value, into any) bool {
	e.misplaced("nth", fmt.Sprintf(`"nth" stands inside of %q here`, trigger))
	if e.verb.Do != sim.StepClock {
		e.misplaced("by", fmt.Sprintf(`"by" stands inside of %q here`, trigger))
	}
	return v.Decode(into)
}

// counted reads who does what the fault waits for, and which one it is.
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
