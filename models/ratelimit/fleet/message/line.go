package message

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of a line: a digest has their numbers.
const (
	Turn sim.Kind = 67 // limiter timer: the next request of Key has its turn

	Dropped sim.Kind = 72 // note of a limiter: request ID, Key, Cost has waited longer than its client does
)

var lineKinds = model.Kinds{
	Turn:    model.TimerKind("turn"),
	Dropped: model.NoteKind("dropped"),
}

// lineWords is such a message in words, but for its kind.
func lineWords(m Msg) string {
	if m.Kind == Turn {
		return fmt.Sprintf(" key %d", m.Key)
	}
	return " " + requestText(m)
}
