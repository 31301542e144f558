package strict

import (
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
)

// Flow writes a value on one line, so that --set reads the same value again. Within
// a list or mapping more texts need quotes.
func Flow(v *Value, within bool) string {
	switch v.Kind() {
	case List:
		var items []string
		for _, item := range v.Items() {
			items = append(items, Flow(item, true))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case Mapping:
		var items []string
		for i, item := range v.Items() {
			items = append(items, Word(v.Keys()[i], true)+": "+Flow(item, true))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case Scalar:
		return Word(v.Scalar(), within)
	}
	return "null"
}

// Word writes a text, in quotes where it would not be read as itself.
func Word(s string, within bool) string {
	plain := s != "" && s == strings.TrimSpace(s) && !slices.Contains([]string{"~", "null"}, s) &&
		!strings.ContainsRune("[{\"'", rune(s[0])) && strconv.Quote(s) == `"`+s+`"`
	if within {
		plain = plain && !strings.ContainsAny(s, ",[]{}:#&*!|>'\"%@`?") && s[0] != '-'
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}

// Read decodes a value, if there is one, and reports whether it was good.
func Read[T any](v *Value) (x T, ok bool) {
	ok = v != nil && v.Decode(&x)
	return x, ok
}

// Excerpt is the start of a text, for a message that quotes it.
func Excerpt(s string) string { return text.Excerpt(s, 40) }
