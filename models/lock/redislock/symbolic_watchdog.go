package redislock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (w *Watchdog) Unsupported() string {
	switch {
	case w.Sentinels > 0:
		return "a client that asks Sentinels for the master is not covered"
	case w.Interrupt > 0:
		return "a thread that is interrupted while it waits is not covered: want no interrupt-after"
	}
	return ""
}

// Forget implements [core.Symbolic].
func (w *Watchdog) Forget() {
	w.calls = 0 // of interrupts alone
	if w.Tries == 0 {
		w.tries = 0
	}
	if w.Most == 0 || w.leases == 0 {
		w.renewals = 0
	}
	if w.stage == idleDog {
		w.entered = 0
	}
}

// Ignores implements [core.Symbolic]. The numbers of calls and watches never come again, and in an
// attempt no stage does but that of entering, once for each entry.
func (w *Watchdog) Ignores(e *sim.Arrival[core.Msg]) bool {
	m := &e.Msg
	switch m.Kind {
	case core.Watch:
		return m.Number() != callback && m.Number() != w.watch
	case core.ExtReply:
		return m.Number() != w.watch
	case core.Unlocked:
		return false
	}
	if m.Try != w.Try {
		return true
	}
	switch m.Kind {
	case core.EnterReply:
		return w.stage != enters
	case core.Subscribed:
		return w.stage != subscribes
	case core.LeaveReply:
		return w.stage != unlocks
	case core.Timeout:
		return m.Call() != int(w.waits) || m.About() != uint16(w.stage)
	}
	return false
}

// Rename implements [sim.Renamer]: calls have serial numbers, as attempts have.
func (w *Watchdog) Rename(to sim.Renaming) {
	w.Renumber(to)
	w.waits = uint16(to.Serial(sim.None, uint32(w.waits)))
}
