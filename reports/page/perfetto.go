package page

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The processes of a trace: nodes, with a thread for each; then one for each state, with a thread for each node.
// Slices of a thread must nest, and what a node is in does not nest with what it does.
const (
	nodesProcess = 1
	stateProcess = 2
)

// slice is one entry of a trace. Source: Trace Event Format, "Complete Events", "Flow Events", "Instant Events",
// "Metadata Events".
type slice struct {
	Phase    string         `json:"ph"`
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	At       json.Number    `json:"ts,omitempty"`
	Length   json.Number    `json:"dur,omitempty"`
	ID       int            `json:"id,omitempty"`
	Binds    string         `json:"bp,omitempty"`
	Scope    string         `json:"s,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

// WritePerfetto writes the run as a trace that Perfetto opens: a thread for each node, with a slice of a
// nanosecond for each event, a flow for each message that arrives, what nodes are in as slices of their own,
// and violations as instants.
func WritePerfetto(out io.Writer, r *Run) error {
	b := bufio.NewWriter(out)
	w := &traceWriter{out: b, run: r}
	_, err := b.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	err = errors.Join(err, w.names(), w.events(), w.spans(), w.violations())
	if err != nil {
		return err
	}
	if _, err := b.WriteString("\n]}\n"); err != nil {
		return err
	}
	return b.Flush()
}

type traceWriter struct {
	out   *bufio.Writer
	run   *Run
	begun bool
}

func (w *traceWriter) add(s slice) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if w.begun {
		if err := w.out.WriteByte(','); err != nil {
			return err
		}
	}
	w.begun = true
	if err := w.out.WriteByte('\n'); err != nil {
		return err
	}
	_, err = w.out.Write(text)
	return err
}

// names are the names of processes and threads.
func (w *traceWriter) names() error {
	name := func(what string, process, thread int, name string) error {
		return w.add(slice{Phase: "M", Name: what, Process: process, Thread: thread, Args: map[string]any{"name": name}})
	}
	err := name("process_name", nodesProcess, 0, w.run.Scenario)
	for node := range len(w.run.Nodes) + 1 {
		err = errors.Join(err, name("thread_name", nodesProcess, node, w.run.Name(node)))
	}
	for i, state := range w.run.States {
		err = errors.Join(err, name("process_name", stateProcess+i, 0, state))
		for k, node := range w.run.Nodes {
			err = errors.Join(err, name("thread_name", stateProcess+i, k+1, node))
		}
	}
	return err
}

func (w *traceWriter) events() error {
	for e := range w.run.All() {
		s := slice{Phase: "X", Name: title(e), Category: e.What(), Process: nodesProcess, Thread: e.Node, At: micro(e.AtNS), Length: micro(1),
			Args: map[string]any{"event": e.Number, "text": e.Text(), "mono": e.MonoNS, "wall": e.WallNS}}
		if e.Name != "" {
			s.Args["name"] = e.Name
		}
		if len(e.Violations) > 0 {
			s.Args["violates"] = strings.Join(e.Violations, ", ")
		}
		if err := w.add(s); err != nil {
			return err
		}
		if e.From == 0 || e.Cause < 0 || e.SentNS < 0 {
			continue
		}
		flow := slice{Name: "message", Category: "message", Process: nodesProcess, ID: e.Number + 1}
		sent, arrives := flow, flow
		sent.Phase, sent.Thread, sent.At = "s", e.From, micro(e.SentNS)
		arrives.Phase, arrives.Thread, arrives.At, arrives.Binds = "f", e.Node, micro(e.AtNS), "e"
		if err := errors.Join(w.add(sent), w.add(arrives)); err != nil {
			return err
		}
	}
	return nil
}

func (w *traceWriter) spans() error {
	for _, s := range w.run.Spans {
		err := w.add(slice{Phase: "X", Name: w.run.States[s.State], Category: "state", Process: stateProcess + s.State, Thread: s.Node,
			At: micro(s.FromNS), Length: micro(s.ToNS - s.FromNS)})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *traceWriter) violations() error {
	for _, v := range w.run.Violations {
		err := w.add(slice{Phase: "i", Name: "VIOLATED: " + v.Property, Category: "violation", Process: nodesProcess, At: micro(v.AtNS), Scope: "g",
			Args: map[string]any{"why": v.Why}})
		if err != nil {
			return err
		}
	}
	return nil
}

// title is the message of an event, or what was done; of an event of the model's own what the model says of it.
func title(e *Event) string {
	if e.Name != "" && len(e.Told) > 0 {
		return e.Told[0]
	}
	text := e.Text()
	if len(e.Parts) > 0 {
		text = e.Parts[0]
	}
	if from, message, ok := strings.Cut(text, ": "); ok && e.Is(IsStep) && strings.HasPrefix(from, "from ") {
		return message
	}
	return text
}

// micro is nanoseconds in microseconds, with every digit.
func micro(ns int64) json.Number {
	if ns < 0 {
		return "-" + micro(-ns)
	}
	return json.Number(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}
