package explain

import (
	"fmt"
	"strings"

	"fencepost/internal/text"
	"fencepost/sim"
)

// since is how long after an earlier fault of the explanation a fault begins: ", 2.1s after client-1 resumes". It is "" if
// that is longer than from the start of the run to the earlier fault: two instants then say more.
func (n *narrator) since(i int) string {
	e := &n.slice.entries[i]
	for k := i - 1; k >= 0; k-- {
		x := &n.slice.entries[k]
		what := n.event(x)
		switch gap := e.At.Sub(x.At); {
		case !n.shown[k] || what == "" || x.Fault == e.Fault:
		case int64(gap) >= int64(x.At):
			return ""
		case gap == 0:
			return ", when " + what
		default:
			return fmt.Sprintf(", %s after %s", text.Duration(gap), what)
		}
	}
	return ""
}

// event is the start or the end of what a fault did to a node or the network, in few words; "" for anything else.
func (n *narrator) event(e *sim.Entry) string {
	if e.Step > 0 || e.Noted || e.To != sim.None {
		return ""
	}
	if e.Ends && e.Fault == 0 {
		return sentence([]string{n.name(e.Node)}, e.Text)
	}
	if e.Fault == 0 {
		return ""
	}
	row := n.slice.failure.Faults[e.Fault-1].Do.Row()
	if e.Ends {
		return row.Ends
	}
	if e.Node == sim.None {
		return row.Begins
	}
	return strings.ReplaceAll(row.Begins, "{node}", n.name(e.Node))
}
