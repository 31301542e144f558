package gclog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
)

// FuzzRead checks that no input makes Read panic, what holds for every log it accepts, and
// that no control character comes out of it.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds in testdata", err)
	}
	for _, file := range files {
		seed, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, "")
		f.Add(seed[:len(seed)/2], GC)
	}
	f.Add([]byte("series,pause_ms\n\x1b[31m,1\n\x7f,2\n"), "")
	f.Fuzz(func(t *testing.T, data []byte, want string) {
		var series []string
		if want != "" {
			series = append(series, want)
		}
		log, err := Read(bytes.NewReader(data), series...)
		if (log == nil) == (err == nil) {
			t.Fatalf("log %v and error %v", log, err)
		}
		if err != nil {
			printable(t, err.Error())
			return
		}
		checkLog(t, log)
		printable(t, log.Series+strings.Join(log.Found, "")+log.Summary().String())
		for _, p := range log.Problems {
			printable(t, p.String())
		}
	})
}

func printable(t *testing.T, text string) {
	t.Helper()
	if strings.IndexFunc(strings.ReplaceAll(text, "\n", ""), unicode.IsControl) >= 0 {
		t.Errorf("a control character in %q", text)
	}
}

func checkLog(t *testing.T, log *Log) {
	switch {
	case log.Used+log.Ignored+log.Bad != log.Lines:
		t.Errorf("%d used + %d ignored + %d bad is not %d lines", log.Used, log.Ignored, log.Bad, log.Lines)
	case log.Used <= 0 || log.Ignored < 0 || log.Bad < 0:
		t.Errorf("%d used, %d ignored, %d bad", log.Used, log.Ignored, log.Bad)
	case len(log.Pauses) < log.Used:
		t.Errorf("%d pauses on %d lines", len(log.Pauses), log.Used)
	case len(log.Problems) > maxProblems || log.Bad > 0 && len(log.Problems) == 0:
		t.Errorf("%d problems on %d bad lines", len(log.Problems), log.Bad)
	}
	var total time.Duration
	for _, p := range log.Pauses {
		if p.For < 0 || p.For > MaxPause || p.At < -1 {
			t.Errorf("pause %+v", p)
		}
		total += p.For
	}
	if s := log.Summary(); s.Total != total || s.P50 > s.P99 || s.P99 > s.Max || s.Count != len(log.Pauses) {
		t.Errorf("summary %v", s)
	}
}
