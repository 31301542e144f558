package replicas

import (
	"fmt"
	"strings"

	"fencepost/sim"
)

// clipped is how many siblings a sentence names.
const clipped = 6

// describe says in words what happens to the key; "" is what is not worth a line of the log. The ledger
// has seen the observation.
func (l *Ledger) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	name := v.Name(o.Node)
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Wrote:
		return fmt.Sprintf("%s writes %s at %s, having read %s", name, l.what(m.Write.Value), v.Name(sim.NodeID(m.To)), l.list(m.Write.Read))
	case Stored:
		return l.keeps(name, m.Set)
	case Synced:
		switch {
		case len(l.lost) > 0 && !l.changed:
			return fmt.Sprintf("%s is told of %s, and drops it: it continues with %s", name, l.writeNames(), l.short(m.Set))
		case l.changed:
			return l.keeps(name+", which is told of "+l.list(m.Heard)+",", m.Set)
		}
	case Opened:
		if l.layout.Disk != Safe && v.Now() > 0 {
			return name + " starts with an empty disk"
		}
	case Read:
		switch {
		case l.reappears != 0:
			return fmt.Sprintf("%s finds %s in the cart again, which had been taken out", name, l.layout.cart(l.reappears))
		case len(m.Set.values) > 1:
			return fmt.Sprintf("%s has read %s", name, l.list(m.Set))
		}
	}
	return ""
}

// keeps says what a replica keeps now, and what is wrong with that.
func (l *Ledger) keeps(name string, set *Kept) string {
	text := fmt.Sprintf("%s keeps %s", name, l.short(set))
	if l.hasFalse {
		text += fmt.Sprintf(", though %s replaces %s", l.writeName(l.falsePair[1]), l.writeName(l.falsePair[0]))
	}
	if len(l.lost) > 0 {
		text += fmt.Sprintf(", and drops %s, which nothing replaces", l.writeNames())
	}
	if l.hasSame {
		text += fmt.Sprintf("; %s has the version of %s", l.writeName(l.samePair[1]), l.writeName(l.samePair[0]))
	}
	return text
}

// what is a value: of a cart what is in it.
func (l *Ledger) what(v Value) string {
	if l.layout.Carts {
		return "the cart " + l.valueName(v)
	}
	return l.valueName(v)
}

// writeNames are the values that were lost in the last observation.
func (l *Ledger) writeNames() string {
	var all []string
	for _, id := range l.lost[:min(clipped, len(l.lost))] {
		all = append(all, l.writeName(id))
	}
	return strings.Join(all, " and ")
}

// list is the values of a set.
func (l *Ledger) list(k *Kept) string {
	switch {
	case k == nil || len(k.values) == 0:
		return "nothing"
	case len(k.values) > clipped:
		return fmt.Sprintf("%d siblings", len(k.values))
	}
	n := l.names()
	return strings.Join(n.values(k.values), " and ")
}

// short is a set with its versions, or only how large it is.
func (l *Ledger) short(k *Kept) string {
	switch {
	case len(k.values) == 0:
		return "nothing"
	case len(k.values) > clipped:
		return fmt.Sprintf("%d siblings", len(k.values))
	}
	return l.text(k)
}

// detail says what is too small for the log of a run: what the node does.
func (l *Ledger) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Read:
		return fmt.Sprintf("reads %s at %s", l.list(m.Heard), v.Name(sim.NodeID(m.To)))
	case Wrote:
		return fmt.Sprintf("writes %s, having read %s", l.what(m.Write.Value), l.list(m.Write.Read))
	case Stored:
		return fmt.Sprintf("takes %s, and keeps %s", l.what(m.Write.Value), l.short(m.Set))
	case Synced:
		return fmt.Sprintf("is told of %s, and keeps %s", l.list(m.Heard), l.short(m.Set))
	}
	return ""
}
