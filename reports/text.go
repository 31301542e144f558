package reports

import (
	"fmt"
	"io"
	"strings"

	"fencepost/reports/layout"
	"fencepost/reports/units"
	"fencepost/result"
)

// The verdicts, in the words of [sim.Verdict].
const (
	Violated     = "violated"
	Holds        = "holds"
	NotExercised = "not-exercised"
)

// WriteText writes the whole report for a person: what was run, what happened,
// tables, and at the end one line of verdict.
func (r *Run) WriteText(out io.Writer, s layout.Style) error {
	return layout.Sections(out, s, r.writeHeader, r.writeLogs, r.writeSent, r.writeOrder, r.writeGrid, r.writeProperties, r.writeCosts, r.writeFaults, r.writeExpectations, r.WriteVerdict)
}

func (r *Run) writeHeader(out io.Writer, s layout.Style) error {
	h := layout.NewHeader(r.Scenario, r.About, r.Source, r.Model)
	h.Line("runs", r.what())
	for _, x := range r.Settings {
		h.Line("set", x.Path+" = "+x.Value)
	}
	switch r.Mode {
	case Control:
		h.Line("control", "the cause is taken away, so nothing may be violated")
	case NoFaults:
		h.Line("faults", "taken away, so nothing may be violated")
	}
	for _, line := range inputLines(r.Inputs) {
		h.Line("input", line)
	}
	return h.To(out, s)
}

// mostClients is how many refused clients of a log the text lists; JSON has all.
const mostClients = 20

// inputLines are the lines of what was read.
func inputLines(inputs []result.Input) (lines []string) {
	clients := 0
	for _, i := range inputs {
		if i.Client != "" {
			if clients++; clients > mostClients {
				continue
			}
		}
		lines = append(lines, i.Summary)
	}
	if more := clients - mostClients; more > 0 {
		lines = append(lines, "  and "+units.Plural(more, "more client")+"; --json lists all")
	}
	return lines
}

// what says how much was run: "1 run of 60s, seed 1, 214 events".
func (r *Run) what() string {
	s := units.Plural(r.Runs, "run")
	if r.UntilNS > 0 { // trials have no clock
		s += " of " + units.Duration(r.UntilNS)
	}
	if n := len(r.Variants); n > 0 {
		s = units.Plural(n, "point") + ", each " + s
	}
	return fmt.Sprintf("%s, %s, %s events", s, r.Seeds(), units.Number(r.Events))
}

// Seeds says which seeds were run.
func (r *Run) Seeds() string {
	if r.Runs <= 1 {
		return fmt.Sprintf("seed %d", r.Seed)
	}
	return fmt.Sprintf("seeds %d to %d", r.Seed, r.Seed+uint64(r.Runs)-1)
}

// writeLogs writes the decisive moments.
func (r *Run) writeLogs(out io.Writer, _ layout.Style) error {
	b := &strings.Builder{}
	for _, log := range r.Logs {
		if len(log.Moments) == 0 {
			continue
		}
		b.WriteString("what happened")
		if r.Runs > 1 {
			fmt.Fprintf(b, " in run %s (seed %d)", units.Number(log.Run), log.Seed)
		}
		b.WriteByte('\n')
		if err := WriteLog(b, &log); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
