package clocklog

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"fencepost/sim"
)

// FuzzRead checks that no input makes Read panic, and what holds for every log it accepts:
// its course is one that a world accepts. No control character comes out of it.
func FuzzRead(f *testing.F) {
	for _, text := range []string{tracking, measurements, loopstats, ptp, csv} {
		f.Add(text, "", int64(0))
		f.Add(text[:len(text)/2], "", int64(7e9))
	}
	f.Add(strings.ReplaceAll(measurements, "203", "\x1b[31m"), "", int64(0))
	f.Add("t_ns,offset_s\n0,3e9\n0,-3e9\n1,3e9\n", CSV, int64(1))
	f.Fuzz(func(t *testing.T, text, format string, from int64) {
		l, err := Read(strings.NewReader(text), Options{Format: format})
		if (l == nil) == (err == nil) {
			t.Fatalf("log %v and error %v", l, err)
		}
		if err != nil {
			printable(t, strings.ReplaceAll(err.Error(), "\n", ""))
			return
		}
		printable(t, l.Summary())
		if len(l.Points) < 2 || l.Points[0].At != 0 || l.Ignored+len(l.Points) != l.Lines {
			t.Fatalf("%+v", l)
		}
		place := time.Duration(0)
		if span := l.Span(); span > 0 {
			place = time.Duration(uint64(from) % uint64(span))
		}
		changes, err := l.Course(place)
		if err != nil {
			if l.Span() > 0 {
				t.Fatal(err)
			}
			return
		}
		_, err = sim.NewWorld(sim.System[word]{Kinds: []string{"start"}, Nodes: []sim.Spec[word]{sim.Place[word]("a", nobody{})}},
			sim.Config{Until: 1, Faults: []sim.Fault{{Name: "log", Do: sim.FollowLog, Node: 1, Changes: changes}}})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func printable(t *testing.T, text string) {
	t.Helper()
	if strings.IndexFunc(text, unicode.IsControl) >= 0 {
		t.Fatalf("a control character in %q", text)
	}
}
