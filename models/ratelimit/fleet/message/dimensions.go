package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between limiters and a store of several limits: a digest has their numbers.
const (
	Take    sim.Kind = 57 // limiter to store: request ID, Key, Cost in dimension n; OK as a reservation
	TakeAll sim.Kind = 58 // limiter to store: request ID, Key, Cost in all dimensions; OK only if it fits in all
	Taken   sim.Kind = 59 // store to limiter: request ID, dimension n; OK it fits; x how long the window lasts, y which it is
	Refund  sim.Kind = 60 // limiter to store: what request ID, Key, Cost has taken in dimension n, window y
	Confirm sim.Kind = 61 // limiter to store: the reservation of request ID in dimension n stays
	Cancel  sim.Kind = 62 // limiter to store: the reservation of request ID, Key, Cost in dimension n is given back

	Lapse sim.Kind = 70 // store timer: the reservation of request ID, Key, Cost in dimension n is out of time
)

var dimensionsKinds = model.Kinds{
	Take:    model.MessageKind("take"),
	TakeAll: model.MessageKind("take-all"),
	Taken:   model.MessageKind("taken"),
	Refund:  model.MessageKind("refund"),
	Confirm: model.MessageKind("confirm"),
	Cancel:  model.MessageKind("cancel"),
	Lapse:   model.TimerKind("lapse"),
}

// dimensionsWords is such a message in words, but for its kind.
func dimensionsWords(m Msg) string {
	if m.Kind == Taken {
		return fmt.Sprintf(" %s dimension %d %s", RequestName(m.ID), m.n+1, Verdict(m.OK))
	}
	return fmt.Sprintf(" %s dimension %d", requestText(m), m.n+1)
}

// NewTake asks for a request's cost in one dimension, 0 and up, or for a reservation of it.
func NewTake(m Msg, dimension int, reserve bool) Msg {
	t := InDimension(Take, m, dimension)
	t.OK = reserve
	return t
}

// InDimension is a message of a kind about a request in one dimension, 0 and up.
func InDimension(kind sim.Kind, m Msg, dimension int) Msg {
	d := Of(kind, m)
	d.n = uint16(dimension)
	return d
}

// Dimension is the one, 0 and up, that is asked, or has answered.
func (m Msg) Dimension() int { return int(m.n) }

// NewRefund gives back, as [Refund] or [Cancel], what a request has taken in a dimension and a window.
func NewRefund(kind sim.Kind, m Msg, dimension int, window int64) Msg {
	r := InDimension(kind, m, dimension)
	r.y = window
	return r
}

// NewTaken answers that the request fits, and is charged in a window.
func NewTaken(m Msg, dimension int, window int64) Msg {
	t := InDimension(Taken, m, dimension)
	t.OK, t.y = true, window
	return t
}

// NewNotTaken answers that a dimension has no room for that long.
func NewNotTaken(m Msg, dimension int, left time.Duration) Msg {
	t := InDimension(Taken, m, dimension)
	t.x = int64(left)
	return t
}

// NewTakeAll asks for a request's cost in all dimensions, or only if it fits in all.
func NewTakeAll(m Msg, ifAll bool) Msg {
	t := Of(TakeAll, m)
	t.OK = ifAll
	return t
}
