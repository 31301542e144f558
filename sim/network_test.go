package sim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flood sends n alphas to each of some nodes at once.
func flood(n int64, to ...NodeID) does {
	return onStart(func(out *Out[tm]) {
		for i := range n {
			for _, id := range to {
				out.Send(id, tm{kind: alpha, n: i})
			}
		}
	})
}

// arrivals are the instants of the alphas from one node to another, by number, and
// the numbers in the order in which they arrived.
func (r *rig) arrivals(from, to NodeID) (at map[int64][]Time, order []int64) {
	at = make(map[int64][]Time)
	for _, s := range r.steps {
		if s.in.Msg.kind == alpha && s.in.From == from && s.in.Self == to {
			at[s.in.Msg.n] = append(at[s.in.Msg.n], s.at)
			order = append(order, s.in.Msg.n)
		}
	}
	return at, order
}

// "FIFO holds a message back until the one before it on its link has arrived; Free
// does not."
func TestOrder(t *testing.T) {
	const n = 500
	delay := Exponential(10 * ms)
	for _, nodes := range []int{3, 200} { // links in a table, and not
		var does []does
		for range nodes {
			does = append(does, idle)
		}
		does[0] = flood(n, 2, 3)
		t.Run(fmt.Sprint("FIFO of ", nodes), func(t *testing.T) {
			r := newRig(t, Config{Network: Network{Default: Link{Delay: delay}}}, does...)
			r.run(t, 4)
			s := newSource(4)
			for to := NodeID(2); to <= 3; to++ {
				arrived, order := r.arrivals(1, to)
				require.Len(t, order, n)
				var latest Time
				for i := range int64(n) {
					require.Equal(t, i, order[i])
					latest = max(latest, Time(delay.Sample(s.at(Delays, 1, to, uint64(i)))))
					require.Equal(t, []Time{latest}, arrived[i])
				}
			}
		})
		t.Run(fmt.Sprint("free of ", nodes), func(t *testing.T) {
			r := newRig(t, Config{Network: Network{Order: Free, Default: Link{Delay: delay}}}, does...)
			r.run(t, 4)
			s := newSource(4)
			overtaken := 0
			for to := NodeID(2); to <= 3; to++ {
				arrived, order := r.arrivals(1, to)
				require.Len(t, order, n)
				for i := range int64(n) { // the stream is that of the sender: the two nodes take turns
					draw := uint64(2*i) + uint64(to-2)
					require.Equal(t, []Time{Time(delay.Sample(s.at(Delays, 1, None, draw)))}, arrived[i])
					if order[i] != i {
						overtaken++
					}
				}
			}
			assert.Greater(t, overtaken, n)
		})
	}
}

// "The last rule that matches decides"; "an empty set is every node".
func TestLinkRules(t *testing.T) {
	link := func(millis int64) Link { return Link{Delay: forMillis(millis)} }
	network := Network{Default: link(1), Rules: []LinkRule{
		{From: []NodeID{1}, Link: link(2)},
		{To: []NodeID{3}, Link: link(3)},
		{From: []NodeID{1, 2}, To: []NodeID{2, 4}, Link: link(4)},
		{From: []NodeID{2}, To: []NodeID{2}, Link: link(5)},
	}}
	want := map[string]int64{
		"a>a": 2, "a>b": 4, "a>c": 3, "a>d": 4,
		"b>a": 1, "b>b": 5, "b>c": 3, "b>d": 4,
		"c>a": 1, "c>b": 1, "c>c": 3, "c>d": 1,
		"d>a": 1, "d>b": 1, "d>c": 3, "d>d": 1,
	}
	for _, order := range []Order{FIFO, Free} {
		for _, nodes := range []int{4, fewNodes + 10} {
			t.Run(fmt.Sprint(order, " of ", nodes), func(t *testing.T) {
				var does []does
				for i := range nodes {
					if does = append(does, idle); i < 4 {
						does[i] = flood(1, 1, 2, 3, 4)
					}
				}
				network.Order = order
				r := newRig(t, Config{Network: network}, does...)
				r.run(t, 1)
				got := make(map[string]int64)
				for _, s := range r.steps {
					if s.in.Msg.kind == alpha {
						got[nodeName(s.in.From)+">"+nodeName(s.in.Self)] = int64(s.at) / int64(ms)
					}
				}
				assert.Equal(t, want, got)
			})
		}
	}
	t.Run("every node", func(t *testing.T) {
		r := newRig(t, Config{Network: Network{Rules: []LinkRule{{Link: link(7)}}}}, flood(1, 1, 2), idle)
		r.run(t, 1)
		assert.Equal(t, []string{"0.007s a<a alpha 0", "0.007s b<a alpha 0"}, r.stepsOf(None))
	})
}

func TestLossAndDuplication(t *testing.T) {
	const n = 20_000
	for _, order := range []Order{FIFO, Free} {
		for _, c := range []struct{ loss, duplicate Chance }{
			{0, 0}, {Certain, 0}, {0, Certain}, {Certain, Certain},
			{100_000_000, 0}, {0, 200_000_000}, {300_000_000, 100_000_000},
		} {
			t.Run(fmt.Sprint(order, c), func(t *testing.T) {
				r := newRig(t, Config{Network: Network{Order: order,
					Default: Link{Delay: Uniform(ms, 50*ms), Loss: c.loss, Duplicate: c.duplicate}}}, flood(n, 2), idle)
				r.run(t, 2)
				arrived, _ := r.arrivals(1, 2)
				twice := 0
				for i, at := range arrived {
					require.LessOrEqual(t, len(at), 2, "%d", i)
					if len(at) == 2 {
						// "A second copy travels, with a delay of its own", after the first.
						require.Greater(t, at[1], at[0])
						twice++
					}
				}
				loss, duplicate := float64(c.loss)/1e9, float64(c.duplicate)/1e9
				within := func(p float64, got int, what string) {
					assert.InDelta(t, n*p, got, 6*math.Sqrt(n*p*(1-p)), what)
				}
				within(1-loss, len(arrived), "not lost")
				within((1-loss)*duplicate, twice, "twice")
			})
		}
	}
	// "The second copy of a message comes after the first, but keeps no order with others."
	t.Run("copies in a network that keeps order", func(t *testing.T) {
		r := newRig(t, Config{Network: Network{Default: Link{Delay: Exponential(10 * ms), Duplicate: Certain / 2}}}, flood(500, 2), idle)
		r.run(t, 2)
		arrived, _ := r.arrivals(1, 2)
		var last Time
		late := 0
		for i := range int64(500) {
			require.GreaterOrEqual(t, arrived[i][0], last, "first copies keep their order")
			last = arrived[i][0]
			if i > 0 && len(arrived[i-1]) == 2 && arrived[i-1][1] > last {
				late++
			}
		}
		assert.Greater(t, late, 100)
	})
}

// A node may send to itself over the network, and that is no timer.
func TestSelfSends(t *testing.T) {
	r := newRig(t, Config{Network: net(30), Faults: []Fault{
		{Name: "crash", Do: Crash, Node: 1, When: When{At: at(10)}, For: forMillis(5)},
	}}, func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == start {
			out.Send(1, tm{kind: alpha, n: int64(in.Wall) / int64(ms)})
			out.After(30*ms, tm{kind: tick, n: int64(in.Wall) / int64(ms)})
		}
	})
	r.run(t, 1)
	// What is on the network survives the crash; the timer does not.
	assert.Equal(t, []string{"0.030s a<a alpha 0", "0.045s a<a alpha 15", "0.045s a<a tick 15"}, r.stepsOf(None))
}

func TestUnknownNode(t *testing.T) {
	for _, to := range []NodeID{None, -1, 3, math.MaxInt32, math.MinInt32} {
		for _, cost := range []Dist{{}, Constant(ms)} { // the effect leaves at once, or later
			for _, c := range []Config{{}, {Network: Network{Order: Free}}} {
				c.Costs, c.Clocks = []Dist{cost}, nil
				r := newRig(t, c, sendsTo(to), idle)
				res := r.w.Run(1)
				require.NotNil(t, res.Panic)
				assert.Equal(t, fmt.Sprintf("sim: a message to node %d, of 2 nodes", to), res.Panic.Value)
				assert.Equal(t, NodeID(1), res.Panic.Node)
			}
		}
	}
}

func sendsTo(to NodeID) does {
	return onStart(func(out *Out[tm]) { out.Send(to, tm{kind: alpha}) })
}

// Timers of any length can be armed; those beyond the end of time never fire.
func TestLongTimers(t *testing.T) {
	for _, clock := range []Clock{{}, {Rate: 100}, {Rate: -100}, {Offset: math.MaxInt64}, {Offset: math.MinInt64}} {
		r := newRig(t, Config{Until: Never, Clocks: []Clock{clock}}, func(in In[tm], out *Out[tm]) {
			switch in.Msg.kind {
			case start:
				out.After(time.Hour, tm{kind: tick})
			case tick:
				out.After(math.MaxInt64, tm{kind: beta, n: 1})
				out.After(math.MaxInt64-1, tm{kind: beta, n: 2})
				out.AfterDraw(Constant(math.MaxInt64), tm{kind: beta, n: 3})
				out.At(math.MinInt64, tm{kind: gamma})
				out.At(math.MaxInt64, tm{kind: beta, n: 4})
				out.Send(2, tm{kind: alpha})
			}
		}, idle)
		r.w.config.Network = Network{Default: Link{Delay: Constant(math.MaxInt64)}}
		r.w.net = newNetworkState(r.w.config.Network, 3)
		r.run(t, 1)
		var got []Kind
		for _, s := range r.steps {
			got = append(got, s.in.Msg.kind)
		}
		assert.Equal(t, []Kind{start, start, tick, gamma}, got, "%+v", clock)
	}
	r := newRig(t, Config{}, onStart(func(out *Out[tm]) { out.After(-1, tm{kind: tick}) }))
	res := r.w.Run(1)
	require.NotNil(t, res.Panic)
	assert.Equal(t, "sim: a timer of -1ns", res.Panic.Value)
}
