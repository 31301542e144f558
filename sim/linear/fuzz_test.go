package linear

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// FuzzLoad checks of each input that it is read or refused; that neither the reason nor
// the verdict has a control character; that each event and each line is accounted for;
// and that the history comes back from JSON as it was.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds in testdata", err)
	}
	for _, file := range files {
		seed, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, "", true)
		f.Add(seed[:len(seed)/2], JSON, false)
	}
	f.Add([]byte("0\t:invoke\t:\x1b[31m\t7\n"), "", false)
	f.Add([]byte("{:process 0, :type :invoke, :f :write, :value :a\u0085\x7f}"), EDN, false)
	f.Add([]byte(`{"client":0,"op":"\u001b","call":1}`), JSON, false)
	f.Fuzz(func(t *testing.T, data []byte, format string, mismatch bool) {
		if format != Jepsen && format != EDN && format != JSON {
			format = ""
		}
		h, err := Load(bytes.NewReader(data), "h", Options{Format: format, Mismatch: mismatch})
		if (h == nil) == (err == nil) {
			t.Fatalf("history %v and error %v", h, err)
		}
		if err != nil {
			printable(t, strings.TrimSuffix(err.Error(), strings.TrimPrefix(errNoOperation.Error(), "want a history, got no operation. Lines of one look like")))
			return
		}
		accounted(t, h, data)
		r, err := Check(context.Background(), &h.History, Limits{Steps: 1000, Memory: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		printable(t, r.Why+r.Bound+h.Note)
		roundTrip(t, &h.History)
	})
}

func printable(t *testing.T, text string) {
	t.Helper()
	if strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) >= 0 {
		t.Fatalf("a control character in %q", text)
	}
}

// accounted checks that no event and no line is left out in silence.
func accounted(t *testing.T, h *File, data []byte) {
	t.Helper()
	ends := 0
	for i := range h.Ops {
		if h.Format == JSON || h.Ops[i].Return != 0 {
			ends++
		}
	}
	if h.Format == JSON {
		ends = 0
	}
	if h.Events != len(h.Ops)+ends {
		t.Fatalf("%d events of %d operations with %d ends", h.Events, len(h.Ops), ends)
	}
	if h.Format != Jepsen {
		return
	}
	lines := 0
	for _, line := range strings.FieldsFunc(strings.TrimPrefix(string(data), "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.Trim(line, blanks) != "" {
			lines++
		}
	}
	if lines != h.Events+h.Ignored+h.Unread || h.Unread*10 > lines {
		t.Fatalf("%d lines: %d of events, %d ignored, %d not read", lines, h.Events, h.Ignored, h.Unread)
	}
}
