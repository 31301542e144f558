package page

import (
	"iter"
	"strings"
)

// Event is one of [Events], with instants instead of differences and texts instead of places.
type Event struct {
	Number     int // from 0
	AtNS       int64
	SentNS     int64 // when what it handles was sent or armed
	Node       int   // 0 is the network
	Flags      int
	Cause      int // the event that sent or armed the message, -1 if there is none on the page
	From, To   int // see [Events]
	Kind       string
	MonoNS     int64 // readings of the clocks of the node
	WallNS     int64
	Parts      []string // what it handled and did
	Told       []string // what the model says of it
	Name       string   // of an event of the model's own, "" if it is none
	Violations []string // the properties whose violation it shows
}

// Text is what it handled and did, in words.
func (e *Event) Text() string {
	if len(e.Parts) == 0 {
		return strings.Join(e.Told, "; ")
	}
	return strings.Join(e.Parts, "; ")
}

// Is reports whether it has any of the flags.
func (e *Event) Is(flags int) bool { return e.Flags&flags != 0 }

// What is what kind of event it is, in a word.
func (e *Event) What() string {
	for _, w := range []struct {
		flag int
		word string
	}{{IsLost, "lost"}, {IsBuffered, "buffered"}, {IsPanic, "panic"}, {IsCopy, "duplicate"}, {IsAlarm, "alarm"}} {
		if e.Is(w.flag) {
			return w.word
		}
	}
	switch {
	case e.Is(IsPart):
		return "event"
	case !e.Is(IsStep) && e.Is(IsNote):
		return "note"
	case !e.Is(IsStep):
		return "fault"
	case e.From > 0:
		return "message"
	case e.AtNS == e.SentNS && len(e.Parts) > 0 && e.Parts[0] == "starts":
		return "start"
	}
	return "timer"
}

// All are the events of the run, in their order.
func (r *Run) All() iter.Seq[*Event] {
	bad := map[int][]string{}
	for _, v := range r.Violations {
		bad[v.Event] = append(bad[v.Event], v.Property)
	}
	return func(yield func(*Event) bool) {
		e, at := &r.Events, int64(0)
		for i := range e.Count {
			at += e.At[i]
			event := &Event{Number: i, AtNS: at, SentNS: at - value(e.Took, i), Node: e.Node[i], Flags: e.Flags[i], Cause: -1,
				From: value(e.From, i), To: value(e.To, i), Parts: r.texts(value(e.Text, i)), Told: r.texts(value(e.Told, i)),
				MonoNS: at + value(e.Mono, i), WallNS: at + value(e.Wall, i), Violations: bad[i]}
			if e.Cause[i] > 0 {
				event.Cause = i - e.Cause[i]
			}
			if k := e.Kind[i]; k < len(r.Kinds) {
				event.Kind = r.Kinds[k]
			}
			if k := value(e.Name, i); k > 0 {
				event.Name = r.Strings[k-1]
			}
			if !yield(event) {
				return
			}
		}
	}
}

// Name is the name of a node; 0 is the network.
func (r *Run) Name(node int) string {
	if node == 0 {
		return "network"
	}
	return r.Nodes[node-1]
}

// value is a value of a list that is left out if it has none other than the zero value.
func value[T any](list []T, i int) (v T) {
	if i < len(list) {
		v = list[i]
	}
	return v
}

func (r *Run) texts(places []int) []string {
	out := make([]string, len(places))
	for i, k := range places {
		out[i] = r.Strings[k]
	}
	return out
}
