package lock

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// describer says in words what happens to a lock, for one run. Its ledger has heard it before.
type describer struct {
	ledger  *check.LockLedger
	refused []bool // by client: its last attempt was refused, and that has been told
}

func newDescriber(l *check.LockLedger) *describer {
	return &describer{ledger: l, refused: make([]bool, l.Layout.Clients+1)}
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	layout, news := &t.ledger.Layout, t.ledger.News()
	if news.Moved {
		return t.describeServer(v, o, news.Key)
	}
	if o.Event != sim.Noted {
		return ""
	}
	m, name := &o.Msg, v.Name(o.Node)
	switch m.Kind {
	case core.Acquired:
		t.refused[o.Node] = false
		return t.describeAcquired(v, o.Node)
	case core.Refused:
		return t.describeRefused(name, o)
	case core.Hung:
		return fmt.Sprintf("%s has %d of %d for it and as many against it: the attempt never ends", name, m.GrantedBy(), layout.Instances())
	case core.Failed:
		return name + " gives up: no tries are left"
	case core.Checked:
		return fmt.Sprintf("%s checks its lease: valid for another %v", name, m.Validity())
	case core.Expired:
		return name + " finds its lease at an end and writes nothing"
	case core.Released:
		if m.Unanswered() {
			return name + " releases the lock: its write was not answered in time, and may be applied later"
		}
		if layout.Lockless() {
			return name + " has finished"
		}
		return name + " releases the lock"
	case core.Stale:
		if m.Wrote() {
			return name + " learns that its write was rejected, and releases the lock"
		}
		return name + " learns that its token is stale and writes nothing"
	case core.LockLost:
		return name + " has lost the lock, and leaves its critical section"
	case core.Issued:
		if layout.IsClient(o.Node) {
			return fmt.Sprintf("%s has token %d of the lock's own", name, m.FencingToken())
		}
		return fmt.Sprintf("the counter issues token %d to %s", m.FencingToken(), v.Name(core.Client(m.Grant())))
	case core.Skipped:
		return fmt.Sprintf("%s finds the job of night %d done", name, m.Night())
	case core.Applied:
		if layout.Uncounted {
			return fmt.Sprintf("%s has run the job of night %d", v.Name(core.Client(m.Grant())), m.Counter())
		}
		applies := fmt.Sprintf("the store applies the write of %s%s: counter %d", v.Name(core.Client(m.Grant())), withToken(m.FencingToken()), m.Counter())
		if news.Lost != 0 {
			applies += fmt.Sprintf(", over a write of %s: %s lost", v.Name(news.Over.Node), text.Count(news.Lost, "increment"))
		}
		return applies
	case core.Fenced:
		if _, compares := m.Registered(); compares {
			return fmt.Sprintf("the store registers the value of %s", v.Name(core.Client(m.Grant())))
		}
	case core.Rejected:
		rejects := fmt.Sprintf("the store rejects %s%s", v.Name(core.Client(m.Grant())), withToken(m.FencingToken()))
		if value, compares := m.Registered(); compares {
			return fmt.Sprintf("%s: the value that was registered last is that of %s", rejects, v.Name(core.Client(value)))
		}
		return fmt.Sprintf("%s: it has seen token %d", rejects, m.LatestToken())
	}
	return describeFailover(v, o)
}

func withToken(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" with token %d", token)
}

func (t *describer) describeAcquired(v *sim.View[Msg], id sim.NodeID) string {
	does, has := "acquired the lock", "still believes it holds the lock"
	if t.ledger.Layout.Lockless() {
		does, has = "starts without a lock", "is still at work"
	}
	text := v.Name(id) + " " + does
	d := t.ledger.Beliefs().Other(id)
	if d == sim.None {
		return text
	}
	return fmt.Sprintf("%s while %s%s %s", text, v.Name(d), pausedSince(v, d), has)
}

// pausedSince says that a node is paused, "" if it is not.
func pausedSince(v *sim.View[Msg], id sim.NodeID) string {
	if since, paused := v.PausedSince(id); paused {
		return fmt.Sprintf(", paused since %v,", since)
	}
	return ""
}

// describeRefused tells of an attempt that failed, but of a contender's polling only
// the first time.
func (t *describer) describeRefused(name string, o *sim.Observation[Msg]) string {
	again, layout := t.refused[o.Node], &t.ledger.Layout
	t.refused[o.Node] = true
	switch granted := o.Msg.GrantedBy(); {
	case granted >= layout.Quorum:
		return fmt.Sprintf("%s is granted the lock by %d of %d but too late: validity %v", name, granted, layout.Instances(), o.Msg.Validity())
	case again:
		return ""
	case layout.Instances() == 1:
		return name + " is refused, and will try again"
	default:
		return fmt.Sprintf("%s is refused: %d of %d granted it", name, granted, layout.Instances())
	}
}

// describeServer tells of a key that another client deletes, and of the one whose expiry
// costs a holder its quorum.
func (t *describer) describeServer(v *sim.View[Msg], o *sim.Observation[Msg], before fact.Holder) string {
	if before == (fact.Holder{}) || o.Msg.Kind != core.Freed {
		return ""
	}
	who, server, layout := before.Node, v.Name(o.Node), &t.ledger.Layout
	deleter, deleted := o.Msg.Deleted()
	if deleted && core.Client(deleter) != who {
		return fmt.Sprintf("%s deletes the key of %s on %s", v.Name(core.Client(deleter)), v.Name(who), server)
	}
	left := t.ledger.Owners.Of(before)
	if deleted || t.ledger.Beliefs().Held[who] != before || left != layout.Quorum-1 {
		return ""
	}
	what := [...]string{core.ByExpiry: "expires", core.ByCrash: "was lost in the crash",
		core.ByAdministrator: "is deleted by an administrator", core.ByFailover: "is not on the new master"}[o.Msg.Loss()]
	if layout.Instances() == 1 {
		return fmt.Sprintf("the key of %s on %s %s", v.Name(who), server, what)
	}
	return fmt.Sprintf("the key of %s on %s %s: %d of %d are left, too few", v.Name(who), server, what, left, layout.Instances())
}
