package reports

import (
	"cmp"
	"fmt"
	"strings"

	"fencepost/reports/units"
)

// Why is why two events are ordered, or why they are not.
type Why struct {
	// Chain is a way from the one that happened before to the other, with as few messages
	// as possible; ChainLength is how many links it has.
	Chain       []ChainLink `json:"chain,omitempty"`
	ChainLength int         `json:"chain_length,omitempty"`
	// AReaches is, of two that are concurrent, the first event of B's host that happened
	// after A: behind B, or missing if there is none. BReaches is the reverse.
	AReaches string `json:"a_reaches,omitempty"`
	BReaches string `json:"b_reaches,omitempty"`
	// Counters are those of the vector clocks of both, by host, up to a limit.
	Counters     []CounterPair `json:"counters,omitempty"`
	MoreCounters int           `json:"more_counters,omitempty"`
}

// ChainLink is that an event happened before another.
type ChainLink struct {
	From     string `json:"from"`
	To       string `json:"to"`
	FromHost string `json:"from_host"`
	ToHost   string `json:"to_host"` // another: To receives what From sends
}

// CounterPair is how many events of a host two events know of.
type CounterPair struct {
	Host string `json:"host"`
	A    uint64 `json:"a"`
	B    uint64 `json:"b"`
}

// EventPair is how two events stand to each other, and why.
type EventPair struct {
	A        StampedEvent `json:"a"`
	B        StampedEvent `json:"b"`
	AText    string       `json:"a_text"`
	BText    string       `json:"b_text"`
	Relation string       `json:"relation"` // "<", ">" or "||", by what caused what
	Clock    string       `json:"clock"`
	Stamps   string       `json:"stamps"` // by their stamps
	Why
}

// sentence says how the two stand to each other.
func (p *EventPair) sentence() string {
	a, b := units.Brief(p.A.Name, NameRoom), units.Brief(p.B.Name, NameRoom)
	switch p.Relation {
	case "<":
		return fmt.Sprintf("%s -> %s: %s happened before %s", a, b, a, b)
	case ">":
		return fmt.Sprintf("%s -> %s: %s happened before %s", b, a, b, a)
	}
	return fmt.Sprintf("%s || %s: neither happened before the other", a, b)
}

// Short is the pair in symbols.
func (p *EventPair) Short() string {
	sign := map[string]string{"<": "->", ">": "<-"}[p.Relation]
	return units.Brief(p.A.Name, NameRoom) + " " + cmp.Or(sign, p.Relation) + " " + units.Brief(p.B.Name, NameRoom)
}

// Write writes the pair, and why it is so.
func (p *EventPair) Write(b *strings.Builder) {
	b.WriteString(p.sentence() + "\n")
	for i, e := range []*StampedEvent{&p.A, &p.B} {
		fmt.Fprintf(b, "  %-*s  %s  %s %s\n", max(len(p.A.Name), len(p.B.Name)), units.Brief(e.Name, NameRoom), units.Instant(e.AtNS), units.Brief(e.Node, NameRoom), []string{p.AText, p.BText}[i])
	}
	p.Why.Write(b, p.Relation, &p.A, &p.B)
	verdict := map[bool]string{true: "right", false: "wrong"}[p.Stamps == p.Relation]
	if p.Relation == "||" && p.Stamps != "||" {
		verdict = "an order that no message stands for"
		if p.Stamps == "=" {
			verdict = "the same for both"
		}
	}
	fmt.Fprintf(b, "  stamps (%s): %s %s %s: %s\n", p.Clock, units.Brief(p.A.Stamp, ClockRoom), p.Stamps, units.Brief(p.B.Stamp, ClockRoom), verdict)
}

// Write writes why two events stand to each other as they do.
func (w *Why) Write(b *strings.Builder, relation string, x, y *StampedEvent) {
	switch relation {
	case "<", ">":
		w.writeChain(b)
	case "||":
		w.writeNone(b, x, y, w.AReaches)
		w.writeNone(b, y, x, w.BReaches)
	}
	w.writeCounters(b, relation)
}

// writeChain writes the links of the chain.
func (w *Why) writeChain(b *strings.Builder) {
	if len(w.Chain) == 0 {
		return
	}
	messages := 0
	for _, c := range w.Chain {
		if c.FromHost != c.ToHost {
			messages++
		}
	}
	switch {
	case messages == 0:
		b.WriteString("  because both are of one host:\n")
	case w.ChainLength == len(w.Chain):
		fmt.Fprintf(b, "  because of %s:\n", units.Plural(messages, "message"))
	default:
		b.WriteString("  because of messages:\n")
	}
	for _, c := range w.Chain {
		by := "later on " + units.Brief(c.ToHost, NameRoom)
		if c.FromHost != c.ToHost {
			by = fmt.Sprintf("a message from %s to %s", units.Brief(c.FromHost, NameRoom), units.Brief(c.ToHost, NameRoom))
		}
		fmt.Fprintf(b, "    %s -> %s  %s\n", units.Brief(c.From, NameRoom), units.Brief(c.To, NameRoom), by)
	}
	if more := w.ChainLength - len(w.Chain); more > 0 {
		fmt.Fprintf(b, "    and %s more\n", units.Number(more))
	}
}

// writeNone writes that no chain of messages leads from x to y: the first event that it
// reaches of the host of y, if there is one, is behind y.
func (w *Why) writeNone(b *strings.Builder, x, y *StampedEvent, reaches string) {
	name, other, host := units.Brief(x.Name, NameRoom), units.Brief(y.Name, NameRoom), units.Brief(y.Node, NameRoom)
	if reaches == "" {
		fmt.Fprintf(b, "  no chain of messages leads from %s to %s: none from %s reaches %s\n", name, other, name, host)
		return
	}
	fmt.Fprintf(b, "  no chain of messages leads from %s to %s: the first event of %s that one reaches is %s, after %s\n", name, other, host, units.Brief(reaches, NameRoom), other)
}

// writeCounters writes what both know of each host, and what follows.
func (w *Why) writeCounters(b *strings.Builder, relation string) {
	if len(w.Counters) == 0 {
		return
	}
	var parts []string
	for _, c := range w.Counters {
		sign := "="
		if c.A != c.B {
			sign = map[bool]string{true: "<", false: ">"}[c.A < c.B]
		}
		parts = append(parts, fmt.Sprintf("%s %d %s %d", units.Brief(c.Host, NameRoom), c.A, sign, c.B))
	}
	if w.MoreCounters > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", w.MoreCounters))
	}
	follows := map[string]string{"<": "none of the first is larger, so it is before", ">": "none of the second is larger, so it is before",
		"||": "each has one that is larger, so they are concurrent"}[relation]
	fmt.Fprintf(b, "  events known, by host: %s: %s\n", strings.Join(parts, ", "), follows)
}
