package gclog

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzRead checks that no input makes Read panic, and what holds for every log it accepts.
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
	f.Fuzz(func(t *testing.T, data []byte, want string) {
		var series []string
		if want != "" {
			series = append(series, want)
		}
		log, err := Read(bytes.NewReader(data), series...)
		if (log == nil) == (err == nil) {
			t.Fatalf("log %v and error %v", log, err)
		}
		if err == nil {
			checkLog(t, log)
		}
	})
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
