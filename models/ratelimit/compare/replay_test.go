package compare

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/nodeless"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

func program(t *testing.T, p Params) (sim.Program, *Replay) {
	t.Helper()
	require.Empty(t, p.Problems())
	q := p.Program()
	w, err := q.NewWorld(sim.Config{Until: sim.Time(time.Minute)})
	require.NoError(t, err)
	return q, w.(*Replay)
}

// "Cost above capacity (rejected forever, said so)."
func TestRejectedForEver(t *testing.T) {
	p := DefaultParams()
	c, problems := New(p.rules(), []string{"token-bucket", "sliding-log"})
	require.Empty(t, problems)
	limit := c.Rules.Limit
	for i := range int64(10) {
		c.Add(traffic.Request{At: sim.Time(i), Key: uint64(i), Cost: limit + i%2})
	}
	c.Finish()
	r := c.result(1)
	assert.Equal(t, "rejected-for-ever", measures(nil)[4].Name)
	assert.EqualValues(t, 5, r.Samples[4].Value)
	assert.EqualValues(t, 5, c.Columns[1].Refused)
}

func TestReplayOfGeneratedTraffic(t *testing.T) {
	p, w := program(t, DefaultParams())
	r := w.Run(1)
	again := w.Run(1)
	assert.Equal(t, r, again)
	assert.NotEqual(t, r.Digest, w.Run(2).Digest)
	assert.Greater(t, r.Steps, uint64(10_000))
	assert.Len(t, r.Samples, len(p.Measures))
	for i, s := range r.Samples {
		assert.Equal(t, i, s.Measure)
	}
	assert.Len(t, r.Properties, len(p.Properties))
	assert.LessOrEqual(t, r.End, sim.Time(time.Minute))
	assert.Equal(t, "gcra/admitted", p.Measures[5+len(aspects)].Name)
	assert.Empty(t, w.Input())
	assert.NoError(t, w.Err())
	assert.Empty(t, w.Path())
	assert.Empty(t, w.Why(0))
}

// The digest changes if any decision does.
func TestDigest(t *testing.T) {
	p := DefaultParams()
	_, w := program(t, p)
	p.Limit = 61
	_, other := program(t, p)
	assert.NotEqual(t, w.Run(1).Digest, other.Run(1).Digest)
	p.Limit, p.Traffic.For = 60, 30*time.Second
	_, other = program(t, p)
	assert.NotEqual(t, w.Run(1).Digest, other.Run(1).Digest)
	p.Traffic.For = time.Minute
	_, other = program(t, p)
	assert.Equal(t, w.Run(1), other.Run(1))
}

// fakeLog is requests of which some are over the limit.
type fakeLog struct {
	n      int
	keys   int // 0 is 3
	err    error
	closed *int
	cut    string
}

func (l *fakeLog) Next() (traffic.Request, bool) {
	l.n++
	keys := 3
	if l.keys > 0 {
		keys = l.keys
	}
	return traffic.Request{At: sim.Time(time.Hour) + sim.Time(l.n)*sim.Time(time.Millisecond), Key: uint64(l.n % keys), Cost: 1}, l.n <= 100_000
}
func (l *fakeLog) Err() error                   { return l.err }
func (l *fakeLog) Close() error                 { *l.closed++; return nil }
func (l *fakeLog) Read() (done, total int64)    { return int64(l.n), 100_000 }
func (l *fakeLog) Text() []string               { return []string{fmt.Sprintf("%d read", l.n)} }
func (l *fakeLog) LeftOut() (n, of int64)       { return 7, int64(l.n) }
func (l *fakeLog) Grain() time.Duration         { return time.Millisecond }
func (l *fakeLog) Cut() string                  { return l.cut }
func (l *fakeLog) Name(k uint64) (string, bool) { return fmt.Sprint("client-", k), k != 2 }

func logged(t *testing.T, err error) (*Replay, *int) {
	p, closed := DefaultParams(), new(int)
	p.Traffic.AccessLog = traffic.Log{Path: "x.log", Open: func(traffic.LogOptions) (traffic.Recorded, error) { return &fakeLog{err: err, closed: closed}, nil }}
	_, w := program(t, p)
	*closed = 0
	return w, closed
}

func TestReplayOfALog(t *testing.T) {
	w, closed := logged(t, nil)
	var parts []int64
	w.Ask(func(done, total int64) bool {
		assert.EqualValues(t, 100_000, total)
		parts = append(parts, done)
		return true
	})
	r := w.Run(1)
	assert.EqualValues(t, 100_000, r.Steps)
	assert.Equal(t, []int64{pace, 2 * pace, 3 * pace}, parts)
	assert.Equal(t, 1, *closed)
	assert.Equal(t, "x.log", w.Path())
	assert.Equal(t, 99_999*time.Millisecond, w.Span())
	assert.Equal(t, []string{"100001 read", "3 of 3 clients ask for more than 60 in 1m"}, w.Input())
	var whom []string
	w.EachRefused(func(name string, requests, refused int64) {
		whom = append(whom, fmt.Sprint(name, " ", requests, " ", refused))
	})
	assert.Equal(t, []string{"client-1 33334 33214", "a client (0000000000000002) 33333 33213", "client-0 33333 33213"}, whom)
	assert.Empty(t, w.Caution())
}

func TestInterrupted(t *testing.T) {
	w, closed := logged(t, nil)
	w.Ask(func(int64, int64) bool { return false })
	assert.EqualValues(t, pace, w.Run(1).Steps)
	assert.Contains(t, w.Input(), "interrupted after 32768 of 100000 bytes")
	assert.Equal(t, 1, *closed)

	p := DefaultParams()
	p.Traffic.Class = traffic.Class{Arrivals: "constant", Rate: &traffic.Rate{Requests: 1000, Per: time.Second}}
	_, g := program(t, p)
	g.Ask(func(int64, int64) bool { return false })
	assert.EqualValues(t, pace-1, g.Run(1).Steps)
}

func TestLogThatBreaksOff(t *testing.T) {
	w, closed := logged(t, io.ErrClosedPipe)
	w.Run(1)
	require.ErrorIs(t, w.Err(), io.ErrClosedPipe)
	assert.Equal(t, 1, *closed)
	w.params.Traffic.AccessLog.Open = func(traffic.LogOptions) (traffic.Recorded, error) { return nil, errors.New("gone") }
	assert.Zero(t, w.Run(1).Steps)
	require.ErrorContains(t, w.Err(), "gone")
}

// F2: clients have a bound in bytes, and it is an error in words to reach it.
func TestTooManyClients(t *testing.T) {
	w, closed := logged(t, nil)
	w.Bound(1000)
	assert.EqualValues(t, check, w.Run(1).Steps)
	require.ErrorContains(t, w.Err(), "3 different keys take more than 0 KiB, the bound of memory: raise --memory")
	assert.Equal(t, 1, *closed)
	_, g := program(t, DefaultParams())
	g.Bound(100_000)
	g.Run(1)
	require.ErrorContains(t, g.Err(), "different keys take more than 97 KiB")
	g.Bound(DefaultMemory)
	g.Run(1)
	require.NoError(t, g.Err())
	kept, clients := g.done.Memory(), g.done.Clients()
	assert.InDelta(t, 1200, kept/clients, 600, "bytes for a client, of %d", clients)
}

// R4: a log of which nearly every request has a key of its own has nothing to limit; one
// that is all of one client is said to be so.
func TestKeysOfTheirOwn(t *testing.T) {
	with := func(keys int, key string) *Replay {
		w, _ := logged(t, nil)
		w.params.Traffic.Key = key
		w.params.Algorithms = []string{"gcra"}
		w.params.Traffic.AccessLog.Open = func(traffic.LogOptions) (traffic.Recorded, error) { return &fakeLog{keys: keys, closed: new(int)}, nil }
		w.Run(1)
		return w
	}
	assert.ErrorContains(t, with(96_000, "").Err(), "100000 requests are of 96000 different keys: nearly every request has its own, and there is nothing to limit")
	assert.ErrorContains(t, with(96_000, "id").Err(), "it is id now")
	w := with(95_000, "")
	assert.NoError(t, w.Err())
	assert.Empty(t, w.Caution())
	w = with(1, "path")
	assert.NoError(t, w.Err())
	assert.Equal(t, "all 100000 requests are of one path", w.Caution())
	w.params.Traffic.AccessLog.Open = func(traffic.LogOptions) (traffic.Recorded, error) {
		return &fakeLog{cut: "it is cut", closed: new(int)}, nil
	}
	w.Run(1)
	assert.Equal(t, "it is cut", w.Caution())
	n, of := w.LeftOut()
	assert.Equal(t, []int64{7, 100_001}, []int64{n, of})
}

func TestLength(t *testing.T) {
	for want, d := range map[string]time.Duration{"1m": time.Minute, "24h": 24 * time.Hour, "1h5m": 65 * time.Minute, "30s": 30 * time.Second, "0s": 0} {
		assert.Equal(t, want, values.Length(d))
	}
}

func TestNoNodes(t *testing.T) {
	p := DefaultParams()
	q := p.Program()
	assert.Empty(t, q.Nodes)
	_, err := q.NewWorld(sim.Config{Faults: make([]sim.Fault, 1)})
	require.ErrorIs(t, err, nodeless.ErrNoNodes)
	_, w := program(t, p)
	require.ErrorIs(t, w.Vary(sim.Variation{}), nodeless.ErrNoNodes)
}

func TestProblems(t *testing.T) {
	second := time.Second
	for _, v := range []struct {
		name   string
		change func(p *Params)
		want   []model.ValidationError
	}{
		{"limit", func(p *Params) { p.Limit = 0 }, []model.ValidationError{{Path: "limit", Message: "want 1 to 1099511627776, got 0"}}},
		{"all at once", func(p *Params) { p.Limit, p.Window, p.Burst = -1, 0, -2 }, []model.ValidationError{
			{Path: "limit", Message: "want 1 to 1099511627776, got -1"}, {Path: "window", Message: "want 1ns to 640000h, got 0s"},
			{Path: "burst", Message: "want 0 to 1099511627776, got -2"}}},
		{"overflowing", func(p *Params) { p.Limit = 1 << 41 }, []model.ValidationError{{Path: "limit", Message: "want 1 to 1099511627776, got 2199023255552"}}},
		{"no algorithm", func(p *Params) { p.Algorithms = nil }, []model.ValidationError{{Path: "algorithms", Message: "none: want one or more of token-bucket"}}},
		{"unknown", func(p *Params) { p.Algorithms = []string{"gcra", "bucket"} }, []model.ValidationError{{Path: "algorithms.1", Message: `there is no algorithm "bucket": want one of token-bucket, gcra`}}},
		{"twice", func(p *Params) { p.Algorithms = []string{"gcra", "gcra"} }, []model.ValidationError{{Path: "algorithms.1", Message: "gcra is in the list already"}}},
		{"sub-windows", func(p *Params) { p.Buckets = 7 }, nil},
		{"no sub-windows", func(p *Params) { p.Buckets = 0 }, []model.ValidationError{
			{Path: "buckets", Message: "sub-windows: buckets: "}, {Path: "buckets", Message: "dropped-windows: buckets: "}}},
		{"key without a log", func(p *Params) { p.Traffic.Key, p.Traffic.Horizon = "path", &second }, []model.ValidationError{{Path: "traffic", Message: "key, ipv6-prefix and horizon are of an accesslog, and there is none"}}},
		{"traffic", func(p *Params) { p.Traffic.Class.Arrivals = "constant" }, []model.ValidationError{{Path: "traffic.rate", Message: "constant arrivals need one"}}},
		{"a class and classes", func(p *Params) { p.Traffic.Class.Clients, p.Traffic.Classes = 5, traffic.Mix() }, []model.ValidationError{{Path: "traffic.classes", Message: "these are all there is"}}},
		{"log", func(p *Params) {
			p.Traffic.AccessLog.Open = func(traffic.LogOptions) (traffic.Recorded, error) { return nil, errors.New("the log is empty") }
		}, []model.ValidationError{{Path: "traffic.accesslog", Message: "the log is empty"}}},
		{"log and traffic", func(p *Params) {
			p.Traffic.AccessLog.Open = func(traffic.LogOptions) (traffic.Recorded, error) { return &fakeLog{closed: new(int)}, nil }
			p.Traffic.Requests = 5
		}, []model.ValidationError{{Path: "traffic", Message: "there is an accesslog, so nothing is generated"}}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.change(&p)
			got := p.Problems()
			require.Len(t, got, len(v.want))
			for i := range got {
				assert.Equal(t, v.want[i].Path, got[i].Path)
				assert.Contains(t, got[i].Message, v.want[i].Message)
			}
		})
	}
}

// FuzzParams: no parameters make the check panic, nor a run those that it passes.
func FuzzParams(f *testing.F) {
	f.Add(int64(60), int64(time.Minute), int64(0), int64(60), uint8(0))
	f.Add(int64(1<<40), int64(1), int64(1<<40), int64(1), uint8(3))
	f.Fuzz(func(t *testing.T, limit, window, burst, buckets int64, skip uint8) {
		p := DefaultParams()
		p.Limit, p.Window, p.Burst, p.Buckets = limit, time.Duration(window), burst, buckets
		p.Algorithms = p.Algorithms[int(skip)%len(p.Algorithms):]
		p.Traffic.Class = traffic.Class{Arrivals: "constant", Rate: &traffic.Rate{Requests: 100, Per: time.Second}, Clients: 2}
		if len(p.Problems()) > 0 {
			return
		}
		q := p.Program()
		w, err := q.NewWorld(sim.Config{Until: sim.Time(time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		for i, found := range w.Run(1).Properties {
			if found.Verdict == sim.Violated {
				t.Fatalf("limit %d window %d burst %d buckets %d: %s", limit, window, burst, buckets, w.Why(i))
			}
		}
	})
}
