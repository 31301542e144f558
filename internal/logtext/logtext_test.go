package logtext

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/hostile"
)

func TestEach(t *testing.T) {
	var got []string
	keep := func(n int, line string) error {
		got = append(got, fmt.Sprintf("%d %q", n, line))
		return nil
	}
	assert.NoError(t, Each(strings.NewReader("\ufeffa\r\n\n\ufeffcut"), 1024, keep))
	assert.Equal(t, []string{`1 "a\n"`, `2 "\n"`, `3 "` + "\\ufeff" + `cut"`}, got)
}

func zipped(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func TestRefused(t *testing.T) {
	packed := zipped(t, strings.Repeat("a line\n", 1000))
	for text, want := range map[string]string{
		"\x1f\x8b\x08":                    "the log begins like a gzip, and is none: unexpected EOF",
		zipped(t, packed):                 "the log is gzipped twice: gunzip it once",
		packed[:len(packed)-4]:            "after line 1000: the gzip is damaged or cut here: unexpected EOF",
		"\x28\xb5\x2f\xfdabc":             "the log is packed with zstd: unpack it first, or pack it with gzip",
		"\xff\xfe\x00\x00":                "the log is UTF-32: convert it to UTF-8",
		"a\nb\x00\n":                      "line 2: zero byte: the file is binary, or was truncated while the process wrote it",
		"a\n" + strings.Repeat("x", 1025): "line 2: longer than 1 KiB",
		"a\nstop\n":                       "enough",
		zipped(t, strings.Repeat(strings.Repeat("x", 1023)+"\n", MaxSize>>10)) + zipped(t, "\n"): "the log is larger than 64 MiB: cut it at a line end",
	} {
		err := Each(strings.NewReader(text), 1024, func(_ int, line string) error {
			if line == "stop\n" {
				return errors.New("enough")
			}
			return nil
		})
		assert.EqualError(t, err, want)
	}
}

// R6: CR, LF and CRLF end a line alike, also where a buffer ends between CR and LF. UTF-16
// and gzip are the same text.
func TestSameLines(t *testing.T) {
	lines := []string{"first", "", "second \u00e9\U0001f600 line", strings.Repeat("y", 1022), "2 last"}
	for _, v := range hostile.Variants(lines) {
		if !v.Same {
			continue
		}
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(v.Data), "one byte": iotest.OneByteReader(bytes.NewReader(v.Data)),
			"half": iotest.HalfReader(bytes.NewReader(v.Data)), "data with EOF": iotest.DataErrReader(bytes.NewReader(v.Data))} {
			var got []string
			err := Each(r, 1024, func(n int, line string) error {
				got = append(got, strings.TrimSuffix(line, "\n"))
				assert.Len(t, got, n)
				return nil
			})
			require.NoError(t, err, v.Name+" "+name)
			require.Equal(t, lines, got, v.Name+" "+name)
		}
		text, err := io.ReadAll(Reader(iotest.HalfReader(bytes.NewReader(v.Data)), Options{MaxLine: 1024}))
		require.NoError(t, err)
		require.Equal(t, strings.Join(lines, "\n"), strings.TrimSuffix(string(text), "\n"), v.Name)
	}
}

// Whatever the bytes, the lines are those of a text whose ends have been made LF.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\rb\r\n\nc"), uint8(3))
	f.Add([]byte(strings.Repeat("0123456789", 20)+"\rx"), uint8(100))
	f.Fuzz(func(t *testing.T, text []byte, most uint8) {
		l, err := New(iotest.HalfReader(bytes.NewReader(text)), Options{MaxLine: int(most) + 1})
		if err != nil || l.Gzip || l.UTF16 {
			return
		}
		plain := strings.TrimPrefix(string(text), "\ufeff")
		plain = strings.ReplaceAll(strings.ReplaceAll(plain, "\r\n", "\n"), "\r", "\n")
		want := strings.Split(plain, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for i, w := range want {
			line, ok := l.Next()
			switch {
			case !ok || l.N != int64(i+1):
				t.Fatalf("line %d of %d is missing", i+1, len(want))
			case l.Long != (len(w) > int(most)):
				t.Fatalf("line %d of %d bytes: too long: %v", i+1, len(w), l.Long)
			case l.Long && !strings.HasPrefix(w, string(line)) || !l.Long && string(line) != w:
				t.Fatalf("line %d is %q, want %q", i+1, line, w)
			}
		}
		if line, ok := l.Next(); ok || l.Err() != nil {
			t.Fatalf("%q after the last line, %v", line, l.Err())
		}
	})
}

// A gzip that is a thousand times as large when it is unpacked is not unpacked to its end.
func TestBound(t *testing.T) {
	l, err := New(strings.NewReader(zipped(t, strings.Repeat("\n", 10<<20))), Options{MaxLine: 1024, MaxSize: 1 << 20})
	require.NoError(t, err)
	for ok := true; ok; {
		_, ok = l.Next()
	}
	require.EqualError(t, l.Err(), "the log is larger than 1 MiB: cut it at a line end")
	require.EqualValues(t, 1<<20, l.N)
}

func BenchmarkLines(b *testing.B) {
	text := strings.Repeat(strings.Repeat("x", 199)+"\n", 10_000)
	b.SetBytes(200)
	b.ReportAllocs()
	l, _ := New(strings.NewReader(""), Options{MaxLine: 64 << 10})
	for b.Loop() {
		if _, ok := l.Next(); !ok {
			l, _ = New(strings.NewReader(text), Options{MaxLine: 64 << 10})
		}
	}
}
