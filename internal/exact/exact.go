// Package exact reads JSON that this program wrote. Such text has one spelling: a field that is missing, null, unknown,
// named twice or spelt otherwise was changed by hand or by a fault, although encoding/json accepts it.
package exact

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Read decodes text into v, and refuses text that v does not encode to again. The error names the first place that
// differs and what belongs there.
func Read(text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return err
	}
	again, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if bytes.Equal(text, again) {
		return nil
	}
	return difference(text, again)
}

// Array splits the text of an array into its elements, and refuses another number than n. Text that claims more elements
// takes no memory for them.
func Array(text []byte, n int) ([]json.RawMessage, error) {
	if len(text) == 0 && n == 0 { // the array is left out where it is empty
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('[') {
		return nil, fmt.Errorf("want an array of %d, got %s", n, excerpt(text))
	}
	list := make([]json.RawMessage, n)
	for i := range list {
		if !d.More() {
			return nil, fmt.Errorf("there are %d elements: want %d", i, n)
		}
		if err := d.Decode(&list[i]); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	if d.More() {
		return nil, fmt.Errorf("there are more than %d elements: want %d", n, n)
	}
	return list, nil
}

// difference says where two spellings of a value part, and how.
func difference(have, want []byte) error {
	same := 0
	for same < min(len(have), len(want)) && have[same] == want[same] {
		same++
	}
	h, w := tokens(have, same), tokens(want, same)
	for i := range w {
		switch {
		case i >= len(h):
			return fmt.Errorf("%s is missing: want %s", w[i].path, w[i].text)
		case h[i] == w[i]:
		case h[i].path == w[i].path:
			return fmt.Errorf("%s is %s: want %s", w[i].path, h[i].text, w[i].text)
		case has(w[i:], h[i].path):
			return fmt.Errorf("%s is missing: want %s", w[i].path, w[i].text)
		default:
			return fmt.Errorf("%s is %s: want no such field here", h[i].path, h[i].text)
		}
	}
	if len(h) > len(w) {
		return fmt.Errorf("%s is %s: want no such field here", h[len(w)].path, h[len(w)].text)
	}
	return fmt.Errorf("want it as this program writes it, got %s", excerpt(have))
}

// token is a value that has no others in it, and where it is.
type token struct{ path, text string }

func has(list []token, path string) bool {
	for i := range list {
		if list[i].path == path {
			return true
		}
	}
	return false
}

// maxTokens is how many values after the first difference are looked at.
const maxTokens = 1000

// tokens lists some values of a text in their order, from the first that reaches a position. The text is JSON.
func tokens(text []byte, from int) (list []token) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	add := func(path, text string) {
		if d.InputOffset() >= int64(from) {
			list = append(list, token{path, text})
		}
	}
	var value func(path string)
	value = func(path string) {
		t, err := d.Token()
		if err != nil || len(list) >= maxTokens {
			return
		}
		switch t {
		case json.Delim('['):
			for i := 0; d.More(); i++ {
				value(fmt.Sprintf("%s[%d]", path, i))
			}
		case json.Delim('{'):
			for d.More() {
				key, err := d.Token()
				if err != nil {
					return
				}
				name := excerpt(fmt.Append(nil, key))
				if path != "" {
					name = path + "." + name
				}
				value(name)
			}
		default:
			if t == nil {
				t = "null"
			}
			add(path, excerpt(fmt.Append(nil, t)))
			return
		}
		_, _ = d.Token() // the end of the array or object
		add(path, "what is there")
	}
	value("")
	return list
}

// excerpt is the start of a text, for a message.
func excerpt(text []byte) string {
	if r := []rune(string(text)); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return string(text)
}
