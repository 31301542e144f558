package policy

import (
	"fmt"

	"fencepost/sim"
)

// describer says in words what happens, for one run.
type describer struct {
	book  *book
	first sim.NodeID // of the clients
	told  map[verdictOf]bool
}

// verdictOf is a verdict that is told once.
type verdictOf struct {
	client, version, rule int16
	ok                    bool
}

func newDescriber(b *book, first sim.NodeID) *describer {
	return &describer{b, first, map[verdictOf]bool{}}
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	m, name := &o.Msg, v.Name(o.Node)
	switch m.Kind {
	case Published:
		return fmt.Sprintf("version %d of the rules is published", m.Version)
	case Adopted:
		if m.Version == 0 {
			return name + " goes without rules"
		}
		return fmt.Sprintf("%s uses version %d", name, m.Version)
	case BadFile:
		return fmt.Sprintf("%s cannot load %s", name, t.book.versions[m.Version].problem)
	case Decided:
		return t.decided(v, m)
	}
	return ""
}

// decided tells of the first time that a client meets a verdict of a rule.
func (t *describer) decided(v *sim.View[Msg], m *Msg) string {
	key := verdictOf{m.Client, m.Version, m.Rule, m.OK}
	if t.told[key] {
		return ""
	}
	t.told[key] = true
	client, rule := v.Name(t.first+sim.NodeID(m.Client)), t.book.name(m.Version, m.Rule)
	switch {
	case m.Version == 0 || m.Rule == noRule:
		return client + " is admitted, as no rule is about it"
	case !m.OK:
		return fmt.Sprintf("%s is refused by %s of version %d", client, rule, m.Version)
	}
	return fmt.Sprintf("%s is admitted by %s of version %d", client, rule, m.Version)
}

// detail says the same of every decision, for an explanation.
func (t *describer) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	if o.Event != sim.Noted || m.Kind != Decided {
		return ""
	}
	client, rule := v.Name(t.first+sim.NodeID(m.Client)), t.book.name(m.Version, m.Rule)
	switch {
	case !m.OK:
		return fmt.Sprintf("refuses %s by %s of version %d", client, rule, m.Version)
	case m.Flags&Warned != 0:
		return fmt.Sprintf("admits %s above its limit, by %s of version %d", client, rule, m.Version)
	}
	return fmt.Sprintf("admits %s by %s of version %d", client, rule, m.Version)
}
