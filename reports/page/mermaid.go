package page

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxMermaid is how many events a sequence diagram has: of a longer run those up to the first violation and a
// few after it.
const MaxMermaid = 60

// maxLabel is how many characters of a text stand in a diagram.
const maxLabel = 80

// WriteMermaid writes a sequence diagram, as a README can have it: an arrow for each message, a note for each
// other event, in the order of true time. Where it leaves out events it says how many.
func WriteMermaid(out io.Writer, r *Run) error {
	from, to := r.part(MaxMermaid)
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "sequenceDiagram\n    title %s, seed %d\n", label(r.Scenario), r.Seed)
	for _, node := range r.taking(from, to) {
		fmt.Fprintf(w, "    participant n%d as %s\n", node, label(r.Name(node)))
	}
	first := true
	for e := range r.All() {
		if e.Number < from || e.Number >= to {
			continue
		}
		if first && from > 0 {
			fmt.Fprintf(w, "    Note over n%d: %d events before are left out\n", e.Node, from)
		}
		first = false
		fmt.Fprintf(w, "    %s\n", arrow(e))
		for _, v := range r.Violations {
			if v.Event == e.Number {
				fmt.Fprintf(w, "    Note over n%d: VIOLATED %s\n", e.Node, label(v.Property+": "+v.Why))
			}
		}
		if left := r.Events.Count - to; e.Number == to-1 && left > 0 {
			fmt.Fprintf(w, "    Note over n%d: %d events after are left out\n", e.Node, left)
		}
	}
	return w.Flush()
}

// arrow is one event.
func arrow(e *Event) string {
	text := label(time.Duration(e.AtNS).String() + " " + title(e))
	switch {
	case e.To > 0 && e.Is(IsLost):
		return fmt.Sprintf("n%d-xn%d: %s", e.Node, e.To, text)
	case e.To > 0:
		return fmt.Sprintf("n%d-)n%d: %s", e.Node, e.To, text)
	case e.From > 0 && e.Is(IsCopy):
		return fmt.Sprintf("n%d-->>n%d: %s", e.From, e.Node, text)
	case e.From > 0:
		return fmt.Sprintf("n%d->>n%d: %s", e.From, e.Node, text)
	}
	return fmt.Sprintf("Note over n%d: %s", e.Node, text)
}

// part is which events a diagram of at most this many has.
func (r *Run) part(most int) (from, to int) {
	if r.Events.Count <= most {
		return 0, r.Events.Count
	}
	for _, v := range r.Violations {
		if v.Event >= 0 {
			from = min(max(v.Event-most*4/5, 0), r.Events.Count-most)
			break
		}
	}
	return from, from + most
}

// taking are the nodes of events, in their order.
func (r *Run) taking(from, to int) (nodes []int) {
	for e := range r.All() {
		if e.Number < from || e.Number >= to {
			continue
		}
		nodes = append(nodes, e.Node)
		for _, other := range []int{e.From, e.To} {
			if other > 0 {
				nodes = append(nodes, other)
			}
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// label is a text that cannot end its line, begin a comment or a statement: what is no letter, digit or
// harmless sign is written by its number.
func label(text string) string {
	if utf8.RuneCountInString(text) > maxLabel {
		text = string([]rune(text)[:maxLabel-1]) + "…"
	}
	var out strings.Builder
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', strings.ContainsRune(" .,:-_()/+=…", c), c > 0x7f:
			out.WriteRune(c)
		default:
			out.WriteString("#" + strconv.Itoa(int(c)) + ";")
		}
	}
	if strings.EqualFold(out.String(), "end") {
		return out.String() + "."
	}
	return out.String()
}
