package format

import (
	"slices"
	"strings"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// This file is what a fault may say. A file is read and a fault is written by it, and the schema and the reference are
// generated from it. Which keys a kind of fault takes stands in its [sim.FaultKind]; a new key is a row here, with one
// function that reads it and one that writes it.

// A FaultKey is a key that stands beside the verb of a fault.
type FaultKey struct {
	Name    string
	Form    string // the definition of its value in the schema
	About   string // what it means
	Trigger bool   // it says when the fault is injected: a fault has one of these

	example string                      // of the key, for a fault that must have it and has not
	read    func(*entry, *strict.Value) // what the file says, into the fault
	absent  func(*entry)                // what holds where the file does not say it; nil: nothing
	write   func(*faultWriter)          // the reverse of read; adds nothing where the fault does not need the key
}

// The keys.
var (
	keyName = &FaultKey{Name: "name", Form: "text", About: "What reports call the fault, and the stream of what it draws: what it does.",
		read: (*entry).readName}
	keyAt = &FaultKey{Name: "at", Form: "duration", About: "The instant at which it is injected.",
		Trigger: true, read: (*entry).readAt, write: (*faultWriter).at}
	keyAfter = &FaultKey{Name: "after", Form: "after", About: "It is injected this long after an earlier fault of the list begins or ends, each time that it does.",
		Trigger: true, read: (*entry).readAfter, write: (*faultWriter).after}
	keyOn = &FaultKey{Name: "on", Form: "on", About: "It is injected after each note of this kind by the node itself.",
		Trigger: true, read: (*entry).readOn, write: (*faultWriter).on}
	keyBefore = &FaultKey{Name: "before", Form: "before", About: "It is injected before each message, timer or note of this kind is emitted by the node itself.",
		Trigger: true, read: (*entry).readBefore, write: (*faultWriter).before}
	keyBy = &FaultKey{Name: "by", Form: "node", About: "Who notes or sends what is waited for; of step-clock, how far the clock moves.",
		read: (*entry).readBy, write: (*faultWriter).by}
	keyNth = &FaultKey{Name: "nth", Form: "count", About: "Which such note or effect: each.",
		read: (*entry).readNth, write: (*faultWriter).nth}
	keyEvery = &FaultKey{Name: "every", Form: "distribution", About: "It is injected again and again, this long after its last end.",
		Trigger: true, read: (*entry).readEvery, write: (*faultWriter).every}
	keyFor = &FaultKey{Name: "for", Form: "length", About: "How long it lasts.",
		example: "for: 15s", read: (*entry).readFor, absent: (*entry).withoutFor, write: (*faultWriter).length}
	keyLog = &FaultKey{Name: "log", Form: "clock-log", About: "The log that the clocks follow.",
		example: "log: tracking.log", read: (*entry).readClockLog, write: (*faultWriter).clockLog}
)

// FaultKeys are the keys besides the verbs, in the order in which they are shown.
var FaultKeys = []*FaultKey{keyName, keyAt, keyAfter, keyOn, keyBefore, keyBy, keyNth, keyEvery, keyFor, keyTo(), keyLog}

// amountKey is the key of the amount of a kind of fault, nil if it has none.
func amountKey(k *sim.FaultKind) *FaultKey {
	a := &k.Amount
	if a.Key == "" {
		return nil
	}
	about := a.About
	if about == "" {
		about = keyBy.About
	}
	return &FaultKey{Name: a.Key, Form: a.Form, About: about, example: a.Example, read: (*entry).readAmount, write: (*faultWriter).amount}
}

// keyTo is the key `to` of all the kinds that have it: what it means for each.
func keyTo() *FaultKey {
	key := &FaultKey{Name: "to"}
	for _, do := range sim.Actions() {
		if a := &do.Row().Amount; a.Key == key.Name && key.About == "" {
			key.Form, key.About = a.Form, a.About
		} else if a.Key == key.Name {
			key.About += " Of " + do.String() + ": " + strings.ToLower(a.About[:1]) + a.About[1:]
		}
	}
	return key
}

// A Subject is what a fault is done to: the value of its verb.
type Subject struct {
	Form  string // its definition in the schema
	read  func(*entry, *strict.Value)
	write func(*faultWriter) string
}

// The subjects, by what the engine calls them.
var subjects = [...]*Subject{
	sim.OneNode:    {Form: "node", read: (*entry).readNode, write: (*faultWriter).oneNode},
	sim.TwoSides:   {Form: "sides", read: (*entry).readSides, write: (*faultWriter).sides},
	sim.OneMessage: {Form: "message", read: (*entry).readMessage, write: (*faultWriter).message},
}

// A Verb is what a fault may do.
type Verb struct {
	Do      sim.Action
	Subject *Subject
	Keys    []*FaultKey // that belong to it, besides name and the verb itself
	Needs   *FaultKey   // the one of them that it must have; nil if there is none
	Trigger bool        // it must have a trigger; the others begin at 0
	Replays bool        // it may follow the schedule of a log instead
	lasts   bool        // of length 0 it has no effect
	About   string      // what happens
	OwnBy   bool        // its key `by` is not who notes what is waited for
	row     *sim.FaultKind
}

// Verbs lists the verbs in the order in which they are shown.
var Verbs = verbs()

func verbs() (list []Verb) {
	for _, do := range sim.Actions() {
		row := do.Row()
		v := Verb{Do: do, Subject: subjects[row.Subject], Trigger: row.Triggered, Replays: row.Replays,
			lasts: row.Lasting && !row.Idle, About: row.About, OwnBy: row.Amount.Key == "by", row: row}
		for _, name := range row.Takes() {
			key := faultKey(row, name)
			if v.Keys = append(v.Keys, key); name == row.Needs {
				v.Needs = key
			}
		}
		list = append(list, v)
	}
	return list
}

// faultKey is the key of a name of a kind of fault. It panics when the program starts if a row has a name that is no key.
func faultKey(row *sim.FaultKind, name string) *FaultKey {
	if row.Amount.Key == name {
		return amountKey(row)
	}
	i := slices.Index(KeyNames(FaultKeys), name)
	if i < 0 {
		panic("format: the fault " + row.Word + " takes the key " + name + ", which no fault has")
	}
	return FaultKeys[i]
}

// Has reports whether a key of this name belongs to the verb.
func (v *Verb) Has(name string) bool { return slices.Contains(KeyNames(v.Keys), name) }

// TriggerNames are the keys that say when a fault is injected.
func TriggerNames(keys []*FaultKey) (names []string) {
	for _, k := range keys {
		if k.Trigger {
			names = append(names, k.Name)
		}
	}
	return names
}

// KeyNames are the names of keys.
func KeyNames(keys []*FaultKey) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

func verbNames() (names []string) {
	for i := range Verbs {
		names = append(names, Verbs[i].Do.String())
	}
	return names
}

// allFaultKeys are the names of all keys of a fault: the verbs first.
func allFaultKeys() []string { return append(verbNames(), KeyNames(FaultKeys)...) }

// verbOf is the verb of a name, or nil.
func verbOf(name string) *Verb {
	for i := range Verbs {
		if Verbs[i].Do.String() == name {
			return &Verbs[i]
		}
	}
	return nil
}
