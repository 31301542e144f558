package replicas

import (
	"fmt"
	"strings"

	"fencepost/sim/model"
)

// clipped is how many siblings a sentence names.
const clipped = 6

// facts are what is said of a message to who knows the ledger, which has seen it.
func (l *Ledger) facts() model.Facts[Msg] {
	said := func(say func(m *Msg) string) model.Fact[Msg] {
		return model.Words(func(t *model.Told[Msg]) string { return say(&t.Msg) })
	}
	return model.Facts[Msg]{
		"write":  said(func(m *Msg) string { return fmt.Sprintf(" %d.%d", m.Write.Write.client(), m.Write.Write.nth()) }),
		"came":   said(func(m *Msg) string { return fmt.Sprintf(" of %d", len(m.Heard.values)) }),
		"kept":   said(func(m *Msg) string { return fmt.Sprintf(", %d kept", len(m.Set.values)) }),
		"to":     model.Number((*Msg).replica),
		"values": said(func(m *Msg) string { return l.list(m.Heard) }),
		"value":  said(func(m *Msg) string { return l.what(m.Write.Value) }),
		"basis":  said(func(m *Msg) string { return l.list(m.Write.Read) }),
		"short":  said(func(m *Msg) string { return l.short(m.Set) }),
		"keeps":  said(func(m *Msg) string { return l.keeps(m.Set) }),
		"opens":  model.Words(l.opens),
		"learns": model.Words(l.learns),
		"reads":  model.Words(l.reads),
	}
}

var description = model.Describe(kinds, (&Ledger{}).facts())

// opens, learns and reads are lines of the log, "" for what is not worth one.
func (l *Ledger) opens(t *model.Told[Msg]) string {
	if l.layout.Disk == Safe || t.Now() == 0 {
		return ""
	}
	return t.Who(t.Node) + " starts with an empty disk"
}

func (l *Ledger) learns(t *model.Told[Msg]) string {
	switch name := t.Who(t.Node); {
	case l.changed:
		return name + ", which is told of " + l.list(t.Msg.Heard) + ", " + l.keeps(t.Msg.Set)
	case len(l.lost) > 0:
		return fmt.Sprintf("%s is told of %s, and drops it: it continues with %s", name, l.writeNames(), l.short(t.Msg.Set))
	}
	return ""
}

func (l *Ledger) reads(t *model.Told[Msg]) string {
	switch name := t.Who(t.Node); {
	case l.reappears != 0:
		return fmt.Sprintf("%s finds %s in the cart again, which had been taken out", name, l.layout.cart(l.reappears))
	case len(t.Msg.Set.values) > 1:
		return fmt.Sprintf("%s has read %s", name, l.list(t.Msg.Set))
	}
	return ""
}

// keeps says what a replica keeps now, and what is wrong with that.
func (l *Ledger) keeps(set *Kept) string {
	text := "keeps " + l.short(set)
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
