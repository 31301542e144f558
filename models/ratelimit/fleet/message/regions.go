package message

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message between regions: a digest has their numbers.
const (
	Gossip sim.Kind = 37 // region to region: Key, X counted there in the window that began at Y

	GossipTick sim.Kind = 44 // region timer

	Heard sim.Kind = 49 // note of a region: Key, X counted by region N
)

var regionsKinds = kit.Kinds{
	Gossip:     kit.Message("gossip"),
	GossipTick: kit.Timer("gossip-tick"),
	Heard:      kit.Note("heard"),
}

// regionsWords is such a message in words, but for its kind.
func regionsWords(m Msg) string {
	switch m.Kind {
	case Gossip:
		return fmt.Sprintf(" key %d window %v: %d", m.Key, time.Duration(m.Y), m.X)
	case Heard:
		return fmt.Sprintf(" key %d: %d of %d", m.Key, m.X, m.N)
	}
	return ""
}
