package reports

import (
	"fmt"
	"io"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/sim"
)

// Limits of what is kept of what was sent, and of what is printed of it.
const (
	MostSent  = 1000 // answers in a document
	firstSent = 10   // in a text
)

// Sent is what the nodes of one run answered to callers outside, as it is written there.
type Sent struct {
	Total   int      `json:"total"`   // answers of the run
	Answers []Answer `json:"answers"` // the first of them, at most [MostSent]
}

// Answer is one of them: its status, and its header fields.
type Answer struct {
	AtNS  int64    `json:"at_ns"`
	Node  string   `json:"node"`
	To    string   `json:"to"`
	Lines []string `json:"lines"`
}

// writeSent writes the first answers.
func (r *Run) writeSent(out io.Writer, _ layout.Style) error {
	if r.Sent == nil {
		return nil
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "what is sent, in the first run (seed %d)\n", r.Seed)
	moments := make([]sim.Moment, 0, firstSent)
	for i := range min(firstSent, len(r.Sent.Answers)) {
		moments = append(moments, sim.Moment{At: sim.Time(r.Sent.Answers[i].AtNS)})
	}
	decimals := decimalsOf(moments)
	for i := range moments {
		a := &r.Sent.Answers[i]
		writeMoments(b, []sim.Moment{{At: sim.Time(a.AtNS), Text: fmt.Sprintf("%s to %s: %s", a.Node, a.To, a.Lines[0])}}, decimals)
		for _, line := range a.Lines[1:] {
			fmt.Fprintf(b, "%*s%s\n", decimals+13, "", line)
		}
	}
	if left := r.Sent.Total - len(moments); left > 0 {
		fmt.Fprintf(b, "%*s  %s more, --json has %d\n", decimals+9, "...", units.Number(left), len(r.Sent.Answers))
	}
	_, err := io.WriteString(out, b.String())
	return err
}
