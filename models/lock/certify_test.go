package lock

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/certify/nearest"
)

// proof is a lock under every delay of a range, and one pause of any client.
type proof struct {
	name     string
	set      func(*Params)
	property string
	least    time.Duration // delay
	most     time.Duration
	pause    time.Duration
	want     certify.Verdict
}

// short makes a lock whose states are few: TTL 1s, work 200ms.
func short(service string, more func(*Params)) func(*Params) {
	return func(p *Params) {
		ttl := time.Second
		p.Service, p.Work = service, []time.Duration{200 * time.Millisecond}
		if service != "naive" {
			p.TTL = &ttl
		}
		if more != nil {
			more(p)
		}
	}
}

// often makes clients ask so often that one of them asks whenever the key goes: else an edge is
// moved by when the last request came.
func often(p *Params) { retry := sim.Constant(20 * ms); p.Retry = &retry }

func (c *proof) search() *certify.Search {
	p := DefaultParams()
	c.set(&p)
	program := sim.NewProgram(p.System)
	return &certify.Search{
		Program: program, Property: slices.Index(program.Properties, c.property),
		Config: sim.Config{Until: sim.Time(time.Minute), Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(c.least, c.most+1)}}},
		Faults: []certify.Fault{{Name: "pause", Nodes: []sim.NodeID{1, 2}, Most: c.pause, Count: 1}},
		Limits: certify.Limits{States: 400_000},
	}
}

// A client believes to hold the lock from when it has the reply to SET until it has that to its
// write: at most three delays, the work and the pause after the key was set. Another has the lock
// when the key is gone, and a reply has come, a delay later: never sooner than the TTL. So it is
// safe up to pause + work + 3 * delay.max = TTL + delay.min, to the nanosecond: to be violated takes
// more, strictly twice, for a key is there for longer than its TTL, and the two have to overlap.
func TestThePauseLaw(t *testing.T) {
	for _, c := range []proof{
		{"redis", short("redis", nil), "mutual-exclusion", 0, 5 * ms, 785 * ms, certify.Certified},
		{"redis", short("redis", nil), "mutual-exclusion", 0, 5 * ms, 785*ms + 2, certify.Violated},
		{"redis", short("redis", nil), "mutual-exclusion", 0, 5 * ms, 785*ms + 1, certify.Unknown}, // between nanoseconds
		{"redis, delay of 1 to 5 ms", short("redis", often), "mutual-exclusion", 1 * ms, 5 * ms, 786 * ms, certify.Certified},
		{"redis, delay of 1 to 5 ms", short("redis", often), "mutual-exclusion", 1 * ms, 5 * ms, 786*ms + 2, certify.Violated},
		{"naive", short("naive", nil), "mutual-exclusion", 0, 5 * ms, 5 * time.Second, certify.Certified},
		{"redis", short("redis", nil), "no-lost-update", 0, 5 * ms, 5 * time.Second, certify.Violated},
		{"redis, fenced", short("redis", func(p *Params) { p.Tokens, p.Fencing = "counter", "ge" }), "no-lost-update", 0, 5 * ms, 5 * time.Second, certify.Certified},
		{"redis, fenced", short("redis", func(p *Params) { p.Tokens, p.Fencing = "counter", "gt" }), "fenced-order", 0, 5 * ms, 5 * time.Second, certify.Certified},
		{"redis, not fenced", short("redis", func(p *Params) { p.Tokens = "counter" }), "fenced-order", 0, 5 * ms, 5 * time.Second, certify.Violated},
		{"redis", short("redis", nil), "owner-release", 0, 5 * ms, 5 * time.Second, certify.Certified},
		{"redis, plain delete", short("redis", func(p *Params) { p.Release = "del" }), "owner-release", 0, 5 * ms, 5 * time.Second, certify.Violated},
		{"redis, unawaited write, max = 3 min", short("redis", func(p *Params) { p.Await = new(bool) }), "no-lost-update", 1 * ms, 3*ms - 1, 0, certify.Certified},
		{"redis, unawaited write, max > 3 min", short("redis", func(p *Params) { p.Await = new(bool) }), "no-lost-update", 1 * ms, 3*ms + 1000, 0, certify.Violated},
	} {
		began := time.Now()
		r, err := c.search().Run(context.Background())
		require.NoError(t, err, c.name)
		t.Logf("%s, %s, pause %v: %v, %d states, %v, %s", c.name, c.property, c.pause, r.Verdict, r.States, time.Since(began), r.Bound)
		assert.Equal(t, c.want, r.Verdict, "%s, %s, pause of up to %v", c.name, c.property, c.pause)
		if c.want == certify.Violated {
			assert.NotNil(t, r.Failure, "%s: %s", c.name, r.Bound)
		}
	}
}

// The edge comes of the violations themselves: each says from which pause on its path exists.
func TestTheEdgeOfThePause(t *testing.T) {
	for _, c := range []struct {
		proof
		holds, from time.Duration
	}{
		{proof{"redis", short("redis", nil), "mutual-exclusion", 0, 5 * ms, 5 * time.Second, certify.Violated}, 785 * ms, 785*ms + 2},
		// The key is set at 5 ms and gone at 1006 ms. Attempts are 30 ms apart: that of 1020 ms is granted at
		// 1030 ms. The other acquires at 10 ms and has its reply at 220 ms.
		{proof{"redis, fixed delay", short("redis", often), "mutual-exclusion", 5 * ms, 5 * ms, 5 * time.Second, certify.Violated}, 810 * ms, 810*ms + 1},
		// An extension is counted from the reply to the one before: that is carried out a delay earlier, and
		// the next is sent after a pause and takes another. So it is in time up to pause + extend + 2 * delay.max = TTL.
		{proof{"redis, extended", short("redis", func(p *Params) {
			ttl := 300 * ms
			p.TTL, p.Extend, p.Work = &ttl, 100*ms, []time.Duration{400 * ms}
		}), "mutual-exclusion", 0, 5 * ms, 5 * time.Second, certify.Violated}, 190 * ms, 190*ms + 1},
	} {
		s := c.search()
		r, err := s.Run(context.Background())
		require.NoError(t, err)
		e, err := s.Edge(context.Background(), 0, r)
		require.NoError(t, err)
		t.Logf("%s: holds up to %v, violated from %v, %d searches, %d states", c.name, e.Holds, e.From, e.Searches, e.Result.States)
		assert.Equal(t, c.holds, e.Holds, c.name)
		assert.Equal(t, c.from, e.From, c.name)
	}
}

// What no test has held against the engine is refused.
func TestALockThatIsNotCoveredIsRefused(t *testing.T) {
	for _, service := range []string{"consul", "sentinel", "none"} {
		c := proof{service, func(p *Params) { p.Service = service }, "mutual-exclusion", 0, 5 * ms, 0, certify.Unknown}
		_, err := c.search().Run(context.Background())
		assert.ErrorContains(t, err, "cannot be driven with time as a symbol", service)
	}
}

// Two pauses of the server, one right after the other, hold up a reply for twice as long as one: the run just above the edge has both.
func TestTwoPausesInARowHaveARunJustAboveTheEdge(t *testing.T) {
	ttl, retry := 102*ms, sim.Constant(46*ms)
	c := proof{set: func(p *Params) {
		p.Service, p.TTL, p.Retry, p.Work, p.Think, p.Start = "redis", &ttl, &retry, []time.Duration{38 * ms}, []time.Duration{2 * ms}, []time.Duration{0, 29 * ms}
	}, property: "no-lost-update", most: 5 * ms, pause: 200 * ms}
	s := c.search()
	s.Faults[0].Nodes, s.Faults[0].Count = []sim.NodeID{s.Program.Node("redis-1")}, 2
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	e, err := s.Edge(t.Context(), 0, r)
	require.NoError(t, err)
	require.NoError(t, nearest.Find(t.Context(), s, 0, &r, &e))
	assert.Equal(t, 27*ms, e.Holds)
	assert.LessOrEqual(t, e.From, e.Holds+certify.Few, "it was 54ms: one pause as long as both")
}
