package explain

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/lazyregexp"
	"fencepost/internal/text"
	"fencepost/sim"
)

// narrator puts the entries of a slice into words.
type narrator struct {
	slice *slice
	names []string
	shown []bool
	goal  bool // it is no violation, but a goal

	silent map[sim.NodeID][]int // by node: steps that only changed its state, since its last line
	last   map[sim.NodeID]int   // by node: the entry of its last line, plus 1
}

// lines is the explanation, with like lines of several nodes at one instant as one.
func (n *narrator) lines() []Line {
	n.silent, n.last = map[sim.NodeID][]int{}, map[sim.NodeID]int{}
	var list []Line
	var acts []string // by line: what its nodes do, "" if that is a sentence of its own
	for i := range n.shown {
		e := &n.slice.entries[i]
		if !n.shown[i] || n.isSilent(i) {
			continue
		}
		act := n.act(i)
		l := Line{At: e.At, To: e.At, Mono: e.Mono, Wall: e.Wall, Why: n.why(i, act), Fault: e.Step == 0 && !e.Noted}
		if e.Node != sim.None {
			l.Nodes = []string{n.name(e.Node)}
		}
		if k := n.like(list, acts, l, act); k >= 0 {
			list[k].Nodes, list[k].To = append(list[k].Nodes, l.Nodes...), l.At
			continue
		}
		if len(e.Description) > 0 {
			l.What = strings.Join(e.Description, "; ")
		}
		list, acts = append(list, l), append(acts, act)
	}
	for k := range list {
		l := &list[k]
		if l.What == "" || len(l.Nodes) > 1 {
			l.What = sentence(l.Nodes, acts[k])
		}
		if l.To > l.At {
			l.What += fmt.Sprintf(" (to %v)", l.To)
		}
	}
	return condense(list)
}

// isSilent keeps back a step that only changed its node's state: it is told as a
// reason of the node's next line.
func (n *narrator) isSilent(i int) bool {
	e := &n.slice.entries[i]
	if e.Step == 0 || len(e.Description)+len(e.Detail) > 0 || slices.Contains(n.slice.roots, i) || len(n.sends(i)) > 0 {
		return false
	}
	for k := i + 1; k < len(n.shown); k++ {
		if x := &n.slice.entries[k]; n.shown[k] && x.Node == e.Node && x.Step > 0 {
			if e.Kind != 0 {
				n.silent[e.Node] = append(n.silent[e.Node], i)
			}
			return true
		}
	}
	return e.Kind == 0
}

// like is the line at the same instant, or else the one just before, in which others do
// the same for the same reason; -1 if there is none.
func (n *narrator) like(list []Line, acts []string, l Line, act string) int {
	for k := len(list) - 1; k >= 0 && act != "" && (k == len(list)-1 || list[k].At == l.At); k-- {
		x := &list[k]
		mono, wall := int64(x.Mono)-int64(x.At), int64(x.Wall)-int64(x.At)
		if acts[k] == act && x.Why == l.Why && x.Fault == l.Fault && !slices.Contains(x.Nodes, first(l.Nodes)) &&
			mono == int64(l.Mono)-int64(l.At) && wall == int64(l.Wall)-int64(l.At) {
			return k
		}
	}
	return -1
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

func (n *narrator) name(id sim.NodeID) string { return n.names[id-1] }

// sends is the messages of a step that the explanation needs.
func (n *narrator) sends(i int) []int {
	var list []int
	for k := i + 1; k < len(n.shown); k++ {
		if e := &n.slice.entries[k]; n.shown[k] && e.Cause == i && e.Step > 0 && e.From == n.slice.entries[i].Node && e.Node != e.From {
			list = append(list, k)
		}
	}
	return list
}

// act is what a node does in an entry, beginning with a verb; "" if the model has only
// a sentence for it.
func (n *narrator) act(i int) string {
	e := &n.slice.entries[i]
	switch {
	case len(e.Detail) > 0:
		return strings.Join(e.Detail, "; ")
	case len(e.Description) > 0:
		return ""
	case e.Step == 0:
		return e.Text
	}
	var text string
	switch {
	case e.Kind == 0:
		text = "starts"
	case e.From == e.Node:
		text = "handles its timer " + e.Msg
	default:
		text = fmt.Sprintf("gets %s from %s", e.Msg, n.name(e.From))
	}
	for _, part := range n.sent(i) {
		text += " and " + part
	}
	return text
}

// sent is what a step sends that the explanation needs, one part per message.
func (n *narrator) sent(i int) []string {
	e := &n.slice.entries[i]
	var parts, messages []string
	to := map[string][]string{}
	for _, k := range n.sends(i) {
		x := &n.slice.entries[k]
		if x.Node == e.From {
			parts = append(parts, "answers "+x.Msg)
			continue
		}
		if to[x.Msg] == nil {
			messages = append(messages, x.Msg)
		}
		to[x.Msg] = append(to[x.Msg], n.name(x.Node))
	}
	for _, m := range messages {
		parts = append(parts, fmt.Sprintf("sends %s to %s", m, text.List(to[m])))
	}
	return parts
}

// why is what made an entry possible.
func (n *narrator) why(i int, act string) string {
	e := &n.slice.entries[i]
	if e.Step == 0 {
		return n.whyFault(i)
	}
	var parts []string
	switch {
	case e.Kind == 0 || e.From == e.Node && e.Cause < 0:
	case e.Alarm:
		parts = append(parts, fmt.Sprintf("its alarm for %s on its wall clock, set at %v", sim.Seconds(int64(e.Reading)), e.Sent))
	case e.From == e.Node:
		parts = append(parts, fmt.Sprintf("its timer %s, armed %s", e.Msg, n.armed(e)))
	default:
		parts = append(parts, n.message(i, act))
	}
	if late := n.late(e); late != "" {
		parts = append(parts, late)
	}
	parts = append(parts, n.reasons(i)...)
	n.last[e.Node] = i + 1
	delete(n.silent, e.Node)
	return strings.Join(parts, "; ")
}

// late is how late a step was because its node was paused, "" if it was not. That the
// node was busy is not worth telling.
func (n *narrator) late(e *sim.Entry) string {
	for i := range n.slice.entries {
		x := &n.slice.entries[i]
		if x.Node == e.Node && x.At <= e.Due && n.slice.stops(x) && e.Due < e.At {
			if end := n.slice.resumes(i); e.Due < end && end <= e.At {
				return fmt.Sprintf("due at %v, but it was paused: %v late", e.Due, e.At.Sub(e.Due))
			}
		}
	}
	return ""
}

// message is the message that a step handles, together with those like it that came
// before and only changed the state.
func (n *narrator) message(i int, act string) string {
	e := &n.slice.entries[i]
	from, same := []string{}, true
	var rest []int
	for _, k := range n.silent[e.Node] {
		x := &n.slice.entries[k]
		if x.Msg != e.Msg || x.From == x.Node {
			rest = append(rest, k)
			continue
		}
		from = append(from, n.name(x.From))
		same = same && x.Sent == e.Sent
	}
	n.silent[e.Node] = rest
	from = append(from, n.name(e.From))
	text := fmt.Sprintf("%s from %s ", e.Msg, text.List(from))
	if len(from) == 1 && strings.HasPrefix(act, "gets ") {
		text = "sent "
	}
	if !same {
		text += "(the last) "
	}
	if c := e.Cause; c >= 0 && n.buffered(c, e) {
		text += fmt.Sprintf("at %v, decided at %v", e.Sent, n.slice.entries[c].At)
	} else {
		text += fmt.Sprintf("at %v", e.Sent)
	}
	if n.interfered(e) {
		text += fmt.Sprintf(", %v under way", e.Due.Sub(e.Sent))
	}
	if more := n.spare(i); more > 0 {
		text += fmt.Sprintf(" (%d of %d more not needed)", more, more+len(from))
	}
	return text
}

// buffered reports whether a pause buffered what a step asked for, and not only the
// step's cost.
func (n *narrator) buffered(step int, e *sim.Entry) bool {
	x := &n.slice.entries[step]
	pause, _ := n.slice.stop(x.Node, x.At, e.Sent-1)
	return x.At < e.Sent && pause >= 0
}

// interfered reports whether a fault decided how long a message took.
func (n *narrator) interfered(e *sim.Entry) bool {
	for i := range n.slice.entries {
		x := &n.slice.entries[i]
		if x.Step == 0 && x.Fault > 0 && x.Cause == e.Cause && x.Node == e.From && x.To == e.Node && x.Kind == e.Kind {
			return true
		}
	}
	return false
}

// spare is how many messages like that of a step came to the node since its last line,
// and were left out.
func (n *narrator) spare(i int) int {
	s, e, count := n.slice, &n.slice.entries[i], 0
	for k := n.last[e.Node]; k < i; k++ {
		if x := &s.entries[k]; s.gone[k] && x.Node == e.Node && x.From != x.Node && x.Msg == e.Msg {
			count++
		}
	}
	return count
}

// maxReasons bounds what a line gives as reasons besides the message.
const maxReasons = 3

// reasons is what else the node had learnt since its last line.
func (n *narrator) reasons(i int) []string {
	var parts []string
	steps := n.silent[n.slice.entries[i].Node]
	for len(steps) > 0 {
		x := &n.slice.entries[steps[0]]
		if steps = steps[1:]; x.From == x.Node {
			parts = append(parts, fmt.Sprintf("its timer %s at %v", x.Msg, x.At))
			continue
		}
		from := []string{n.name(x.From)}
		for len(steps) > 0 {
			y := &n.slice.entries[steps[0]]
			if y.Msg != x.Msg || y.At != x.At || y.From == y.Node {
				break
			}
			from, steps = append(from, n.name(y.From)), steps[1:]
		}
		parts = append(parts, fmt.Sprintf("%s from %s at %v", x.Msg, text.List(from), x.At))
	}
	if more := len(parts) - maxReasons; more > 0 {
		parts = append(parts[:maxReasons], fmt.Sprintf("and %d more", more))
	}
	return parts
}

// whyFault is why something happened that is not a step.
func (n *narrator) whyFault(i int) string {
	e := &n.slice.entries[i]
	switch {
	case e.Noted && e.Cause >= 0:
		return fmt.Sprintf("decided at %v, and buffered", n.slice.entries[e.Cause].At)
	case e.Ends:
		return ""
	case e.Fault == 0 && e.To != sim.None:
		return "the network loses messages"
	}
	why := "fault"
	if e.Fault > 0 && n.slice.failure.Faults[e.Fault-1].Do == sim.Delay {
		why = "delay"
	}
	if e.To == sim.None {
		why += n.since(i)
	}
	switch {
	case n.slice.needed[e.Fault] && n.goal:
		why += ": not reached without it"
	case n.slice.needed[e.Fault]:
		why += ": no violation without it"
	}
	return why
}

// armed is when a timer was armed.
func (n *narrator) armed(e *sim.Entry) string {
	if c := e.Cause; c >= 0 && n.slice.entries[c].Kind == 0 {
		return "at its start"
	}
	return fmt.Sprintf("at %v", e.Sent)
}

// number is a number, cardinal or ordinal, with what may stand in it.
var number = lazyregexp.New(`[0-9][0-9.]*(st|nd|rd|th)?`)

// condense leaves only the first and the last of lines that say the same of the same
// nodes more than three times, but for numbers.
func condense(lines []Line) []Line {
	kind := func(l *Line) string {
		if len(l.Nodes) == 1 {
			return number().ReplaceAllString(l.What, "#") + "|" + l.Nodes[0]
		}
		return number().ReplaceAllString(strings.TrimPrefix(l.What, text.List(l.Nodes)), "#") + "|" + text.List(slices.Sorted(slices.Values(l.Nodes)))
	}
	count, seen := map[string]int{}, map[string]int{}
	for i := range lines {
		count[kind(&lines[i])]++
	}
	var kept []Line
	for _, l := range lines {
		k := kind(&l)
		seen[k]++
		if count[k] > 3 && seen[k] > 1 && seen[k] < count[k] {
			continue
		}
		if count[k] > 3 && seen[k] == 1 {
			l.What += fmt.Sprintf(" (and %d times more)", count[k]-1)
		}
		kept = append(kept, l)
	}
	return kept
}
