package sim

import (
	"fencepost/internal/whole"
	"fencepost/sim/internal/queue"
	"fmt"
	"slices"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim/internal/dist"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dice are draws for tests.
type dice uint64

// below is a number from 0 to n-1.
func (d *dice) below(n int) int {
	*d += 0x9E3779B97F4A7C15
	return int(dist.Below(splitmix.Mix(uint64(*d)), uint64(n)))
}

// one reports true in one of n cases.
func (d *dice) one(n int) bool { return d.below(n) == 0 }

// pick is one of a list.
func pick[T any](d *dice, list ...T) T { return list[d.below(len(list))] }

// gremlin is an adversary that does something at random choices, and takes down what.
type gremlin struct {
	rig    *rig
	dice   dice
	rarely int
	most   int
	deeds  []string
	faults []Fault
}

func (g *gremlin) Choose(c Choice) (FaultChoice, bool) {
	if len(g.faults) == g.most || !g.dice.one(g.rarely) {
		return FaultChoice{}, false
	}
	d := FaultChoice{For: pick(&g.dice, 0, time.Nanosecond, ms, 5*ms, 10*ms, 10*ms, 100*ms)}
	if c.Point == Sending {
		d.Do = pick(&g.dice, Delay, Lose, Duplicate)
	} else if d.Do = pick(&g.dice, Pause, Suspend, Crash, StepClock); d.Do == StepClock {
		d.By, d.For = pick(&g.dice, 5*ms, 10*ms, -10*ms, time.Second), 0
	}
	if c.Point == Stepping && !askedAtDawn {
		if !g.alone(c) {
			return FaultChoice{}, false
		}
		d.For += time.Duration(g.dice.below(1_000_000)) // ends at an instant of its own
	}
	g.deeds = append(g.deeds, fmt.Sprintf("%d %v %+v", c.Point, c.At, d))
	g.faults = append(g.faults, c.Fault(d))
	return d, true
}

// askedAtDawn says that at Stepping an adversary is asked when an instant begins, as a
// fault is injected. As long as it is asked when the node first acts at that instant, what
// others did then before is done already: their notes come before it, and what they sent
// comes before the end of what is done now. Equality is promised where nothing was.
const askedAtDawn = false

// alone reports whether nothing else happens at the instant of a choice.
func (g *gremlin) alone(c Choice) bool {
	w, steps, seen := g.rig.w, g.rig.steps, g.rig.seen
	return (len(steps) == 0 || steps[len(steps)-1].at != c.At) && (len(seen) == 0 || seen[len(seen)-1].at != c.At) &&
		!slices.ContainsFunc(w.q.Snapshot(), func(k queue.Key) bool { return k.At == int64(c.At) })
}

// storm is a world in which much happens, and much of it at the same instant.
func storm(d *dice) (Config, []does) {
	length := func() Dist {
		return pick(d, Constant(0), Constant(ms), Constant(5*ms), forMillis(10), Exponential(4*ms))
	}
	c := Config{Until: at(300), Resume: pick(d, ByArrival, TimersFirst, MessagesFirst), Minimal: d.one(3),
		Network: Network{Order: pick(d, FIFO, Free), Default: Link{Delay: length()}}}
	if d.one(2) {
		c.Network.Default.Loss, c.Network.Default.Duplicate = Certain/10, Certain/10
	}
	for range 3 {
		c.Costs = append(c.Costs, pick(d, Constant(0), Constant(0), Constant(ms), Exponential(ms)))
		c.Clocks = append(c.Clocks, Clock{Rate: pick[PPB](d, 0, 0, 100_000_000, -1000), Offset: pick(d, 0, 7*ms)})
	}
	for i := range d.below(4) {
		c.Faults = append(c.Faults, scripted(d, fmt.Sprint("scripted ", i)))
	}
	return c, stormers(d)
}

// scripted is a fault of the storm itself.
func scripted(d *dice, name string) Fault {
	node, kind, nth := NodeID(d.below(3)+1), pick(d, alpha, beta, tick, mark), d.below(4)
	length := pick(d, forMillis(5), forMillis(10), Exponential(10*ms))
	when := pick(d, When{At: at(int64(10 * d.below(10)))}, When{Note: mark, Nth: nth}, When{Before: kind, Nth: nth}, When{Every: forMillis(40)})
	msg := MsgChoice{Kind: pick(d, alpha, beta, start), From: NodeID(d.below(4)), Nth: nth}
	return pick(d,
		Fault{Name: name, Do: Pause, Node: node, When: when, For: length},
		Fault{Name: name, Do: Suspend, Node: node, When: when, For: length},
		Fault{Name: name, Do: Crash, Node: node, When: when, For: length},
		Fault{Name: name, Do: StepClock, Node: node, When: when, By: 5 * ms},
		Fault{Name: name, Do: SetRate, Node: node, When: when, For: length, Rate: 200_000_000},
		Fault{Name: name, Do: Cut, Sides: [][]NodeID{{1}, {2, 3}}, When: When{At: at(50)}, For: length},
		Fault{Name: name, Do: Hold, Sides: [][]NodeID{{1, 3}, {2}}, When: When{At: at(20)}, For: length},
		Fault{Name: name, Do: Lose, Msg: msg},
		Fault{Name: name, Do: Delay, Msg: msg, For: length},
		Fault{Name: name, Do: Duplicate, Msg: msg, For: length})
}

// stormers are three nodes that ask for everything there is, without a state: what they
// do is in the messages.
func stormers(d *dice) []does {
	every, zero := pick(d, 10*ms, 10*ms, 7*ms), d.one(4)
	node := func(in In[tm], out *Out[tm]) {
		n := in.Msg.n
		switch in.Msg.kind {
		case start:
			if in.From != in.Self {
				return
			}
			out.After(every, tm{kind: tick, n: 1})
			out.At(in.Wall.Add(20*ms), tm{kind: gamma, n: 1})
		case tick:
			out.Send(in.Self%3+1, tm{kind: alpha, n: n})
			out.Note(tm{kind: mark, n: n})
			out.Send((in.Self+1)%3+1, tm{kind: alpha, n: n})
			if zero {
				out.Send(in.Self%3+1, tm{kind: start, n: n})
			}
			out.AfterDraw(Uniform(every, every+ms), tm{kind: tick, n: n + 1})
		case alpha:
			out.Note(tm{kind: mark, n: -n})
			out.Send(in.From, tm{kind: beta, n: n})
		case beta:
			if n%3 == 0 {
				out.At(in.Wall.Add(10*ms), tm{kind: gamma, n: -n})
			}
		case gamma:
			out.Note(tm{kind: gamma, n: int64(in.Wall)})
			if n > 0 {
				out.At(in.Wall.Add(20*ms), tm{kind: gamma, n: n + 1})
				out.Send(in.Self%3+1, tm{kind: beta, n: n})
			}
		}
	}
	return []does{node, node, node}
}

// differ says where two runs of a rig differ, "" if they do not.
func differ(a, b *rig) string {
	for i := range min(len(a.steps), len(b.steps)) {
		if a.steps[i] != b.steps[i] {
			return fmt.Sprintf("step %d: %v %v | %v %v", i+1, a.steps[i], a.steps[i].in, b.steps[i], b.steps[i].in)
		}
	}
	for i := range min(len(a.seen), len(b.seen)) {
		if a.seen[i] != b.seen[i] {
			return fmt.Sprintf("observation %d: %v | %v", i+1, a.seen[i], b.seen[i])
		}
	}
	if len(a.steps) != len(b.steps) || len(a.seen) != len(b.seen) {
		return fmt.Sprintf("%d steps, %d observations | %d, %d", len(a.steps), len(a.seen), len(b.steps), len(b.seen))
	}
	return ""
}

// "Fault is the fault that does the same in a run without the adversary": whatever an
// adversary does to a world, the same faults as faults do the same, step by step.
func TestDeedsAreFaults(t *testing.T) {
	done := map[string]int{}
	n := whole.Of(500, 1500)
	for seed := range uint64(n) {
		d := dice(splitmix.Mix(seed))
		c, nodes := storm(&d)
		r := newRig(t, c, nodes...)
		g := &gremlin{rig: r, dice: d, rarely: 1 + d.below(40), most: 1 + d.below(4)}
		before := *g
		r.w.SetAdversary(g)
		steps := r.run(t, seed).Steps
		with, faults := *r, g.faults
		*g = before
		r.run(t, seed)
		require.Equal(t, faults, g.faults, "seed %d: asked otherwise in the second run", seed)
		r.w.SetAdversary(nil)
		require.NoError(t, r.w.Vary(Variation{Faults: slices.Concat(c.Faults, g.faults), Minimal: c.Minimal}))
		again := r.run(t, seed)
		require.Empty(t, differ(&with, r), "seed %d: %q", seed, g.deeds)
		require.Equal(t, steps, again.Steps)
		for i, f := range g.faults {
			done[f.Do.String()] += again.Faults[len(c.Faults)+i].Count
		}
	}
	for do := Pause; do <= Duplicate; do++ {
		if do != SetRate && do != Cut && do != Hold {
			assert.Greater(t, done[do.String()], n/15, do)
		}
	}
}

// listener is an adversary that does nothing and takes down what it is asked.
type listener struct{ choices []Choice }

func (a *listener) Choose(c Choice) (FaultChoice, bool) {
	a.choices = append(a.choices, c)
	return FaultChoice{}, false
}

func (a *listener) of(p Point) []string {
	var list []string
	for _, c := range a.choices {
		if c.Point == p {
			list = append(list, fmt.Sprintf("%v %s>%s %s %d", c.At, nodeName(c.Node), nodeName(max(c.To, 1)), kindNames[c.Kind], c.Nth))
		}
	}
	return list
}

// Before each effect and message that a fault can name there is one choice; effects
// that are buffered have had theirs.
func TestChoices(t *testing.T) {
	work := onStart(func(out *Out[tm]) {
		out.Send(2, tm{kind: alpha})
		out.Note(tm{kind: mark})
		out.Send(2, tm{}) // of kind 0, which no fault can name
		out.Send(3, tm{kind: alpha})
		out.Send(3, tm{kind: gamma}) // arrives with the alpha: one choice for both
		out.After(20*ms, tm{kind: tick})
	})
	echo := func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == alpha {
			out.Send(1, tm{kind: beta})
		}
	}
	a := &listener{}
	r := newRig(t, Config{Until: at(100), Network: net(5), Faults: []Fault{
		{Do: Pause, Node: 1, When: When{Note: mark}, For: forMillis(10)},
		{Do: Pause, Node: 1, When: When{Before: alpha, Nth: 2}, For: forMillis(10)},
		{Do: Lose, Msg: MsgChoice{Kind: beta, Nth: 1}},
	}}, work, echo, echo)
	r.w.SetAdversary(a)
	for range 2 {
		a.choices = nil
		r.run(t, 1)
		assert.Equal(t, []string{"0.000s a>a start 0", "0.000s b>a start 0", "0.000s c>a start 0", "0.005s b>a alpha 0", "0.015s b>a start 0", "0.025s c>a alpha 0",
			"0.030s a>a beta 0", "0.040s a>a tick 0"}, a.of(Stepping))
		assert.Equal(t, []string{"0.000s a>a alpha 1", "0.000s a>a mark 1", "0.005s b>a beta 1", "0.020s a>a gamma 1", "0.020s a>a tick 1", "0.025s c>a beta 1"}, a.of(Leaving),
			"the second alpha is buffered by the pause before it, and is emitted")
		assert.Equal(t, []string{"0.000s a>b alpha 1", "0.020s a>c alpha 2", "0.020s a>c gamma 1", "0.025s c>a beta 1"}, a.of(Sending), "a script decides about the first beta")
	}
	r.w.SetAdversary(nil)
	a.choices = nil
	r.run(t, 1)
	assert.Empty(t, a.choices)
}
