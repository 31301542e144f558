package logtext

import (
	"fmt"
	"strings"
)

// A Problem is a line of a log that cannot be read.
type Problem struct {
	Line   int    // 1 and up
	Text   string // the start of the line
	Reason string
}

// String returns the problem on one line.
func (p Problem) String() string { return fmt.Sprintf("line %d: %s: %q", p.Line, p.Reason, p.Text) }

// Indented is a line for each problem, with two spaces before it.
func Indented(problems []Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString("\n  " + p.String())
	}
	return b.String()
}

// mostOdd is how many lines of a short log may be left out.
const mostOdd = 2

// TooMany reports whether too many lines are left out for the rest to speak for the log: more
// than a tenth, and in a short log more than two lines or a third.
func TooMany(left, of int64) bool {
	return left*10 > of && (left > mostOdd || left*3 > of)
}
