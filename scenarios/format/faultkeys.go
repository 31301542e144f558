package format

import (
	"slices"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// This file is the table of what a fault may say. A file is read and a fault is written by it, and the schema and
// the reference are generated from it: a new key is a row here, with one function that reads it and one that writes it.

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
	keyTo = &FaultKey{Name: "to", Form: "clock-error", About: "The rate error from then on.",
		example: "to: -500ppm", read: (*entry).readRate, write: (*faultWriter).rate}
	keyLog = &FaultKey{Name: "log", Form: "clock-log", About: "The log that the clocks follow.",
		example: "log: tracking.log", read: (*entry).readClockLog, write: (*faultWriter).clockLog}
	// keyStep is the `by` of step-clock, which has a meaning of its own.
	keyStep = &FaultKey{Name: "by", Form: "signed-duration", About: keyBy.About,
		example: "by: 10s or by: -3s", read: (*entry).readStep, write: (*faultWriter).step}
)

// FaultKeys are the keys besides the verbs, in the order in which they are shown.
var FaultKeys = []*FaultKey{keyName, keyAt, keyAfter, keyOn, keyBefore, keyBy, keyNth, keyEvery, keyFor, keyTo, keyLog}

// A Subject is what a fault is done to: the value of its verb.
type Subject struct {
	Form  string // its definition in the schema
	read  func(*entry, *strict.Value)
	write func(*faultWriter) string
}

// The subjects.
var (
	oneNode    = &Subject{Form: "node", read: (*entry).readNode, write: (*faultWriter).oneNode}
	twoSides   = &Subject{Form: "sides", read: (*entry).readSides, write: (*faultWriter).sides}
	oneMessage = &Subject{Form: "message", read: (*entry).readMessage, write: (*faultWriter).message}
)

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
}

// Verbs lists the verbs in the order in which they are shown.
var Verbs = []Verb{
	{Do: sim.Pause, Subject: oneNode, About: "the process stops: a collection, SIGSTOP. Its clocks run on",
		Keys:  []*FaultKey{keyAt, keyAfter, keyOn, keyBefore, keyBy, keyNth, keyEvery, keyFor},
		Needs: keyFor, Trigger: true, Replays: true, lasts: true},
	{Do: sim.Suspend, Subject: oneNode, About: "the host is suspended: its monotonic clock stands still, too",
		Keys:  []*FaultKey{keyAt, keyAfter, keyOn, keyBefore, keyBy, keyNth, keyEvery, keyFor},
		Needs: keyFor, Trigger: true, Replays: true, lasts: true},
	{Do: sim.Crash, Subject: oneNode, About: "all that is not durable is lost; without `for` it never restarts",
		Keys: []*FaultKey{keyAt, keyAfter, keyOn, keyBefore, keyBy, keyNth, keyEvery, keyFor}, Trigger: true},
	{Do: sim.StepClock, Subject: oneNode, About: "the wall clock moves",
		Keys: []*FaultKey{keyStep, keyAt, keyAfter, keyOn, keyBefore, keyNth}, Needs: keyStep, Trigger: true},
	{Do: sim.SetRate, Subject: oneNode, About: "the oscillator runs at another rate; without `for` to the end",
		Keys: []*FaultKey{keyTo, keyAt, keyAfter, keyOn, keyBefore, keyBy, keyNth, keyFor}, Needs: keyTo, Trigger: true, lasts: true},
	{Do: sim.Cut, Subject: twoSides, About: "messages between the sides are lost",
		Keys: []*FaultKey{keyAt, keyAfter, keyOn, keyBy, keyNth, keyEvery, keyFor}, lasts: true},
	{Do: sim.Hold, Subject: twoSides, About: "messages between the sides wait until the fault ends",
		Keys: []*FaultKey{keyAt, keyAfter, keyOn, keyBy, keyNth, keyEvery, keyFor}, lasts: true},
	{Do: sim.Delay, Subject: oneMessage, About: "a message takes this long, instead of the delay of its link",
		Keys: []*FaultKey{keyFor, keyAt, keyAfter}, Needs: keyFor},
	{Do: sim.Lose, Subject: oneMessage, About: "a message is lost",
		Keys: []*FaultKey{keyAt, keyAfter}},
	{Do: sim.Duplicate, Subject: oneMessage, About: "a message arrives a second time",
		Keys: []*FaultKey{keyFor, keyAt, keyAfter}},
	{Do: sim.FollowLog, Subject: oneNode, About: "the clocks are as wrong, and are corrected, as those of a real machine were",
		Keys: []*FaultKey{keyLog, keyAt}, Needs: keyLog},
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
