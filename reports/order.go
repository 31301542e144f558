package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
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
	// Skipped is how many lines are part of no event, FirstSkipped the first of them.
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
	AllListed    *bool          `json:"all_concurrent_pairs,omitempty"` // whether these are all; missing if nobody wants them
	Between      *OrderBetween  `json:"between,omitempty"`
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
	Text    string `json:"text,omitempty"`
}

// OrderTraffic is how many messages went from a host to another.
type OrderTraffic struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Messages int    `json:"messages"`
}

// OrderedPair is a pair of events, by name.
type OrderedPair struct {
	A string `json:"a"`
	B string `json:"b"`
}

// OrderBetween is how two events stand to each other.
type OrderBetween struct {
	A        OrderedEvent `json:"a"`
	B        OrderedEvent `json:"b"`
	Relation string       `json:"relation"` // <, >, || or =
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
func (o *Order) WriteText(out io.Writer, s Style) error {
	return sections(out, s, o.writeHeader, o.writeOrder, o.writeTraffic, o.writePairs, o.writeBetween, o.writeFound, o.writeVerdict)
}

func (o *Order) writeHeader(out io.Writer, _ Style) error {
	h := &header{}
	h.WriteString(o.File + "\n")
	format := o.Format
	if o.Expression != "" {
		format += ", " + brief(o.Expression, 80)
	}
	h.line("format", format)
	h.line("execution", brief(o.Execution, 80))
	h.line("events", fmt.Sprintf("%s of %s, %s", Number(o.Events), plural(o.Hosts, "host"), plural(o.Messages, "message")))
	if o.Skipped > 0 {
		h.line("skipped", fmt.Sprintf("%s that are part of no event, the first is line %s", plural(o.Skipped, "line"), Number(o.FirstSkipped)))
	}
	if p := o.Pairs; p == nil {
		h.line("pairs", "not counted: the clocks contradict each other")
	} else {
		line := fmt.Sprintf("%s ordered, %s concurrent", Number(p.Ordered), Number(p.Concurrent))
		if all := p.Ordered + p.Concurrent; p.Concurrent > 0 {
			line += fmt.Sprintf(" (%s), and Lamport stamps differ in %s of these", Percent(float64(p.Concurrent)/float64(all)), Number(p.Told))
		}
		h.line("pairs", line)
	}
	return h.to(out)
}

// How long a name, a clock and a text are in a table.
const (
	nameRoom  = 24
	clockRoom = 48
	textRoom  = 48
)

func (o *Order) writeOrder(out io.Writer, _ Style) error {
	if len(o.Order) == 0 {
		return nil
	}
	columns := []column{number("order"), text("event"), text("host"), number("lamport"), text("clock"), number("line"), text("text")}
	bare := !slices.ContainsFunc(o.Order, func(e OrderedEvent) bool { return e.Text != "" })
	if bare {
		columns = columns[:len(columns)-1]
	}
	var rows [][]string
	for i, e := range o.Order {
		row := []string{Number(i + 1), brief(e.Name, nameRoom), brief(e.Host, nameRoom), Number(uint64(e.Lamport)), brief(e.Clock, clockRoom),
			Number(e.Line), brief(e.Text, textRoom)}
		rows = append(rows, row[:len(columns)])
	}
	if err := table(out, columns, rows); err != nil {
		return err
	}
	return more(out, o.Events-len(o.Order), "event")
}

// more says how many are not listed.
func more(out io.Writer, n int, what string) error {
	if n <= 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "  and %s; --limit shows more\n", plural(n, "more "+what))
	return err
}

func (o *Order) writeTraffic(out io.Writer, _ Style) error {
	if len(o.Traffic) == 0 {
		return nil
	}
	var rows [][]string
	for _, t := range o.Traffic {
		rows = append(rows, []string{brief(t.From, nameRoom), brief(t.To, nameRoom), Number(t.Messages)})
	}
	if err := table(out, []column{text("from"), text("to"), number("messages")}, rows); err != nil {
		return err
	}
	return more(out, o.Routes-len(o.Traffic), "route")
}

func (o *Order) writePairs(out io.Writer, _ Style) error {
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
	for _, p := range o.Concurrent {
		fmt.Fprintf(b, "  %s || %s\n", brief(p.A, nameRoom), brief(p.B, nameRoom))
	}
	if o.Pairs != nil && !*o.AllListed {
		fmt.Fprintf(b, "  and %s more; --limit shows more\n", Number(o.Pairs.Concurrent-uint64(len(o.Concurrent))))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (o *Order) writeBetween(out io.Writer, _ Style) error {
	q := o.Between
	if q == nil {
		return nil
	}
	words := map[string]string{"<": "happened before", ">": "happened after", "||": "is concurrent to", "=": "has, by its clock, seen and been seen by"}
	if q.A.Name == q.B.Name && q.A.Line == q.B.Line {
		words["="] = "is"
	}
	_, err := fmt.Fprintf(out, "%s %s %s\n  %s  line %d\n  %s  line %d\n", brief(q.A.Name, textRoom), words[q.Relation], brief(q.B.Name, textRoom),
		brief(q.A.Clock, textRoom), q.A.Line, brief(q.B.Clock, textRoom), q.B.Line)
	return err
}

func (o *Order) writeFound(out io.Writer, _ Style) error {
	if o.OK {
		return nil
	}
	b := &strings.Builder{}
	b.WriteString("inconsistencies\n")
	for _, m := range o.Found {
		fmt.Fprintf(b, "  %s:%d: %s: %s\n", o.File, m.Line, m.Kind, brief(m.Why, 400))
	}
	left := o.Inconsistent - len(o.Found)
	if o.CircleLength > 0 {
		left--
	}
	if left > 0 {
		fmt.Fprintf(b, "  and %s more; --limit shows more\n", Number(left))
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
			fmt.Fprintf(b, "    %s (line %d) is before %s more; --limit shows more\n", brief(e.Name, nameRoom), e.Line, Number(o.CircleLength-i-1))
			return
		}
		next := o.Circle[(i+1)%len(o.Circle)]
		fmt.Fprintf(b, "    %s (line %d) is before %s\n", brief(e.Name, nameRoom), e.Line, brief(next.Name, nameRoom))
	}
}

// are is a number of things, and the verb.
func are(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return plural(n, thing) + " are"
}

func (o *Order) writeVerdict(out io.Writer, s Style) error {
	line := s.paint(green, "CONSISTENT") + ": each clock counts what its host did, and knows what those knew of whom it has heard"
	if !o.OK {
		var kinds []string
		for _, k := range o.Kinds {
			kinds = append(kinds, Number(k.Count)+" "+k.Kind)
		}
		line = s.paint(red, "INCONSISTENT") + ": " + strings.Join(kinds, ", ")
	}
	_, err := io.WriteString(out, line+"\n")
	return err
}

// brief is a text of a stranger in so many characters, none of which moves the cursor.
func brief(text string, room int) string {
	b, n := []rune{}, 0
	for _, r := range text {
		if n++; n > room {
			return string(b[:room-len("...")]) + "..."
		}
		if !unicode.IsPrint(r) {
			r = '?'
		}
		b = append(b, r)
	}
	return string(b)
}
