package sim

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"fencepost/sim/internal/fingerprint"
)

// tracer writes what happens in a run, a line for each step and for each thing
// that a fault does:
//
//	true time    node      monotonic    wall
//	10.015s      redis-1   10.015s      10.015s      from client-2: acquire; sends client-2: granted 2
//	10.020s      client-2  10.020s      9.020s       from redis-1: granted 2; notes acquired; after 2s: done
//	10.020s      client-2  -            -            is paused for 15s
//
// After "buffered:" comes what a step asked for but has not left, because it
// takes time or the node was paused in the midst of it.
type tracer[M Message] struct {
	out   io.Writer
	line  strings.Builder
	names int  // width of the longest name
	clock int  // width of a column of instants
	boot  bool // some machine is suspended: the boot-time clock differs
	later []string
}

// clockWidth is the width of a column of instants, of a run of up to 10s: "9.999999999s"
// and a blank. It also has "-1000.000001s", which needs a blank more.
const clockWidth = 13

// head writes what the columns are.
func (t *tracer[M]) head(w *World[M]) {
	t.names, t.boot, t.later = len("network"), false, t.later[:0]
	t.clock = max(clockWidth, len((w.config.Until-1).String())+1)
	for _, n := range w.names[1:] {
		t.names = max(t.names, len(n))
	}
	for i := range w.config.Faults {
		t.boot = t.boot || w.config.Faults[i].Do == Suspend
	}
	boot := ""
	if t.boot {
		boot = "boot time"
	}
	t.columns("true time", "node", "monotonic", boot, "wall")
	t.flush()
}

// columns starts a line.
func (t *tracer[M]) columns(now, node, mono, boot, wall string) {
	t.line.Reset()
	fmt.Fprintf(&t.line, "%s%-*s  %s", t.instant(now), t.names, node, t.instant(mono))
	if t.boot {
		t.line.WriteString(t.instant(boot))
	}
	t.line.WriteString(t.instant(wall))
}

// instant is one in its column, with a blank behind it however long it is.
func (t *tracer[M]) instant(text string) string {
	return fmt.Sprintf("%-*s ", t.clock-1, text)
}

// flush ends a line, and writes those that had to wait for it.
func (t *tracer[M]) flush() {
	_, _ = io.WriteString(t.out, strings.TrimRight(t.line.String(), " ")+"\n")
	for _, l := range t.later {
		_, _ = io.WriteString(t.out, l)
	}
	t.later = t.later[:0]
}

// step writes the step under way.
func (t *tracer[M]) step(w *World[M]) {
	in := &w.handling
	t.columns(w.now.String(), w.names[in.Self], Seconds(int64(in.Mono)), Seconds(int64(in.Boot)), Seconds(int64(in.Wall)))
	t.what(w)
	t.flush()
}

// what writes what the step under way handles, and what it asks for.
func (t *tracer[M]) what(w *World[M]) {
	in := &w.handling
	switch {
	case in.From != in.Self:
		fmt.Fprintf(&t.line, "from %s: %v", w.names[in.From], in.Msg)
	case in.Msg.Label() == 0:
		t.line.WriteString("starts")
	default:
		fmt.Fprintf(&t.line, "from itself: %v", in.Msg)
	}
	t.effects(w, ";", w.log[:w.left])
	if w.left < len(w.log) {
		if w.out.mode == losing {
			t.line.WriteString("; lost in the crash:")
		} else {
			t.line.WriteString("; buffered:")
		}
		t.effects(w, "", w.log[w.left:])
	}
}

// effects writes what a step asked for, each after a semicolon, but sep before the first.
func (t *tracer[M]) effects(w *World[M], sep string, effects []effect[M]) {
	for i := range effects {
		t.line.WriteString(sep)
		sep = ";"
		e := &effects[i]
		switch e.kind {
		case sends:
			fmt.Fprintf(&t.line, " sends %s: %v", w.names[e.to], e.msg)
		case arms:
			fmt.Fprintf(&t.line, " after %v: %v", time.Duration(e.length), e.msg)
		case sets:
			fmt.Fprintf(&t.line, " when its wall clock reads %s: %v", Seconds(e.length), e.msg)
		case notes:
			fmt.Fprintf(&t.line, " notes %v", e.msg)
		}
	}
}

// remark writes something that is not a step. In the midst of a step it waits for
// the line of the step.
func (t *tracer[M]) remark(w *World[M], id NodeID, text string) {
	step := t.line.String()
	name := "network"
	if id != None {
		name = w.names[id]
	}
	t.columns(w.now.String(), name, "-", "-", "-")
	t.line.WriteString(text)
	t.line.WriteByte('\n')
	if l := t.line.String(); w.handling.Self != None {
		t.later = append(t.later, l)
	} else {
		_, _ = io.WriteString(t.out, l)
	}
	t.line.Reset()
	t.line.WriteString(step)
}

// release writes that effects are emitted which were buffered.
func (t *tracer[M]) release(w *World[M], id NodeID, e *effect[M]) {
	t.line.Reset()
	t.line.WriteString("emits what was buffered:")
	t.effects(w, "", []effect[M]{*e})
	t.remark(w, id, t.line.String())
}

// lost writes that a message does not arrive.
func (t *tracer[M]) lost(w *World[M], from, to NodeID, m M) {
	t.remark(w, to, fmt.Sprintf("does not get %v from %s", m, w.names[from]))
}

// describing reports whether a description is wanted of what faults do.
func (w *World[M]) describing() bool {
	return w.watch.Moments != nil || w.trace != nil || w.watch.Journal != nil
}

// say describes what a fault does to its node until an instant, for a length in words.
func (w *World[M]) say(p *plan, until Time, length string) {
	w.sayFault(p.Node, Moment{Fault: p.Do.Row().Plural, Until: until, Text: p.Clause(length, nil)})
}

// sayEnd says that what faults of an action did to a node is over.
func (w *World[M]) sayEnd(id NodeID, do Action, text string) {
	w.sayFault(id, Moment{Fault: do.Row().Plural, Until: w.now, Ends: true, Text: text})
}

// sayFault passes on a moment of a node that lacks the node and the instant.
func (w *World[M]) sayFault(id NodeID, m Moment) {
	w.sayOnly(id, m.Text)
	if w.watch.Moments != nil {
		m.At, m.Text, m.Fault = w.now, w.names[id]+" "+m.Text, m.Fault+" of "+w.names[id]
		w.watch.Moments(m)
	}
}

// sayOnly passes on to trace and journal what a fault does to a node.
func (w *World[M]) sayOnly(id NodeID, text string) {
	if w.trace != nil {
		w.trace.remark(w, id, text)
	}
	w.remark(id, text)
}

// sayMessage describes what a fault does to a message that is sent, until an instant. Of a
// partition the log describes only that it begins and ends.
func (w *World[M]) sayMessage(p *plan, from, to NodeID, m M, until Time, what string) {
	text := fmt.Sprintf("sends %s %v, which %s", w.names[to], m, what)
	if p.partitions() {
		w.sayOnly(from, text)
		return
	}
	w.sayFault(from, Moment{Fault: p.Do.Row().Plural, Until: until, Text: text})
}

// sayNetwork says that a partition begins or, at until, ends.
func (w *World[M]) sayNetwork(p *plan, until Time) {
	if !w.describing() {
		return
	}
	between := whose(p.Sides, p.OneWay, w.names[1:])
	text := "again lets through: " + between
	if until > w.now {
		text = p.Clause(lasting(w.now, until), w.names[1:])
	}
	w.sayOnly(None, text)
	if w.watch.Moments != nil {
		w.watch.Moments(Moment{At: w.now, Text: "the network " + text, Fault: p.Do.Row().Plural + " of " + between, Until: until, Ends: until <= w.now})
	}
}

// lasting says for how long something will be, with a space before it.
func lasting(now, until Time) string {
	if until == Never {
		return " forever"
	}
	return fmt.Sprintf(" for %v", until.Sub(now))
}

// till says until when something is, with a space before it.
func till(t Time) string {
	if t == Never {
		return " forever"
	}
	return fmt.Sprintf(" until %v", t)
}

// sameEffects compares what two runs of a step asked for.
func sameEffects[M Message](a, b []effect[M]) bool {
	return slices.EqualFunc(a, b, func(x, y effect[M]) bool { return fingerprint.SameBytes(&x, &y) || reflect.DeepEqual(x, y) })
}
