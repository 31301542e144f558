package lock

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// detailer says in words what is too small for the log of a run, for one run: whose
// key is on which instance, and when a client goes for the lock.
type detailer struct {
	owners   owners
	lockless bool
}

func newDetailer(l Layout) *detailer {
	return &detailer{owners: newOwners(l), lockless: l.lockless()}
}

// detail returns "" for what the describer tells, or what is nothing.
func (d *detailer) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	_, before := d.owners.observe(o)
	if o.Event != sim.Noted {
		return ""
	}
	m := &o.Msg
	switch m.Kind {
	case core.Trying:
		if d.lockless {
			return "" // it starts at once
		}
		if m.Nth() > 1 {
			return fmt.Sprintf("tries to take the lock, for the %s time", text.Ordinal(int(m.Nth())))
		}
		return "tries to take the lock"
	case core.Extended:
		return "extends its lease"
	case core.Owned:
		return d.owned(v, m, before)
	case core.Freed:
		return freed(v, m, before)
	case core.Fenced:
		if _, compares := m.Registered(); !compares {
			return fmt.Sprintf("registers token %d", m.FencingToken())
		}
	}
	return detailFailover(v, m)
}

func (d *detailer) owned(v *sim.View[Msg], m *Msg, before uint64) string {
	what, until := "grants", ", forever"
	if before == m.Grant() {
		what = "still grants" // it was extended, or came back after a crash
	}
	if m.Ends() {
		until = fmt.Sprintf(", until %s on its own clock", sim.Seconds(m.Until()))
	}
	return fmt.Sprintf("%s the lock to %s%s", what, v.Name(core.Client(m.Grant())), until)
}

func freed(v *sim.View[Msg], m *Msg, before uint64) string {
	who := "a client that is gone"
	if before != 0 {
		who = v.Name(core.Client(before))
	}
	deleter, deleted := m.Deleted()
	switch how := m.Loss(); {
	case how == core.ByAdministrator:
		return fmt.Sprintf("lets an administrator delete the key of %s", who)
	case how != core.ByExpiry && before == 0:
		return "has no key"
	case how != core.ByExpiry:
		return fmt.Sprintf("has lost the key of %s in the crash", who)
	case !deleted:
		return fmt.Sprintf("drops the key of %s, which has expired", who)
	}
	return fmt.Sprintf("deletes the key of %s, as %s asks", who, v.Name(core.Client(deleter)))
}
