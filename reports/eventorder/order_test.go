package eventorder

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports/golden"
	"fencepost/reports/layout"
)

// tangled is an order that goes round in a circle, with more of everything than is listed.
func tangled() *Order {
	all := false
	at := func(name string, line int) OrderedEvent {
		return OrderedEvent{Name: name, Host: name[:1], Line: line, Clock: "{" + name + "}", Text: "\x1b[2J" + name}
	}
	return &Order{
		Schema: OrderSchema, File: "x.log", Format: "shiviz", Expression: "(?<host>h)", Execution: "first",
		Events: 1200, Hosts: 1, Messages: 1, Lines: 2400, Skipped: 2, FirstSkipped: 1001, Inconsistent: 7, Kinds: []OrderKind{{"not-sent", 1006}, {"circle", 1}},
		Traffic: []OrderTraffic{{"a", "b", 1000}}, Routes: 2, AllListed: &all,
		Between: &OrderBetween{A: at("a:1", 3), B: at("b:1", 5), Relation: "="},
		Found:   []OrderMistake{{3, "not-sent", "a:1", "so it is"}},
		Circle:  []OrderedEvent{at("a:1", 3), at("b:1", 5)}, CircleLength: 1002, Stuck: 1,
	}
}

func TestOrder(t *testing.T) {
	text := func(o *Order) string {
		var b bytes.Buffer
		require.NoError(t, o.WriteText(&b, layout.Style{}))
		return b.String()
	}
	t.Run("tangled", func(t *testing.T) { golden.Require(t, text(tangled()), ".txt") })
	t.Run("lines", func(t *testing.T) {
		o := tangled()
		o.OK, o.Inconsistent, o.Found, o.Circle, o.CircleLength, o.Kinds = true, 0, nil, nil, 0, nil
		o.Pairs, o.Events = &OrderPairs{Ordered: 3, Concurrent: 0}, 3
		o.Order = []OrderedEvent{{Name: "a:1", Host: "a", Line: 3, Lamport: 1, Clock: "{a:1}"}, {Name: "a:2", Host: "a", Line: 5, Lamport: 2, Clock: "{a:2}"}}
		*o.AllListed = true
		golden.Require(t, text(o), ".txt")
	})
}
