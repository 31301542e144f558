package format

import (
	"slices"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// A BudgetKey is a key of the block `budget:`. The table of them follows from the rows of the kinds of fault.
type BudgetKey struct {
	Name, About string
	Form        string   // the definition of its value in the schema
	Many        bool     // it may be a list of them
	Needs       []string // the keys of counts, one of which must be above 0: else the key describes faults that never happen

	do      sim.Action // the first kind of fault that it is about
	example string
	read    func(*budgetReader, *BudgetKey, *strict.Value, *explore.Budget)
}

// BudgetKeys are the keys of a budget, in the order in which they are shown: counts first, then lengths, amounts and nodes.
var BudgetKeys = slices.Concat(
	budgetKeys(func(k *sim.FaultKind, b *sim.Allowing) BudgetKey {
		return BudgetKey{Name: b.Count, About: b.CountAbout, Form: "faults-of-a-kind", example: "1", read: (*budgetReader).count}
	}),
	[]BudgetKey{{Name: "loss", About: "that any message is lost, besides, for random search only: 0", Form: "share", example: "1%", read: (*budgetReader).loss}},
	budgetKeys(func(k *sim.FaultKind, b *sim.Allowing) BudgetKey {
		key := BudgetKey{Name: b.Length, About: b.LengthAbout, Form: "lengths", example: "15s", read: (*budgetReader).lengthsOf}
		if k.Subject == sim.TwoSides {
			key.Form, key.read = "lengths-or-forever", (*budgetReader).cuts
		}
		return key
	}),
	budgetKeys(func(k *sim.FaultKind, b *sim.Allowing) BudgetKey {
		form := amountForms[k.Amount.Form]
		return BudgetKey{Name: b.Amount, About: b.AmountAbout, Form: k.Amount.Form, Many: true, example: form.example, read: (*budgetReader).amounts}
	}),
	[]BudgetKey{{Name: "nodes", About: "the nodes that all this may be injected into, or whose messages: all", Form: "nodes", Needs: append(countKeys(), "loss"),
		example: "client-1|client-2", read: func(r *budgetReader, _ *BudgetKey, v *strict.Value, b *explore.Budget) { r.nodesOf(v, &b.Nodes) }}},
	budgetKeys(func(k *sim.FaultKind, b *sim.Allowing) BudgetKey {
		return BudgetKey{Name: b.Nodes, About: b.NodesAbout, Form: "nodes", example: "client-1",
			read: func(r *budgetReader, k *BudgetKey, v *strict.Value, b *explore.Budget) {
				r.nodesOf(v, b.Allow(k.do).Nodes)
			}}
	}),
)

// budgetKeys are the keys of one sort of all kinds of fault. Kinds may share one, which needs the count of one of them.
func budgetKeys(of func(*sim.FaultKind, *sim.Allowing) BudgetKey) (list []BudgetKey) {
	for _, do := range sim.Actions() {
		row := do.Row()
		key := of(row, &row.Budget)
		i := slices.IndexFunc(list, func(k BudgetKey) bool { return k.Name == key.Name })
		switch {
		case key.Name == "":
			continue
		case i < 0:
			key.do = do
			list, i = append(list, key), len(list)
		}
		if key.Form != "faults-of-a-kind" {
			list[i].Needs = append(list[i].Needs, row.Budget.Count)
		}
		if do == sim.Duplicate && key.Form == "nodes" {
			list[i].Needs = append(list[i].Needs, "loss") // it is of the messages of these nodes, too
		}
	}
	return list
}

// countKeys are the keys of counts.
func countKeys() (names []string) {
	for _, do := range sim.Actions() {
		if count := do.Row().Budget.Count; count != "" {
			names = append(names, count)
		}
	}
	return names
}

// budgetNames are the names of all keys of a budget.
func budgetNames() []string {
	names := make([]string, len(BudgetKeys))
	for i := range BudgetKeys {
		names[i] = BudgetKeys[i].Name
	}
	return names
}

// budgetKey is the key of a name, nil if there is none.
func budgetKey(name string) *BudgetKey {
	if i := slices.Index(budgetNames(), name); i >= 0 {
		return &BudgetKeys[i]
	}
	return nil
}
