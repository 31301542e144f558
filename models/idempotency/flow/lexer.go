package flow

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fencepost/models/internal/postgres/sql"
)

type kind uint8

const (
	theEnd    kind = iota
	aWord          // a keyword or a name, in lower case
	aNumber        // an integer
	aDuration      // 50ms
	aState         // an SQLSTATE as 40P01: five characters, a letter among them
	aText          // 'a text'
	aSymbol
)

// token is a piece of the text of a flow.
type token struct {
	kind  kind
	at    int // offset
	text  string
	value sql.Value
}

func (t token) is(s string) bool { return (t.kind == aWord || t.kind == aSymbol) && t.text == s }

func (t token) String() string {
	switch t.kind {
	case theEnd:
		return "the end"
	case aText:
		return "'" + t.text + "'"
	}
	return t.text
}

// lexer takes a text apart. Names are not case-sensitive, as in SQL.
type lexer struct {
	text     string
	next     int   // offset behind token
	token    token // the one that is looked at
	problems []*Problem
}

// bad reports a mistake, the first at each place.
func (l *lexer) bad(at int, format string, args ...any) {
	l.report(at, 0, fmt.Sprintf(format, args...))
}

func (l *lexer) report(at int, code sql.Code, message string) {
	line, column := position(l.text, at)
	for _, p := range l.problems {
		if p.Line == line && p.Column == column {
			return
		}
	}
	l.problems = append(l.problems, &Problem{Line: line, Column: column, Message: message, Code: code})
}

// position is where an offset lies, line and column from 1.
func position(text string, at int) (line, column int) {
	before := text[:min(at, len(text))]
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')
}

// advance moves to the next token and returns the one before.
func (l *lexer) advance() token {
	last := l.token
	l.next = skipBlank(l.text, l.next)
	l.token = l.scan(l.next)
	return last
}

// skipBlank is the offset behind white space and comments, which begin with # or -- and
// end with the line.
func skipBlank(s string, at int) int {
	for at < len(s) {
		switch {
		case strings.IndexByte(" \t\r\n", s[at]) >= 0:
			at++
		case comment(s, at):
			at = lineEnd(s, at)
		default:
			return at
		}
	}
	return at
}

func comment(s string, at int) bool { return s[at] == '#' || strings.HasPrefix(s[at:], "--") }

func lineEnd(s string, at int) int {
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s)
}

func letter(b byte) bool { return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' }
func digit(b byte) bool  { return '0' <= b && b <= '9' }

func (l *lexer) scan(at int) token {
	rest := l.text[at:]
	switch {
	case rest == "":
		return token{kind: theEnd, at: at}
	case letter(rest[0]):
		n := 1
		for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
			n++
		}
		l.next += n
		return token{kind: aWord, at: at, text: strings.ToLower(rest[:n])}
	case digit(rest[0]):
		return l.scanNumber(at, rest)
	case rest[0] == '\'':
		n := quoted(rest)
		l.next += n
		if n < 2 || rest[n-1] != '\'' {
			l.bad(at, "a text without its closing quote")
			return token{kind: aText, at: at}
		}
		return token{kind: aText, at: at, text: strings.ReplaceAll(rest[1:n-1], "''", "'")}
	}
	for _, s := range []string{"->", "..", "<>", "!=", "<=", ">="} {
		if strings.HasPrefix(rest, s) {
			l.next += 2
			return token{kind: aSymbol, at: at, text: s}
		}
	}
	l.next++
	if strings.IndexByte(";,{}()=<>+-*/:.", rest[0]) < 0 {
		l.bad(at, "unexpected character %q", []rune(rest)[0])
		for l.next < len(l.text) && l.text[l.next] >= 0x80 { // the rest of the character
			l.next++
		}
	}
	return token{kind: aSymbol, at: at, text: rest[:1]}
}

// quoted is the length of the text in quotes at the beginning of s; a quote in it is doubled.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '\'' {
			if i+1 < len(s) && s[i+1] == '\'' {
				i++
				continue
			}
			return i + 1
		}
		if s[i] == '\n' {
			return i
		}
	}
	return len(s)
}

// scanNumber reads an integer, a duration or an SQLSTATE.
func (l *lexer) scanNumber(at int, rest string) token {
	n := 0
	for n < len(rest) && (digit(rest[n]) || letter(rest[n]) || rest[n] == '.' && !strings.HasPrefix(rest[n:], "..")) {
		n++
	}
	l.next += n
	t := token{at: at, text: rest[:n]}
	if i, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		t.kind, t.value = aNumber, sql.Value(i)
		return t
	}
	if d, err := time.ParseDuration(t.text); err == nil {
		t.kind, t.value = aDuration, sql.Value(d)
		return t
	}
	t.kind = aState
	if t.value = stateValue(t.text); t.value == sql.Null {
		l.bad(at, "want a number, a duration as 50ms, or an SQLSTATE as 40P01, got %s", t.text)
	}
	return t
}

// stateValue is an SQLSTATE as the value of the builtin sqlstate: one of digits is the
// number that it looks like, any other is larger than those. Null: s is none.
func stateValue(s string) sql.Value {
	if len(s) != 5 {
		return sql.Null
	}
	decimal, all := sql.Value(0), sql.Value(0)
	digits := true
	for i := range len(s) {
		switch b := s[i]; {
		case digit(b):
			decimal, all = decimal*10+sql.Value(b-'0'), all*36+sql.Value(b-'0')
		case 'A' <= b && b <= 'Z':
			digits, all = false, all*36+sql.Value(b-'A'+10)
		default:
			return sql.Null
		}
	}
	if digits {
		return decimal
	}
	return all + 100_000
}
