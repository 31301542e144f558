package lock

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// detailer says in words what is too small for the log of a run: whose key is on which instance, and when a client goes
// for the lock. Its ledger has heard it before.
type detailer struct{ ledger *check.LockLedger }

// detail returns "" for what the describer tells, or what is nothing.
func (d detailer) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	before := d.ledger.News().Key
	if o.Event != sim.Noted {
		return ""
	}
	m := &o.Msg
	switch m.Kind {
	case core.Trying:
		if d.ledger.Layout.Lockless() {
			return "" // it starts at once
		}
		if m.Nth() > 1 {
			return fmt.Sprintf("tries to take the lock, for the %s time", text.Ordinal(int(m.Nth())))
		}
		return "tries to take the lock"
	case core.Extended:
		return "extends its lease"
	case core.Owned:
		return owned(v, m, before)
	case core.Freed:
		return freed(v, m, before)
	case core.Fenced:
		if _, compares := m.Registered(); !compares {
			return fmt.Sprintf("registers token %d", m.FencingToken())
		}
	}
	return detailFailover(v, m)
}

func owned(v *sim.View[Msg], m *Msg, before fact.Holder) string {
	what, until := "grants", ", forever"
	if before == holder(m.Grant()) {
		what = "still grants" // it was extended, or came back after a crash
	}
	if m.Ends() {
		until = fmt.Sprintf(", until %s on its own clock", sim.Seconds(m.Until()))
	}
	return fmt.Sprintf("%s the lock to %s%s", what, v.Name(core.Client(m.Grant())), until)
}

func freed(v *sim.View[Msg], m *Msg, before fact.Holder) string {
	who := "a client that is gone"
	if before != (fact.Holder{}) {
		who = v.Name(before.Node)
	}
	deleter, deleted := m.Deleted()
	switch how := m.Loss(); {
	case how == core.ByAdministrator:
		return fmt.Sprintf("lets an administrator delete the key of %s", who)
	case how != core.ByExpiry && before == (fact.Holder{}):
		return "has no key"
	case how != core.ByExpiry:
		return fmt.Sprintf("has lost the key of %s in the crash", who)
	case !deleted:
		return fmt.Sprintf("drops the key of %s, which has expired", who)
	}
	return fmt.Sprintf("deletes the key of %s, as %s asks", who, v.Name(core.Client(deleter)))
}
