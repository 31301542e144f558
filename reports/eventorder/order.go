// Package eventorder writes in which order the events of a log happened, for `simctl order`.
package eventorder

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/reports/units"
)

// OrderSchema names the form of the document that [Order] is.
const OrderSchema = "fencepost/order/v1"

// Order is what a log of events with vector clocks says about their order.
type Order struct {
	Schema     string `json:"schema"`
	File       string `json:"file"`
	Format     string `json:"format"` // shiviz or script
	Expression string `json:"expression,omitempty"`
	Execution  string `json:"execution,omitempty"`
	OK         bool   `json:"ok"` // nothing in it contradicts anything

	Events   int `json:"events"`
	Hosts    int `json:"hosts"`
	Messages int `json:"messages"` // that the clocks show
	// Lines is how many lines say something. Skipped of them are part of no event,
	// FirstSkipped is the first of those.
	Lines        int `json:"lines,omitempty"`
	Skipped      int `json:"skipped_lines,omitempty"`
	FirstSkipped int `json:"first_skipped_line,omitempty"`
	// Pairs is missing if the clocks contradict each other.
	Pairs *OrderPairs `json:"pairs,omitempty"`

	// Inconsistent is in how many ways, or places, the log contradicts itself; Kinds says
	// which they are.
	Inconsistent int         `json:"inconsistent"`
	Kinds        []OrderKind `json:"kinds"`

	// The rest are lists, up to a limit.
	Order        []OrderedEvent `json:"order"` // empty if there is none
	Traffic      []OrderTraffic `json:"traffic"`
	Routes       int            `json:"routes"` // as many entries has all the traffic
	Concurrent   []OrderedPair  `json:"concurrent_pairs"`
	AllListed    *bool          `json:"all_concurrent_pairs,omitempty"` // whether these are all; missing if they were not asked for
	Between      *OrderBetween  `json:"between,omitempty"`
	Stamps       *OrderStamps   `json:"stamps,omitempty"` // of a run
	Found        []OrderMistake `json:"inconsistencies"`
	Circle       []OrderedEvent `json:"circle,omitempty"` // each before the next, the last before the first
	CircleLength int            `json:"circle_length,omitempty"`
	Stuck        int            `json:"stuck,omitempty"` // events on a circle or behind one
}

// OrderPairs counts pairs of events.
type OrderPairs struct {
	Ordered    uint64 `json:"ordered"`
	Concurrent uint64 `json:"concurrent"`
	// Told is how many of the concurrent ones have different Lamport stamps.
	Told uint64 `json:"concurrent_ordered_by_lamport"`
}

// OrderedEvent is an event.
type OrderedEvent struct {
	Name    string `json:"name"` // in a script its name, else host:counter
	Host    string `json:"host"`
	Line    int    `json:"line"`
	Lamport uint32 `json:"lamport,omitempty"` // 0: it is on a circle, or behind one
	Clock   string `json:"clock"`
	Stamp   string `json:"stamp,omitempty"` // of a run
	Text    string `json:"text,omitempty"`
}

// OrderTraffic is how many messages went from a host to another.
type OrderTraffic struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Messages int    `json:"messages"`
}

// OrderedPair is a pair of events, by name, and their clocks, or of a run their stamps.
type OrderedPair struct {
	A string `json:"a"`
	B string `json:"b"`
	// Relation is < for one of which A happened before B; missing: they are concurrent.
	Relation string `json:"relation,omitempty"`
	AClock   string `json:"a_clock"`
	BClock   string `json:"b_clock"`
	Stamps   string `json:"stamps"` // how these stand to each other
}

// OrderStamps is what the stamps of a run say of its pairs of events.
type OrderStamps struct {
	Clock string              `json:"clock"`
	Says  []reports.StampsSay `json:"stamps_say"`
	// Wrong is of how many pairs they deny that one happened before the other, or claim it
	// though they could say that both are concurrent; WrongPairs are these, up to a limit.
	Wrong      uint64        `json:"wrong"`
	WrongPairs []OrderedPair `json:"wrong_pairs"`
}

// OrderBetween is how two events stand to each other.
type OrderBetween struct {
	A        OrderedEvent `json:"a"`
	B        OrderedEvent `json:"b"`
	Relation string       `json:"relation"` // <, >, || or =
	reports.Why
}

// OrderKind is how often a log contradicts itself in one way.
type OrderKind struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// OrderMistake is a contradiction, and the line of the event at which it shows.
type OrderMistake struct {
	Line  int    `json:"line"`
	Kind  string `json:"kind"`
	Event string `json:"event"`
	Why   string `json:"why"`
}

// WriteText writes the whole report for a person.
func (o *Order) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, o.writeHeader, o.writeOrder, o.writeTraffic, o.writePairs, o.writeBetween, o.writeFound, o.writeVerdict)
}

func (o *Order) writeHeader(out io.Writer, s layout.Style) error {
	h := &layout.Header{}
	h.WriteString(units.Brief(o.File, pathRoom) + "\n")
	format := o.Format
	if o.Expression != "" {
		format += ", " + units.Brief(o.Expression, 80)
	}
	h.Line("format", format)
	h.Line("execution", units.Brief(o.Execution, 80))
	h.Line("events", fmt.Sprintf("%s of %s, %s", units.Number(o.Events), units.Plural(o.Hosts, "host"), units.Plural(o.Messages, "message")))
	if o.Skipped > 0 {
		h.Line("skipped", fmt.Sprintf("%s of %s, the first is line %s: part of no event", units.Number(o.Skipped), units.Plural(o.Lines, "line"), units.Number(o.FirstSkipped)))
	}
	if p := o.Pairs; p == nil {
		h.Line("pairs", "not counted: the clocks contradict each other")
	} else {
		line := fmt.Sprintf("%s ordered, %s concurrent", units.Number(p.Ordered), units.Number(p.Concurrent))
		if all := p.Ordered + p.Concurrent; p.Concurrent > 0 {
			line += fmt.Sprintf(" (%s), and Lamport stamps differ in %s of these", units.Percent(float64(p.Concurrent)/float64(all)), units.Number(p.Told))
		}
		h.Line("pairs", line)
	}
	if t := o.Stamps; t != nil {
		r := &reports.EventOrder{Says: t.Says}
		h.Line("stamps", fmt.Sprintf("%s: of the ordered pairs they say %s; of the concurrent %s", t.Clock, r.Meaning("<"), r.Meaning("||")))
	}
	return h.To(out, s)
}

// How long a text and a path are in a table, in characters.
const (
	textRoom = 48
	pathRoom = 4096
)

func (o *Order) writeOrder(out io.Writer, _ layout.Style) error {
	if len(o.Order) == 0 {
		return nil
	}
	columns := []layout.Column{layout.NumberColumn("order"), layout.TextColumn("event"), layout.TextColumn("host"), layout.NumberColumn("lamport"), layout.TextColumn("clock"), layout.NumberColumn("line"), layout.TextColumn("text")}
	last := 5 // a column: of a run, its stamps instead of a line
	switch {
	case o.Stamps != nil:
		columns[last] = layout.TextColumn("stamp (" + o.Stamps.Clock + ")")
		columns = columns[:last+1]
	case !slices.ContainsFunc(o.Order, func(e OrderedEvent) bool { return e.Text != "" }):
		columns = columns[:last+1]
	}
	var rows [][]string
	for i, e := range o.Order {
		row := []string{units.Plain(i + 1), units.Brief(e.Name, reports.NameRoom), units.Brief(e.Host, reports.NameRoom), units.Plain(uint64(e.Lamport)), units.Brief(e.Clock, reports.ClockRoom),
			units.Plain(e.Line), units.Brief(e.Text, textRoom)}
		if o.Stamps != nil {
			row[last] = units.Brief(e.Stamp, reports.ClockRoom)
		}
		rows = append(rows, row[:len(columns)])
	}
	if err := layout.Table(out, columns, rows); err != nil {
		return err
	}
	return more(out, o.Events-len(o.Order), "event")
}

// more says how many are not listed.
func more(out io.Writer, n int, what string) error {
	if n <= 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "  and %s; --limit shows more\n", units.Plural(n, "more "+what))
	return err
}

func (o *Order) writeTraffic(out io.Writer, _ layout.Style) error {
	if len(o.Traffic) == 0 {
		return nil
	}
	var rows [][]string
	for _, t := range o.Traffic {
		rows = append(rows, []string{units.Brief(t.From, reports.NameRoom), units.Brief(t.To, reports.NameRoom), units.Plain(t.Messages)})
	}
	if err := layout.Table(out, []layout.Column{layout.TextColumn("from"), layout.TextColumn("to"), layout.NumberColumn("messages")}, rows); err != nil {
		return err
	}
	return more(out, o.Routes-len(o.Traffic), "route")
}

func (o *Order) writePairs(out io.Writer, _ layout.Style) error {
	if o.AllListed == nil {
		return nil
	}
	b := &strings.Builder{}
	switch {
	case o.Pairs == nil:
		b.WriteString("concurrent pairs: not known, as the clocks contradict each other\n")
	case o.Pairs.Concurrent == 0:
		b.WriteString("concurrent pairs: none\n")
	default:
		b.WriteString("concurrent pairs\n")
	}
	writePairs(b, o.Concurrent)
	if o.Pairs != nil && !*o.AllListed {
		fmt.Fprintf(b, "  and %s more; --limit shows more\n", units.Number(o.Pairs.Concurrent-uint64(len(o.Concurrent))))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writePairs writes pairs, and how their clocks stand to each other.
func writePairs(b *strings.Builder, pairs []OrderedPair) {
	left, wide := make([]string, len(pairs)), 0
	for i, p := range pairs {
		sign := map[string]string{"": "||", "<": "->"}[p.Relation]
		left[i] = units.Brief(p.A, reports.NameRoom) + " " + sign + " " + units.Brief(p.B, reports.NameRoom)
		wide = max(wide, len([]rune(left[i])))
	}
	for i, p := range pairs {
		pad := strings.Repeat(" ", wide-len([]rune(left[i])))
		fmt.Fprintf(b, "  %s%s  %s %s %s\n", left[i], pad, units.Brief(p.AClock, reports.ClockRoom), p.Stamps, units.Brief(p.BClock, reports.ClockRoom))
	}
}

func (o *Order) writeBetween(out io.Writer, _ layout.Style) error {
	q := o.Between
	if q == nil {
		return nil
	}
	words := map[string]string{"<": "happened before", ">": "happened after", "||": "is concurrent to", "=": "has, by its clock, seen and been seen by"}
	if q.A.Name == q.B.Name && q.A.Line == q.B.Line {
		words["="] = "is"
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s %s %s\n", units.Brief(q.A.Name, textRoom), words[q.Relation], units.Brief(q.B.Name, textRoom))
	for _, e := range []*OrderedEvent{&q.A, &q.B} {
		if e.Stamp != "" {
			fmt.Fprintf(b, "  %s  stamp %s\n", units.Brief(e.Clock, textRoom), units.Brief(e.Stamp, reports.ClockRoom))
		} else {
			fmt.Fprintf(b, "  %s  line %d\n", units.Brief(e.Clock, textRoom), e.Line)
		}
	}
	q.Why.Write(b, q.Relation, &reports.StampedEvent{Name: q.A.Name, Node: q.A.Host}, &reports.StampedEvent{Name: q.B.Name, Node: q.B.Host})
	_, err := io.WriteString(out, b.String())
	return err
}

func (o *Order) writeFound(out io.Writer, _ layout.Style) error {
	if o.OK {
		return nil
	}
	b := &strings.Builder{}
	if t := o.Stamps; t != nil {
		b.WriteString("pairs of which the stamps say what is not so\n")
		writePairs(b, t.WrongPairs)
		if more := t.Wrong - uint64(len(t.WrongPairs)); more > 0 {
			fmt.Fprintf(b, "  and %s more; --limit shows more\n", units.Number(more))
		}
		_, err := io.WriteString(out, b.String())
		return err
	}
	b.WriteString("inconsistencies\n")
	for _, m := range o.Found {
		fmt.Fprintf(b, "  %s:%d: %s: %s\n", o.File, m.Line, m.Kind, units.Brief(m.Why, 400))
	}
	left := o.Inconsistent - len(o.Found)
	if o.CircleLength > 0 {
		left--
	}
	if left > 0 {
		fmt.Fprintf(b, "  and %s more; --limit shows more\n", units.Number(left))
	}
	o.writeCircle(b)
	_, err := io.WriteString(out, b.String())
	return err
}

// writeCircle writes the circle, if there is one.
func (o *Order) writeCircle(b *strings.Builder) {
	if o.CircleLength == 0 {
		return
	}
	fmt.Fprintf(b, "  %s:%d: circle: %s on a circle or behind one; the shortest that was found:\n", o.File, o.Circle[0].Line, are(o.Stuck, "event"))
	for i, e := range o.Circle {
		if i+1 == len(o.Circle) && i+1 < o.CircleLength {
			fmt.Fprintf(b, "    %s (line %d) is before %s more; --limit shows more\n", units.Brief(e.Name, reports.NameRoom), e.Line, units.Number(o.CircleLength-i-1))
			return
		}
		next := o.Circle[(i+1)%len(o.Circle)]
		fmt.Fprintf(b, "    %s (line %d) is before %s\n", units.Brief(e.Name, reports.NameRoom), e.Line, units.Brief(next.Name, reports.NameRoom))
	}
}

// are is a number of things, and the verb.
func are(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return units.Plural(n, thing) + " are"
}

func (o *Order) writeVerdict(out io.Writer, s layout.Style) error {
	line := s.Paint(layout.Green, "CONSISTENT") + ": each clock counts what its host did, and knows what those knew of whom it has heard"
	switch {
	case o.Stamps != nil && o.Stamps.Wrong > 0:
		line = s.Paint(layout.Red, "INCONSISTENT") + fmt.Sprintf(": the %s stamps of %s say what is not so", o.Stamps.Clock, units.Plural(int(o.Stamps.Wrong), "pair"))
	case o.Stamps != nil:
		line = s.Paint(layout.Green, "CONSISTENT") + fmt.Sprintf(": the %s stamps put no event before what caused it", o.Stamps.Clock)
	case !o.OK:
		var kinds []string
		for _, k := range o.Kinds {
			kinds = append(kinds, units.Number(k.Count)+" "+k.Kind)
		}
		line = s.Paint(layout.Red, "INCONSISTENT") + ": " + strings.Join(kinds, ", ")
	}
	if o.Skipped > 0 {
		line += fmt.Sprintf("; %s of %s left out", units.Number(o.Skipped), units.Plural(o.Lines, "line"))
	}
	_, err := io.WriteString(out, line+"\n")
	return err
}
