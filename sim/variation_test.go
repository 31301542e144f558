package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// chatter is a node that pings the next one at drawn intervals, and owns a state that
// grows.
type chatter struct {
	Next NodeID

	saw    *func(In[tm]) // takes down each step
	rounds int64
	heard  [4]int64
}

func (c *chatter) Step(in In[tm], out *Out[tm]) {
	(*c.saw)(in)
	switch in.Msg.kind {
	case start, tick:
		c.rounds++
		out.Send(c.Next, tm{kind: alpha, n: c.rounds})
		out.AfterDraw(Uniform(20*ms, 80*ms), tm{kind: tick, n: c.rounds})
		out.Note(tm{kind: mark, n: c.rounds})
	case alpha:
		c.heard[in.From] = max(c.heard[in.From], in.Msg.n)
		out.Send(in.From, tm{kind: beta, n: in.Msg.n})
	case beta:
		c.heard[in.From]++
	}
}

// chatty is a configuration in which everything is drawn, and time passes also when all
// draws are minimal.
func chatty(order Order) Config {
	return Config{
		Until:   at(3000),
		Network: Network{Order: order, Default: Link{Delay: Uniform(ms, 9*ms), Loss: Certain / 20, Duplicate: Certain / 20}},
		Costs:   []Dist{Exponential(100 * time.Microsecond), Constant(0), Uniform(0, ms)},
		Faults: []Fault{
			{Name: "gc", Do: Pause, Node: 2, When: When{Every: Uniform(300*ms, 700*ms)}, For: Exponential(20 * ms)},
			{Name: "cut", Do: Cut, Sides: [][]NodeID{{1}, {2, 3}}, When: When{At: at(1000)}, For: forMillis(500)},
			{Name: "noted", Do: Pause, Node: 3, When: When{Note: mark, Nth: 2}, For: forMillis(100)},
			{Name: "before", Do: Crash, Node: 3, When: When{Before: beta, Nth: 9}, For: forMillis(100)},
		},
		Overrides: []Override{{Draw: Draw{Purpose: Timers, From: 1, Index: 1}, Value: 1 << 62}},
	}
}

// newChat is three chatters in a ring, and what is seen of them.
func newChat(t testing.TB, c Config) *rig {
	r := &rig{sys: System[tm]{Kinds: kindNames}}
	saw := func(in In[tm]) { r.steps = append(r.steps, stepped{r.w.now, in}) }
	for i := range 3 {
		r.sys.Nodes = append(r.sys.Nodes, Place[tm](nodeName(NodeID(i+1)), chatter{Next: NodeID((i+1)%3 + 1), saw: &saw}))
	}
	r.sys.Meters = []Observer[tm]{r}
	w, err := NewWorld(r.sys, c)
	require.NoError(t, err)
	r.w = w
	return r
}

// varied is a world whose configuration has some of everything that Vary replaces.
func varied(t testing.TB, order Order) *rig { return newChat(t, chatty(order)) }

// variations are what a search might make of a world, one after another.
func variations() []Variation {
	everyone := [][]NodeID{{3}, {1, 2}}
	return []Variation{
		{},
		{Minimal: true},
		{Faults: []Fault{{Do: Cut, Sides: [][]NodeID{{1}, {2}}, When: When{At: at(10)}, Forever: true}}},
		{Faults: []Fault{{Do: Lose, Msg: MsgChoice{Kind: alpha, From: 1, Nth: 2}}}},
		{Faults: []Fault{{Do: Pause, Node: 1, When: When{Note: mark, Nth: 3}, For: forMillis(300)}}, Minimal: true},
		{Faults: []Fault{{Do: Cut, Sides: everyone, When: When{At: at(10)}, Forever: true}, {Do: Crash, Node: 2, When: When{At: at(20)}, For: forMillis(30)}}},
		{Overrides: []Override{{Draw: Draw{Purpose: Timers, From: 2, Index: 0}, Value: 1 << 63}}, Minimal: true},
		{Faults: []Fault{{Do: Pause, Node: 2, When: When{Before: beta, Nth: 2}, For: forMillis(300)}}},
		{Faults: []Fault{{Do: Hold, Sides: everyone, When: When{At: at(500)}, For: forMillis(200)}}},
		{Choose: func(d Draw) uint64 { return d.Index << 58 }},
		{Fork: 20, ForkSeed: 9},
		{Fork: 20, ForkSeed: 9, ForkMinimal: true},
		{Until: at(100)},
		{Faults: []Fault{{Do: Pause, Node: 1, When: When{At: at(5)}, For: forMillis(300)}}},
	}
}

// A world that is varied does what a new one with that configuration does, whatever it
// was varied to before: nothing is left of an earlier variation.
func TestVaryIsAConfiguration(t *testing.T) {
	for _, order := range []Order{FIFO, Free} {
		reused := varied(t, order)
		configured := *reused.run(t, 1)
		require.NotZero(t, min(configured.Faults[0].Count, configured.Faults[1].Count, configured.Faults[2].Count, configured.Faults[3].Count))
		vs := variations()
		for i := range 3 * len(vs) {
			n := i * 5 % len(vs) // each, in another order each time
			v := vs[n]
			fresh := varied(t, order)
			require.NoError(t, reused.w.Vary(v))
			require.NoError(t, fresh.w.Vary(v))
			got, want := reused.w.Run(uint64(i)), fresh.w.Run(uint64(i))
			require.Equal(t, append(want.Faults, Injection{}), append(got.Faults, Injection{}), "variation %d", n)
			want.Faults, got.Faults = nil, nil
			require.Equal(t, *want, *got, "variation %d", n)
			require.Empty(t, differ(fresh, reused))

			if v.Until|Time(v.Fork) == 0 && v.Choose == nil {
				c := chatty(order)
				c.Faults, c.Overrides, c.Minimal = v.Faults, v.Overrides, v.Minimal
				require.Equal(t, newChat(t, c).w.Run(uint64(i)).Digest, got.Digest, "variation %d", n)
			}
		}
		c := varied(t, order).w.config
		require.NoError(t, reused.w.Vary(Variation{Faults: c.Faults, Overrides: c.Overrides}))
		again := reused.run(t, 1)
		assert.Equal(t, configured.Digest, again.Digest, "back at what was configured")
		assert.Equal(t, configured.Steps, again.Steps)
	}
}

func TestVaryUntil(t *testing.T) {
	r := varied(t, Free)
	require.NoError(t, r.w.Vary(Variation{Until: at(100)}))
	assert.Equal(t, at(100), r.run(t, 1).End)
	assert.Less(t, r.steps[len(r.steps)-1].at, at(100))
	require.NoError(t, r.w.Vary(Variation{}))
	assert.Equal(t, at(3000), r.run(t, 1).End)
}

// "It refuses faults that name what the system does not have, and then changes nothing."
func TestVaryRefuses(t *testing.T) {
	r := varied(t, FIFO)
	before := *r.run(t, 1)
	err := r.w.Vary(Variation{Minimal: true, Until: at(1), Faults: []Fault{
		{Name: "fine", Do: Pause, Node: 1, For: Exponential(ms)},
		{Name: "who", Do: Pause, Node: 4},
		{Name: "nobody", Do: Crash},
		{Name: "what", Do: Lose, Msg: MsgChoice{Kind: 6}},
		{Name: "when", Do: StepClock, Node: 2, When: When{At: -1, Before: 7, By: -1}},
		{Name: "fine", Do: Pause, Node: 2, When: When{Every: Exponential(ms)}, For: Exponential(ms)},
	}})
	require.Error(t, err)
	for _, want := range []string{`"who": node: there is no node 4`, `"nobody": crash needs a node`, `"what": message: there is no kind 6`,
		`"when": at: must not be negative`, `"when": before: there is no kind 7`, `"when": noted by: there is no node -1`, `"fine": another one that draws has this name`} {
		assert.ErrorContains(t, err, want)
	}
	require.Error(t, r.w.Vary(Variation{Minimal: true, Faults: []Fault{{Name: "x", Do: Pause, Node: 1, For: Exponential(ms)}, {Name: "x", Do: Pause, Node: 2, For: Exponential(ms)}}}))
	again := r.run(t, 1)
	assert.Equal(t, before.Digest, again.Digest)
	assert.Equal(t, before.Faults, again.Faults)
}

// "It allocates nothing once it has been called with as much."
func TestVaryAllocatesNothing(t *testing.T) {
	w := varied(t, FIFO).w
	w.observers = nil // the rig takes everything down
	a := Variation{Minimal: true, Overrides: []Override{{Draw: Draw{Purpose: Delays, From: 1}, Value: 5}}, Faults: []Fault{
		{Do: Pause, Node: 1, When: When{At: at(10)}, For: forMillis(5)},
		{Do: Pause, Node: 2, When: When{Before: beta, Nth: 2}, For: forMillis(5)},
		{Do: Cut, Sides: [][]NodeID{{1}, {2, 3}}, When: When{At: at(10)}, For: forMillis(5)},
		{Do: Lose, Msg: MsgChoice{Kind: alpha, Nth: 2}}}}
	b := Variation{Faults: []Fault{{Do: Crash, Node: 3, When: When{Note: mark, Nth: 2}, For: forMillis(5)}, {Do: Duplicate, Msg: MsgChoice{Kind: beta, Nth: 2}, For: forMillis(1)}}}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if w.Vary(a) != nil || w.Vary(b) != nil {
			panic("refused")
		}
	}))
}

// draws plays a variation with all draws taken down in their order.
func (r *rig) draws(t *testing.T, v Variation, seed uint64) []taken {
	t.Helper()
	var list []taken
	r.w.Watch(Watch{Draws: func(d Draw, u uint64) { list = append(list, taken{d, u}) }})
	defer r.w.Watch(Watch{})
	require.NoError(t, r.w.Vary(v))
	r.run(t, seed)
	return list
}

// Calm draws are 0, overrides win over both minimal and chosen ones, and what is chosen wins
// over minimal.
func TestWhoGivesTheDraws(t *testing.T) {
	r := varied(t, FIFO)
	override := Override{Draw: Draw{Purpose: Timers, From: 2, Index: 1}, Value: 12345}
	choose := func(d Draw) uint64 { return 1<<63 + d.Index }
	for _, v := range []Variation{
		{Minimal: true}, {Minimal: true, Overrides: []Override{override}}, {Choose: choose}, {Choose: choose, Minimal: true}, {Choose: choose, Overrides: []Override{override}},
	} {
		list := r.draws(t, v, 3)
		require.NotEmpty(t, list)
		hit := 0
		for _, d := range list {
			want := uint64(0)
			switch {
			case d.Draw == override.Draw && v.Overrides != nil:
				want, hit = override.Value, hit+1
			case v.Choose != nil:
				want = choose(d.Draw)
			}
			require.Equal(t, want, d.value, "%+v", d.Draw)
		}
		require.Equal(t, len(v.Overrides), hit)
	}
}

// Draws of a [Watch] are each draw and what it gave: once each, also where each step is
// run twice, and a run that is watched is the same run.
func TestDrawsAreReportedOnce(t *testing.T) {
	for _, twice := range []bool{false, true} {
		c := chatty(FIFO)
		c.Twice, c.Overrides = twice, nil
		r := newChat(t, c)
		before := r.run(t, 1).Digest
		seen, purposes := map[Draw]uint64{}, map[Purpose]int{}
		for _, d := range r.draws(t, Variation{Faults: c.Faults}, 1) {
			_, again := seen[d.Draw]
			require.False(t, again, "twice %v: %+v is reported again", twice, d.Draw)
			seen[d.Draw] = d.value
			purposes[d.Purpose]++
		}
		assert.Equal(t, before, r.w.digest.Sum(), "watched")
		for p := Delays; p <= Faults; p++ {
			assert.NotZero(t, purposes[p], p)
		}
		// They say it all: the same draws as overrides of another seed are the same run.
		var all []Override
		for d, v := range seen {
			all = append(all, Override{Draw: d, Value: v})
		}
		require.NoError(t, r.w.Vary(Variation{Faults: c.Faults, Overrides: all, Minimal: true}))
		want := *r
		r.run(t, 1)
		assert.Empty(t, differ(&want, r))
	}
}

// "Fork is the number of a step, from 1: from its beginning on, draws are those of the
// seed ForkSeed": up to that step nothing changes, and from there on every draw is one of
// that seed, or minimal.
func TestFork(t *testing.T) {
	override := Override{Draw: Draw{Purpose: Timers, From: 2, Index: 1}, Value: 12345}
	r := varied(t, FIFO)
	whole := r.draws(t, Variation{Overrides: []Override{override}}, 3)
	steps, total := r.steps, r.w.steps
	for _, calm := range []bool{false, true} {
		for _, from := range []uint64{1, 2, 17, 100, total + 1} {
			name := fmt.Sprintf("calm %v, from step %d", calm, from)
			v := Variation{Overrides: []Override{override}, Fork: from, ForkSeed: 77, ForkMinimal: calm}
			got := r.draws(t, v, 3)
			same := 0
			for same < min(len(got), len(whole)) && got[same] == whole[same] {
				same++
			}
			n := min(int(from)-1, len(steps))
			require.Equal(t, steps[:n], r.steps[:n], name)
			plain := newSource(77)
			for _, d := range got[same:] {
				want := plain.draw(d.Draw)
				if calm {
					want = 0
				}
				require.Equal(t, want, d.value, "%s: %+v", name, d.Draw)
			}
			require.Equal(t, from > total, same == len(whole), name)

			r.w.Watch(Watch{}) // and the same where nobody watches
			with := *r
			require.NoError(t, r.w.Vary(v))
			for range 2 { // what a run has come to, the next has not
				r.run(t, 3)
				require.Empty(t, differ(&with, r), name)
			}
		}
	}
	// Without an override nothing makes draws special but the fork itself.
	for _, calm := range []bool{false, true} {
		v := Variation{Fork: 17, ForkSeed: 77, ForkMinimal: calm}
		r.draws(t, v, 3)
		with := *r
		require.NoError(t, r.w.Vary(v))
		r.run(t, 3)
		require.Empty(t, differ(&with, r), "not watched, calm %v", calm)
	}
}

// "ForkSeed": a fork at the first step is that seed, but for what is drawn before it.
func TestForkAtTheFirstStepIsTheSeed(t *testing.T) {
	r := varied(t, FIFO)
	require.NoError(t, r.w.Vary(Variation{}))
	r.run(t, 77)
	want := *r
	require.NoError(t, r.w.Vary(Variation{Fork: 1, ForkSeed: 77}))
	r.run(t, 3)
	assert.Empty(t, differ(&want, r))
	require.NoError(t, r.w.Vary(Variation{}))
	r.run(t, 77)
	assert.Empty(t, differ(&want, r), "the fork is forgotten")
}

// "Where Skip returns true the step is left out: the node goes on as if the message had
// not come."
func TestVarySkip(t *testing.T) {
	r := newRig(t, Config{Until: at(5000), Network: net(5)}, idle, sender)
	var asked []Handling
	require.NoError(t, r.w.Vary(Variation{Skip: func(h Handling) bool {
		asked = append(asked, h)
		return h.Node == 2 && h.Kind == tick && h.At == at(2000)
	}}))
	r.run(t, 1)
	assert.Equal(t, []string{"1.000s b<b tick 1"}, r.stepsOf(2), "without its second tick it never ticks again")
	assert.Equal(t, Handling{At: at(1005), Node: 1, From: 2, Kind: alpha, Msg: tm{kind: alpha, n: 1}.Fold(0)}, asked[3])
	assert.Len(t, asked, 5)
	require.NoError(t, r.w.Vary(Variation{}))
	r.run(t, 1)
	assert.Len(t, r.stepsOf(2), 4)
}
