// Package gclog reads the stop-the-world pauses out of a real garbage collector
// log, so that a simulated node can be stopped when and for as long as a real
// process was.
//
// The format is found from the content: JDK 7 and 8 -XX:+PrintGCDetails, unified
// logging of JDK 9 and later (-Xlog:gc*,safepoint), GODEBUG=gctrace=1 of Go, and
// CSV. Concurrent phases are not pauses. Times go from decimal text to integer
// nanoseconds; no float is involved.
//
// A log may hold several series, and they overlap: a collection is inside a
// safepoint, which also holds the time the threads took to stop. In one log of a
// Solr server the longest collection is 15 s and the longest stop 77 s. So
// [Read] returns one series, the most complete one.
package gclog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"fencepost/internal/logtext"
	"fencepost/internal/text"
)

// Limits of [Read].
const (
	MaxSize   = logtext.MaxSize // bytes in a log, unpacked
	MaxLine   = 1 << 20         // bytes in a line
	MaxPauses = 2_000_000       // pauses in a log, over all series; their sum then fits a Duration
	MaxPause  = time.Hour       // a longer pause is a bad line
)

// Formats, the values of Log.Format.
const (
	Classic = "jdk8"    // JDK 7 and 8, -XX:+PrintGCDetails, -XX:+PrintGCApplicationStoppedTime
	Unified = "unified" // JDK 9 and later, -Xlog
	GoTrace = "gctrace" // Go, GODEBUG=gctrace=1
	CSV     = "csv"     // a table with a column such as pause_ms
)

// Series, the values of Log.Series. A CSV may bring names of its own.
const (
	Safepoint = "safepoint" // a whole stop: the Total of a unified Safepoint line
	App       = "app"       // a whole stop: "application threads were stopped"
	GC        = "gc"        // the collector's part of a stop
	Go        = "go"        // the two stops of a Go cycle
	Unnamed   = "csv"       // a CSV without a series column
)

// preference lists the series from the most complete to the least.
var preference = []string{Safepoint, App, GC, Go, Unnamed}

// A Pause is one stop of all application threads.
type Pause struct {
	// At is the start, as time since the process started; -1 if the log does
	// not say. Where the log stamps the end of a stop, At is the stamp minus For,
	// and 0 if that is negative. Most stamps are in milliseconds, so two
	// neighbours may seem to overlap by one.
	At time.Duration

	For  time.Duration // length, 0 to MaxPause
	Kind string        // the log's own words, such as "Pause Remark" or "GC (CMS Final Remark)"
}

// A Problem is a line that should hold a pause and does not.
type Problem = logtext.Problem

// A Log is what [Read] found. Used + Ignored + Bad is Lines.
type Log struct {
	Format string
	Series string   // the series of Pauses
	Found  []string // every series the log holds, the most complete first

	// Pauses are in the order of the log, which is the order in which they
	// ended. Where a second process wrote to the same log, At starts anew.
	Pauses []Pause

	Lines    int
	Used     int       // lines that gave a pause of Series
	Ignored  int       // lines that are no pause of Series
	Bad      int       // lines that should give a pause of Series and did not
	Problems []Problem // the first five bad lines

	// Doubtful is how many pauses have two lengths that differ by more than a tenth, the secs
	// and the real= of a JVM. They count with the longer. FirstDoubtful is the line of the first.
	Doubtful, FirstDoubtful int
}

// Doubts says how many pauses are doubtful, "" if none is.
func (l *Log) Doubts() string {
	if l.Doubtful == 0 {
		return ""
	}
	return fmt.Sprintf("%s with two lengths, secs and real=, that differ by more than a tenth, the first in line %d: the longer counts",
		text.Count(int64(l.Doubtful), "pause"), l.FirstDoubtful)
}

// Read reads a log and returns one series of its pauses: the first of want that
// the log holds, or, if want is empty, the most complete one ([Safepoint],
// [App], [GC], [Go], [Unnamed], else the only one).
//
// A last line without a line end that gives no pause, or a pause that is still
// open at the end, counts as one bad line, and so does a first line that is the rest of
// one with a pause: such logs were cut. It is an error if
// more than a tenth of the other lines that should give a pause are bad, if the
// log mixes formats, holds no pauses or none of want, is empty or binary, or
// exceeds [MaxSize], [MaxLine] or [MaxPauses].
func Read(r io.Reader, want ...string) (*Log, error) {
	rd := reader{kinds: map[string]string{}}
	if err := rd.readAll(r); err != nil {
		return nil, err
	}
	return rd.finish(want)
}

// ReadFile is [Read] on a file. Its errors name the path.
func ReadFile(path string, want ...string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	log, err := Read(f, want...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return log, nil
}

var errEmpty = errors.New("log is empty")

// noPauses says what the reader looked for and how to get it.
func noPauses(lines int) error {
	return fmt.Errorf(`no pauses in %d lines. Lines with a pause look like
  [2.029s][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 25M->5M(40M) 2.895ms
  [2.029s][safepoint] Safepoint "G1CollectForAllocation", ... Total: 2979181 ns
  6.062: [GC (Allocation Failure) ... 0.0532200 secs]
  gc 1 @0.058s 0%%: 0.01+1.9+0.02 ms clock, ...
Run the JVM with -Xlog:gc,safepoint:file=gc.log:uptime (JDK 8: -XX:+PrintGCDetails -XX:+PrintGCApplicationStoppedTime -Xloggc:gc.log), a Go program with GODEBUG=gctrace=1, or give a CSV with a column pause_ms`, lines)
}

// excerpt is the start of a text, for a message that quotes it.
func excerpt(s string) string { return text.Excerpt(s, 80) }
