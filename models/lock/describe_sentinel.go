package lock

import (
	"fmt"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// describeFailover says in words what Sentinels do, what becomes of the servers, and of renewals.
func describeFailover(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m, name := &o.Msg, v.Name(o.Node)
	other := func() string { return v.Name(m.Master()) }
	switch m.Kind {
	case core.Promoted:
		return fmt.Sprintf("%s is promoted: it is the master from now on, in epoch %d", name, m.Epoch())
	case core.Following:
		if m.WasMaster() {
			return fmt.Sprintf("%s becomes a replica of %s, and loses what only it had", name, other())
		}
	case core.ObjectivelyDown:
		return fmt.Sprintf("%s finds that %d of the Sentinels take %s to be down: that is the quorum", name, m.Sentinels(), other())
	case core.Elected:
		return fmt.Sprintf("%s is elected to lead the failover of epoch %d", name, m.Epoch())
	case core.WatchEnded:
		if m.Believes() {
			return name + " renews its lock no more, and its holder does not know"
		}
	case core.WatchLeaked:
		return "a renewal of " + name + " outlives its lock"
	case core.Tilted:
		return name + " finds that its clock has jumped, and does nothing for 30s"
	}
	return ""
}

// detailFailover says in words what is too small for the log.
func detailFailover(v *sim.View[Msg], m *Msg) string {
	other := func() string { return v.Name(m.Master()) }
	switch m.Kind {
	case core.Following:
		if !m.WasMaster() {
			return "follows " + other()
		}
	case core.SubjectivelyDown:
		return fmt.Sprintf("has had no answer of %s for too long", other())
	case core.Candidacy:
		return fmt.Sprintf("asks for votes in epoch %d", m.Epoch())
	case core.SwitchedMaster:
		return fmt.Sprintf("tells the clients that %s is the master", other())
	}
	return ""
}
