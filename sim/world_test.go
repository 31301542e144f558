package sim

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim/internal/dist"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// walker is a pure node with state: it passes alphas on, arms drawn timers and
// alarms, and notes. All that it does follows from what it has seen.
type walker struct {
	Nodes NodeID

	count int64
	sum   uint64
}

func (k *walker) Step(in In[tm], out *Out[tm]) {
	k.count++
	k.sum = splitmix.Mix(k.sum ^ uint64(in.Msg.n) ^ uint64(in.Mono) ^ uint64(in.Wall)<<1 ^ uint64(in.Boot)<<2)
	next := tm{kind: alpha, n: int64(k.sum >> 40)}
	switch in.Msg.kind {
	case start:
		out.Send(in.Self%k.Nodes+1, next)
		out.AfterDraw(Exponential(20*ms), tm{kind: tick, n: 1})
		out.At(in.Wall.Add(300*ms), tm{kind: beta})
	case tick:
		out.Note(tm{kind: mark, n: k.count})
		out.Send(NodeID(dist.Below(k.sum, uint64(k.Nodes)))+1, next)
		out.AfterDraw(Uniform(ms, 40*ms), tm{kind: tick, n: in.Msg.n + 1})
		out.Note(tm{kind: gamma, n: k.count})
	case beta:
		out.At(in.Wall.Add(100*ms), tm{kind: beta, n: in.Msg.n + 1})
	case alpha:
		if k.count%3 == 0 {
			out.After(time.Duration(k.sum%uint64(5*ms)), tm{kind: gamma})
		}
	}
}

func (k *walker) Recover(before *walker) { k.sum = before.sum }

// counting holds when there was a note.
type counting struct {
	Check
	seen int
}

func (c *counting) Reset(*View[tm]) { c.Clear(); c.seen = 0 }
func (c *counting) Observe(v *View[tm], o *Observation[tm]) {
	if o.Event != Noted {
		return
	}
	c.Saw()
	c.seen++
	if c.seen == 40 {
		c.Violate(v.Now(), o.Node)
	}
}
func (c *counting) End(v *View[tm])      { v.Record(0, int64(c.seen)) }
func (c *counting) Name() string         { return "counting" }
func (c *counting) Why(*View[tm]) string { return "it came to 40" }

func walkers(n int) System[tm] {
	s := System[tm]{Kinds: kindNames, Properties: []Property[tm]{&counting{}}, Measures: []Measure{{Name: "notes"}}}
	for i := range n {
		s.Nodes = append(s.Nodes, Place[tm](fmt.Sprint("walker-", i+1), walker{Nodes: NodeID(n)}))
	}
	return s
}

// small are worlds that together use everything.
func small(t testing.TB) []struct {
	name  string
	nodes int
	c     Config
	want  map[uint64]uint64 // the digest, by seed
} {
	lognormal, err := LogNormal(2*ms, 30*ms)
	require.NoError(t, err)
	empirical, err := Empirical([]time.Duration{ms, 2 * ms, 3 * ms, 50 * ms})
	require.NoError(t, err)
	every := func(mean time.Duration) When { return When{Every: Exponential(mean)} }
	return []struct {
		name  string
		nodes int
		c     Config
		want  map[uint64]uint64
	}{
		{"calm", 3, Config{Until: at(5000)}, map[uint64]uint64{1: 0x83534bd38f277f52, 2: 0x2c82c8b6741b6760, ^uint64(0): 0x2c1f5edb4e3f8651}},
		{"noisy network in order", 5, Config{Until: at(5000), Network: Network{
			Default: Link{Delay: lognormal, Loss: Certain / 10, Duplicate: Certain / 20},
			Rules:   []LinkRule{{From: []NodeID{2}, Link: Link{Delay: empirical}}, {To: []NodeID{3}, Link: Link{Delay: Uniform(0, 9*ms)}}},
		}}, map[uint64]uint64{1: 0x794b5873c9ac3132, 2: 0x4eb032949f2aa7c4, ^uint64(0): 0xb6ac51b5436f6112}},
		{"noisy network without order", 150, Config{Until: at(1000), Network: Network{Order: Free,
			Default: Link{Delay: Exponential(5 * ms), Loss: Certain / 10, Duplicate: Certain / 20}}}, map[uint64]uint64{1: 0xb13100e158e649eb, 2: 0x6ac6e67700c395f3, ^uint64(0): 0x4f779bd30dd03375}},
		{"clocks", 3, Config{Until: at(5000), Network: net(1),
			Clocks: []Clock{{Rate: 123_457, Offset: -time.Hour}, {Rate: -83_333_333}},
			Faults: []Fault{
				{Name: "rate", Do: SetRate, Node: 1, When: every(500 * ms), For: Exponential(500 * ms), Rate: 500_001},
				{Name: "step", Do: StepClock, Node: 2, When: every(300 * ms), By: -170 * ms},
				{Name: "step back", Do: StepClock, Node: 2, When: every(300 * ms), By: 171 * ms},
				{Name: "suspend", Do: Suspend, Node: 3, When: every(400 * ms), For: Uniform(0, 300*ms)},
			}}, map[uint64]uint64{1: 0x1932b1f0db0302a5, 2: 0xb632a88bf9e31ad4, ^uint64(0): 0x52c184db3f86a2b4}},
		{"stops", 4, Config{Until: at(5000), Network: net(3), Resume: TimersFirst,
			Costs: []Dist{Constant(time.Millisecond / 2), Exponential(ms)},
			Faults: []Fault{
				{Name: "gc", Do: Pause, Node: 1, When: When{Replay: []Stop{{100 * ms, 50 * ms}, {200 * ms, 9 * ms}}, Span: 333 * ms}},
				{Name: "note", Do: Pause, Node: 2, When: When{Note: mark}, For: Exponential(10 * ms)},
				{Name: "nth", Do: Suspend, Node: 3, When: When{Note: gamma, Nth: 7, By: 1}, For: Constant(time.Second)},
				{Name: "crash", Do: Crash, Node: 3, When: every(700 * ms), For: Exponential(100 * ms)},
				{Name: "at a note", Do: Crash, Node: 4, When: When{Note: mark, Nth: 20}, For: Constant(time.Second)},
				{Name: "last", Do: Crash, Node: 1, When: When{At: at(4000)}, Forever: true},
			}}, map[uint64]uint64{1: 0x7e4f12cc983ba83c, 2: 0x5eeae8527ac59e77, ^uint64(0): 0x56581549e01d2964}},
		{"faults on the network", 4, Config{Until: at(5000), Resume: MessagesFirst, Network: Network{Default: Link{Delay: Exponential(3 * ms)}},
			Faults: []Fault{
				{Name: "cut", Do: Cut, Sides: [][]NodeID{{1}, {2, 3}}, When: every(500 * ms), For: Exponential(200 * ms)},
				{Name: "hold", Do: Hold, Sides: [][]NodeID{{4}, {1, 2}}, OneWay: true, When: every(500 * ms), For: Exponential(200 * ms)},
				{Name: "delay", Do: Delay, Msg: MsgChoice{Kind: alpha, Nth: 1}, When: every(100 * ms), For: Exponential(time.Second)},
				{Name: "lose", Do: Lose, Msg: MsgChoice{Kind: alpha, To: 3, Nth: 5}, When: When{Note: mark, By: 4, Nth: 3}},
				{Name: "twice", Do: Duplicate, Msg: MsgChoice{Kind: alpha, From: 2}, For: Exponential(20 * ms)},
				{Name: "stop", Do: Pause, Node: 2, When: When{At: at(1000)}, For: Constant(time.Second)},
			},
			Overrides: []Override{
				{Draw: Draw{Purpose: Delays, From: 1, To: 2, Index: 3}},
				{Draw: Draw{Purpose: Faults, Name: Hash("cut"), Index: 2}, Value: 1 << 60},
				{Draw: Draw{Purpose: Timers, From: 2, Index: 9}, Value: ^uint64(0)},
			}}, map[uint64]uint64{1: 0xe96f7217de1a3694, 2: 0x89d6598bb9465950, ^uint64(0): 0xb4fff25f3d937a75}},
	}
}

// walkingWorld is a world of so many walkers.
func walkingWorld(t testing.TB, nodes int, c Config) *World[tm] {
	w, err := NewWorld(walkers(nodes), c)
	require.NoError(t, err)
	return w
}

// "The same three give the same bytes of trace on every operating system, processor
// architecture, GOMAXPROCS and Go release."
func TestGoldenDigests(t *testing.T) {
	for _, c := range small(t) {
		t.Run(c.name, func(t *testing.T) {
			w := walkingWorld(t, c.nodes, c.c)
			for seed, want := range c.want {
				res := w.Run(seed)
				require.Nil(t, res.Panic)
				assert.Equal(t, want, res.Digest, "seed %d: %#x", seed, res.Digest)
				assert.Greater(t, res.Steps, uint64(300))
				for i, f := range c.c.Faults {
					assert.NotZero(t, res.Faults[i].Count, "fault %q did not strike", f.Name)
				}
			}
		})
	}
}

func TestDeterminism(t *testing.T) {
	for _, c := range small(t) {
		t.Run(c.name, func(t *testing.T) {
			reused := walkingWorld(t, c.nodes, c.c)
			outcome := func(w *World[tm], seed uint64) string {
				r := *w.Run(seed)
				require.Nil(t, r.Panic)
				return fmt.Sprintf("%+v %s", r, w.Why(0))
			}
			const seed = 11
			want := outcome(reused, seed)
			other := outcome(reused, seed+1)
			assert.NotEqual(t, strings.Replace(want, "Seed:11", "Seed:12", 1), other, "another seed is another run")
			assert.Equal(t, want, outcome(reused, seed), "a reused world")
			assert.Equal(t, want, outcome(walkingWorld(t, c.nodes, c.c), seed), "a new world")
			for _, procs := range []int{1, 2} {
				before := runtime.GOMAXPROCS(procs)
				assert.Equal(t, want, outcome(reused, seed), "GOMAXPROCS %d", procs)
				runtime.GOMAXPROCS(before)
			}
			var first, second bytes.Buffer
			reused.Watch(Watch{Trace: &first})
			assert.Equal(t, want, outcome(reused, seed), "traced")
			reused.Watch(Watch{Trace: &second})
			assert.Equal(t, want, outcome(reused, seed), "traced")
			assert.Equal(t, first.String(), second.String())
			assert.Greater(t, first.Len(), 10_000)
			reused.Watch(Watch{})
			told := 0
			reused.Watch(Watch{Moments: func(Moment) { told++ }})
			assert.Equal(t, want, outcome(reused, seed), "told")
			assert.Equal(t, len(c.c.Faults) > 0, told > 0)
			reused.Watch(Watch{})
			twice := c.c
			twice.Twice = true
			assert.Equal(t, want, outcome(walkingWorld(t, c.nodes, twice), seed), "each step twice")
		})
	}
}

// A step that is run allocates nothing, nor does a run of a world that is reused.
func TestRunAllocatesNothing(t *testing.T) {
	for _, c := range small(t)[:3] {
		w := walkingWorld(t, c.nodes, c.c)
		for seed := range uint64(20) {
			w.Run(seed)
		}
		assert.Zero(t, testing.AllocsPerRun(5, func() { w.Run(3) }), c.name)
	}
}

// The state of a node cannot hide from a second run of the step, nor can what it sends.
func TestTwiceCatchesImpureNodes(t *testing.T) {
	for _, c := range []struct {
		name string
		node Spec[tm]
	}{
		{"a counter of the package sent along", Place[tm]("x", globalSender{})},
		{"a counter of the package kept", Place[tm]("x", globalKeeper{})},
		{"the order of a map", Place[tm]("x", mapSender{})},
		{"state behind a pointer", Place[tm]("x", sharer{at: new(int64)})},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := System[tm]{Kinds: kindNames, Nodes: []Spec[tm]{c.node}}
			w, err := NewWorld(s, Config{Until: at(1000)})
			require.NoError(t, err)
			require.Nil(t, w.Run(1).Panic, "it is not seen without")
			w, err = NewWorld(s, Config{Until: at(1000), Twice: true})
			require.NoError(t, err)
			res := w.Run(1)
			require.NotNil(t, res.Panic)
			assert.Equal(t, "sim: the same state and message gave two different steps", res.Panic.Value)
		})
	}
}

// hoarder keeps its memory for the next run: an empty list where a copy has none.
type hoarder struct{ list []int64 }

func (h *hoarder) Reset(initial *hoarder) { h.list = append(h.list[:0], initial.list...) }

func (h *hoarder) Step(in In[tm], out *Out[tm]) {
	if in.Msg.kind == start {
		out.After(1, tm{kind: alpha})
		return
	}
	h.list = append(h.list, int64(in.Mono))
}

// A world that is used again has memory where a copy of its nodes has none.
func TestTwiceKnowsEmptyFromImpure(t *testing.T) {
	w, err := NewWorld(System[tm]{Kinds: kindNames, Nodes: []Spec[tm]{Place[tm]("x", hoarder{})}}, Config{Until: at(1000), Twice: true})
	require.NoError(t, err)
	for seed := range uint64(3) {
		require.Nil(t, w.Run(seed).Panic)
	}
}

var global int64

type globalSender struct{}

func (globalSender) Step(in In[tm], out *Out[tm]) {
	global++
	if in.Msg.kind == start {
		out.Send(1, tm{kind: alpha, n: global})
	}
}

type globalKeeper struct{ kept int64 }

func (g *globalKeeper) Step(In[tm], *Out[tm]) { global++; g.kept = global }

type mapSender struct{}

func (mapSender) Step(in In[tm], out *Out[tm]) {
	if in.Msg.kind != start {
		return
	}
	m := make(map[int64]bool)
	for i := range int64(100) {
		m[i] = true
	}
	for i := range m {
		out.Send(1, tm{kind: alpha, n: i})
	}
}

type sharer struct{ at *int64 }

func (s *sharer) Step(_ In[tm], out *Out[tm]) {
	*s.at++
	out.Note(tm{kind: mark, n: *s.at})
}

// "An unexpected message panics; the engine turns a panic into a finding with node,
// message and time."
func TestPanicIsAFinding(t *testing.T) {
	bad := func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start:
			out.After(500*ms, tm{kind: tick})
		case alpha:
			out.Note(tm{kind: mark})
			if in.Msg.n == 2 {
				panic("unexpected alpha")
			}
		}
	}
	for _, c := range []struct {
		name   string
		config Config
		trace  io.Writer
		at     Time
	}{
		{"plain", Config{}, nil, at(2000)},
		{"traced", Config{}, io.Discard, at(2000)},
		{"that takes time", Config{Costs: []Dist{forMillis(1)}}, nil, at(2000)},
		{"paused in its midst", Config{Faults: []Fault{{Do: Pause, Node: 1, When: When{Note: mark}, For: forMillis(2000)}}}, nil, at(3000)},
		{"crashed in its midst", Config{Faults: []Fault{{Do: Crash, Node: 1, When: When{Note: mark, Nth: 2}, For: forMillis(1)}}}, nil, at(2000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.config.Until = at(10_000)
			r := newRig(t, c.config, bad, sending(1000, 2000, 3000))
			r.w.Watch(Watch{Trace: c.trace})
			var first []string
			for i := range 2 { // a run that ended so leaves nothing behind for the next
				res := r.w.Run(1)
				require.NotNil(t, res.Panic)
				assert.Contains(t, res.Panic.Stack, "world_test.go")
				res.Panic.Stack = ""
				assert.Equal(t, Panic{At: c.at, Node: 1, Name: "a", Message: "alpha 2", Value: "unexpected alpha"}, *res.Panic)
				assert.Equal(t, c.at, res.End)
				assert.Equal(t, c.at, r.steps[len(r.steps)-1].at)
				if i == 0 {
					first = r.stepsOf(None)
				}
				assert.Equal(t, first, r.stepsOf(None))
			}
			// Nor for one that does not panic.
			before := r.w.Run(2).Digest
			assert.Equal(t, before, newRig(t, c.config, bad, sending(1000, 2000, 3000)).w.Run(2).Digest)
		})
	}
}

// grumpy is a property with a mistake.
type grumpy struct {
	counting
	on Event
}

func (g *grumpy) Observe(v *View[tm], o *Observation[tm]) {
	if o.Event == g.on {
		panic("a mistake in the property")
	}
}

// A panic of a property is no finding about the model: it must not be taken for one.
func TestPanicOfAPropertyIsNotSwallowed(t *testing.T) {
	for _, on := range []Event{Noted, Paused, Resumed, Crashed, Restarted, ClockChanged} {
		s := walkers(2)
		s.Properties = []Property[tm]{&grumpy{on: on}}
		for _, twice := range []bool{false, true} {
			w, err := NewWorld(s, Config{Until: at(5000), Twice: twice, Faults: []Fault{
				{Name: "1", Do: Pause, Node: 1, When: When{Note: mark, Nth: 3}, For: Constant(ms)},
				{Name: "2", Do: Crash, Node: 2, When: When{Note: mark, Nth: 3}, For: Constant(ms)},
				{Name: "3", Do: StepClock, Node: 2, When: When{Note: mark, Nth: 1}},
			}})
			require.NoError(t, err)
			require.PanicsWithValue(t, "a mistake in the property", func() { w.Run(1) }, "at event %d", on)
		}
	}
}

func TestRun(t *testing.T) {
	t.Run("ends before until", func(t *testing.T) {
		r := newRig(t, Config{Until: at(1000)}, idle, sending(999, 1000))
		res := r.run(t, 1)
		assert.Equal(t, []string{"0.999s a<b alpha 1"}, r.stepsOf(1))
		assert.Equal(t, at(1000), res.End)
	})
	t.Run("counts what it did", func(t *testing.T) {
		w := walkingWorld(t, 2, Config{Until: at(5000)})
		res := w.Run(5)
		var notes int64
		c := w.system.Properties[0].(*counting)
		notes = int64(c.seen)
		assert.Positive(t, notes)
		assert.Equal(t, []Sample{{0, notes}}, res.Samples)
		var watched []Sample
		w.Watch(Watch{Samples: func(now Time, s Sample) {
			assert.Equal(t, w.now, now)
			watched = append(watched, s)
		}})
		digest := res.Digest
		assert.Equal(t, digest, w.Run(5).Digest, "a run that is watched is the same run")
		assert.Equal(t, []Sample{{0, notes}}, watched)
		w.Watch(Watch{})
		assert.Equal(t, digest, w.Run(5).Digest)
		assert.Len(t, watched, 1, "nobody watches any more")
		assert.Equal(t, uint64(5), res.Seed)
		assert.Equal(t, []Finding{c.Finding()}, res.Properties)
		assert.Equal(t, Violated, c.Finding().Verdict)
		assert.Equal(t, "it came to 40", w.Why(0))
	})
	// What nobody receives is not part of a digest: two runs that differ in a
	// message that is lost are the same steps.
	t.Run("a digest is of steps", func(t *testing.T) {
		lost := Config{Network: Network{Default: Link{Loss: Certain}}}
		none := newRig(t, lost, idle, idle).run(t, 1).Digest
		assert.Equal(t, none, newRig(t, lost, idle, sendsTo(1)).run(t, 1).Digest)
		assert.NotEqual(t, none, newRig(t, Config{}, idle, sendsTo(1)).run(t, 1).Digest)
		noted := newRig(t, lost, idle, onStart(func(out *Out[tm]) { out.Note(tm{kind: mark}) })).run(t, 1).Digest
		assert.NotEqual(t, none, noted)
	})
}

// A change of a clock moves the timers among many pending events, wherever the queue
// keeps them.
func TestRetimeAmongManyEvents(t *testing.T) {
	const n = 5000
	many := func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == start {
			for i := range int64(n) {
				out.After(time.Duration(dist.Below(splitmix.Mix(uint64(i)), uint64(10_000*ms))), tm{kind: tick, n: i})
			}
		}
	}
	var faults []Fault
	for i := range int64(20) {
		faults = append(faults, Fault{Name: fmt.Sprint(i), Do: SetRate, Node: 1, Rate: PPB(i-10) * 1e7, Forever: true, When: When{At: at(250 + 400*i)}})
	}
	r := newRig(t, Config{Until: at(50_000), Faults: faults}, many, many)
	r.run(t, 1)
	got := make(map[NodeID]int)
	var last Time
	for _, s := range r.steps {
		require.GreaterOrEqual(t, s.at, last)
		last = s.at
		if s.in.Msg.kind == tick {
			got[s.in.Self]++
			due := int64(dist.Below(splitmix.Mix(uint64(s.in.Msg.n)), uint64(10_000*ms)))
			require.GreaterOrEqual(t, int64(s.in.Mono), due)
			require.Less(t, int64(s.in.Mono), due+2) // at +10 % some readings are passed over
		}
	}
	assert.Equal(t, map[NodeID]int{1: n, 2: n}, got)
}

// golden compares with a file of testdata, or writes it if UPDATE is set.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got)
}

// A trace is read by people: this one has everything in it.
func TestTrace(t *testing.T) {
	client := func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start, tick:
			out.Send(2, tm{kind: alpha, n: in.Msg.n})
			out.After(time.Second, tm{kind: tick, n: in.Msg.n + 1})
			if in.Msg.kind == start {
				out.At(in.Wall.Add(4000*ms), tm{kind: gamma})
			}
		case beta:
			out.Note(tm{kind: mark, n: in.Msg.n})
			out.Send(2, tm{kind: gamma, n: in.Msg.n})
		}
	}
	server := func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == alpha {
			out.Send(in.From, tm{kind: beta, n: in.Msg.n})
		}
	}
	other := func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start:
			for _, m := range []time.Duration{5200, 5700, 6200, 6700} {
				out.After(m*ms, tm{kind: tick})
			}
		case tick:
			out.Send(2, tm{kind: alpha, n: 7})
		}
	}
	c := Config{Until: at(8_000), Network: Network{Default: Link{Delay: forMillis(5)},
		Rules: []LinkRule{{From: []NodeID{2}, To: []NodeID{3}, Link: Link{Loss: Certain}}}},
		Clocks: []Clock{{Offset: -1000 * ms}, {Rate: 100_000}}, Costs: []Dist{{}, forMillis(1)},
		Faults: []Fault{
			{Name: "gc", Do: Pause, Node: 1, When: When{Note: mark, Nth: 2}, For: forMillis(1500)},
			{Name: "step", Do: StepClock, Node: 1, When: When{At: at(3200)}, By: 1500 * ms},
			{Name: "rate", Do: SetRate, Node: 2, When: When{At: at(2100)}, Rate: -500_000, For: forMillis(50)},
			{Name: "vm", Do: Suspend, Node: 3, When: When{At: at(2200)}, For: forMillis(100)},
			{Name: "lose", Do: Lose, Msg: MsgChoice{Kind: alpha, Nth: 6}},
			{Name: "crash", Do: Crash, Node: 2, When: When{Note: mark, By: 1, Nth: 3}, For: forMillis(6)},
			{Name: "cut", Do: Cut, Sides: [][]NodeID{{1}, {2, 3}}, When: When{At: at(2400)}, For: forMillis(115)},
			{Name: "hold", Do: Hold, Sides: [][]NodeID{{3}, {1, 2}}, OneWay: true, When: When{At: at(5500)}, For: forMillis(500)},
			{Name: "late", Do: Delay, Msg: MsgChoice{Kind: alpha, From: 3, Nth: 3}, For: forMillis(1000)},
			{Name: "twice", Do: Duplicate, Msg: MsgChoice{Kind: alpha, From: 3, Nth: 4}, For: forMillis(900)},
			{Name: "own", Do: Crash, Node: 1, When: When{Note: mark, Nth: 4}, Forever: true},
		}}
	r := &rig{sys: System[tm]{Kinds: kindNames}}
	r.add("client-1", actor{do: client}).add("server", actor{do: server}).add("bystander", actor{do: other})
	w, err := NewWorld(r.sys, c)
	require.NoError(t, err)
	r.w = w
	var trace bytes.Buffer
	w.Watch(Watch{Trace: &trace})
	res := r.run(t, 1)
	golden(t, "trace.txt", trace.String())
	for i, f := range c.Faults {
		assert.NotZero(t, res.Faults[i].Count, "fault %q did not strike", f.Name)
	}
}

// An instant of any width has a blank behind it, so that the columns of a trace can be
// told apart: once it was "10.003069364sclient-1" (findings on performance).
func TestTraceColumns(t *testing.T) {
	for _, until := range []Time{at(10_004), at(20_000_000)} {
		c := Config{Until: until, Clocks: []Clock{{Offset: -9999 * time.Hour}}}
		r := newRig(t, c, func(in In[tm], out *Out[tm]) {
			if in.Msg.kind == 0 {
				out.After(time.Duration(until)-time.Millisecond+69_364, tm{kind: alpha})
			}
		})
		var trace bytes.Buffer
		r.w.Watch(Watch{Trace: &trace})
		require.Nil(t, r.w.Run(1).Panic)
		last := strings.Split(strings.TrimSpace(trace.String()), "\n")[2]
		fields := strings.Fields(last)
		require.Equal(t, []string{until.Add(-time.Millisecond + 69_364).String(), "a", until.Add(-time.Millisecond + 69_364).String()}, fields[:3], last)
		require.Equal(t, "from", fields[4], last)
	}
}

// A node that answers itself at once, forever, is a finding and no hang.
func TestTimeStandsStill(t *testing.T) {
	r := newRig(t, Config{}, func(in In[tm], out *Out[tm]) { out.Send(2, tm{kind: alpha}) },
		func(in In[tm], out *Out[tm]) {
			if in.Msg.kind == alpha {
				out.Send(1, tm{kind: beta})
			}
		})
	r.w.Watch(Watch{})
	r.sys.Nodes = nil
	res := r.w.Run(1)
	require.NotNil(t, res.Panic)
	assert.Contains(t, res.Panic.Value, "time does not pass")
	assert.Equal(t, Time(0), res.Panic.At)
}

// TestWorldsOfOneSystemShareNoNode: nodes that were placed once and are in two systems run in both at the same time as
// they do alone. With the race detector it is seen that no world writes to the other's.
func TestWorldsOfOneSystemShareNoNode(t *testing.T) {
	s := System[tm]{Nodes: []Spec[tm]{Place[tm]("a", echo{To: 2, At: []time.Duration{ms, 2 * ms}}), Place[tm]("b", echo{To: 1, At: []time.Duration{ms}})}}
	var worlds [2]*World[tm]
	for i := range worlds {
		w, err := NewWorld(s, Config{Until: at(100)})
		require.NoError(t, err)
		worlds[i] = w
	}
	require.NotSame(t, worlds[0].nodes[1], worlds[1].nodes[1])
	want := worlds[0].Run(1).Digest
	var all sync.WaitGroup
	var got [2]uint64
	for i, w := range worlds {
		all.Go(func() { got[i] = w.Run(1).Digest })
	}
	all.Wait()
	require.Equal(t, [2]uint64{want, want}, got)
}
