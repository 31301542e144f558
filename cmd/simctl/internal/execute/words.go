package execute

import (
	"fmt"
	"strings"
	"time"

	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// BudgetText is a budget in words: "1 pause of 15s, 2 crashes; of client-1".
func BudgetText(b *explore.Budget, p *sim.Program) string {
	var parts, partitions []string
	for _, do := range sim.Actions() {
		switch f := b.Fields(do); {
		case f.Count == nil || *f.Count == 0:
		case do.Of() == sim.TwoSides:
			partitions = append(partitions, allowedText(do, *f.Count, cutText(b)))
		default:
			parts = append(parts, allowedText(do, *f.Count, amountsText(b, do), lengthsText(b, do)))
		}
	}
	parts = append(parts, partitions...)
	if b.Loss > 0 {
		parts = append(parts, "loss of "+percent(b.Loss))
	}
	if len(parts) == 0 {
		return searches.NoBudget
	}
	text := "at most " + strings.Join(parts, ", ")
	if b.Most > 0 {
		text += fmt.Sprintf(", and %d in one run", b.Most)
	}
	text += nodesText("at", b.Nodes, p)
	said := map[string]bool{}
	for _, do := range sim.Actions() {
		f, row := b.Fields(do), &do.Row().Budget
		if f.Nodes != nil && !said[row.Nodes] {
			text += nodesText(row.At, *f.Nodes, p)
			said[row.Nodes] = true
		}
	}
	return text
}

// allowedText is how many faults of a kind there are, and what they are like.
func allowedText(do sim.Action, n int, how ...string) string {
	row := &do.Row().Budget
	text := fmt.Sprint(n, " ", row.Many)
	if n == 1 {
		text = "1 " + row.One
	}
	for _, h := range how {
		if h != "" {
			text += " " + h
		}
	}
	return text
}

func lengthsText(b *explore.Budget, do sim.Action) string {
	if l := b.Lengths(do); l != nil {
		return lengthText(do.Row().Budget.How, l)
	}
	return ""
}

func amountsText(b *explore.Budget, do sim.Action) string {
	a, list := &do.Row().Amount, make([]fmt.Stringer, b.Amounts(do))
	for i := range list {
		list[i] = a.Value(b.Amount(do, i))
	}
	return listText(a.Key, list)
}

// nodesText names the nodes of faults, if there is a list of them.
func nodesText(what string, list []sim.NodeID, p *sim.Program) string {
	var names []string
	for _, id := range list {
		names = append(names, p.Nodes[id-1])
	}
	if len(names) == 0 {
		return ""
	}
	return "; " + what + " " + strings.Join(names, ", ")
}

// cutText is how long partitions last. Without a length in the budget half of them have no end.
func cutText(b *explore.Budget) string {
	given := len(b.CutFor.List) > 0 || b.CutFor.Dist != nil
	switch {
	case given && b.CutForever:
		return lengthText("for", &b.CutFor) + " or forever"
	case given:
		return lengthText("for", &b.CutFor)
	case b.CutForever:
		return "forever"
	}
	return "of any length, half of them without an end"
}

func lengthText(word string, l *explore.Lengths) string {
	if l.Dist != nil {
		return word + " " + l.Dist.String()
	}
	return listText(word, l.List)
}

func listText[T fmt.Stringer](word string, list []T) string {
	var words []string
	for _, v := range list {
		if d, ok := any(v).(time.Duration); ok {
			words = append(words, units.Exact(int64(d)))
			continue
		}
		words = append(words, v.String())
	}
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return word + " " + words[0]
	default:
		return word + " " + strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

// drawWords is one draw in words.
func drawWords(p *sim.Program, o *sim.Override) string {
	of := [...]string{"", "delay", "loss", "duplication", "timer", "cost", "fault"}
	what := of[min(int(o.Draw.Purpose), len(of)-1)]
	where := ""
	if o.Draw.From != sim.None {
		where = " of " + p.Nodes[o.Draw.From-1]
	}
	if o.Draw.To != sim.None {
		where += " to " + p.Nodes[o.Draw.To-1]
	}
	index := o.Draw.Index
	if index>>63 == 1 { // how much later a second copy arrives
		index = ^index
	}
	share := float64(o.Value>>11) / (1 << 53)
	return fmt.Sprintf("%s %s%s: at %s of its distribution", what, units.Number(index+1), where, units.Percent(share))
}
