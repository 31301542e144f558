// Package clause says what a fault does, once for the trace, the log of a run, explanations and
// reports. It knows actions by the words of scenarios, and imports nothing of the engine, which
// calls it.
package clause

import "strings"

// Fault is a fault whose subject, a node, the network or a message, is said by the caller.
type Fault struct {
	Action  string // as scenarios call it: "step-clock"
	Change  string // of a clock: by how much, or its rate
	Between string // of a partition: whose messages, see [Between]
	Length  string // for how long or how late, with what separates it from what is before: " for 15s"
}

// String is the clause: "is paused for 15s".
func (f Fault) String() string {
	switch f.Action {
	case "pause":
		return "is paused" + f.Length
	case "suspend":
		return "has its host suspended" + f.Length
	case "crash":
		return "crashes"
	case "step-clock":
		return "has its wall clock stepped by " + f.Change
	case "set-rate":
		return "has its clocks run at " + f.Change + f.Length
	case "follow-log":
		return "has its clocks follow a log" + f.Length
	case "cut":
		return "is cut" + f.Length + ": " + f.Between
	case "hold":
		return "buffers" + f.Length + ": " + f.Between
	case "lose":
		return "is lost"
	case "delay":
		return "takes" + f.Length
	}
	return "arrives a second time" + f.Length
}

// Several is what injections of an action are called, before " of client-1".
func Several(action string) string { return several[action] }

var several = map[string]string{
	"pause": "pauses", "suspend": "pauses", "crash": "crashes", "step-clock": "clock steps", "follow-log": "clock steps", "set-rate": "changes of the clock rate",
	"cut": "partitions", "hold": "holds", "delay": "late messages", "lose": "lost messages", "duplicate": "duplicated messages",
}

// Between is whose messages do not pass: "a, b | c", or in one direction "a to b, c". Names are
// those of the nodes by number less 1.
func Between[ID ~uint16 | ~uint32 | ~int32 | ~int](sides [][]ID, oneWay bool, names []string) string {
	groups := make([]string, len(sides))
	for i, side := range sides {
		group := make([]string, len(side))
		for k, id := range side {
			group[k] = names[int(id)-1]
		}
		groups[i] = strings.Join(group, ", ")
	}
	if oneWay {
		return groups[0] + " to " + strings.Join(groups[1:], ", ")
	}
	return strings.Join(groups, " | ")
}
