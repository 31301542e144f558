package strict

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type record struct {
	Name  string `yaml:"name,required"`
	Calm  bool   `yaml:"calm"`
	Seed  uint64 `yaml:"seed"`
	Lines []struct {
		At   int64  `yaml:"at,required"`
		Text string `yaml:"text"`
	} `yaml:"lines"`
}

func TestParseJSON(t *testing.T) {
	d, err := ParseJSON("a.json", []byte("\uFEFF{\"name\": \"\\u00fc\\n\\r\\n\", \"calm\": true,\r\n \"seed\": 18446744073709551615, \"lines\": [{\"at\": -3, \"text\": \"5\"}]}\n"), 100)
	require.NoError(t, err)
	var r record
	require.NoError(t, d.Decode(&r))
	require.Equal(t, "ü\n\r\n", r.Name)
	require.True(t, r.Calm)
	require.Equal(t, uint64(1<<64-1), r.Seed)
	require.Equal(t, int64(-3), r.Lines[0].At)
	require.Equal(t, "a.json:2:49", d.At("lines.0.at").String())
}

func TestParseJSONRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   `a.json: the file is empty`,
		" \n ":                               `a.json: the file is empty`,
		`{"name": "x"`:                       `a.json:1:13: the file ends in the middle: it was cut off`,
		`{"name": "x`:                        `a.json:1:12: the file ends in the middle: it was cut off`,
		"{\n\"name\" \"x\"}":                 `a.json:2:8: not valid JSON: invalid character '"' after object key`,
		`{"name": "x"} {}`:                   `a.json:1:15: a second value behind the first`,
		`{"name": "x"} x`:                    `a.json:1:15: not valid JSON: invalid character 'x' looking for beginning of value`,
		`{"name": "x", "name": "y"}`:         `a.json:1:15: duplicate key "name" (first at 1:2)`,
		`{"name": "x", "nmae": 1}`:           `a.json:1:15: unknown key "nmae"; did you mean "name"?`,
		`{"calm": true}`:                     `a.json:1:1: key "name" is missing`,
		`{"name": 5}`:                        `a.json:1:10: "5" is not a text: want one in quotes (at name)`,
		`{"name": null}`:                     `a.json:1:10: no value is given: want one, or leave the entry out (at name)`,
		`{"name": "\u001b[31m"}`:             `a.json:1:10: control character '\x1b' in a text: want it left out`,
		`{"name": "x", "calm": "true"}`:      `a.json:1:23: "true" is not a boolean: want true or false (at calm)`,
		`{"name": "x", "seed": "3"}`:         `a.json:1:23: "3" is a text: want an integer without quotes (at seed)`,
		`{"name": "x", "seed": 1.5}`:         `a.json:1:23: "1.5" is not an integer: want digits such as 3 (at seed)`,
		`{"name": "x", "seed": -1}`:          `a.json:1:23: "-1" is out of range: want 0 to 18446744073709551615 (at seed)`,
		`{"name": "x", "lines": {}}`:         `a.json:1:24: a mapping is not a list: want [a, b] or lines with "- " (at lines)`,
		`{"name": "x", "lines": [{}]}`:       `a.json:1:25: key "at" is missing (at lines.0)`,
		`[]`:                                 `a.json:1:1: a list is not a mapping: want keys such as name, calm, seed`,
		"{\"name\": \"\xff\"}":               `a.json: not UTF-8: want a text file`,
		strings.Repeat("[", 100):             `a.json:1:65: nested deeper than 64 levels`,
		"[" + strings.Repeat("1,", 200):      `a.json:1:200: too many values`,
		`{"name": "x", "lines": [1, "]}`:     `a.json:1:31: the file ends in the middle: it was cut off`,
		`{"name": "x", "lines": [tru]}`:      `a.json:1:25: not valid JSON: invalid character ']' in literal true (expecting 'e')`,
		`{"name": "x", "seed": 1e3}`:         `a.json:1:23: "1e3" is not an integer: want digits such as 3 (at seed)`,
		`{"name": "x", "lines": [], }`:       `a.json:1:28: not valid JSON: invalid character '}' looking for beginning of object key string`,
		`{"name": "x"; "lines": []}`:         `a.json:1:13: not valid JSON: invalid character ';' after object key:value pair`,
		"{\"name\": \"a\nb\"}":               `a.json:1:10: not valid JSON: invalid character '\n' in string literal`,
		`{"name": "x", "lines": [[[[[]]]]]}`: `a.json:1:25: a list is not a mapping: want keys such as at, text (at lines.0)`,
	} {
		err := decodeJSON(text)
		require.Error(t, err, text)
		require.Equal(t, []string{want}, atLines(err), text)
	}
}

// atLines are the problems of an error, with their places.
func atLines(err error) (list []string) {
	for _, p := range err.(*Error).Problems {
		list = append(list, p.String())
	}
	return list
}

func decodeJSON(text string) error {
	d, err := ParseJSON("a.json", []byte(text), 100)
	if err != nil {
		return err
	}
	return d.Decode(&record{})
}

// FuzzParseJSON: whatever the text, it is read or refused, alike each time and with
// messages that can be printed.
func FuzzParseJSON(f *testing.F) {
	for _, text := range []string{`{"name": "x", "lines": [{"at": 1}]}`, `[1, {"a": null}]`, `{"a": "\ud83d"}`, "\x00", `"a`, `{"":{}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := decodeJSON(text)
		require.Equal(t, err, decodeJSON(text))
		if e := (*Error)(nil); errors.As(err, &e) {
			checkReport(t, e, text)
		}
	})
}
