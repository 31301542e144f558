package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between regions: a digest has their numbers.
const (
	Gossip sim.Kind = 37 // region to region: Key, x counted there in the window that began at y

	GossipTick sim.Kind = 44 // region timer

	Heard sim.Kind = 49 // note of a region: Key, x counted by region n
)

var regionsKinds = model.Kinds{
	Gossip:     model.MessageKind("gossip"),
	GossipTick: model.TimerKind("gossip-tick"),
	Heard:      model.NoteKind("heard"),
}

// regionsWords is such a message in words, but for its kind.
func regionsWords(m Msg) string {
	switch m.Kind {
	case Gossip:
		return fmt.Sprintf(" key %d window %v: %d", m.Key, time.Duration(m.y), m.x)
	case Heard:
		return fmt.Sprintf(" key %d: %d of %d", m.Key, m.x, m.n)
	}
	return ""
}

// NewGossip says what a region has counted of a key in the window that began at a reading of its clock.
func NewGossip(key uint64, count, window int64) Msg {
	return Msg{Kind: Gossip, Key: key, x: count, y: window}
}

// NewHeard notes that a region has heard of the count of another, 0 and up.
func NewHeard(m Msg, region int) Msg {
	return Msg{Kind: Heard, n: uint16(region + 1), Key: m.Key, x: m.x, y: m.y}
}

// Region is the one, 0 and up, of which another has heard.
func (m Msg) Region() int { return int(m.n) - 1 }
