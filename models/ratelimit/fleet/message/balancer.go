package message

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between a balancer and its limiters: a digest has their numbers.
const (
	Ping    sim.Kind = 50 // balancer to limiter
	Alive   sim.Kind = 51 // limiter to balancer
	Members sim.Kind = 52 // balancer to limiter: n take part

	Health   sim.Kind = 63 // balancer timer: ask the limiters whether they live
	Scale    sim.Kind = 64 // balancer timer: change n of how many take part
	Announce sim.Kind = 65 // balancer timer: tell the limiters that n take part

	Moved sim.Kind = 73 // note of a balancer: x of y keys have another limiter
)

var balancerKinds = model.Kinds{
	Ping:     model.MessageKind("ping"),
	Alive:    model.MessageKind("alive"),
	Members:  model.MessageKind("members"),
	Health:   model.TimerKind("health"),
	Scale:    model.TimerKind("scale"),
	Announce: model.TimerKind("announce"),
	Moved:    model.NoteKind("moved"),
}

// balancerWords is such a message in words, but for its kind.
func balancerWords(m Msg) string {
	switch m.Kind {
	case Members, Scale, Announce:
		return fmt.Sprintf(" %d", m.n)
	case Moved:
		return fmt.Sprintf(" %d of %d keys", m.x, m.y)
	}
	return ""
}

// NewMembers says how many limiters take part: [Members], and the timer [Announce] before it.
func NewMembers(kind sim.Kind, limiters int) Msg { return Msg{Kind: kind, n: uint16(limiters)} }

// Limiters is how many take part.
func (m Msg) Limiters() int { return int(m.n) }

// NewScale is the timer of a change of how many take part, 0 and up.
func NewScale(change int) Msg { return Msg{Kind: Scale, n: uint16(change)} }

// Change is which one.
func (m Msg) Change() int { return int(m.n) }

// NewMoved notes that some of all keys have another limiter.
func NewMoved(moved, keys int) Msg { return Msg{Kind: Moved, x: int64(moved), y: int64(keys)} }

// Moved is how many keys of how many have another limiter.
func (m Msg) Moved() (moved, keys int64) { return m.x, m.y }
