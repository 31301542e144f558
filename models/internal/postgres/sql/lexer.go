package sql

import "strings"

// tokenKind is what a token is.
type tokenKind uint8

const (
	endOfText tokenKind = iota
	word                // lower case, or as written between double quotes
	number
	quoted // a string literal
	named  // :name
	numbered
	symbol
)

// token is one token of a statement.
type token struct {
	kind tokenKind
	text string
	at   int
	bare bool // a word without double quotes: may be a keyword
}

var twoCharacters = []string{"<=", ">=", "<>", "!=", "::", "||"}

// lex splits a text into tokens. The last one is endOfText.
func lex(text string) []token {
	var list []token
	for at := 0; ; {
		at = skipBlank(text, at)
		if at == len(text) {
			return append(list, token{kind: endOfText, at: at, text: "end of input"})
		}
		t, next := lexOne(text, at)
		list, at = append(list, t), next
	}
}

// skipBlank is the offset of the next character that is neither space nor comment.
func skipBlank(text string, at int) int {
	for at < len(text) {
		switch {
		case strings.IndexByte(" \t\r\n", text[at]) >= 0:
			at++
		case strings.HasPrefix(text[at:], "--"):
			if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
				at += end
			} else {
				at = len(text)
			}
		default:
			return at
		}
	}
	return at
}

// lexOne is the token at an offset, and where the next one may begin.
func lexOne(text string, at int) (token, int) {
	c := text[at]
	switch {
	case letter(c):
		end := spanOf(text, at, func(c byte) bool { return letter(c) || digit(c) })
		return token{word, strings.ToLower(text[at:end]), at, true}, end
	case digit(c):
		end := spanOf(text, at, func(c byte) bool { return digit(c) || c == '.' })
		return token{number, text[at:end], at, false}, end
	case c == '\'':
		return lexQuoted(text, at)
	case c == '"':
		end := strings.IndexByte(text[at+1:], '"')
		if end <= 0 {
			fail(SyntaxError, at, "unterminated quoted identifier")
		}
		return token{word, text[at+1 : at+1+end], at, false}, at + end + 2
	case c == '$' && at+1 < len(text) && digit(text[at+1]):
		end := spanOf(text, at+1, digit)
		return token{numbered, text[at:end], at, false}, end
	case c == ':' && at+1 < len(text) && letter(text[at+1]):
		end := spanOf(text, at+1, func(c byte) bool { return letter(c) || digit(c) })
		return token{named, strings.ToLower(text[at+1 : end]), at, false}, end
	}
	for _, two := range twoCharacters {
		if strings.HasPrefix(text[at:], two) {
			return token{symbol, two, at, false}, at + 2
		}
	}
	if strings.IndexByte("()+-*/=<>,.;%", c) < 0 {
		fail(SyntaxError, at, "syntax error at or near %q", text[at:at+1])
	}
	return token{symbol, text[at : at+1], at, false}, at + 1
}

// lexQuoted is a string literal; two quotes stand for one.
func lexQuoted(text string, at int) (token, int) {
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] != '\'':
			b.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == '\'':
			b.WriteByte('\'')
			i++
		default:
			return token{quoted, b.String(), at, false}, i + 1
		}
	}
	fail(SyntaxError, at, "unterminated quoted string")
	return token{}, 0
}

func letter(c byte) bool { return c == '_' || c|32 >= 'a' && c|32 <= 'z' || c >= 0x80 }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func spanOf(text string, at int, is func(byte) bool) int {
	for at < len(text) && is(text[at]) {
		at++
	}
	return at
}
