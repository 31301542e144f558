package strict

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const maxExcerpt = 100 // characters of a line

// excerpt returns the line of a problem with a mark under its text.
func (d *Doc) excerpt(p Problem) string {
	if p.Line == 0 || p.Set != "" || p.Line > len(d.lines) {
		return ""
	}
	line := []rune(strings.TrimRight(d.lines[p.Line-1], " \t\r"))
	start := min(p.Column-1, len(line))
	width := min(width(string(line[start:]), p.raw), maxExcerpt/2)
	// Of a long line the part around the mark is shown.
	from := 0
	if len(line) > maxExcerpt {
		from = max(0, start-maxExcerpt/3)
	}
	to := min(len(line), from+maxExcerpt)
	margin := ""
	if from > 0 {
		margin = "..."
	}
	var b strings.Builder
	if p.syntax && p.Line > 1 {
		fmt.Fprintf(&b, "%9d | %s\n", p.Line-1, printable(cut(strings.TrimRight(d.lines[p.Line-2], " \t\r"))))
	}
	fmt.Fprintf(&b, "%9d | %s%s\n", p.Line, margin, printable(string(line[from:to])))
	fmt.Fprintf(&b, "%9s | %s%s", "", strings.Repeat(" ", len(margin)+start-from), strings.Repeat("^", width))
	return b.String()
}

// width is how many characters of line show text: 1 where that cannot be said,
// as of a text over several lines.
func width(line, text string) int {
	quotes := 0
	if line != "" && strings.ContainsRune(`"'`, rune(line[0])) {
		line, quotes = line[1:], 2
	}
	if text == "" || !strings.HasPrefix(line, text) {
		return 1
	}
	return utf8.RuneCountInString(text) + quotes
}
