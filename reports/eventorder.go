package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
)

// How long a name and a clock are in a table, in characters.
const (
	NameRoom  = 24
	ClockRoom = 48
)

// EventOrder is in which order the events of the first run happened, by what caused what,
// and what their stamps say of each two. A model has it if it has events of its own.
type EventOrder struct {
	Clock  string         `json:"clock"` // that stamps them
	Events []StampedEvent `json:"events"`
	Total  int            `json:"events_total"` // Events has all of them, or none: then nothing else is here
	// Pairs of events: of one the first happened before the second, or they are concurrent.
	Ordered    uint64 `json:"ordered_pairs"`
	Concurrent uint64 `json:"concurrent_pairs"`
	// Told is how many of the concurrent ones have different Lamport stamps.
	Told uint64 `json:"concurrent_ordered_by_lamport"`
	// Comparisons is how many pairs of stamps were compared, and Says what they said.
	Comparisons uint64      `json:"comparisons"`
	Says        []StampsSay `json:"stamps_say"`
	// Pairs are the most telling first: the concurrent ones, then the others.
	Pairs   []StampedPair `json:"pairs"`
	LeftOut uint64        `json:"pairs_left_out"`
}

// StampedEvent is an event, its stamp, and the Lamport stamp that it would have.
type StampedEvent struct {
	Name     string `json:"name"`
	Node     string `json:"node"`
	AtNS     int64  `json:"at_ns"`
	Stamp    string `json:"stamp"`
	Lamport  uint32 `json:"lamport"`
	Receives string `json:"receives,omitempty"` // the event that sent the message it receives
}

// StampsSay is of how many pairs the stamps say what.
type StampsSay struct {
	Relation string `json:"relation"` // "<" or "||", by what caused what
	Stamps   string `json:"stamps"`   // "<", ">", "||" or "=", by the stamps
	Pairs    uint64 `json:"pairs"`
}

// StampedPair is two events: those that are concurrent in the order of their nodes, others
// in that of the run.
type StampedPair struct {
	A        string `json:"a"`
	B        string `json:"b"`
	Relation string `json:"relation"` // "<": A happened before B; "||": they are concurrent
	Stamps   string `json:"stamps"`
}

// How many pairs of a kind a person is shown.
const (
	shownConcurrent = 20
	shownOrdered    = 10
)

// writeOrder writes which pairs of events are concurrent and which are ordered.
func (r *Run) writeOrder(out io.Writer, s layout.Style) error {
	o := r.Order
	switch {
	case o == nil || o.Total == 0:
		return nil
	case len(o.Events) == 0:
		_, err := fmt.Fprintf(out, "pairs of events: not listed of %s events; --set until=... ends the run sooner\n", units.Number(o.Total))
		return err
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "pairs of events: %s compared, by what caused what and by their stamps (%s)\n", units.Number(o.Comparisons), o.Clock)
	fmt.Fprintf(b, "  %s happened before: the stamps say %s\n", units.Number(o.Ordered), o.Meaning("<"))
	fmt.Fprintf(b, "  %s concurrent: the stamps say %s", units.Number(o.Concurrent), o.Meaning("||"))
	if o.Clock != "lamport" && o.Told > 0 {
		fmt.Fprintf(b, "; Lamport stamps order %s of them", units.Number(o.Told))
	}
	b.WriteByte('\n')
	if _, err := io.WriteString(out, b.String()); err != nil {
		return err
	}
	if err := o.writePairs(out, "||", shownConcurrent, o.Concurrent); err != nil {
		return err
	}
	return o.writePairs(out, "<", shownOrdered, o.Ordered)
}

// Meaning is what the stamps say of the pairs of a relation.
func (o *EventOrder) Meaning(relation string) string {
	words := map[string]string{"<": "before", ">": "after", "||": "concurrent", "=": "equal"}
	counts, order := map[string]uint64{}, []string{"before", "after", "ordered", "concurrent", "equal"}
	for _, s := range o.Says {
		word := words[s.Stamps]
		if relation == "||" && (s.Stamps == "<" || s.Stamps == ">") {
			word = "ordered" // there is no right way round
		}
		if s.Relation == relation {
			counts[word] += s.Pairs
		}
	}
	var parts []string
	for _, word := range order {
		if n := counts[word]; n > 0 {
			parts = append(parts, units.Number(n)+" "+word)
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// writePairs writes the first pairs of a relation with their stamps.
func (o *EventOrder) writePairs(out io.Writer, relation string, most int, all uint64) error {
	at := map[string]*StampedEvent{}
	lamport := true // the stamps are those of Lamport
	for i := range o.Events {
		e := &o.Events[i]
		at[e.Name] = e
		lamport = lamport && e.Stamp == strconv.FormatUint(uint64(e.Lamport), 10)
	}
	columns := []layout.Column{layout.TextColumn(map[string]string{"||": "concurrent", "<": "happened before"}[relation]), layout.TextColumn("stamps")}
	if !lamport {
		columns = append(columns, layout.TextColumn("Lamport stamps"))
	}
	sign := map[string]string{"||": "||", "<": "->"}[relation]
	var rows [][]string
	for _, p := range o.Pairs {
		if p.Relation != relation || len(rows) == most {
			continue
		}
		a, b := at[p.A], at[p.B]
		row := []string{units.Brief(p.A, NameRoom) + " " + sign + " " + units.Brief(p.B, NameRoom),
			units.Brief(a.Stamp, ClockRoom) + " " + p.Stamps + " " + units.Brief(b.Stamp, ClockRoom),
			fmt.Sprintf("%d %s %d", a.Lamport, signOf(a.Lamport, b.Lamport), b.Lamport)}
		rows = append(rows, row[:len(columns)])
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := io.WriteString(out, "\n"); err != nil {
		return err
	}
	if err := layout.Table(out, columns, rows); err != nil {
		return err
	}
	if more := all - uint64(len(rows)); more > 0 {
		_, err := fmt.Fprintf(out, " and %s more; --json lists %s\n", units.Number(more), units.Number(o.listed(relation)))
		return err
	}
	return nil
}

// listed is how many pairs of a relation there are in the document.
func (o *EventOrder) listed(relation string) (n int) {
	for i := range o.Pairs {
		if o.Pairs[i].Relation == relation {
			n++
		}
	}
	return n
}

// signOf is how two numbers stand to each other.
func signOf(a, b uint32) string {
	switch {
	case a < b:
		return "<"
	case a > b:
		return ">"
	}
	return "="
}

// relations are what a pair may be, and what its stamps may say.
var (
	relations = []string{"<", "||"}
	sayings   = []string{"<", ">", "||", "="}
)

// order checks that the parts of an order agree, as its figure needs it.
func (d *validator) order(o *EventOrder) {
	defer d.in("order")()
	known := map[string]bool{}
	for i := range o.Events {
		if name := o.Events[i].Name; known[name] {
			d.bad("events[%d] is named %q, as another is", i, clipped(name))
		}
		known[o.Events[i].Name] = true
	}
	if n := len(o.Events); n > 0 && n != o.Total {
		d.bad("events are %d: want all %d of events_total, or none", n, o.Total)
	}
	if all := uint64(len(o.Pairs)) + o.LeftOut; len(o.Events) > 0 && all != o.Ordered+o.Concurrent {
		d.bad("pairs and pairs_left_out are %d: want ordered_pairs and concurrent_pairs, %d", all, o.Ordered+o.Concurrent)
	}
	for i, p := range o.Pairs {
		switch {
		case !known[p.A] || !known[p.B]:
			d.bad("pairs[%d] is of %q and %q, which are not both among events", i, clipped(p.A), clipped(p.B))
		case !slices.Contains(relations, p.Relation) || !slices.Contains(sayings, p.Stamps):
			d.bad("pairs[%d] has the relation %q and the stamps %q: want < or ||, and <, >, || or =", i, clipped(p.Relation), clipped(p.Stamps))
		}
	}
}
