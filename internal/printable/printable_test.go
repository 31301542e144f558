package printable

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestEscapeLeavesWhatPrints(t *testing.T) {
	for _, s := range []string{"", "plain\ttext\n", "über 3 µs ± 1 … ─ 中文", "a\u00a0b", "😀"} {
		require.Equal(t, s, string(Escape(nil, []byte(s))))
		require.Equal(t, s, string(EscapeJSON(nil, []byte(s))))
	}
}

func TestEscapeShowsControlCharactersAsText(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b]0;pwn\x07": `\x1b]0;pwn\x07`,
		"a\rb":           `a\x0db`,
		"\x7f":           `\x7f`,
		"\u0085\u009b":   `\u0085\u009b`,
		"\u202eevil":     `\u202eevil`,
		"\u2066x\u2069":  `\u2066x\u2069`,
		"\u2028\ufeff":   `\u2028\ufeff`,
		"\xff\xc3":       `\xff\xc3`,
		"\U000e0041":     `\udb40\udc41`,
		"\ufffd":         "\ufffd",
	} {
		require.Equal(t, want, string(Escape(nil, []byte(in))), "%q", in)
	}
}

func TestEscapeJSONKeepsTheValue(t *testing.T) {
	for _, s := range []string{"\x7f\u0080\u009f", "\u202ename\u2069", "\U000e0041", "a\x1bb", "<&>"} {
		raw, err := json.Marshal(s)
		require.NoError(t, err)
		escaped := EscapeJSON(nil, raw)
		for _, r := range string(escaped) {
			require.True(t, Harmless(r), "%q", escaped)
		}
		var back string
		require.NoError(t, json.Unmarshal(escaped, &back))
		require.Equal(t, s, back)
	}
}

func TestAWriterKeepsACharacterThatComesInTwoWrites(t *testing.T) {
	text := []byte("ab über\x1b 中\u202e😀\xff end\xe4\xb8")
	for cut := range text {
		var b bytes.Buffer
		w := NewWriter(&b)
		for _, part := range [][]byte{text[:cut], text[cut:]} {
			n, err := w.Write(part)
			require.NoError(t, err)
			require.Len(t, part, n)
		}
		require.NoError(t, w.Flush())
		require.Equal(t, string(Escape(nil, text)), b.String(), "cut at %d", cut)
	}
}

func TestAWriterForColorsPassesThoseOfOursOnly(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Colors = true
	_, err := w.Write([]byte("\x1b[1;31mVIOLATED\x1b[0m \x1b[2J \x1b]0;x\x07 \x1b[1;31 \x1b"))
	require.NoError(t, err)
	require.Equal(t, "\x1b[1;31mVIOLATED\x1b[0m "+`\x1b[2J \x1b]0;x\x07 \x1b[1;31 \x1b`, b.String())
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("\x1b[31m"), 1)
	f.Add([]byte("\xe2\x80\xae"), 2)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		whole := Escape(nil, b)
		require.True(t, utf8.Valid(whole))
		for _, r := range string(whole) {
			require.True(t, Harmless(r))
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		cut = min(max(cut, 0), len(b))
		_, _ = w.Write(b[:cut])
		_, _ = w.Write(b[cut:])
		require.NoError(t, w.Flush())
		require.Equal(t, whole, out.Bytes(), "in two writes as in one")
		again := Escape(nil, whole)
		require.Equal(t, whole, again, "what is harmless stays")
	})
}

func BenchmarkEscape(b *testing.B) {
	line := bytes.Repeat([]byte("     10.005s  client-1 acquired the lock, until 20.003s\n"), 1000)
	buffer := Escape(nil, line)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		buffer = Escape(buffer[:0], line)
	}
}
