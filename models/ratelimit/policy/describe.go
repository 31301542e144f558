package policy

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// facts are what is said of a message; of rules and files that are in a book.
func facts(b *book) kit.Facts[Msg] {
	return kit.Facts[Msg]{
		"client":  kit.Words(func(t *kit.Told[Msg]) string { return fmt.Sprintf("client-%d", t.Msg.Client+1) }),
		"tier":    kit.Number(func(m *Msg) uint8 { return m.Tier }),
		"version": kit.Number(func(m *Msg) int16 { return m.Version }),
		"number":  kit.Number(func(m *Msg) int16 { return m.Rule }),
		"rule":    kit.Words(func(t *kit.Told[Msg]) string { return b.name(t.Msg.Version, t.Msg.Rule) }),
		"problem": kit.Words(func(t *kit.Told[Msg]) string { return b.versions[t.Msg.Version].problem }),
		"waited":  kit.Number((*Msg).waited),
		"yes":     kit.Whether((*Msg).yes, "yes", "no"),
		"none":    kit.Whether((*Msg).withoutRule, "", ""),
		"over":    kit.Whether((*Msg).over, "", ""),
		"warned":  kit.Whether((*Msg).warned, "admits {client} above its limit,", "admits {client}"),
		"uses":    kit.Whether((*Msg).empty, "goes without rules", "uses version {version}"),
		"decided": kit.Whether((*Msg).free, "admitted, as no rule is about it", "{verdict} by {rule} of version {version}"),
		"verdict": kit.Whether((*Msg).yes, "admitted", "refused"),
		"decides": kit.Whether((*Msg).yes, "{warned} by {rule} of version {version}", "refuses {client} by {rule} of version {version}"),
	}
}

// once is a log that tells only the first time that a client meets a verdict of a rule.
func once(d *kit.Description[Msg]) func(*sim.View[Msg], *sim.Observation[Msg]) string {
	told := map[Msg]bool{}
	return func(v *sim.View[Msg], o *sim.Observation[Msg]) string {
		if m := o.Msg; o.Event == sim.Noted && m.Kind == Decided {
			key := Msg{Client: m.Client, Version: m.Version, Rule: m.Rule, OK: m.OK}
			if told[key] {
				return ""
			}
			told[key] = true
		}
		return d.Log(v, o)
	}
}
