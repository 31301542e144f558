package compare

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// listLog is a log of some requests.
type listLog struct {
	list  []traffic.Request
	grain time.Duration
}

func (l *listLog) Next() (q traffic.Request, ok bool) {
	if len(l.list) > 0 {
		q, l.list, ok = l.list[0], l.list[1:], true
	}
	return q, ok
}
func (l *listLog) Err() error                 { return nil }
func (l *listLog) Close() error               { return nil }
func (l *listLog) Read() (done, total int64)  { return 0, 1 }
func (l *listLog) Text() []string             { return []string{"read"} }
func (l *listLog) LeftOut() (n, of int64)     { return 0, int64(len(l.list)) }
func (l *listLog) Grain() time.Duration       { return l.grain }
func (l *listLog) Cut() string                { return "" }
func (l *listLog) Name(uint64) (string, bool) { return "x", true }

// replayOf is the replay of some requests, whose times are cut to whole steps.
func replayOf(t *testing.T, p Params, grain time.Duration, list []traffic.Request) *Replay {
	cut := slices.Clone(list)
	for i := range cut {
		cut[i].At -= cut[i].At % sim.Time(grain)
	}
	p.Traffic.AccessLog = traffic.Log{Path: "x.log", Open: func(traffic.LogOptions) (traffic.Recorded, error) { return &listLog{cut, grain}, nil }}
	_, w := program(t, p)
	w.Run(1)
	require.NoError(t, w.Err())
	return w
}

// drawn is requests of three clients, some of them in bursts.
func drawn(seed uint64, n int) (list []traffic.Request) {
	r := rand.New(rand.NewPCG(seed, 0))
	at := sim.Time(time.Hour)
	for range n {
		if r.IntN(3) > 0 {
			at += sim.Time(r.Int64N(int64(400 * time.Millisecond)))
		}
		list = append(list, traffic.Request{At: at, Key: r.Uint64N(3), Cost: 1})
	}
	return list
}

// Whatever the times within their steps were, an exact log refuses as many as is said.
func TestBoundsOfSteps(t *testing.T) {
	grain := time.Second
	for seed := range uint64(200) {
		rules := Rules{Limit: 1 + int64(seed%5), Window: time.Duration(seed%7+1) * 500 * time.Millisecond, Burst: 1, Buckets: 1}
		list := drawn(seed, 200)
		truth, _ := New(rules, nil)
		s := newSteps(rules, nil, grain)
		for _, q := range list {
			truth.Add(q)
			q.At -= q.At % sim.Time(grain)
			s.add(q)
		}
		truth.Finish()
		least, most := s.finish()
		is := truth.refusedByExact()
		require.LessOrEqual(t, least, is, "seed %d", seed)
		require.GreaterOrEqual(t, most, is, "seed %d", seed)
		require.Less(t, least, most)
	}
}

// Bursty clients have fewer requests refused than their whole seconds say, and the text has both.
func TestCoarseTimes(t *testing.T) {
	var list []traffic.Request
	for i := range 1000 { // 20 a second, 50 ms apart
		list = append(list, traffic.Request{At: sim.Time(time.Hour) + sim.Time(i)*sim.Time(50*time.Millisecond), Key: 1, Cost: 1})
	}
	p := DefaultParams()
	p.Limit, p.Burst, p.Window = 15, 5, time.Second
	refused := func(grain time.Duration) int64 { return replayOf(t, p, grain, list).done.Columns[0].Refused }
	truth, bunched := refused(time.Millisecond), refused(time.Second)
	assert.EqualValues(t, 246, truth)
	assert.EqualValues(t, 750, bunched)

	w := replayOf(t, p, time.Second, list)
	text := strings.Join(w.Input(), "\n")
	assert.Contains(t, text, "times are in steps of 1s, more than a tenth of the window of 1s: an exact log refuses 250 to 625 of 1000 requests, depending on when in their step they came")
	assert.Contains(t, text, "  token-bucket refuses 750 if requests with the same time came at once, as in the table, and 246 if each client spread them over the step")
	assert.Contains(t, w.Caution(), "its times are in steps of 1s, coarse for a window of 1s: an exact log refuses 250 to 625 of 1000")

	p.Window = 10 * time.Second
	w = replayOf(t, p, time.Second, list)
	assert.NotContains(t, strings.Join(w.Input(), "\n"), "times are in steps", "a tenth of the window is fine enough")
	assert.NotContains(t, w.Caution(), "steps")

	p.Window = 300 * time.Millisecond // no two requests are in one for certain
	assert.Contains(t, replayOf(t, p, time.Second, list).Caution(), "an exact log refuses 0 to ")
}

// The bounds keep to the memory of the run.
func TestMemoryOfSteps(t *testing.T) {
	p := DefaultParams()
	p.Window = time.Second
	var list []traffic.Request
	for i := range uint64(20_000) {
		list = append(list, traffic.Request{At: sim.Time(time.Hour), Key: i % 500, Cost: 1})
	}
	p.Traffic.AccessLog = traffic.Log{Path: "x.log", Open: func(traffic.LogOptions) (traffic.Recorded, error) { return &listLog{list, time.Second}, nil }}
	_, w := program(t, p)
	w.Run(1)
	w.Bound(w.done.Memory() + 1)
	w.Run(1)
	require.NoError(t, w.Err())
	assert.Contains(t, w.Caution(), "coarse for a window of 1s")
	assert.Contains(t, strings.Join(w.Input(), "\n"), "best and worst case are not known: they take more than the bound of memory: raise --memory")
}

// Any window can be compared, also one that the sub-windows do not divide.
func TestAnyWindow(t *testing.T) {
	for _, window := range []time.Duration{1, 59, time.Second, 7*time.Second + 1, time.Hour/7 + 1} {
		p := DefaultParams()
		p.Window = window
		_, w := program(t, p)
		for i, f := range w.Run(1).Properties {
			assert.NotEqual(t, sim.Violated, f.Verdict, "%v: %s", window, w.Why(i))
		}
	}
	sub := (&Rules{Limit: 1, Window: time.Second, Buckets: 60}).subWindows(false)
	assert.Equal(t, 60*(time.Second/60+1), sub.Window)
}
