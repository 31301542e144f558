package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// problems decodes text into a scenario and returns one line per mistake,
// without the file's name.
func problems(text string) []string {
	d, err := Parse("a.yaml", []byte(text))
	if err == nil {
		err = d.Decode(&scenario{})
	}
	return oneLine(err)
}

func oneLine(err error) (lines []string) {
	if e := (*Error)(nil); errors.As(err, &e) {
		for _, p := range e.Problems {
			lines = append(lines, strings.TrimPrefix(p.String(), "a.yaml:"))
		}
	}
	return lines
}

func TestAPlaceInATextIsAPlaceInTheFile(t *testing.T) {
	d := parse(t, "a: |\n  one;\n\n    tw\u00f6, three;\nb: |\n\n  x\nc: \"one\\ntwo\"\nd: >\n  one\n  two\ne: |-  # why\r\n  x y\r\n")
	for _, c := range []struct {
		path         string
		line, column int
		want         string
	}{
		{"a", 1, 1, "a.yaml:2:3"}, {"a", 1, 5, "a.yaml:2:7"}, {"a", 2, 1, "a.yaml:3:1"}, {"a", 3, 8, "a.yaml:4:9"}, {"b", 2, 1, "a.yaml:7:3"},
		{"e", 1, 3, "a.yaml:13:5"},
	} {
		at, ok := d.Inside(c.path, c.line, c.column)
		require.True(t, ok, c)
		require.Equal(t, c.want, at.String(), c)
	}
	for _, path := range []string{"c", "d", "f", "a.b"} {
		_, ok := d.Inside(path, 1, 1)
		require.False(t, ok, path)
	}
	for _, place := range [][2]int{{0, 1}, {9, 1}, {1, 0}, {1, 7}} {
		_, ok := d.Inside("a", place[0], place[1])
		require.False(t, ok, place)
	}
	require.NoError(t, d.Set("a", "x"))
	_, ok := d.Inside("a", 1, 1)
	require.False(t, ok)
}

func TestReport(t *testing.T) {
	d := parse(t, `modle: lock
until: 3 sec
faults:
  - puase: client-1
    for: 8061
    frobnicate: 1
  - pause: "clinet-1"
    for: {exp: 1s, unifrom: 2}
params: {fencing: lexx}
`)
	require.NoError(t, d.Set("faults.0.at", "[soon]"))
	require.NoError(t, d.Set("params.tll", "5s"))
	require.Error(t, d.Decode(&scenario{}))
	d.Add(d.At("faults.1.pause"), "clinet-1", `no node is named "clinet-1"`, "client-1", "client-2")
	require.EqualError(t, d.Err(), `a.yaml:1:1: unknown key "modle"; did you mean "model"?
        1 | modle: lock
          | ^^^^^
a.yaml:2:8: "3 sec" is not a duration: want a number with a unit such as 250ms or 3s; did you mean "3s"? (at until)
        2 | until: 3 sec
          |        ^^^^^
a.yaml:4:5: unknown key "puase"; did you mean "pause"? (at faults.0)
        4 |   - puase: client-1
          |     ^^^^^
a.yaml:5:10: "8061" is not a duration: want a unit, as in 8061ms or 8061s (at faults.0.for)
        5 |     for: 8061
          |          ^^^^
a.yaml:6:5: unknown key "frobnicate"; want one of pause, at, on, for, cut, sizes, next (at faults.0)
        6 |     frobnicate: 1
          |     ^^^^^^^^^^
a.yaml:7:12: no node is named "clinet-1"; did you mean "client-1"? (at faults.1.pause)
        7 |   - pause: "clinet-1"
          |            ^^^^^^^^^^
a.yaml:8:20: unknown key "unifrom"; did you mean "uniform"? (at faults.1.for)
        8 |     for: {exp: 1s, unifrom: 2}
          |                    ^^^^^^^
a.yaml:9:19: "lexx" is not a valid word; did you mean "lex"? (at params.fencing)
        9 | params: {fencing: lexx}
          |                   ^^^^
--set faults.0.at=[soon]: a list is not a duration: want a number with a unit such as 250ms or 3s
--set params.tll=5s: unknown key "tll"; did you mean "ttl"?`)
}

func TestWrongValues(t *testing.T) {
	for text, want := range map[string]string{
		"seed: -1":                             `1:7: "-1" is out of range: want 0 to 18446744073709551615 (at seed)`,
		"seed: 18446744073709551616":           `1:7: "18446744073709551616" is out of range: want 0 to 18446744073709551615 (at seed)`,
		"seed: '5'":                            `1:7: "5" is a text: want an integer without quotes (at seed)`,
		"seed: 0x10":                           `1:7: "0x10" is not an integer: want digits such as 3 (at seed)`,
		"seed: 010":                            `1:7: "010" starts with 0: want an integer without leading zeros (at seed)`,
		"seed: 1_000":                          `1:7: "1_000" is not an integer: want digits such as 3 (at seed)`,
		"seed: .nan":                           `1:7: ".nan" is not an integer: want digits such as 3 (at seed)`,
		"runs: 1.5":                            `1:7: "1.5" is not an integer: want digits such as 3 (at runs)`,
		"runs: 1e3":                            `1:7: "1e3" is not an integer: want digits such as 3 (at runs)`,
		"runs: -":                              `1:1: not valid YAML: a "- " behind a key: start the list on the next line`,
		"params: {clients: 128}":               `1:19: "128" is out of range: want -128 to 127 (at params.clients)`,
		"strict: yes":                          `1:9: "yes" is not a boolean: want true or false (at strict)`,
		"strict: 'true'":                       `1:9: "true" is not a boolean: want true or false (at strict)`,
		"tags: {a: b}":                         `1:7: a mapping is not a text: want a word or a quoted text (at tags)`,
		"tags: [a, [b]]":                       `1:11: a list is not a text: want a word or a quoted text (at tags.1)`,
		"until:":                               `1:7: no value is given: want one, or leave the entry out (at until)`,
		"faults: ~":                            `1:9: no value is given: want one, or leave the entry out (at faults)`,
		"faults:\n-":                           `2:2: no value is given: want one, or leave the entry out (at faults.0)`,
		"faults: pause":                        `1:9: "pause" is not a list: want [a, b] or lines with "- " (at faults)`,
		"faults: [{cut: [a]}]":                 `1:16: a list of 1: want 2 values (at faults.0.cut)`,
		"faults: [{cut: a}]":                   `1:16: "a" is not a list: want 2 values in [ ] (at faults.0.cut)`,
		"faults: [{for: [1s]}]":                `1:16: a list is not a mapping with one key; want one of exp, uniform, csv, gclog (at faults.0.for)`,
		"faults: [{for: {}}]":                  `1:16: 0 keys where one is wanted; want one of exp, uniform, csv, gclog (at faults.0.for)`,
		"faults: [{for: {exp: 1s, csv: a}}]":   `1:16: 2 keys where one is wanted; want one of exp, uniform, csv, gclog (at faults.0.for)`,
		"faults: [{for: {uniform: [2s, 1s]}}]": `1:26: the first bound is above the second (at faults.0.for.uniform)`,
		"network: [1]":                         `1:10: a list is not a mapping: want keys such as delay, loss, load (at network)`,
		"network: {lossy: 1}":                  `1:11: unknown key "lossy"; did you mean "loss"? (at network)`,
		"network: {loss: 1.5}":                 `1:17: "1.5" is too large for a proportion: want at most 100% (at network.loss)`,
		"network: {load: 100}":                 `1:17: "100" is not a rate: want a count per s, min, h or day such as 100/min, or per duration such as 5/10s (at network.load)`,
		"network: {load: [1]}":                 `1:17: a list is not a rate: want a count per s, min, h or day such as 100/min, or per duration such as 5/10s (at network.load)`,
		"clocks: 3":                            `1:9: "3" is not a mapping: want lines such as "key: value" (at clocks)`,
		"clocks: {a: {drift: 1}}":              `1:21: "1" is not a clock error: want 100ppm, 500ppb or 0.01%, with - for a slow clock (at clocks.a.drift)`,
		"clocks: {a: {dirft: 1}}":              `1:14: unknown key "dirft"; did you mean "drift"? (at clocks.a)`,
		"until: -5s":                           `1:8: "-5s" has a sign: want a duration of 0 or more (at until)`,
		"until: 9999999h":                      `1:8: "9999999h" is too large for a duration: want at most 2562047h (at until)`,
		"expect: {a: [1]}":                     `1:13: a list is not a text: want a word or a quoted text (at expect.a)`,
		"params: {fencing: [gt]}":              `1:19: a list is not a valid word; want one of none, ge, gt, lex (at params.fencing)`,
	} {
		require.Equal(t, []string{want}, problems(text+"\nmodel: x"), text)
	}
}

func TestRefusedYAML(t *testing.T) {
	for text, want := range map[string][]string{
		"model: &a lock\nabout: *a": {
			`1:8: anchors are not supported: write the value out`,
			`2:8: aliases are not supported: write the value out`},
		"model: lock\n<<: {runs: 3}":       {`2:1: merge keys are not supported: write the values out`},
		"model: lock\nseed: !!int 5":       {`2:7: tag "!!int": tags are not supported`},
		"model: lock\nmodel: twice":        {`2:1: duplicate key "model" (first at 1:1)`},
		"model: x\nclocks: {a: {}, a: {}}": {`2:17: duplicate key "a" (first at 2:10)`},
		"model: x\n? [x]\n: 3":             {`2:3: a key must be a text`},
		"model: x\n---\na: 1":              {`2:1: a second document: want one per file`},
		"model: x\n---\n":                  {`2:1: a second document: want one per file`},
		"model: x\n\tseed: 3\n \truns: 3": {
			`2:1: a tab is used for indentation: want spaces`,
			`3:2: a tab is used for indentation: want spaces`},
		"tags:\n- a\n \t- b":           {`3:2: a tab is used for indentation: want spaces`},
		"seed: 3":                      {`1:1: key "model" is missing`},
		"- a":                          {`1:1: a list is not a mapping: want keys such as about, model, seed`},
		"hello":                        {`1:1: "hello" is not a mapping: want keys such as about, model, seed`},
		"":                             {` the file is empty: want lines such as "key: value"`},
		"\uFEFF":                       {` the file is empty: want lines such as "key: value"`},
		"# only\n# this\n":             {` the file is empty: want lines such as "key: value"`},
		"---\n# only":                  {` the file is empty: want lines such as "key: value"`},
		"model: x\nabout: \"\\e[31m\"": {`2:8: control character '\x1b' in a text: want it left out`},
		"about: \u202ex":               {`1:8: control character '\u202e': want a text file`},
		"model: x\x00":                 {`1:9: control character '\x00': want a text file`},
		"model: \xff\xfe":              {`1:8: byte 0xff is not UTF-8: want a text file`},
		"é: \u2028":                    {`1:4: control character '\u2028': want a text file`},
		"a: 1\rb: 2":                   {`1:5: control character '\r': want a text file`},
	} {
		require.Equal(t, want, problems(text), "%q", text)
	}
}

func TestSyntaxErrorsNameTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"model: lock\nfaults:\n  - pause: a\n   for: 3s\nruns: 3\n":      `4:4: not valid YAML: the line does not fit the list above: want "- " in the same column`,
		"model: lock\nfaults:\n  - pause: [a\n    for: 3s\nruns: 3\n":    `3:3: not valid YAML: a "[" is not closed, or a "," is missing`,
		"model: lock\nabout: a: b\nruns: 3\n":                            `2:1: not valid YAML: a second ": " on the line, or a line indented too far; quote a text that holds ": "`,
		"model: lock\nabout: \"a\n\nruns: 3\n":                           `2:1: not valid YAML: a quote is not closed`,
		"model: @x\n":                                                    "1:1: not valid YAML: a value cannot start with @, ` or %: quote it",
		"a: 1\nb\nc: 2\n":                                                `2:1: not valid YAML: a ": " is missing after a key`,
		"a:\n  b:\n    c: 1\n    d: 2\n   e: 3\nf: 4\n":                  `5:4: not valid YAML: the line does not fit those above: check quotes and indentation`,
		"a: 1\n---\nb: [\n":                                              `3:1: not valid YAML: a value is missing before this, or a "[" or "{" is not closed`,
		"a: " + strings.Repeat("[", 200_000):                             `1:1: not valid YAML: nested deeper than 64 levels`,
		"a: " + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "\n": `1:67: nested deeper than 64 levels`,
	} {
		require.Contains(t, problems(text), want, "%.60q", text)
	}
}

func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := 1; i <= 10; i++ {
		ref := fmt.Sprintf("*a%d, ", i-1)
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(ref, 10), ", "))
	}
	require.Len(t, problems(b.String()), maxReported)
}

func TestReportIsCapped(t *testing.T) {
	d := parse(t, "model: x\nfaults: ["+strings.Repeat("x,", 40_000)+"]")
	err := d.Decode(&scenario{})
	require.Len(t, d.problems, maxCollected)
	e := err.(*Error)
	require.Len(t, e.Problems, maxReported)
	require.Equal(t, 40_000-maxReported, e.More)
	require.True(t, strings.HasSuffix(err.Error(), "\nand 39950 more"))
	require.Less(t, len(err.Error()), 20_000)
	require.Contains(t, e.Problems[49].Excerpt, "          |    "+strings.Repeat(" ", 33)+"^")
}

func TestLongAndHostileTextIsCutAndEscaped(t *testing.T) {
	err := parse(t, "model: \"\\e[31m\"\nuntil: "+strings.Repeat("x", 200_000)+"\nseed: \"\\e[31m\\u202e\"\n").Decode(&scenario{})
	require.Less(t, len(err.Error()), 800)
	require.NotContains(t, err.Error(), "\x1b")
	require.NotContains(t, err.Error(), "\u202e")
	require.Contains(t, err.Error(), `"\x1b[31m\u202e" is not an integer`)

	d := parse(t, `nodes: ["\e[31m", b]`)
	d.Add(d.At("nodes"), "", "unknown node", "\x1b[31m", "b")
	require.ErrorContains(t, d.Err(), "want one of ?[31m, b")
}

func TestDecodeTwiceReportsOnce(t *testing.T) {
	d := parse(t, "model: x\nuntil: 3")
	first := d.Decode(&scenario{})
	require.Equal(t, first, d.Decode(&scenario{}))
}

func TestErrorAsJSON(t *testing.T) {
	d := parse(t, "model: x\nuntill: 3s")
	require.NoError(t, d.Set("seed", "x"))
	out, err := json.Marshal(d.Decode(&scenario{}))
	require.NoError(t, err)
	require.JSONEq(t, `{"problems": [
		{"file": "a.yaml", "line": 2, "column": 1, "text": "untill", "nearest": "until",
		 "message": "unknown key \"untill\"; did you mean \"until\"?",
		 "excerpt": "        2 | untill: 3s\n          | ^^^^^^"},
		{"file": "a.yaml", "set": "seed=x", "path": "seed", "text": "x",
		 "message": "\"x\" is not an integer: want digits such as 3"}]}`, string(out))
}

func TestRefusedValueIsReportedOnce(t *testing.T) {
	d := parse(t, "model: &x a\nvary: {seed: *x}")
	var s scenario
	require.Error(t, d.Decode(&s))
	v := s.Vary[0].Value
	v.Reject("a list", "[1, 2]")
	require.Equal(t, "", v.OneOf("a"))
	require.False(t, v.Decode(&s.Seed))
	require.Len(t, oneLine(d.Err()), 2)
}
