package strict

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzDecode checks that no input panics, that every mistake is located inside
// the input, that a report can be printed, and that it is the same each time.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		good, small, "", "# x", "a: &a [*a]", "<<: {a: 1}\n? [x]\n: !!str y", "model: x\n---\nb: [", "a:\n\tb: 1",
		"model: \"\\e\"\nuntil: 'x\n  y'\nabout: |\n  a\n\n  b\n", strings.Repeat("[", 100), "é: 日本\r\nb: {c: d, c: e}\r\n",
	} {
		f.Add(text, "faults.0.for", "8061")
		f.Add(text, "faults.1.for.gclog", "{a: [b, c]}")
		f.Add(text, "vary.params.ttl.0", "\"5\": &a")
		f.Add(text, "clocks.a\x03\xff", "x")
	}
	f.Fuzz(func(t *testing.T, text, path, value string) {
		err := attempt(text, path, value)
		require.Equal(t, err, attempt(text, path, value))
		if e := (*Error)(nil); errors.As(err, &e) {
			checkReport(t, e, text)
		}
	})
}

func attempt(text, path, value string) error {
	d, err := Parse("a.yaml", []byte(text))
	if err != nil {
		return err
	}
	if err := d.Set(path, value); err != nil {
		return err
	}
	var s scenario
	err = d.Decode(&s)
	d.Add(d.At(path), value, "semantic", d.Root().Keys()...)
	return errors.Join(d.Err(), err)
}

func checkReport(t *testing.T, e *Error, text string) {
	require.NotEmpty(t, e.Problems)
	require.LessOrEqual(t, len(e.Problems), maxReported)
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	for i, p := range e.Problems {
		require.NotEmpty(t, p.Message)
		if i > 0 {
			require.LessOrEqual(t, e.Problems[i-1].compare(p.Position), 0, "in order")
		}
		if p.Line > 0 {
			require.LessOrEqual(t, p.Line, len(lines))
			require.LessOrEqual(t, p.Column, utf8.RuneCountInString(lines[p.Line-1])+1)
			require.Positive(t, p.Column)
		}
	}
	for _, r := range e.Error() {
		require.True(t, r == '\n' || unicode.IsPrint(r), "%q in %q", r, e.Error())
	}
}
