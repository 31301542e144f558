package reports

import (
	"fmt"
	"strings"
	"time"

	"fencepost/reports/units"
	"fencepost/sim"
)

// FaultWords says what a fault of a program does, in a sentence:
//
//	client-1 is paused after each note "checked" of its own, for 15s.
func FaultWords(p *sim.Program, f *sim.Fault) string {
	w := faultWords{program: p, fault: f}
	text, rest := w.what()
	if when := w.when(); when != "" {
		text += " " + when
	}
	if f.Name != "" && !strings.HasPrefix(f.Name, f.Do.String()+" ") {
		text = f.Name + ": " + text // somebody named it
	}
	return text + rest + "."
}

type faultWords struct {
	program *sim.Program
	fault   *sim.Fault
}

// what is what happens, and what is said behind when it does.
func (w *faultWords) what() (text, rest string) {
	f := w.fault
	node := w.node(f.Node)
	switch f.Do {
	case sim.Pause:
		return node + " is paused", w.length()
	case sim.Suspend:
		return "the machine of " + node + " sleeps", w.length()
	case sim.Crash:
		if f.Forever {
			return node + " crashes", ", and does not come back"
		}
		return node + " crashes", ", and restarts after " + LengthOf(&f.For)
	case sim.StepClock:
		return fmt.Sprintf("the wall clock of %s is stepped by %s", node, signed(f.By)), ""
	case sim.SetRate:
		return fmt.Sprintf("the oscillator of %s runs at %v", node, f.Rate), w.length()
	case sim.Cut:
		return "messages " + w.sides() + " are lost", w.length()
	case sim.Hold:
		return "messages " + w.sides() + " are held back", w.length()
	case sim.Delay:
		return w.message() + " takes " + LengthOf(&f.For) + " instead of the delay of its link", ""
	case sim.Lose:
		return w.message() + " is lost", ""
	case sim.Duplicate:
		return w.message() + " arrives twice", ", and the second copy takes " + LengthOf(&f.For)
	}
	return "the clocks of " + node + " are as wrong as its log says", ""
}

func (w *faultWords) node(id sim.NodeID) string {
	if id < 1 || int(id) > len(w.program.Nodes) {
		return "no node"
	}
	return w.program.Nodes[id-1]
}

// kind is the name of a kind of message.
func (w *faultWords) kind(k sim.Kind) string {
	if int(k) >= len(w.program.Kinds) {
		return "nothing"
	}
	return fmt.Sprintf("%q", w.program.Kinds[k])
}

// length is for how long.
func (w *faultWords) length() string {
	f := w.fault
	switch {
	case len(f.When.Replay) > 0:
		return ", as often and as long as its log says, from a drawn place in it"
	case f.Forever:
		return " to the end"
	}
	return ", for " + LengthOf(&f.For)
}

// lengthOf is a distribution of lengths in words.
func LengthOf(d *sim.Dist) string {
	text := d.String()
	switch {
	case strings.HasPrefix(text, "{empirical: "):
		return "one of " + strings.TrimSuffix(strings.TrimPrefix(text, "{empirical: "), "}")
	case strings.HasPrefix(text, "{"):
		return "a time drawn from " + text
	}
	return units.Exact(int64(d.Least()))
}

// signed is a length with its sign.
func signed(d time.Duration) string {
	if d > 0 {
		return "+" + units.Exact(int64(d))
	}
	return units.Exact(int64(d))
}

// sides are who is apart.
func (w *faultWords) sides() string {
	f := w.fault
	var sides []string
	for _, side := range f.Sides {
		var names []string
		for _, id := range side {
			names = append(names, w.node(id))
		}
		sides = append(sides, Names(names))
	}
	switch {
	case f.OneWay && len(sides) > 1:
		return "from " + sides[0] + " to " + strings.Join(sides[1:], " or ")
	case len(sides) == 2:
		return "between " + sides[0] + " and " + sides[1]
	}
	return "between the groups " + strings.Join(sides, " | ")
}

// Names lists nodes; several with consecutive numbers are "redis-1 to redis-5".
func Names(names []string) string {
	var parts []string
	for i := 0; i < len(names); {
		last := i
		for last+1 < len(names) && follows(names[last], names[last+1]) {
			last++
		}
		if last-i < 2 {
			parts = append(parts, names[i])
			i++
			continue
		}
		parts = append(parts, names[i]+" to "+names[last])
		i = last + 1
	}
	return strings.Join(parts, ", ")
}

// follows reports whether two names end with a number and the next one.
func follows(a, b string) bool {
	kind := strings.TrimRight(a, "0123456789")
	var n int
	if _, err := fmt.Sscanf(a[len(kind):], "%d", &n); err != nil {
		return false
	}
	return b == fmt.Sprintf("%s%d", kind, n+1)
}

// message is which messages are chosen.
func (w *faultWords) message() string {
	m := &w.fault.Msg
	text := which(m.Nth) + " " + w.kind(m.Kind)
	if m.From != sim.None {
		text += " from " + w.node(m.From)
	}
	if m.To != sim.None {
		text += " to " + w.node(m.To)
	}
	return text
}

// which is the n-th of something, or each of them.
func which(n int) string {
	switch {
	case n == 0:
		return "each"
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("the %dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("the %dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("the %drd", n)
	}
	return fmt.Sprintf("the %dth", n)
}

// when is what it waits for.
func (w *faultWords) when() string {
	f := w.fault
	t := &f.When
	whose := ""
	if t.By != sim.None && t.By != f.Node {
		whose = " of " + w.node(t.By)
	} else if f.Node != sim.None {
		whose = " of its own"
	}
	switch {
	case t.Note != 0:
		return "after " + which(t.Nth) + " note " + w.kind(t.Note) + whose
	case t.Before != 0:
		return "before " + which(t.Nth) + " " + w.kind(t.Before) + whose + " leaves"
	case !t.Every.IsZero():
		return "again and again, " + LengthOf(&t.Every) + " after its last end"
	case len(t.Replay) > 0:
		return ""
	case t.At == 0 && f.Do >= sim.Delay:
		return "" // as long as the run is
	case t.At == 0 && f.Do >= sim.Cut:
		return "from the start"
	case f.Do >= sim.Cut:
		return "from " + units.Exact(int64(t.At)) + " on"
	}
	return "at " + units.Exact(int64(t.At))
}
