package explain

import (
	"fmt"
	"io"
	"strings"
)

// jump is how much P must change from one point to the next to be worth a sentence.
const jump = 0.1

// Sentence says at which points it was decided that the property would be violated.
func (c *Curve) Sentence() string {
	if len(c.Points) == 0 {
		return "nothing is known: it was broken off before the first point"
	}
	var parts []string
	last := c.Points[0]
	for i := 1; i < len(c.Points); i++ {
		if p := c.Points[i]; change(c.Points[i-1], p) >= jump {
			parts = append(parts, fmt.Sprintf("%s until %s (%v)", probability(c.Points[i-1].P), p.What, p.At))
			last = p
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%s is %s from the start to the end: no single step decides", c.what(), probability(last.P))
	}
	return fmt.Sprintf("%s is %s, and %s after that", c.what(), strings.Join(parts, ", "), probability(last.P))
}

func (c *Curve) what() string {
	if c.Property == "" {
		return "P(a step panics)"
	}
	return fmt.Sprintf("P(%s is violated)", c.Property)
}

// probability is p with three decimals, 0 and 1 only if it is so.
func probability(p float64) string {
	switch {
	case p == 0 || p == 1:
		return fmt.Sprintf("%.0f", p)
	case p < 0.001:
		return "<0.001"
	case p > 0.999:
		return ">0.999"
	}
	return fmt.Sprintf("%.3f", p)
}

// bar is how wide P 1 is drawn.
const bar = 20

// Write writes the curve for a person to read: a line for each point with a bar, and
// the biggest change marked.
func (c *Curve) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s if everything after a point is drawn anew, %d runs for each\n\n", c.what(), c.Runs)
	times := len("true time") + 2
	for i := range c.Points {
		times = max(times, len(c.Points[i].At.String())+2)
	}
	what := width - times - 2 - 2 - 6 - 2 - 14 - 2 - bar
	fmt.Fprintf(&b, "%*s  %s  %6s  %s\n", times, "true time", pad("after", what), "P", "95% interval")
	for i := range c.Points {
		p := &c.Points[i]
		at, mark := p.At.String(), " "
		if p.Step == 0 && !p.Fault {
			at = ""
		}
		if i > 0 && i == c.Decisive {
			mark = ">"
		}
		full := strings.Repeat("█", int(p.P*bar+0.5))
		for k, l := range wrap(p.What, what) {
			if k == 0 {
				l = fmt.Sprintf("%s%*s  %s  %6s  %-14s  %s", mark, times-1, at, pad(l, what), probability(p.P), fmt.Sprintf("%.3f..%.3f", p.Low, p.High), full)
			} else {
				l = fmt.Sprintf("%*s  %s", times, "", l)
			}
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
	b.WriteString("\n" + strings.Join(wrap(c.Sentence(), width), "\n") + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}
