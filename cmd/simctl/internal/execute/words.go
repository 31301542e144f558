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
	var parts []string
	add := func(n int, one, many, how string) {
		what := one
		if n != 1 {
			what = many
		}
		if n > 0 {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d %s %s", n, what, how)))
		}
	}
	add(b.Pauses, "pause", "pauses", lengthText("of", &b.PauseFor))
	add(b.Suspends, "suspend", "suspends", lengthText("of", &b.PauseFor))
	add(b.Crashes, "crash", "crashes", lengthText("down for", &b.DownFor))
	add(b.ClockSteps, "clock step", "clock steps", listText("by", b.StepBy))
	add(b.Slews, "slew", "slews", listText("to", b.SlewTo))
	add(b.Late, "late message", "late messages", lengthText("by", &b.LateBy))
	add(b.Lost, "lost message", "lost messages", "")
	add(b.Duplicated, "duplicated message", "duplicated messages", lengthText("after", &b.LateBy))
	add(b.Cuts, "partition", "partitions", cutText(b))
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
	for _, of := range []struct {
		what string
		list []sim.NodeID
	}{
		{"at", b.Nodes}, {"pauses at", b.PauseNodes}, {"crashes at", b.CrashNodes}, {"clock steps at", b.StepNodes}, {"slews at", b.SlewNodes},
		{"partitions of", b.CutNodes}, {"messages of", b.MessageNodes},
	} {
		var names []string
		for _, id := range of.list {
			names = append(names, p.Nodes[id-1])
		}
		if len(names) > 0 {
			text += "; " + of.what + " " + strings.Join(names, ", ")
		}
	}
	return text
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
