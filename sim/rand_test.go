package sim

import (
	"fmt"
	"math"
	"math/bits"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim/internal/dist"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newSource(seed uint64) *source {
	s := &source{}
	s.reset(seed)
	return s
}

// draw is the draw of any stream.
func (s *source) draw(d Draw) uint64 {
	if d.Purpose == Faults {
		return s.fault(d.Name, d.Index)
	}
	return s.at(d.Purpose, d.From, d.To, d.Index)
}

// someDraws are the first draws of many streams.
func someDraws() []Draw {
	var ds []Draw
	for i := range uint64(20) {
		for p := Delays; p < Faults; p++ {
			for from := NodeID(1); from <= 5; from++ {
				for to := None; to <= 5; to++ {
					ds = append(ds, Draw{Purpose: p, From: from, To: to, Index: i})
				}
			}
		}
		for f := range 10 {
			ds = append(ds, Draw{Purpose: Faults, Name: Hash(fmt.Sprint(f)), Index: i})
		}
	}
	return ds
}

// "A draw is a pure function of (seed, stream, index)."
func TestDrawsArePure(t *testing.T) {
	ds := someDraws()
	a, b := newSource(7), newSource(7)
	seen := make(map[uint64]Draw)
	for i := range ds {
		got := a.draw(ds[i])
		prev, twice := seen[got]
		require.False(t, twice, "%+v and %+v draw the same", prev, ds[i])
		seen[got] = ds[i]
	}
	for i := len(ds) - 1; i >= 0; i-- { // in another order
		require.Equal(t, ds[i], seen[b.draw(ds[i])])
	}
	for i := range ds {
		_, same := seen[newSource(8).draw(ds[i])]
		require.False(t, same, "another seed draws the same")
	}
}

// These must come out the same on every processor and in every release, or a seed
// in a bug report is worth nothing.
func TestGoldenDraws(t *testing.T) {
	s := newSource(42)
	for _, c := range []struct {
		d    Draw
		want uint64
	}{
		{Draw{Purpose: Delays, From: 1, To: 2}, 0x9c7e1100e6609da8},
		{Draw{Purpose: Losses, From: 1, To: 2, Index: 1}, 0x79696a37df177383},
		{Draw{Purpose: Duplicates, From: 3, Index: ^uint64(0)}, 0x44d936ba1be95d5f},
		{Draw{Purpose: Timers, From: 100_000, Index: 1 << 40}, 0xda1ef4e7f6731e63},
		{Draw{Purpose: Costs, From: 1}, 0x2347292460cd720d},
		{Draw{Purpose: Faults, Name: Hash("gc"), Index: 3}, 0xcb4e4d044f306d4d},
	} {
		assert.Equal(t, c.want, s.draw(c.d), "%+v: %#x", c.d, s.draw(c.d))
	}
	assert.Equal(t, uint64(0xf52a15e9a9b5e89b), Hash(""), "%#x", Hash(""))
	assert.Equal(t, uint64(0x38b3fd2438251cb2), Hash("client-1"), "%#x", Hash("client-1"))
}

// "The arithmetic progressions of two streams do not meet within 2^40 draws": no
// difference of two streams of 128 nodes is a small multiple of the step of the index.
func TestStreamsDoNotMeet(t *testing.T) {
	const a, b, c = 0x8EBC6AF09C88C6E3, 0xC2B2AE3D27D4EB4F, 0x9E3779B97F4A7C15
	inverse := uint64(1) // of c modulo 2^64, by Newton
	for range 6 {
		inverse *= 2 - c*inverse
	}
	require.EqualValues(t, 1, inverse*c)
	least := ^uint64(0)
	for from := uint64(0); from <= 128; from++ {
		for to := uint64(0); to <= 128; to++ {
			if from == 0 && to == 0 {
				continue
			}
			for _, to := range []uint64{to, -to} {
				apart := (from*a + to*b) * inverse
				least = min(least, apart, -apart)
			}
		}
	}
	assert.Greater(t, least, uint64(1)<<40)
	// And these are the multipliers: stream (from, to) at index i.
	s := newSource(1)
	from, to, i := uint64(3), uint64(5), uint64(7)
	assert.Equal(t, splitmix.Mix(s.bases[Delays]+from*a+to*b+i*c), s.at(Delays, 3, 5, 7))
}

func TestDrawsAreUniform(t *testing.T) {
	s := newSource(3)
	const n = 1 << 16
	for _, of := range []func(i uint64) uint64{
		func(i uint64) uint64 { return s.at(Delays, 1, 2, i) },
		func(i uint64) uint64 { return s.at(Delays, NodeID(i), None, 0) },
		func(i uint64) uint64 { return s.at(Delays, 1, NodeID(i), 5) },
		func(i uint64) uint64 { return s.fault(Hash("gc"), i) },
		func(i uint64) uint64 { return s.fault(Hash(fmt.Sprint("gc-", i)), 0) },
		func(i uint64) uint64 { return newSource(i).at(Timers, 1, None, 0) },
	} {
		var set [64]int
		var octile [8]int
		differ := 0
		last := of(n)
		for i := range uint64(n) {
			u := of(i)
			for b := range set {
				set[b] += int(u >> b & 1)
			}
			octile[u>>61]++
			differ += bits.OnesCount64(u ^ last)
			last = u
		}
		for b := range set { // six standard deviations of n coins
			assert.InDelta(t, n/2, set[b], 6*128, "bit %d", b)
		}
		for o := range octile {
			assert.InDelta(t, n/8, octile[o], 6*85, "octile %d", o)
		}
		assert.InDelta(t, n*32, differ, 6*1024, "neighbours are related")
	}
}

// "Overrides replace single draws."
func TestOverrideReplacesOneDraw(t *testing.T) {
	ds := someDraws()
	for i := 0; i < len(ds); i += 97 {
		plain, changed := newSource(7), newSource(7)
		changed.overrides = []Override{{Draw: Draw{Purpose: Delays, From: 99}, Value: 1}, {Draw: ds[i], Value: 12345}}
		changed.special = true
		for j := range ds {
			want := plain.draw(ds[j])
			if i == j {
				require.NotEqual(t, uint64(12345), want)
				want = 12345
			}
			require.Equal(t, want, changed.draw(ds[j]))
		}
	}
}

func TestChance(t *testing.T) {
	for _, c := range []struct {
		chance Chance
		draw   uint64
		want   bool
	}{
		{0, 0, false}, {0, ^uint64(0), false}, {0, 1 << 63, false},
		{Certain, 0, true}, {Certain, ^uint64(0), true},
		// "The value 0 of every choice is the minimal one."
		{Certain - 1, 0, false}, {1, 0, false}, {1, ^uint64(0), true},
		{Certain / 2, 1<<63 - 1, false}, {Certain / 2, 1 << 63, true},
	} {
		assert.Equal(t, c.want, dist.Hits(c.chance, c.draw), "%+v", c)
	}
	s := newSource(5)
	const n = 1_000_000
	for _, c := range []Chance{1_000_000, 50_000_000, 500_000_000, 990_000_000} {
		hits := 0
		for i := range uint64(n) {
			if dist.Hits(c, s.at(Losses, 1, None, i)) {
				hits++
			}
		}
		p := float64(c) / 1e9
		assert.InDelta(t, n*p, hits, 6*1000*math.Sqrt(p*(1-p)), "chance %d", c)
	}
}

func TestBelow(t *testing.T) {
	assert.Zero(t, dist.Below(^uint64(0), 0))
	assert.Zero(t, dist.Below(0, 10))
	assert.EqualValues(t, 9, dist.Below(^uint64(0), 10))
	assert.EqualValues(t, ^uint64(0)-1, dist.Below(^uint64(0), ^uint64(0)))
}

// taken is a draw and what it gave.
type taken struct {
	Draw
	value uint64
}

// streamOf is the stream of a draw.
func streamOf(d Draw) Draw { d.Index = 0; return d }

// drawn plays a world with every draw recorded, by stream, in order.
func drawn(t *testing.T, w *World[tm], seed uint64) map[Draw][]taken {
	t.Helper()
	got := make(map[Draw][]taken)
	w.src.watch = func(d Draw, v uint64) {
		got[streamOf(d)] = append(got[streamOf(d)], taken{d, v})
	}
	w.src.special = true // draws take the path on which they can be watched
	require.Nil(t, w.Run(seed).Panic)
	return got
}

// talkers are n nodes that ping each other in a ring at drawn intervals, over a
// network that delays, loses and duplicates, each step at a drawn cost. They draw
// the same however they are disturbed, but for what is lost with a crash.
func talkers(n int) []does {
	var nodes []does
	for range n {
		nodes = append(nodes, func(in In[tm], out *Out[tm]) {
			switch in.Msg.kind {
			case start, tick:
				out.Send(in.Self%3+1, tm{kind: alpha, n: in.Msg.n})
				out.AfterDraw(Exponential(50*ms), tm{kind: tick, n: in.Msg.n + 1})
				out.Note(tm{kind: mark})
			case alpha:
				out.Send(in.From, tm{kind: beta})
			}
		})
	}
	return nodes
}

func noisy(order Order) Config {
	return Config{
		Until:   at(20_000),
		Network: Network{Order: order, Default: Link{Delay: Exponential(5 * ms), Loss: Certain / 20, Duplicate: Certain / 20}},
		Costs:   []Dist{Exponential(100 * time.Microsecond), Constant(0), Uniform(0, ms)},
	}
}

// "Toggling a fault, adding a node or swapping an algorithm leaves every other draw
// as it was."
func TestFaultLeavesOtherDraws(t *testing.T) {
	gc := Fault{Name: "gc", Do: Pause, Node: 2, When: When{Every: Exponential(time.Second)}, For: Exponential(20 * ms)}
	for _, order := range []Order{FIFO, Free} {
		for _, f := range []Fault{
			{Name: "x", Do: Pause, Node: 1, When: When{Every: Exponential(500 * ms)}, For: Exponential(100 * ms)},
			{Name: "x", Do: Pause, Node: 1, When: When{Note: mark, Nth: 5}, For: Uniform(ms, time.Second)},
			{Name: "x", Do: Suspend, Node: 1, When: When{At: at(3000)}, For: Uniform(ms, time.Second)},
			{Name: "x", Do: Crash, Node: 1, When: When{At: at(3000)}, For: Uniform(ms, time.Second)},
			{Name: "x", Do: StepClock, Node: 1, By: time.Hour},
			{Name: "x", Do: SetRate, Node: 1, Rate: 1e6, Forever: true},
			{Name: "x", Do: Cut, Sides: [][]NodeID{{1}, {2, 3}}, When: When{At: at(3000)}, For: Uniform(ms, time.Second)},
			{Name: "x", Do: Hold, Sides: [][]NodeID{{1}, {2, 3}}, When: When{At: at(3000)}, For: Uniform(ms, time.Second)},
			{Name: "x", Do: Lose, Msg: MsgChoice{Kind: alpha, From: 1}},
			{Name: "x", Do: Delay, Msg: MsgChoice{Kind: alpha, From: 1}, For: Exponential(time.Second)},
			{Name: "x", Do: Duplicate, Msg: MsgChoice{Kind: alpha, From: 1}, For: Exponential(time.Second)},
		} {
			t.Run(fmt.Sprintf("%v, order %d", f.Do, order), func(t *testing.T) {
				c := noisy(order)
				c.Faults = []Fault{gc}
				without := drawn(t, newRig(t, c, talkers(4)...).w, 9)
				c.Faults = []Fault{f, gc}
				r := newRig(t, c, talkers(4)...)
				with := drawn(t, r.w, 9)
				require.NotZero(t, r.w.result.Faults[0].Count, "the fault did not strike")
				sameDraws(t, without, with, func(d Draw) bool { return d.Purpose != Faults || d.Name == gc.Stream() })
			})
		}
	}
}

func TestNodeLeavesOtherDraws(t *testing.T) {
	for _, order := range []Order{FIFO, Free} {
		c := noisy(order)
		few := drawn(t, newRig(t, c, talkers(4)...).w, 9)
		many := drawn(t, newRig(t, c, talkers(200)...).w, 9) // also beyond the table of links
		sameDraws(t, few, many, func(d Draw) bool { return d.From <= 4 && d.To <= 4 })
	}
}

// sameDraws compares two runs, stream by stream and draw by draw. A stream may be
// used for longer in one of them.
func sameDraws(t *testing.T, a, b map[Draw][]taken, compared func(Draw) bool) {
	t.Helper()
	streams, draws := 0, 0
	for stream, as := range a {
		if !compared(stream) {
			continue
		}
		bs := b[stream]
		n := min(len(as), len(bs))
		if n == 0 {
			continue
		}
		streams++
		if p := stream.Purpose; p == Losses || p == Duplicates {
			// What a fault does not let pass is not asked whether it is lost.
			value := make(map[Draw]uint64)
			for _, d := range bs {
				value[d.Draw] = d.value
			}
			for _, d := range as {
				if v, ok := value[d.Draw]; ok {
					require.Equal(t, d.value, v, "%+v", d.Draw)
					draws++
				}
			}
			continue
		}
		require.Equal(t, as[:n], bs[:n], "stream %+v", stream)
		for i := range n {
			require.EqualValues(t, i, as[i].Index, "stream %+v", stream)
		}
		draws += n
	}
	assert.Greater(t, streams, 8)
	assert.Greater(t, draws, 500)
}
