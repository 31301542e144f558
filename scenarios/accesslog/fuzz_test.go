package accesslog

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzReader checks that no input makes a Reader panic, and what holds of every log.
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
		f.Add(text, "", uint16(60), 0)
		f.Add(text[:len(text)/2], []string{Agent, Path, User}[i%3], uint16(0), 64)
	}
	f.Add([]byte(combinedLine), Method, uint16(1), 0)
	f.Fuzz(func(t *testing.T, text []byte, key string, seconds uint16, prefix int) {
		horizon := time.Duration(seconds) * time.Second
		r, err := NewReader(bytes.NewReader(text), Options{Key: key, Horizon: horizon, Prefix6: prefix})
		if err != nil {
			return
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
		}
		s := r.Summary()
		header := int64(0)
		if s.Format == CSV {
			header = 1
		}
		switch {
		case n != s.Used || n == 0:
			t.Fatalf("%d requests, %d used", n, s.Used)
		case s.Used+s.Late+s.Malformed+s.Blank+header != s.Lines:
			t.Fatalf("the lines do not add up: %+v", s)
		case int64(len(s.Problems)) != min(s.Malformed, shown):
			t.Fatalf("%d of %d problems shown", len(s.Problems), s.Malformed)
		case s.Last != last || s.First < 0 || s.Last >= end*second:
			t.Fatalf("from %d to %d", s.First, s.Last)
		}
		if len(s.Text("x")) != 1+len(s.Problems) {
			t.Fatal("a line is missing")
		}
	})
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

func inRange(t time.Time) bool { return t.Unix() >= 0 && t.Unix() < end }

// Whatever is within the horizon comes out sorted, and in the order of the log where
// the times are equal.
func TestOrderIsStableSort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		horizon := time.Duration(r.Int64N(20)) * time.Second
		o := newOrder(horizon)
		var want, got []entry
		now := int64(1000) * second
		newest := now
		take := func() {
			for e, ok := o.pop(); ok; e, ok = o.pop() {
				got = append(got, e)
			}
		}
		for i := range uint64(300) {
			now += r.Int64N(3 * second)
			if r.IntN(50) == 0 {
				now += r.Int64N(100 * second)
			}
			e := entry{now - r.Int64N(25*second), i}
			late := e.at < newest-int64(horizon) && i > 0
			if ok := o.push(e); ok == late {
				t.Fatalf("taken: %v, late: %v", ok, late)
			} else if ok {
				want = append(want, e)
			}
			if i == 0 {
				newest = e.at
			}
			newest = max(newest, e.at)
			take()
		}
		for o.flush() {
			take()
		}
		slices.SortStableFunc(want, func(a, b entry) int { return int(max(min(a.at-b.at, 1), -1)) })
		require.Equal(t, want, got)
	}
}

// Memory is bounded within the horizon, too.
func TestCrowd(t *testing.T) {
	o := newOrder(MaxHorizon)
	o.push(entry{1000 * second, 1})
	for i := range 10 {
		o.push(entry{int64(1001+i) * second, 2})
	}
	o.pending = MaxPending
	require.True(t, o.push(entry{1010 * second, 3}))
	require.EqualValues(t, 1, o.crowded)
	e, ok := o.pop()
	require.True(t, !ok || e.at < 1010*second)
}
