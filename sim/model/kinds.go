// Package model is what every model has besides its algorithm: parameters and what is wrong
// with them, kinds of message, properties and measures. A new model says each of them once,
// in one place. Package modeltest tests them.
//
// The example of the package is a whole model.
package model

import (
	"fmt"

	"fencepost/sim"
)

// Class is what a kind of message is for.
type Class uint8

// The classes. A message is sent to a node, a timer to oneself; a note is for observers.
const (
	message Class = iota + 1
	timer
	note
)

// Message, Timer and Note declare kinds for the generator fencepost/cmd/messages: a struct with the comment
// //messages:family has a field of one of these types for each kind. A message is sent to a node, a timer to oneself; a note is
// for observers.
type (
	Message struct{}
	Timer   struct{}
	Note    struct{}
)

// Kind is an entry of a table of kinds: make it with [MessageKind], [TimerKind] or [NoteKind].
type Kind struct {
	name              string
	class             Class
	text, log, detail string // sentences, see Description
}

// MessageKind returns a kind that one node sends to another.
func MessageKind(name string) Kind { return Kind{name: name, class: message} }

// TimerKind returns a kind that a node sends to itself.
func TimerKind(name string) Kind { return Kind{name: name, class: timer} }

// NoteKind returns a kind that a node notes for observers.
func NoteKind(name string) Kind { return Kind{name: name, class: note} }

// Bit returns 1 for true and 0 for false, as a message keeps a condition in a number.
func Bit(b bool) uint16 {
	if b {
		return 1
	}
	return 0
}

// Text is what follows the name of the kind where a message of it is said in words: a sentence of a
// [Description].
func (k Kind) Text(sentence string) Kind { k.text = sentence; return k }

// Log is a line of the log of a run for each note of the kind, as "{node} gives up".
func (k Kind) Log(sentence string) Kind { k.log = sentence; return k }

// Detail says what a node does that notes it, as "gives up", where a log would be too long.
func (k Kind) Detail(sentence string) Kind { k.detail = sentence; return k }

// Kinds is the table of the kinds of a model, by [sim.Kind]. Make it with [NewKinds].
type Kinds []Kind

// kebab reports whether a name is in kebab case: words of small letters and digits with a hyphen between them, and a letter first.
func kebab(name string) bool {
	last := byte('-')
	for _, c := range []byte(name) {
		if c == '-' && last == '-' || c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
		last = c
	}
	return last != '-' && name[0] >= 'a'
}

// NewKinds checks a table of kinds, which names each constant beside its entry:
//
//	const (
//		start sim.Kind = iota // the zero message
//		Ask
//		Asked
//		kindCount
//	)
//
//	var kinds = model.NewKinds(kindCount, model.Kinds{
//		Ask:   model.MessageKind("ask"),
//		Asked: model.NoteKind("asked"),
//	})
//
// Kind 0 starts a node and needs no entry. NewKinds panics when the program starts if a
// constant below count has no entry, an entry has no constant below count, or a name is not
// in kebab case or is there twice.
func NewKinds(count sim.Kind, table Kinds) Kinds {
	if len(table) != int(count) {
		panic(fmt.Sprintf("model: the table of kinds has %d entries for %d constants", len(table), count))
	}
	if table[0] == (Kind{}) {
		table[0] = MessageKind("start")
	}
	numbers := make(map[string]int, count)
	for i := range table {
		name := table[i].name
		if !kebab(name) {
			panic(fmt.Sprintf("model: kind %d: want a name in kebab case, got %q", i, name))
		}
		if first, twice := numbers[name]; twice {
			panic(fmt.Sprintf("model: kinds %d and %d are both named %q", first, i, name))
		}
		numbers[name] = i
	}
	return table
}

// Vocabulary is what a part of a model says: its kinds, and a message of them in words, but for its
// kind. Without Words the kind says it all. M is the type of message, or a pointer to it.
type Vocabulary[M any] struct {
	Kinds Kinds
	Words func(M) string
}

// Join makes one table of those of the parts, whose constants are numbered across all of them; and
// the words of a message by its kind, nil where there are none. It panics as [NewKinds] does, and if
// two parts have the same number.
func Join[M any](parts ...Vocabulary[M]) (Kinds, []func(M) string) {
	count := 0
	for _, p := range parts {
		count = max(count, len(p.Kinds))
	}
	all, words := make(Kinds, count), make([]func(M) string, count)
	for _, p := range parts {
		for kind, k := range p.Kinds {
			if k == (Kind{}) {
				continue
			}
			if all[kind] != (Kind{}) {
				panic(fmt.Sprintf("model: two vocabularies have the kind %d: %q and %q", kind, all[kind].name, k.name))
			}
			all[kind], words[kind] = k, p.Words
		}
	}
	return NewKinds(sim.Kind(count), all), words
}

// Name is the name of a kind, for Msg.String.
func (t Kinds) Name(k sim.Kind) string { return t[k].name }

// Names are the names by kind, for [sim.System].Kinds.
func (t Kinds) Names() []string {
	names := make([]string, len(t))
	for i, k := range t {
		names[i] = k.name
	}
	return names
}

// Notes are the kinds that are notes, for [sim.System].Notes.
func (t Kinds) Notes() (kinds []sim.Kind) {
	for i, k := range t {
		if k.class == note {
			kinds = append(kinds, sim.Kind(i))
		}
	}
	return kinds
}
