package lock

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/sim"
)

// detailer says in words what is too small for the log of a run, for one run: whose
// key is on which instance, and when a client goes for the lock.
type detailer struct {
	owners owners
}

func newDetailer(l Layout) *detailer {
	return &detailer{owners: newOwners(l)}
}

// detail returns "" for what the describer tells, or what is nothing.
func (d *detailer) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	_, before := d.owners.observe(o)
	if o.Event != sim.Noted {
		return ""
	}
	m := &o.Msg
	switch m.Kind {
	case Trying:
		if m.N > 1 {
			return fmt.Sprintf("tries to take the lock, for the %s time", text.Ordinal(int(m.N)))
		}
		return "tries to take the lock"
	case Extended:
		return "extends its lease"
	case Owned:
		return d.owned(v, m, before)
	case Freed:
		return freed(v, m, before)
	case Fenced:
		if m.N == 0 {
			return fmt.Sprintf("registers token %d", m.Token)
		}
	}
	return detailFailover(v, m)
}

func (d *detailer) owned(v *sim.View[Msg], m *Msg, before uint64) string {
	what, until := "grants", ", forever"
	if before == m.Value {
		what = "still grants" // it was extended, or came back after a crash
	}
	if m.OK {
		until = fmt.Sprintf(", until %s on its own clock", sim.Seconds(m.X))
	}
	return fmt.Sprintf("%s the lock to %s%s", what, v.Name(client(m.Value)), until)
}

func freed(v *sim.View[Msg], m *Msg, before uint64) string {
	who := "a client that is gone"
	if before != 0 {
		who = v.Name(client(before))
	}
	switch {
	case m.N == 2:
		return fmt.Sprintf("lets an administrator delete the key of %s", who)
	case m.N > 0 && before == 0:
		return "has no key"
	case m.N > 0:
		return fmt.Sprintf("has lost the key of %s in the crash", who)
	case !m.OK:
		return fmt.Sprintf("drops the key of %s, which has expired", who)
	}
	return fmt.Sprintf("deletes the key of %s, as %s asks", who, v.Name(client(m.Value)))
}
