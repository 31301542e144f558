package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// The verdicts, in the words of [sim.Verdict].
const (
	violated = "violated"
	holds    = "holds"
)

// WriteText writes the whole report for a person: what was run, what happened,
// tables, and at the end one line of verdict.
func (r *Run) WriteText(out io.Writer, s Style) error {
	sections := []func(io.Writer, Style) error{
		r.writeHeader, r.writeStories, r.writeGrid, r.writeProperties, r.writeCosts, r.writeFaults, r.writeExpectations, r.WriteVerdict,
	}
	first := true
	for _, write := range sections {
		var b bytes.Buffer
		if !first {
			b.WriteByte('\n')
		}
		before := b.Len()
		if err := write(&b, s); err != nil {
			return err
		}
		if b.Len() == before {
			continue
		}
		first = false
		if _, err := b.WriteTo(out); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) writeHeader(out io.Writer, _ Style) error {
	b := &strings.Builder{}
	fmt.Fprintln(b, r.Scenario)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %-9s %s\n", name, value)
		}
	}
	line("about", strings.TrimSpace(r.About))
	line("source", r.Source)
	line("model", r.Model)
	line("runs", r.what())
	for _, s := range r.Settings {
		line("set", s.Path+" = "+s.Value)
	}
	switch r.Mode {
	case Control:
		line("control", "the cause is taken away, so nothing may be violated")
	case NoFaults:
		line("faults", "taken away, so nothing may be violated")
	}
	for _, i := range r.Inputs {
		line("input", i.Summary)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// what says how much was run: "1 run of 60s, seed 1, 214 events".
func (r *Run) what() string {
	s := plural(r.Runs, "run") + " of " + Length(r.UntilNS)
	if n := len(r.Variants); n > 0 {
		s = plural(n, "point") + ", each " + s
	}
	return fmt.Sprintf("%s, %s, %s events", s, r.seeds(), Number(r.Events))
}

func (r *Run) seeds() string {
	if r.Runs <= 1 {
		return fmt.Sprintf("seed %d", r.Seed)
	}
	return fmt.Sprintf("seeds %d to %d", r.Seed, r.Seed+uint64(r.Runs)-1)
}

// The first and the last moments of a story that are shown.
const (
	firstMoments = 40
	lastMoments  = 10
)

func (r *Run) writeStories(out io.Writer, _ Style) error {
	b := &strings.Builder{}
	for _, story := range r.Stories {
		if len(story.Moments) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("what happened")
		if r.Runs > 1 {
			fmt.Fprintf(b, " in run %s (seed %d)", Number(story.Run), story.Seed)
		}
		b.WriteByte('\n')
		left := len(story.Moments) - firstMoments - lastMoments
		for i, m := range story.Moments {
			switch {
			case left > 0 && i == firstMoments:
				fmt.Fprintf(b, "%12s  %s more, --trace shows all\n", "...", Number(left))
			case left > 0 && i > firstMoments && i < firstMoments+left:
			default:
				fmt.Fprintf(b, "%12s  %s\n", instant(m.AtNS), m.Text)
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
