package process

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// The vectors of the specification of locks, clocks and the key-value store, through the
// engine: processes that exchange the messages, and observers that check them.

// TestVectors are the vectors of the specification by their ids:
//
//	go test -run TestVectors/C-01
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		id   string
		test func(*testing.T)
	}{
		{"C-01", vectorC01}, {"C-02", vectorC02}, {"C-03", vectorC03}, {"C-04", vectorC04}, {"C-05", vectorC05},
		{"H-12", vectorH12}, {"H-16", vectorH16}, {"H-17", vectorH17}, {"H-18", vectorH18}, {"H-19", vectorH19},
		{"H-20", vectorH20}, {"P-03", vectorP03}, {"P-06", vectorP06}, {"P-09", vectorP09}, {"P-10", vectorP10},
	} {
		t.Run(v.id, v.test)
	}
}

func vectorC01(t *testing.T) {
	r, l := playAll(t, scripted("vector", "P: a b c\nQ: d e f\nb -> e", ""))
	assert.ElementsMatch(t, []string{"ab", "ac", "ae", "af", "bc", "be", "bf", "de", "df", "ef"}, l.pairs(clock.Before))
	// S4, section 9.2, has four: b and d are missing there.
	var pairs []string
	for _, p := range l.pairs(clock.Concurrent) {
		pairs = append(pairs, string(min(p[0], p[1]))+string(max(p[0], p[1])))
	}
	assert.ElementsMatch(t, []string{"ad", "bd", "cd", "ce", "cf"}, pairs)
	assert.EqualValues(t, 10, r.Measure("ordered-pairs"))
	assert.EqualValues(t, 5, r.Measure("concurrent-pairs"))
	r.Holds("orders-causally", "detects-concurrency")
}

// The run of S4, section 9.3, and the same with m2 before m1.
const (
	example = "A: a1 a2 a3 a4\nB: b1 b2 b3 b4 b5\nC: c1 c2 c3\na2 -> b3\nc2 -> b4\nb5 -> a4\n"
	swapped = "A: a1 a2 a3 a4\nB: b1 b2 b3 b4 b5\nC: c1 c2 c3\nc2 -> b3\na2 -> b4\nb5 -> a4\n"
	stamps  = "A: 1 2 3 6\nB: 1 2 3 4 5\nC: 1 2 3\n"
)

func vectorC02(t *testing.T) {
	t.Run("C-02a", func(t *testing.T) {
		r := play(t, scripted("lamport", example, stamps))
		r.Holds("as-written", "orders-causally", "total-order")
		r.Logs("B receives a2 of A: b3 is 3", "B receives c2 of C: b4 is 4", "B sends b5: 5", "A receives b5 of B: a4 is 6")
	})
	t.Run("C-02b", func(t *testing.T) {
		_, l := playAll(t, scripted("lamport", example, ""))
		all := make([]clock.Event, len(l.events))
		for i := range all {
			all[i] = clock.Event(i)
		}
		slices.SortFunc(all, func(a, b clock.Event) int {
			return clock.Stamp[sim.NodeID]{C: uint64(l.events[a].L), P: l.node(a)}.Compare(clock.Stamp[sim.NodeID]{C: uint64(l.events[b].L), P: l.node(b)})
		})
		var order []string
		for _, e := range all {
			order = append(order, l.short(e))
		}
		assert.Equal(t, "a1 b1 c1 a2 b2 c2 a3 b3 c3 b4 b5 a4", strings.Join(order, " "))
	})
	t.Run("C-02c", func(t *testing.T) {
		play(t, scripted("lamport", swapped, stamps)).Holds("as-written", "orders-causally", "total-order")
	})
	// "one local event then send, Rules 1+2 literally: 3 (wrong); correct 2".
	t.Run("C-02d", func(t *testing.T) {
		play(t, scripted("lamport", "A: a1 a2\nB: b\na2 -> b", "A: 1 2\nB: 3")).Holds("as-written")
		literal := scripted("lamport", "A: a1 a2\nB: b\na2 -> b", "A: 1 3\nB: 4")
		literal.Rules = "literal"
		play(t, literal).Holds("as-written", "orders-causally")
	})
}

func vectorC03(t *testing.T) {
	const script = "A: a1 a2 a3\nB: b1 b2 b3 b4\nC: c1 c2\na2 -> b2\nc2 -> b3\nb4 -> a3"
	r, l := playAll(t, scripted("vector", script, "A: [1,0,0] [2,0,0] [3,4,2]\nB: [0,1,0] [2,2,0] [2,3,2] [2,4,2]\nC: [0,0,1] [0,0,2]"))
	e := l.byName()
	t.Run("C-03a", func(*testing.T) { r.Holds("as-written", "orders-causally", "detects-concurrency") })
	t.Run("C-03b", func(t *testing.T) { assert.Equal(t, clock.Concurrent, l.relation(e["b2"], e["c2"])) })
	t.Run("C-03c", func(t *testing.T) { assert.Equal(t, clock.Before, l.relation(e["a2"], e["b2"])) })
}

func vectorC04(t *testing.T) {
	t.Run("C-04a", func(t *testing.T) {
		r := play(t, scripted("lamport", example, ""))
		assert.EqualValues(t, 66, r.Measure("ordered-pairs")+r.Measure("concurrent-pairs"))
		assert.EqualValues(t, 30, r.Measure("concurrent-pairs"))
		assert.EqualValues(t, 21, r.Measure("concurrent-ordered"))
		v := play(t, scripted("vector", example, ""))
		v.Holds("detects-concurrency")
		assert.EqualValues(t, 30, v.Measure("concurrent-pairs"))
		assert.Zero(t, v.Measure("concurrent-ordered"))
		assert.Zero(t, v.Measure("false-concurrent"))
	})
	t.Run("C-04b", func(t *testing.T) {
		_, l := playAll(t, scripted("vector", example, "A: - - - [4,5,2]\nC: - - [0,0,3]"))
		e := l.byName()
		assert.Equal(t, clock.Concurrent, l.relation(e["c3"], e["a4"]))
		play(t, scripted("lamport", example, "A: - - - 6\nC: - - 3")).Holds("as-written")
	})
}

// C-05: "300 random executions, 18 events, 3 processes: VC <=> HB violations 0; HB => L<
// violations 0". The executions are random scripts.
func vectorC05(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	ordered := int64(0)
	for range 300 {
		text := randomScript(r, 3, 18, false)
		v := play(t, scripted("vector", text, ""))
		v.Holds("orders-causally")
		v.OnlyViolates()
		assert.Zero(t, v.Measure("concurrent-ordered")+v.Measure("false-concurrent")+v.Measure("misordered"))
		ordered += v.Measure("ordered-pairs")
		play(t, scripted("lamport", text, "")).OnlyViolates()
	}
	assert.Greater(t, ordered, int64(300*18), "executions in which nothing happens before anything show nothing")
}

// randomScript is a script of so many events of processes A, B, C...; if they are apart,
// at most one happens at any millisecond, and no process has two in one.
func randomScript(r *rand.Rand, processes, events int, apart bool) string {
	by, messages := make([]string, processes), ""
	owner, instant, last := make([]int, events), make([]int, events), make([]int, processes)
	now := 0
	for e := range events {
		now += 1 + r.IntN(3)
		p := r.IntN(processes)
		owner[e], instant[e], last[p] = p, now, now
		by[p] += fmt.Sprintf(" e%d", e)
		if apart {
			by[p] += fmt.Sprintf("@%dms", now)
		}
		if e > 0 && r.IntN(2) == 0 {
			from := max(0, e-20) + r.IntN(min(e, 20))
			if owner[from] != p && (!apart || instant[from]+5 <= now) {
				messages += fmt.Sprintf("e%d -> e%d\n", from, e)
			}
		}
	}
	text := ""
	for p := range by {
		if by[p] != "" {
			text += string(rune('A'+p)) + ":" + by[p] + "\n"
		}
	}
	return text + messages
}

func hlc(script, stamps string, epsilon time.Duration) Params {
	p := scripted("hlc", script, stamps)
	p.Epsilon = &epsilon
	return p
}

// H-12: "n1 fast +100 sends at 1000; n0 recv 1005, sends 1006; n2 slow -50 recv 1011; n0
// local pt=1101".
func vectorH12(t *testing.T) {
	p := hlc("n0: a1 a2@1006ms a3@1101ms\nn1: b1@1s\nn2: c1\nb1 -> a1\na2 -> c1",
		"n0: 1100ms,1 1100ms,2 1101ms,0\nn1: 1100ms,0\nn2: 1100ms,3", 150*ms)
	r := play(t, p, offset("n1", 100*ms), offset("n2", -50*ms))
	r.Holds("as-written", "orders-causally", "total-order", "close-to-physical", "counter-bound")
	assert.EqualValues(t, 139*ms, r.Measure("most-ahead"), "1100 of 961")
}

// H-16: "4 nodes, e=10, random traffic: l-pt in [0,9] <= 10; max c 10 <= N(e+1)=44". The
// traffic of the vector is not given; of ours the bounds are checked, and that it comes
// near them.
func vectorH16(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	farthest, most := int64(0), int64(0)
	for range 30 {
		p := hlc(randomScript(r, 4, 400, true), "", 10*ms)
		p.Granule = ms
		run := play(t, p, offset("B", time.Duration(r.IntN(11))*ms), offset("C", time.Duration(r.IntN(11))*ms), offset("D", 10*ms))
		run.Holds("orders-causally", "total-order", "close-to-physical", "counter-bound")
		farthest, most = max(farthest, run.Measure("most-ahead")), max(most, run.Measure("most-counter"))
	}
	assert.LessOrEqual(t, farthest, int64(10*ms))
	assert.GreaterOrEqual(t, farthest, int64(5*ms))
	assert.LessOrEqual(t, most, int64(44))
	assert.Positive(t, most)
}

// poisoned is H-17: "pt 1000; recv (3 601 000,0) at 1005; 1000 local events".
func poisoned(stamps string) Params {
	p := hlc("A: a@1s\nB: b0@1s b1\na -> b1", "A: 3601000ms,0\nB: 1000ms,0 "+stamps, 500*ms)
	gap := sim.Constant(ms)
	p.Then, p.Gap = []int{0, 1000}, &gap
	return p
}

func vectorH17(t *testing.T) {
	r, l := playAll(t, poisoned("3601000ms,1"), offset("A", time.Hour))
	r.Holds("as-written", "orders-causally", "counter-bound")
	r.Violated("close-to-physical", at(1005))
	last := l.events[len(l.events)-1]
	assert.Equal(t, Stamp{L: int64(3_601_000 * ms), C: 1001}, last.Stamp)
	assert.EqualValues(t, 3_598_995*ms, last.L-int64(last.pt))
	assert.EqualValues(t, 3_598_995*ms, r.Measure("ahead-at-end"))
	assert.EqualValues(t, 1001, r.Measure("most-counter"))
}

// H-18: "same with maxOffset 500: rejected".
func vectorH18(t *testing.T) {
	p := poisoned("refused")
	p.MaxOffset = 500 * ms
	r := play(t, p, offset("A", time.Hour))
	r.OnlyViolates()
	r.Holds("as-written", "close-to-physical")
	r.Logs("B refuses a message of A with the stamp 1h0m1s,0: the message is too far ahead")
	assert.EqualValues(t, 1, r.Measure("refused"))
	assert.Zero(t, r.Measure("most-counter"))
}

// H-19: "restart without persistence, wall stepped back 250: (5000,0) then (4750,0): order
// violated".
func vectorH19(t *testing.T) {
	faults := []simtest.Change{
		simtest.Inject("A", sim.Fault{Do: sim.StepClock, By: -250 * ms, When: sim.When{Note: Local, Nth: 1}}),
		simtest.Inject("A", sim.Fault{Do: sim.Crash, When: sim.When{Note: Local, Nth: 1}}),
	}
	gap := sim.Constant(ms)
	p := scripted("hlc", "A: a1@5s a2", "A: 5000ms,0 4750ms,0")
	p.Gap = &gap
	r := play(t, p, faults...)
	r.Holds("as-written")
	r.Violated("orders-causally", at(5000))
	r.Violated("total-order", at(5000))

	p = scripted("hlc", "A: a1@5s a2", "A: 5000ms,0 7000000001ns,0") // the bound of the fourth second
	p.Gap, p.Durable = &gap, true
	play(t, p, faults...).OnlyViolates()
}

// A bound is ahead of l, which may be ahead of the wall clock, and never falls, wherever
// the wall clock is put.
func TestBounds(t *testing.T) {
	p := hlc("A: a@1s\nB: b1 b2@2600ms\na -> b1", "A: 3s,0\nB: 3s,1 6000000001ns,0", time.Hour) // 3 s above l, at 2 s
	p.Durable = true
	r := play(t, p, offset("A", 2*time.Second), simtest.Inject("B", sim.Fault{Do: sim.Crash, When: when(2500), For: sim.Constant(0)}))
	r.Holds("as-written", "orders-causally")

	c := newHybrid(clock.HLCParams{MaxCounter: 1, Durable: true}, time.Second)
	high, _ := c.Persist(clock.Reading(10 * time.Second))
	low, _ := c.Persist(clock.Reading(5 * time.Second))
	assert.Equal(t, high, low)
}

// A wall clock with a granule shows the last multiple of it, before 0 as well.
func TestGranule(t *testing.T) {
	for by, want := range map[time.Duration]string{-5500 * time.Microsecond: "-6ms", -6 * ms: "-6ms", 5500 * time.Microsecond: "5ms", 0: "0s"} {
		p := scripted("wall", "A: a", "A: "+want)
		p.Granule = ms
		play(t, p, offset("A", by)).Holds("as-written")
	}
}

func vectorH20(t *testing.T) {
	p := scripted("hlc", "A: a@100ms\nB: b@101ms", "A: 100ms,0\nB: 101ms,0")
	p.Claims = []string{"detects-concurrency", "total-order"}
	r := play(t, p)
	r.Holds("as-written", "total-order")
	r.Violated("detects-concurrency", at(101))
}

// P-03: "slew 128 ms at 500 ppm: 256 s". The offset is gone when B has sent for the third
// time, to the nanosecond.
func vectorP03(t *testing.T) {
	p := scripted("wall", "A: a1 a2 a3\nB: b1@1s b2@128s b3@256s\nb1 -> a1\nb2 -> a2\nb3 -> a3", "B: 1128ms 128128ms 256128ms")
	r, l := playAll(t, p, offset("B", 128*ms), simtest.Until(at(300_000)),
		simtest.Inject("B", sim.Fault{Do: sim.SetRate, Rate: -500_000, When: when(0), For: sim.Constant(256 * time.Second)}))
	r.Holds("as-written")
	e := l.byName()
	assert.Equal(t, clock.After, l.relation(e["b1"], e["a1"]), "received before it was sent")
	assert.Equal(t, clock.After, l.relation(e["b2"], e["a2"]))
	assert.EqualValues(t, 5*ms, l.events[e["a3"]].L-l.events[e["b3"]].L)
}

// P-06: "leap smear over 24 h: 11.574 ppm".
func vectorP06(t *testing.T) {
	p := scripted("wall", "A: a2 a3\nB: b1@12h b2@24h\nb1 -> a2\nb2 -> a3", "B: 43200s 86399s")
	r, l := playAll(t, p, simtest.Until(sim.Time(25*time.Hour)),
		simtest.Inject("A", sim.Fault{Do: sim.SetRate, Rate: -11_574, When: when(0), For: sim.Constant(24 * time.Hour)}),
		simtest.Inject("B", sim.Fault{Do: sim.StepClock, By: -time.Second, When: when(86_400_000)}))
	r.Holds("as-written")
	r.Violated("orders-causally", at(43_200_005))
	a3 := time.Duration(l.events[l.byName()["a3"]].L)
	assert.Equal(t, 24*time.Hour-999_993_600+5*ms, a3, "11 574 ns a second for 86 400 s are 0.9999936 s")
}

// P-09: "step -10 000 at 5000: W(4999), W(5000), W(7000), W(15000): 4999, -5000, -3000,
// 5000".
func vectorP09(t *testing.T) {
	p := scripted("wall", "A: a1@4999ms a2@5s a3@7s a4@15s", "A: 4999ms -5000ms -3000ms 5000ms")
	step := simtest.Inject("A", sim.Fault{Do: sim.StepClock, By: -10 * time.Second, When: when(5000)})
	r := play(t, p, step)
	r.Holds("as-written")
	r.Violated("orders-causally", at(5000))
	// A hybrid clock: l stands, c counts, and nothing is violated.
	play(t, scripted("hlc", p.Script, "A: 4999ms,0 4999ms,1 4999ms,2 5000ms,0"), step).OnlyViolates()
}

// P-10: "VM suspend [3000,8000), step at 10 000: MONOTONIC(8000)=3000, (10000)=5000; W
// 3000, W(9999)=4999, W(10000)=10 000".
func vectorP10(t *testing.T) {
	p := scripted("wall", "A: a@6s\nB: b1 b2@4999ms b3@5s\na -> b1", "A: 6s\nB: 3s 4999ms 10s")
	r := play(t, p, simtest.Inject("B", sim.Fault{Do: sim.Suspend, When: when(3000), For: sim.Constant(5 * time.Second)}),
		simtest.Inject("B", sim.Fault{Do: sim.StepClock, By: 5 * time.Second, When: when(10_000)}))
	r.Holds("as-written")
	r.Violated("orders-causally", at(8000))
	assert.Equal(t, at(9999), r.Moment("B does b2"))
	assert.Equal(t, at(10_000), r.Moment("B does b3"))
}
