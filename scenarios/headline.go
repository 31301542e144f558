package scenarios

import (
	"strconv"
	"strings"

	"fencepost/scenarios/format"
)

// Headline is what a list says of a scenario.
type Headline struct {
	Model, About, Source string
}

// HeadlineOf reads the headline of an embedded scenario and not the rest of its file, which
// takes a hundred times as long; ok is false where there is none of that name. A test holds
// it to what [Load] reads.
func HeadlineOf(name string) (h Headline, ok bool) {
	text, err := embedded.ReadFile(name + format.Suffix)
	if err != nil {
		return h, false
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "model":
			h.Model = scalar(value)
		case "about":
			h.About = scalar(value)
		case "source":
			h.Source = scalar(value)
		}
		if h.Model != "" && h.About != "" && h.Source != "" {
			return h, true
		}
	}
	return h, false
}

// scalar is a value of one line, plain or in quotes.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	if inner, ok := strings.CutPrefix(value, "'"); ok {
		return strings.ReplaceAll(strings.TrimSuffix(inner, "'"), "''", "'")
	}
	if plain, err := strconv.Unquote(value); err == nil {
		return plain
	}
	return value
}
