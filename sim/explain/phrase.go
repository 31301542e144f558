package explain

import (
	"fmt"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/sim"
)

// Phrase is a fault of a program in the words of an explanation: "client-1 is paused for
// 8.061s, just before its 1st write is emitted".
func Phrase(p *sim.Program, f *sim.Fault) string {
	t := phrase{p, f}
	node := t.name(f.Node) + " "
	row := f.Do.Row()
	switch {
	case row.Subject == sim.TwoSides:
		return "the network " + f.Clause(t.span(), p.Nodes)
	case row.Subject == sim.OneMessage:
		return t.message()
	case f.Do == sim.Crash:
		return node + f.Clause("", nil) + t.when("") + t.restart()
	case row.Stops:
		return node + f.Clause(t.lasting()+t.when(","), nil)
	case row.Lasting:
		return node + f.Clause(t.span(), nil)
	case len(f.Changes) > 0:
		t.Fault = &sim.Fault{Forever: true, When: f.When} // to the end of the run
		return node + f.Clause(t.span(), nil)
	}
	return node + f.Clause(t.when(","), nil)
}

type phrase struct {
	program *sim.Program
	*sim.Fault
}

func (t phrase) name(id sim.NodeID) string {
	if id < 1 || int(id) > len(t.program.Nodes) {
		return "no node"
	}
	return t.program.Nodes[id-1]
}

func (t phrase) kind(k sim.Kind) string {
	if int(k) >= len(t.program.Kinds) {
		return "message"
	}
	return t.program.Kinds[k]
}

// Length is a distribution in words, behind "for" or "takes": "8s", "10s on average".
func Length(d *sim.Dist) string {
	s := text.Plain(d.String())
	inner := strings.Trim(s, "{}")
	switch {
	case s[0] != '{':
		return text.Duration(d.Least())
	case strings.HasPrefix(inner, "mix: "):
		return mixed(d)
	case strings.HasPrefix(inner, "pareto: "):
		return text.Duration(d.Least()) + " or longer, Pareto with alpha " + inner[strings.LastIndex(inner, " ")+1:]
	case strings.HasPrefix(inner, "exp: "):
		return inner[len("exp: "):] + " on average"
	case strings.HasPrefix(inner, "uniform: "):
		return strings.Replace(strings.Trim(inner[len("uniform: "):], "[]"), ", ", " to ", 1)
	case strings.HasPrefix(inner, "lognormal: "):
		return strings.Replace(strings.TrimPrefix(inner, "lognormal: {median: "), ", p99: ", " in the median and, at the 99th percentile, ", 1)
	}
	return "one of the recorded lengths"
}

// mixed says how often each part of a mix is drawn.
func mixed(d *sim.Dist) string {
	var list []string
	for _, p := range d.Parts() {
		list = append(list, fmt.Sprintf("%s (%s)", Length(&p.Of), p.Share))
	}
	return strings.Join(list, " or ")
}

// lasting is for how long a node is stopped.
func (t phrase) lasting() string {
	switch {
	case len(t.When.Replay) > 0:
		return "" // its log says so
	case t.Forever:
		return " forever"
	}
	return " for " + Length(&t.For)
}

// restart is when a crashed node comes back.
func (t phrase) restart() string {
	comma := ","
	if !t.waits() && t.When.Every.IsZero() {
		comma = "" // "crashes at 2.500s and restarts after 1s"
	}
	switch {
	case t.Forever:
		return comma + " and does not restart"
	case t.For.IsZero():
		return comma + " and restarts at once"
	}
	return comma + " and restarts after " + Length(&t.For)
}

// waits reports whether the fault waits for an effect of a node, or for another fault.
func (t phrase) waits() bool { return t.When.Note|t.When.Before != 0 || t.When.After != "" }

// when is the trigger, with what separates it from what stands before; an instant
// needs nothing there.
func (t phrase) when(comma string) string {
	w := &t.When
	switch {
	case w.Note != 0:
		return comma + " right after " + t.effect(w.Note)
	case w.Before != 0:
		return comma + " just before " + t.effect(w.Before) + " is emitted"
	case !w.Every.IsZero():
		return comma + " again and again, after " + Length(&w.Every)
	case len(w.Replay) > 0:
		return comma + " when and as long as its log says"
	case w.After != "":
		return comma + " " + t.after()
	}
	return " at " + w.At.String()
}

// after is when a fault begins that comes after another.
func (t phrase) after() string {
	w := &t.When
	event := "begins"
	if w.Ends {
		event = "ends"
	}
	if w.At == 0 {
		return fmt.Sprintf("when fault %q %s", w.After, event)
	}
	return fmt.Sprintf("%s after fault %q %s", text.Duration(time.Duration(w.At)), w.After, event)
}

// effect is what the fault waits for, and whose.
func (t phrase) effect(k sim.Kind) string {
	which := "each "
	if t.When.Nth > 0 {
		which = text.Ordinal(t.When.Nth) + " "
	}
	switch by := t.When.By; {
	case by != sim.None && by != t.Node && t.When.Nth > 0:
		return "the " + which + t.kind(k) + " of " + t.name(by)
	case by != sim.None && by != t.Node:
		return which + t.kind(k) + " of " + t.name(by)
	case t.When.Nth > 0:
		return "its " + which + t.kind(k)
	}
	return which + t.kind(k) + " of its own"
}

// span is from when on something is so, and for how long.
func (t phrase) span() string {
	w := &t.When
	at := ""
	switch {
	case !w.Every.IsZero(), len(w.Replay) > 0:
	case t.waits() && t.Forever:
		return ", from" + t.when("") + " on"
	case t.waits():
	case w.At == 0:
		at = " from the start"
	case t.Forever:
		at = " from " + w.At.String() + " on"
	default:
		at = " from " + w.At.String()
	}
	switch {
	case at == "":
		return t.lasting() + t.when(",")
	case t.Forever:
		return at
	}
	return t.lasting() + at
}

// message is what happens to a message.
func (t phrase) message() string {
	m := &t.Msg
	s := "each " + t.kind(m.Kind)
	if m.Nth > 0 {
		s = "the " + text.Ordinal(m.Nth) + " " + t.kind(m.Kind)
	}
	if m.From != sim.None {
		s += " of " + t.name(m.From)
	}
	if m.To != sim.None {
		s += " to " + t.name(m.To)
	}
	switch {
	case t.When.After != "":
		s += " from " + t.after() + " on"
	case t.When.At > 0:
		s += " from " + t.When.At.String() + " on"
	}
	switch t.Do {
	case sim.Delay:
		return s + " " + t.Clause(" "+Length(&t.For), nil)
	case sim.Lose:
		return s + " " + t.Clause("", nil)
	}
	return s + " " + t.Clause(", after "+Length(&t.For), nil)
}

// DrawPhrase is an override of a schedule in words: "the delay of message 3 of
// client-1, drawn at 93.8%". The minimal choice is 0%.
func DrawPhrase(p *sim.Program, faults []sim.Fault, o *sim.Override) string {
	d := &o.Draw
	t := phrase{program: p}
	link := " of " + t.name(d.From)
	if d.To != sim.None {
		link += " to " + t.name(d.To)
	}
	which, n := "", d.Index+1
	switch d.Purpose {
	case sim.Delays:
		which = fmt.Sprintf("the delay of message %d%s", n, link)
	case sim.Losses:
		which = fmt.Sprintf("the loss of message %d%s", n, link)
	case sim.Duplicates:
		which = fmt.Sprintf("the duplication of message %d%s", n, link)
		if d.Index > 1<<63 {
			which = fmt.Sprintf("the delay of the second copy of message %d%s", ^d.Index+1, link)
		}
	case sim.Timers:
		which = fmt.Sprintf("the length of drawn timer %d%s", n, link)
	case sim.Costs:
		which = fmt.Sprintf("the cost of step %d%s", n, link)
	default:
		which = fmt.Sprintf("draw %d of a fault", n)
		for i := range faults {
			if faults[i].Stream() == d.Name {
				which = fmt.Sprintf("draw %d of the fault %q", n, faults[i].Name)
			}
		}
	}
	return fmt.Sprintf("%s, drawn at %.4g%%", which, float64(o.Value)/(1<<64)*100)
}
