package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/models/clock/script"
)

// FuzzRead: whatever the text, it is a log whose order can be asked for, or a mistake
// that lies in the text. A log that is written and read again says the same.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text), "", "")
	}
	f.Add(ab, EventFirst, "")
	f.Add(govector, HostFirst, `^(?<trace>bob)`)
	f.Add("x\na {\"a\":1,\"b\":281474976710655,\"c\":0}\n", `(?<event>\w+)\s*(?<host>\S)\s(?<clock>[^\n]*)`, "")
	f.Fuzz(func(t *testing.T, text, x, delimiter string) {
		l, err := Read(strings.NewReader(text), Options{Expression: x, Delimiter: delimiter, Execution: map[bool]string{true: "1"}[delimiter != ""]})
		if err != nil {
			var mistakes script.Mistakes
			if errors.As(err, &mistakes) {
				requireInside(t, mistakes, text)
			}
			return
		}
		o := l.Order(5)
		if !o.Consistent() {
			if len(o.Inconsistencies) == 0 && o.Found[Circle] == 0 {
				t.Fatal("no reason is given")
			}
		} else {
			requireSameAgain(t, l, o)
		}
		if o.Counted {
			l.Concurrents(o, 100)
		}
	})
}

func requireInside(t *testing.T, mistakes script.Mistakes, text string) {
	lines := strings.Split(text, "\n")
	for _, m := range mistakes {
		if m.Line < 1 || m.Line > len(lines) || m.Column < 1 || m.Column > len(lines[m.Line-1])+len("\ufeff")+1 {
			t.Fatalf("%v is not in the text", m)
		}
	}
}

// requireSameAgain writes a log and reads it.
func requireSameAgain(t *testing.T, l *Log, o *Order) {
	if len(l.Hosts) > 100 || len(l.Events) > 1000 {
		return
	}
	var b bytes.Buffer
	w, err := NewWriter(&b, l.Hosts...)
	require.NoError(t, err)
	for i, e := range l.Events {
		require.NoError(t, w.Add(int(e.Host), l.Vector(i), e.Text))
	}
	require.NoError(t, w.Flush())
	m, err := Read(&b, Options{})
	require.NoError(t, err, b.String())
	require.Len(t, m.Events, len(l.Events))
	for i, e := range m.Events {
		require.Equal(t, CleanText(l.Events[i].Text), e.Text)
		require.Equal(t, w.Host(int(l.Events[i].Host)), m.Hosts[e.Host])
	}
	p := m.Order(5)
	require.Equal(t, o.Sequence, p.Sequence)
	require.Equal(t, o.Stamps, p.Stamps)
	require.Equal(t, [2]uint64{o.Ordered, o.Concurrent}, [2]uint64{p.Ordered, p.Concurrent})
}

// FuzzRoundTrip: a run that is written and read has the order of its history.
func FuzzRoundTrip(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(20))
	f.Add(uint64(2), uint8(1), uint8(1))
	f.Add(uint64(3), uint8(9), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, hosts, events uint8) {
		x := randomRun(t, rand.New(rand.NewPCG(seed, 0)), 1+int(hosts%16), 1+int(events%64))
		l, err := Read(strings.NewReader(x.log), Options{})
		require.NoError(t, err)
		require.Len(t, l.Events, x.history.Len())
		for a := range l.Events {
			e := clock.Event(a)
			require.Equal(t, fmt.Sprintf("host%d:%d", x.history.Process(e), x.history.Index(e)), l.Name(a))
			for b := range l.Events {
				if want := x.history.Relation(e, clock.Event(b)); l.Relation(a, b) != want {
					t.Fatalf("%s %v %s: want %v", l.Name(a), l.Relation(a, b), l.Name(b), want)
				}
			}
		}
		o := l.Order(1)
		require.True(t, o.Consistent())
		requireSameAgain(t, l, o)
	})
}

// CleanText and CleanHost change nothing that they have cleaned, and leave no space in a
// host and no end of a line in a text.
func FuzzClean(f *testing.F) {
	f.Add("a b")
	f.Add(" x")
	f.Add("x ")
	f.Add(" \u2028\xff\x00ü\u00a0")
	f.Fuzz(func(t *testing.T, s string) {
		text, host := CleanText(s), CleanHost(s)
		require.Equal(t, text, CleanText(text))
		require.Equal(t, host, CleanHost(host))
		require.Equal(t, strings.TrimSpace(text), text)
		require.NotEmpty(t, text)
		require.NotContains(t, text, "\n")
		require.Len(t, strings.Fields(host), 1)
		require.LessOrEqual(t, len(host), MaxName)
	})
}
