package message

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of a limiter to itself: a digest has their numbers.
const (
	Forward sim.Kind = 66 // limiter timer: request ID, Key, Cost of node n is forwarded; it was decided at x

	Change  sim.Kind = 75 // limiter timer: it takes its other algorithm
	Changed sim.Kind = 76 // note of a limiter: it has
)

var localKinds = model.Kinds{
	Forward: model.TimerKind("forward"),
	Change:  model.TimerKind("change"),
	Changed: model.NoteKind("changed"),
}

// localWords is such a message in words, but for its kind.
func localWords(m Msg) string {
	if m.Kind == Forward {
		return " " + requestText(m)
	}
	return ""
}

// NewForward is the timer after which a request of a client, decided at a reading, is forwarded.
func NewForward(m Msg, client sim.NodeID, decided sim.Mono, remaining int64) Msg {
	f := Of(Forward, m)
	f.n, f.x, f.y = uint16(client), int64(decided), remaining
	return f
}
