package message

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message between limiters and the store that they tell: a digest has their numbers.
const (
	Sync    sim.Kind = 32 // limiter to store: Key, X more of the window that began at Y; ID numbers what is more
	SyncAck sim.Kind = 33 // store to limiter: Key, X all of the window that began at Y; ID

	SyncBegin sim.Kind = 38 // limiter timer: its timer starts
	SyncTick  sim.Kind = 39 // limiter timer
	Settle    sim.Kind = 40 // store timer: answer Sync ID of limiter N

	Counted sim.Kind = 45 // note of a store: Key, X all of a window, Cost more of limiter N; OK it was counted before
)

var syncKinds = kit.Kinds{
	Sync:      kit.Message("sync"),
	SyncAck:   kit.Message("sync-ack"),
	SyncBegin: kit.Timer("sync-begin"),
	SyncTick:  kit.Timer("sync-tick"),
	Settle:    kit.Timer("settle"),
	Counted:   kit.Note("counted"),
}

// syncWords is such a message in words, but for its kind.
func syncWords(m Msg) string {
	switch m.Kind {
	case Sync, SyncAck:
		return fmt.Sprintf(" key %d window %v: %d, number %d", m.Key, time.Duration(m.Y), m.X, m.ID)
	case Settle:
		return fmt.Sprintf(" limiter %d key %d, number %d", m.N, m.Key, m.ID)
	case Counted:
		return fmt.Sprintf(" key %d: %d, %d of limiter %d", m.Key, m.X, m.Cost, m.N)
	}
	return ""
}
