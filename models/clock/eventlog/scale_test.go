package eventlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
)

// A run is a history and what a log says of it.
type run struct {
	history *clock.History
	clocks  []clock.Vector
	log     string
}

// randomRun is a run in which hosts do something, send, and receive what was sent of
// late; keep is whether to keep the clocks.
func randomRun(t testing.TB, r *rand.Rand, hosts, events int) run {
	var b bytes.Buffer
	names := make([]string, hosts)
	for i := range names {
		names[i] = fmt.Sprintf("host%d", i)
	}
	w, err := NewWriter(&b, names...)
	require.NoError(t, err)
	h, err := clock.NewHistory(hosts)
	require.NoError(t, err)
	now := make([]clock.Vector, hosts)
	for p := range now {
		now[p] = make(clock.Vector, hosts)
	}
	const lately = 256
	var sent [lately]clock.Vector
	for i := range sent {
		sent[i] = make(clock.Vector, hosts)
	}
	x := run{history: h}
	for i := range events {
		p, text := r.IntN(hosts), "something"
		if from := i - 1 - r.IntN(lately/2); from >= 0 && r.IntN(2) == 0 && h.Process(clock.Event(from)) != p {
			_, err = h.Receive(p, clock.Event(from))
			require.NoError(t, err)
			require.NoError(t, now[p].Receive(p, sent[from%lately]))
			text = "receives"
		} else {
			_, err = h.Local(p)
			require.NoError(t, err)
			now[p].Tick(p)
		}
		copy(sent[i%lately], now[p])
		require.NoError(t, w.Add(p, now[p], text))
		if events < 1000 {
			x.clocks = append(x.clocks, append(clock.Vector{}, now[p]...))
		}
	}
	require.NoError(t, w.Flush())
	x.log = b.String()
	return x
}

// A log of a million events is read and checked, without -whole a tenth of it. It has
// the pairs that the oracle counts.
func TestMillion(t *testing.T) {
	events := 100_000
	if whole.Tests() {
		events = 1_000_000
	}
	x := randomRun(t, rand.New(rand.NewPCG(1, 2)), 8, events)
	l, err := Read(strings.NewReader(x.log), Options{})
	require.NoError(t, err)
	require.Len(t, l.Events, events)
	o := l.Order(10)
	require.True(t, o.Consistent(), o.String())
	ordered, concurrent := x.history.Pairs()
	require.Equal(t, ordered, o.Ordered)
	require.Equal(t, concurrent, o.Concurrent)
	require.Len(t, o.Sequence, events)
}

func BenchmarkRead(b *testing.B) {
	const events = 100_000
	x := randomRun(b, rand.New(rand.NewPCG(1, 2)), 8, events)
	eventFirst := EventFirst + "\n\n" + swap(x.log)
	for name, log := range map[string]string{"host-first": x.log, "event-first": eventFirst} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(strings.NewReader(log), Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
		})
	}
}

// swap puts each event before its clock.
func swap(log string) string {
	lines := strings.Split(log, "\n")[2:]
	var b strings.Builder
	for i := 0; i+1 < len(lines); i += 2 {
		b.WriteString(lines[i+1] + "\n" + lines[i] + "\n")
	}
	return b.String()
}

func BenchmarkOrder(b *testing.B) {
	const events = 100_000
	x := randomRun(b, rand.New(rand.NewPCG(1, 2)), 8, events)
	l, err := Read(strings.NewReader(x.log), Options{})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if o := l.Order(10); !o.Consistent() {
			b.Fatal(o)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
}
