package strict

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"fencepost/internal/lazyregexp"
)

// read parses text, after the checks that the YAML library does not make or
// makes without a position. An empty document is nil.
func (d *Doc) read(text string) (*yaml.Node, error) {
	d.lines = strings.Split(text, "\n")
	d.checkCharacters()
	d.checkTabs()
	if err := d.Err(); err != nil {
		return nil, err
	}
	root, second, err := parseYAML(text)
	if err != nil {
		d.addSyntax(message(err))
		return nil, d.Err()
	}
	if second != 0 {
		d.Add(Position{File: d.name, Line: second, Column: 1}, "---", "a second document: want one per file")
	}
	return root, nil
}

// checkCharacters refuses bytes that are not text, and characters that end a
// line unseen: editors and the YAML library disagree about those.
func (d *Doc) checkCharacters() {
	for i, line := range d.lines {
		if column, problem := badCharacter(strings.TrimSuffix(line, "\r")); problem != "" {
			d.Add(Position{File: d.name, Line: i + 1, Column: column}, "", problem+": want a text file")
			return // a binary file has thousands
		}
	}
}

// badCharacter returns the first bad character of a line, and its column.
func badCharacter(line string) (column int, problem string) {
	for rest := line; rest != ""; {
		column++
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && size == 1 {
			return column, fmt.Sprintf("byte 0x%02x is not UTF-8", rest[0])
		}
		if !allowed(r) {
			return column, fmt.Sprintf("control character %q", r)
		}
		rest = rest[size:]
	}
	return 0, ""
}

func allowed(r rune) bool {
	switch {
	case r == '\t':
		return true
	case r < ' ', 0x7F <= r && r < 0xA0:
		return false
	case r == '\u2028', r == '\u2029', r == '\uFEFF', r == '\uFFFE', r == '\uFFFF':
		return false
	case unicode.Is(unicode.Bidi_Control, r): // the text would show other than it is
		return r == '\u200e' || r == '\u200f' || r == '\u061c'
	}
	return true
}

// checkTabs refuses tabs in indentation everywhere, because the library reads
// "- a", newline, space, tab, "- b" as the one text "a - b".
func (d *Doc) checkTabs() {
	for i, line := range d.lines {
		if spaces := len(line) - len(strings.TrimLeft(line, " ")); strings.HasPrefix(line[spaces:], "\t") {
			d.Add(Position{File: d.name, Line: i + 1, Column: spaces + 1}, "", "a tab is used for indentation: want spaces")
		}
	}
}

// parseYAML returns the first document of text, nil if it is empty, and the
// line at which a second one starts, 0 if there is none.
func parseYAML(text string) (root *yaml.Node, second int, err error) {
	defer func() {
		// Bad input must not end the program, whatever it finds in the library.
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	dec := yaml.NewDecoder(strings.NewReader(text))
	var first, next yaml.Node
	switch err := dec.Decode(&first); {
	case err == io.EOF:
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		second = next.Line
	case err != io.EOF:
		return nil, 0, err
	}
	if root = first.Content[0]; root.Tag == "!!null" && root.Value == "" {
		root = nil
	}
	return root, second, nil
}

var linePrefix = lazyregexp.New(`^yaml: (line \d+: )?`)

// message is what the YAML library says, without its line: that names the start
// of the surrounding block, and is one low for half of the errors.
func message(err error) string { return linePrefix().ReplaceAllString(err.Error(), "") }

// addSyntax reports a syntax error on the line where it shows: text cut off
// before that line fails in another way or not at all.
func (d *Doc) addSyntax(problem string) {
	last := sort.Search(len(d.lines)-1, func(i int) bool {
		_, _, err := parseYAML(strings.Join(d.lines[:i+1], "\n"))
		return err != nil && message(err) == problem
	})
	// The text after the last newline is no line to point at.
	for last > 0 && strings.TrimSpace(d.lines[last]) == "" {
		last--
	}
	line := d.lines[last]
	text := strings.TrimSpace(line)
	at := Position{File: d.name, Line: last + 1, Column: utf8.RuneCountInString(line[:strings.Index(line, text)]) + 1}
	for _, h := range hints {
		if strings.HasPrefix(problem, h.problem) {
			problem = h.hint
		}
	}
	d.add(Problem{Position: at, Text: text, Message: "not valid YAML: " + problem, syntax: true})
}

// hints says in the words of a scenario's author what the library says in those
// of the YAML grammar.
var hints = []struct{ problem, hint string }{
	{"mapping values are not allowed", `a second ": " on the line, or a line indented too far; quote a text that holds ": "`},
	{"block sequence entries are not allowed", `a "- " behind a key: start the list on the next line`},
	{"did not find expected key", "the line does not fit those above: check quotes and indentation"},
	{"did not find expected '-' indicator", `the line does not fit the list above: want "- " in the same column`},
	{"did not find expected ',' or ']'", `a "[" is not closed, or a "," is missing`},
	{"did not find expected ',' or '}'", `a "{" is not closed, or a "," is missing`},
	{"did not find expected node content", `a value is missing before this, or a "[" or "{" is not closed`},
	{"could not find expected ':'", `a ": " is missing after a key`},
	{"found unexpected end of stream", "a quote is not closed"},
	{"found character that cannot start any token", "a value cannot start with @, ` or %: quote it"},
	{"found unknown escape character", `an unknown escape after \: use single quotes`},
	{"exceeded max depth", fmt.Sprintf("nested deeper than %d levels", MaxDepth)},
	{"found incompatible YAML document", "a %YAML line: leave it out"},
}
