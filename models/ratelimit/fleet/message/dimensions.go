package message

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message between limiters and a store of several limits: a digest has their numbers.
const (
	Take    sim.Kind = 57 // limiter to store: request ID, Key, Cost in dimension N; OK as a reservation
	TakeAll sim.Kind = 58 // limiter to store: request ID, Key, Cost in all dimensions; OK only if it fits in all
	Taken   sim.Kind = 59 // store to limiter: request ID, dimension N; OK it fits; X how long the window lasts, Y which it is
	Refund  sim.Kind = 60 // limiter to store: what request ID, Key, Cost has taken in dimension N, window Y
	Confirm sim.Kind = 61 // limiter to store: the reservation of request ID in dimension N stays
	Cancel  sim.Kind = 62 // limiter to store: the reservation of request ID, Key, Cost in dimension N is given back

	Lapse sim.Kind = 70 // store timer: the reservation of request ID, Key, Cost in dimension N is out of time
)

var dimensionsKinds = kit.Kinds{
	Take:    kit.Message("take"),
	TakeAll: kit.Message("take-all"),
	Taken:   kit.Message("taken"),
	Refund:  kit.Message("refund"),
	Confirm: kit.Message("confirm"),
	Cancel:  kit.Message("cancel"),
	Lapse:   kit.Timer("lapse"),
}

// dimensionsWords is such a message in words, but for its kind.
func dimensionsWords(m Msg) string {
	if m.Kind == Taken {
		return fmt.Sprintf(" %s dimension %d %s", RequestName(m.ID), m.N+1, Verdict(m.OK))
	}
	return fmt.Sprintf(" %s dimension %d", requestText(m), m.N+1)
}
