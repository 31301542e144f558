package redislock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// schedule is scheduleExpirationRenewal, in a callback of the answer to lock.
func (w *Watchdog) schedule(out *sim.Out[core.Msg]) {
	if w.Callback > 0 {
		out.After(w.Callback, core.NewWatch(callback, false))
		return
	}
	w.register(out)
}

// register makes the renewal know of one more entry. The first starts it.
func (w *Watchdog) register(out *sim.Out[core.Msg]) {
	if w.leases++; w.leases > 1 {
		return
	}
	w.renewals = 0
	w.rearm(out)
	if w.stage != holds && w.stage != enters {
		out.Note(core.New(core.WatchLeaked).Of(w.Try)) // unlock was there first, and has found nothing to end
	}
}

// rearm starts the timer of the next renewal.
func (w *Watchdog) rearm(out *sim.Out[core.Msg]) {
	w.disarm()
	out.After(w.Lease/3, core.NewWatch(w.watch, !w.Late.IsZero()))
}

// disarm makes the timer that runs, and an answer that is to come, count no more.
func (w *Watchdog) disarm() {
	w.pending = false
	if w.watch++; w.watch == callback {
		w.watch++
	}
}

// watched is a timer of the renewal.
func (w *Watchdog) watched(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; {
	case m.Number() == callback:
		w.register(out)
	case m.Number() != w.watch || w.leases == 0:
	case m.Late(): // due, but the thread that is to run it has something else to do
		out.AfterDraw(w.Late, core.NewWatch(w.watch, false))
	case w.pending:
		w.unanswered(in, out)
	case w.Most > 0 && w.renewals >= w.Most:
		w.stop(out)
	default:
		w.renewals++
		w.pending = true
		w.call(out, core.NewExtend(core.Extend, w.watch, owner(in.Self), w.Lease))
		out.After(w.PerNode, core.NewWatch(w.watch, false))
	}
}

// unanswered is a renewal without an answer: it throws, whatever the server has done.
func (w *Watchdog) unanswered(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if w.forget(); w.master == sim.None {
		w.find(in, out)
	}
	if w.KeepsOn {
		w.rearm(out)
	} else {
		w.stop(out)
	}
}

// renewed is the answer to a renewal.
func (w *Watchdog) renewed(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	m := &in.Msg
	switch {
	case !w.pending || m.Number() != w.watch || w.leases == 0:
	case m.OK:
		w.rearm(out)
	case m.Refusal() == core.ReadOnly: // an error, and not an answer: as if there was none
	default:
		w.stop(out)
		if w.TellsHolder && w.stage == holds {
			return core.Lost
		}
	}
	return core.Pending
}

// stop ends the renewal. The holder, if there is one, is not told.
func (w *Watchdog) stop(out *sim.Out[core.Msg]) {
	w.leases = 0
	w.disarm()
	out.Note(core.NewWatchEnded(w.Try, w.stage == holds))
}

// cancel is cancelExpirationRenewal for one entry of the holder.
func (w *Watchdog) cancel() {
	if w.leases == 0 {
		return
	}
	if w.leases--; w.leases == 0 {
		w.disarm()
	}
}
