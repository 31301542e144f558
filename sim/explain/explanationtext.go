package explain

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fencepost/sim"
)

// width is how wide an explanation is written, in characters.
const width = 100

// Write writes the explanation for a person to read: the true time, what happened and why
// it was possible, and the nodes' own clocks where they differ from true time.
func (s *Explanation) Write(w io.Writer) error {
	var b strings.Builder
	what, word := s.Property+" is violated", "VIOLATED: "
	switch {
	case s.Property == "":
		what = "a step panics"
	case s.Goal:
		what, word = s.Property+" is reached", "REACHED: "
	}
	fmt.Fprintf(&b, "%s at %v", what, s.At)
	if len(s.Nodes) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(s.Nodes, ", "))
	}
	b.WriteByte('\n')
	fmt.Fprintf(&b, "%d of the %d steps up to then lead to it", s.Kept, s.Steps)
	if s.Whole {
		b.WriteString("; without the others it happens all the same\n\n")
	} else {
		b.WriteString(", or fewer: the search was broken off\n\n")
	}
	s.table(&b)
	times := s.times()
	for i, l := range wrap(word+s.Why, width-times-2) {
		fmt.Fprintf(&b, "%*s  %s\n", times, only(i == 0, s.At.String()), l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// times is how wide the column of true time is.
func (s *Explanation) times() int {
	n := max(len("true time"), len(s.At.String()))
	for i := range s.Lines {
		n = max(n, len(s.Lines[i].At.String()))
	}
	return n + 1
}

// table writes the lines in columns.
func (s *Explanation) table(b *strings.Builder) {
	rows := [][]string{{"true time", "own clock", "what happened", "why it was possible"}}
	clock, what := 0, len("what happened")
	for i := range s.Lines {
		l := &s.Lines[i]
		row := []string{l.At.String(), l.clock(), l.What, l.Why}
		clock, what = max(clock, utf8.RuneCountInString(row[1])), max(what, utf8.RuneCountInString(row[2]))
		rows = append(rows, row)
	}
	times := s.times()
	left := width - times - 2
	if clock > 0 {
		clock = max(clock, len("own clock"))
		left -= clock + 2
	}
	what = min(what, left*11/20)
	for _, r := range rows {
		whats, whys := wrap(r[2], what), wrap(r[3], left-what-2)
		for k := range max(len(whats), len(whys), 1) {
			line := fmt.Sprintf("%*s  ", times, only(k == 0, r[0]))
			if clock > 0 {
				line += pad(only(k == 0, r[1]), clock) + "  "
			}
			line += pad(at(whats, k), what) + "  " + at(whys, k)
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
}

// clock is what the nodes' own clocks read, where that is not true time.
func (l *Line) clock() string {
	if l.Nodes == nil {
		return ""
	}
	var parts []string
	if int64(l.Mono) != int64(l.At) {
		parts = append(parts, "mono "+sim.Seconds(int64(l.Mono)))
	}
	if int64(l.Wall) != int64(l.At) {
		parts = append(parts, "wall "+sim.Seconds(int64(l.Wall)))
	}
	return strings.Join(parts, ", ")
}

// only is the text if it is to be written.
func only(yes bool, text string) string {
	if !yes {
		return ""
	}
	return text
}

func at(lines []string, k int) string {
	if k < len(lines) {
		return lines[k]
	}
	return ""
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

// wrap breaks a text into lines of at most width characters, between words; from
// the second on they are indented by two. A word that is longer stands alone.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = "  " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
