package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of the form sync. A digest has their numbers: they do not change.
const (
	Sync    sim.Kind = 32 // limiter to store: Key, x admitted since the last, in the window that began at y; ID numbers them
	SyncAck sim.Kind = 33 // store to limiter: Key, x all of the window that began at y; ID

	SyncBegin sim.Kind = 38 // limiter timer: its timer starts
	SyncTick  sim.Kind = 39 // limiter timer
	Settle    sim.Kind = 40 // store timer: answer Sync ID of limiter n

	Counted sim.Kind = 45 // note of a store: Key, x all of a window, Cost more of limiter n; OK it was counted before
)

var syncKinds = model.Kinds{
	Sync:      model.MessageKind("sync"),
	SyncAck:   model.MessageKind("sync-ack"),
	SyncBegin: model.TimerKind("sync-begin"),
	SyncTick:  model.TimerKind("sync-tick"),
	Settle:    model.TimerKind("settle"),
	Counted:   model.NoteKind("counted"),
}

// syncWords is such a message in words, but for its kind.
func syncWords(m Msg) string {
	switch m.Kind {
	case Sync, SyncAck:
		return fmt.Sprintf(" key %d window %v: %d, number %d", m.Key, time.Duration(m.y), m.x, m.ID)
	case Settle:
		return fmt.Sprintf(" limiter %d key %d, number %d", m.n, m.Key, m.ID)
	case Counted:
		return fmt.Sprintf(" key %d: %d, %d of limiter %d", m.Key, m.x, m.Cost, m.n)
	}
	return ""
}

// NewSync says how many more a limiter has admitted in the window that began at a reading of its clock.
// Its number names them, so that it can be sent again and counted once.
func NewSync(number, key uint64, more, window int64) Msg {
	return Msg{Kind: Sync, ID: number, Key: key, x: more, y: window}
}

// NewSettle is the timer after which the sync of a limiter, 0 and up, is answered.
func NewSettle(sync Msg, limiter int) Msg {
	sync.Kind, sync.n = Settle, uint16(limiter)
	return sync
}

// NewSyncAck answers with the total of the window.
func NewSyncAck(settle Msg, total int64) Msg {
	return Msg{Kind: SyncAck, ID: settle.ID, Key: settle.Key, x: total, y: settle.y}
}

// NewCounted notes what a limiter, 0 and up, has added to the total of a window, or that it was
// counted before.
func NewCounted(sync Msg, limiter int, total int64, before bool) Msg {
	return Msg{Kind: Counted, OK: before, n: uint16(limiter + 1), Cost: uint32(sync.x), Key: sync.Key, x: total, y: sync.y}
}

// Window is the clock reading at which the window began that is counted, or the number of that window.
func (m Msg) Window() int64 { return m.y }

// Syncing is the limiter, 0 and up, that waits for the answer to a sync.
func (m Msg) Syncing() int { return int(m.n) }

// Synced is the limiter, 0 and up, whose sync was counted.
func (m Msg) Synced() int { return int(m.n) - 1 }

// More is what a sync has added to a total.
func (m Msg) More() uint32 { return m.Cost }
