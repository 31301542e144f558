package accesslog

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/internal/hostile"
)

// FuzzReader checks that no input makes a Reader panic, and what holds of every log, also
// through gzip: lines are requests or are counted, nothing that is printed is obeyed by a
// terminal, and the order of the lines does not matter.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds in testdata", err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		text = text[:min(len(text), 1500)]
		f.Add(text, "", uint16(60), 0)
		f.Add(text[:len(text)/2], []string{Agent, Path, User}[i%3], uint16(0), 64)
		lines := strings.Split(string(text), "\n")
		f.Add(hostile.Named(lines, "gzip-members").Data, "", uint16(60), 0)
		f.Add(hostile.Named(lines, "utf16le-bom").Data, "", uint16(60), 0)
		f.Add(hostile.Named(lines, "docker-json").Data, "", uint16(60), 0)
	}
	f.Add([]byte(combinedLine), Method, uint16(1), 0)
	f.Fuzz(func(t *testing.T, text []byte, key string, seconds uint16, prefix int) {
		o := Options{Key: key, Horizon: time.Duration(seconds) * time.Second, Prefix6: prefix, MaxSize: 1 << 20}
		plain := outcome(t, text, o)
		if plain.Used == 0 || plain.Gzip {
			return
		}
		packed := outcome(t, hostile.Gzip(string(text)), o)
		if plain.Gzip = true; packed.Text("x")[0] != plain.Text("x")[0] {
			t.Fatalf("%v\nand through gzip\n%v", plain.Text("x"), packed.Text("x"))
		}
	})
}

// outcome reads a log to its end, and checks what holds of every one.
func outcome(t *testing.T, text []byte, o Options) Summary {
	r, err := NewReader(bytes.NewReader(text), o)
	if err != nil {
		noControl(t, err.Error())
		return Summary{}
	}
	n, last := int64(0), int64(0)
	for {
		q, ok := r.Next()
		if !ok {
			break
		}
		n++
		if int64(q.At) < last {
			t.Fatalf("%d after %d", q.At, last)
		}
		last = int64(q.At)
		if name, ok := r.Name(q.Key); ok {
			noControl(t, name)
		}
	}
	if err := r.Err(); err != nil {
		noControl(t, err.Error())
	}
	s := r.Summary()
	header := int64(0)
	if s.Format == CSV {
		header = 1
	}
	noControl(t, strings.Join(s.Text("x\x1b[31m"), "\n"))
	switch {
	case n != s.Used:
		t.Fatalf("%d requests, %d used", n, s.Used)
	case s.Used+s.Late+s.Malformed+s.Blank+header != s.Lines:
		t.Fatalf("the lines do not add up: %+v", s)
	case int64(len(s.Problems)) != min(s.Malformed, shown):
		t.Fatalf("%d of %d problems shown", len(s.Problems), s.Malformed)
	case n > 0 && (s.Last != last || s.First < 0 || s.Last >= end*second):
		t.Fatalf("from %d to %d", s.First, s.Last)
	case s.Late > 0:
		t.Fatalf("%d late of %d lines", s.Late, s.Lines)
	case len(s.Text("x")) != 1+len(s.Problems):
		t.Fatal("a line is missing")
	}
	return s
}

// FuzzClock compares with the standard library.
func FuzzClock(f *testing.F) {
	f.Add("17/May/2015:10:05:03 +0200", "2015-05-17T10:05:03.25+02:00")
	f.Add("29/Feb/1999:00:00:00 -2359", "1970-01-01T00:00:00Z")
	f.Fuzz(func(t *testing.T, common, rfc string) {
		var c, d clock
		if want, err := time.Parse("02/Jan/2006:15:04:05 -0700", common); err == nil && want.Format("02/Jan/2006:15:04:05 -0700") == common {
			got, reason := c.common([]byte(common))
			if inRange(want) && (reason != "" || got != want.UnixNano()) {
				t.Fatalf("%s: %d %s, want %v", common, got, reason, want)
			}
		}
		if want, err := time.Parse(time.RFC3339Nano, rfc); err == nil && want.Format(time.RFC3339Nano) == rfc {
			got, reason := d.rfc3339([]byte(rfc))
			if inRange(want) && (reason != "" || got != want.UnixNano()) {
				t.Fatalf("%s: %d %s, want %v", rfc, got, reason, want)
			}
		}
	})
}

// inRange leaves out years that no log is of, and offsets of a day or more, which the
// standard library reads and no zone has.
func inRange(t time.Time) bool {
	_, offset := t.Zone()
	return t.Unix() >= 0 && t.Unix() < end && offset > -86400 && offset < 86400
}

// Whatever is within the horizon comes out sorted, and in the order of the log where
// the times are equal; and so does all, if it is not more than is held.
func TestOrderIsStableSort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		horizon := time.Duration(r.Int64N(20)) * time.Second
		o := newOrder(horizon, 1000)
		o.least = 1 + r.IntN(400)
		o.limit = 2 * o.least
		apart := []int64{second, 3 * second, 1e6 * second}[r.IntN(3)]
		back := []int64{25, 25, 2000}[r.IntN(3)] // a few lines, or all of them
		var want, got []entry
		now := int64(4e9) * second
		late := 0
		for i := range uint64(600) {
			now += r.Int64N(apart)
			e := entry{now - r.Int64N(back*apart), i}
			if o.push(e) {
				want = append(want, e)
			} else {
				late++
				require.Less(t, e.at, o.newest-int64(horizon))
				require.Greater(t, len(want), o.least)
			}
			for e, ok := o.pop(); ok; e, ok = o.pop() {
				got = append(got, e)
			}
		}
		for o.flush() {
			for e, ok := o.pop(); ok; e, ok = o.pop() {
				got = append(got, e)
			}
		}
		slices.SortStableFunc(want, func(a, b entry) int { return compare(a.at, b.at) })
		require.Equal(t, want, got)
		require.Len(t, want, 600-late)
		if o.least > 300 {
			require.Zero(t, late)
		}
	}
}

// Memory is bounded within the horizon, too.
func TestCrowd(t *testing.T) {
	o := newOrder(MaxHorizon, 1000)
	for i := range int64(10_000) {
		require.True(t, o.push(entry{i * second / 10, 1}))
		for _, ok := o.pop(); ok; {
			_, ok = o.pop()
		}
		require.LessOrEqual(t, len(o.held), 1000)
	}
	require.Positive(t, o.crowded)
}
