package eventlog

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// EventFirst is the expression that ShiViz takes if a file names none.
const EventFirst = `(?<event>.*)\n(?<host>\S*) (?<clock>{.*})`

// expression finds matches of a regular expression in a long text, each behind the one
// before.
//
// The engine of the standard library is fast on short texts only, and what it looks for
// is short: if a match can have n ends of lines in it, n lines are all it
// has to see.
type expression struct {
	re   *regexp.Regexp
	ends int // of lines that a match can have at most, or unbounded
}

const unbounded = 1 << 20

// compile makes an expression of one that was written for JavaScript, with the flags
// of ShiViz, and checks that it has certain groups.
func compile(what, text string, groups ...string) (*expression, error) {
	parsed, err := syntax.Parse("(?m)"+text, syntax.Perl)
	if err == nil {
		_, err = syntax.Compile(parsed.Simplify())
	}
	if err != nil {
		return nil, fmt.Errorf("the %s %q: %w", what, excerpt(text), foreign(err))
	}
	re, err := regexp.Compile("(?m)" + text)
	if err != nil {
		return nil, fmt.Errorf("the %s %q: %w", what, excerpt(text), err)
	}
	var missing []string
	for _, g := range groups {
		if !slices.Contains(re.SubexpNames(), g) {
			missing = append(missing, "(?<"+g+">...)")
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the %s %q: want the named group %s in it", what, excerpt(text), strings.Join(missing, " and "))
	}
	return &expression{re, ends(parsed)}, nil
}

// foreign says of an error that the expression may be right in JavaScript.
func foreign(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	what, feature := e.Expr, ""
	switch {
	case strings.HasPrefix(e.Expr, "(?=") || strings.HasPrefix(e.Expr, "(?!"):
		feature = "lookahead"
	case strings.HasPrefix(e.Expr, "(?<=") || strings.HasPrefix(e.Expr, "(?<!"):
		what, feature = what[:len("(?<=")], "lookbehind"
	case e.Code == syntax.ErrInvalidEscape && len(e.Expr) > 1 && (e.Expr[1] >= '1' && e.Expr[1] <= '9' || e.Expr[1] == 'k'):
		feature = "a reference to a group"
	case e.Code == syntax.ErrInvalidEscape:
		feature = "that escape"
	}
	if feature == "" {
		return errors.New(string(e.Code) + ": `" + shown(e.Expr) + "`")
	}
	return fmt.Errorf("`%s` is %s: JavaScript has it, and expressions in Go do not", shown(what), feature)
}

// ends is how many ends of lines a match can have.
func ends(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		n = strings.Count(string(re.Rune), "\n")
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				n = 1
			}
		}
	case syntax.OpAnyChar:
		n = 1
	case syntax.OpBeginText, syntax.OpEndText:
		n = unbounded
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			n = max(n, ends(sub))
		}
	case syntax.OpStar, syntax.OpPlus:
		if ends(re.Sub[0]) > 0 {
			n = unbounded
		}
	case syntax.OpRepeat:
		n = ends(re.Sub[0]) * re.Max
		if re.Max < 0 && n != 0 {
			n = unbounded
		}
	default:
		for _, sub := range re.Sub {
			n += ends(sub)
		}
	}
	return min(n, unbounded)
}

// next is the first match at or behind an offset, as [regexp.Regexp.FindStringSubmatchIndex]
// gives it, nil if there is none.
func (x *expression) next(text string, from int) []int {
	for from <= len(text) {
		window := x.window(text, from)
		m := x.re.FindStringSubmatchIndex(text[from : from+window])
		if m != nil && (from+window == len(text) || !strings.Contains(text[from:from+m[0]], "\n")) {
			for i := range m {
				if m[i] >= 0 {
					m[i] += from
				}
			}
			return m
		}
		// It does not begin on this line. Where it begins more may belong to it.
		if from+window == len(text) && m == nil {
			return nil
		}
		from += strings.IndexByte(text[from:], '\n') + 1
	}
	return nil
}

// window is how much of the text a match that begins on the first line can reach, with
// the end of the last line.
func (x *expression) window(text string, from int) int {
	if x.ends == unbounded {
		return len(text) - from
	}
	size := 0
	for range x.ends + 1 {
		i := strings.IndexByte(text[from+size:], '\n')
		if i < 0 {
			return len(text) - from
		}
		size += i + 1
	}
	return size
}

// after is where the search continues behind a match: if the rest of the line is blank,
// with the next line, so that what an event says is not taken for a clock.
func after(text string, m []int) int {
	at := m[1]
	rest := text[at:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 && strings.TrimSpace(rest[:i]) == "" {
		return at + i + 1
	}
	if m[0] == m[1] {
		return at + 1 // an empty match, and it continues
	}
	return at
}

// CheckExpressions says whether an expression for events and one for delimiters, each
// "" for none, can be used.
func CheckExpressions(event, delimiter string) error {
	var err, too error
	if event != "" {
		_, err = compile("expression", event, "host", "clock", "event")
	}
	if delimiter != "" {
		_, too = compile("delimiter", delimiter)
	}
	return errors.Join(err, too)
}
