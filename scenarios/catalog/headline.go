package catalog

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
	"sync"

	"fencepost/scenarios/format"
)

// Headline is what a list says of a scenario.
type Headline struct {
	Model, About, Source string
}

// HeadlineOf reads the headline of a built-in scenario and not the rest of its file, which
// takes a hundred times as long; ok is false where there is none of that name. A test holds
// it to what [Catalog.Load] reads.
func (c *Catalog) HeadlineOf(name string) (h Headline, ok bool) {
	file, err := c.files().Open(name + format.Suffix)
	if err != nil {
		return h, false
	}
	lines := headlineReaders.Get().(*bufio.Reader)
	defer headlineReaders.Put(lines)
	lines.Reset(file)
	for err == nil {
		var line []byte
		line, err = lines.ReadSlice('\n')
		key, value, _ := bytes.Cut(line, []byte(": "))
		switch string(key) {
		case "model":
			h.Model = scalar(string(value))
		case "about":
			h.About = scalar(string(value))
		case "source":
			h.Source = scalar(string(value))
		}
		if h.Model != "" && h.About != "" && h.Source != "" {
			return h, true
		}
	}
	return h, false
}

// headlineReaders are used for one file after another: a list reads hundreds.
var headlineReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

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
