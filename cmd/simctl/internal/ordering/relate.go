package ordering

import (
	"fmt"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/models/clock/eventlog"
	"fencepost/reports/eventorder"
)

// Relate says how two events that are named, with a comma between them, stand to each
// other, and why.
func Relate(text string, l *eventlog.Log, order *eventlog.Order) (*eventorder.OrderBetween, error) {
	a, b, err := execute.Named(l, text)
	if err != nil {
		return nil, fmt.Errorf("--between: %w: %s", err, EventNames(l))
	}
	return &eventorder.OrderBetween{A: event(l, a, order.Stamps[a]), B: event(l, b, order.Stamps[b]), Relation: l.Relation(a, b).String(),
		Why: execute.Why(l, order, a, b)}, nil
}

// EventNames says how the events of a log are named.
func EventNames(l *eventlog.Log) string {
	switch first := eventlog.CleanText(l.Name(0)); l.Format {
	case eventlog.Script:
		return "want an event of the script"
	case eventlog.Run:
		return "want an event of the run, as " + first
	default:
		return "want a host and its counter, as in " + first
	}
}
