// Package kit is what every model has besides its algorithm: parameters and what is wrong
// with them, kinds of message, properties and measures. A new model says each of them once,
// in one place. Package kittest tests them.
//
// The example of the package is a whole model.
package kit

import (
	"fmt"
	"regexp"

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

// Kind is an entry of a table of kinds: make it with [Message], [Timer] or [Note].
type Kind struct {
	name  string
	class Class
}

// Message is a kind that one node sends to another.
func Message(name string) Kind { return Kind{name, message} }

// Timer is a kind that a node sends to itself.
func Timer(name string) Kind { return Kind{name, timer} }

// Note is a kind that a node notes for observers.
func Note(name string) Kind { return Kind{name, note} }

// Kinds is the table of the kinds of a model, by [sim.Kind]. Make it with [NewKinds].
type Kinds []Kind

var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// NewKinds checks a table of kinds, which names each constant beside its entry:
//
//	const (
//		start sim.Kind = iota // the zero message
//		Ask
//		Asked
//		kindCount
//	)
//
//	var kinds = kit.NewKinds(kindCount, kit.Kinds{
//		Ask:   kit.Message("ask"),
//		Asked: kit.Note("asked"),
//	})
//
// Kind 0 starts a node and needs no entry. NewKinds panics when the program starts if a
// constant below count has no entry, an entry has no constant below count, or a name is not
// in kebab case or is there twice.
func NewKinds(count sim.Kind, table Kinds) Kinds {
	if len(table) != int(count) {
		panic(fmt.Sprintf("kit: the table of kinds has %d entries for %d constants", len(table), count))
	}
	if table[0] == (Kind{}) {
		table[0] = Message("start")
	}
	numbers := make(map[string]int, count)
	for i, k := range table {
		if !kebab.MatchString(k.name) {
			panic(fmt.Sprintf("kit: kind %d: want a name in kebab case, got %q", i, k.name))
		}
		if first, twice := numbers[k.name]; twice {
			panic(fmt.Sprintf("kit: kinds %d and %d are both named %q", first, i, k.name))
		}
		numbers[k.name] = i
	}
	return table
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
