package policy

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// facts are what is said of a message; of rules and files that are in a book.
func facts(b *book) model.Facts[Msg] {
	return model.Facts[Msg]{
		"client":  model.Words(func(t *model.Told[Msg]) string { return fmt.Sprintf("client-%d", t.Msg.Client+1) }),
		"tier":    model.Number(func(m *Msg) uint8 { return m.Tier }),
		"version": model.Number(func(m *Msg) int16 { return m.Version }),
		"number":  model.Number(func(m *Msg) int16 { return m.Rule }),
		"rule":    model.Words(func(t *model.Told[Msg]) string { return b.name(t.Msg.Version, t.Msg.Rule) }),
		"problem": model.Words(func(t *model.Told[Msg]) string { return b.versions[t.Msg.Version].problem }),
		"waited":  model.Number((*Msg).waited),
		"yes":     model.Whether((*Msg).yes, "yes", "no"),
		"none":    model.Whether((*Msg).withoutRule, "", ""),
		"over":    model.Whether((*Msg).over, "", ""),
		"warned":  model.Whether((*Msg).warned, "admits {client} above its limit,", "admits {client}"),
		"uses":    model.Whether((*Msg).empty, "goes without rules", "uses version {version}"),
		"decided": model.Whether((*Msg).free, "admitted, as no rule is about it", "{verdict} by {rule} of version {version}"),
		"verdict": model.Whether((*Msg).yes, "admitted", "refused"),
		"decides": model.Whether((*Msg).yes, "{warned} by {rule} of version {version}", "refuses {client} by {rule} of version {version}"),
	}
}

// once is a log that tells only the first time that a client meets a verdict of a rule.
func once(d *model.Description[Msg]) func(*sim.View[Msg], *sim.Observation[Msg]) string {
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
