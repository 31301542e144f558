package clock

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors of section C: hybrid logical clocks. Times are in milliseconds, or in no
// unit at all.

const ms = Reading(time.Millisecond)

func ts(l Reading, c uint32) Timestamp { return Timestamp{l, c} }

func TestHLCRules(t *testing.T) {
	received := func(m Timestamp) *Timestamp { return &m }
	for _, v := range []struct {
		id    string
		state Timestamp
		m     *Timestamp
		pt    Reading
		want  Timestamp
	}{
		{"H-01", ts(0, 0), nil, 10, ts(10, 0)},
		{"H-02", ts(10, 0), nil, 10, ts(10, 1)},
		{"H-03", ts(10, 1), nil, 9, ts(10, 2)},
		{"H-04", ts(10, 2), nil, 11, ts(11, 0)},
		{"H-05", ts(10, 3), received(ts(10, 7)), 10, ts(10, 8)},
		{"H-06", ts(10, 3), received(ts(9, 7)), 10, ts(10, 4)},
		{"H-07", ts(10, 3), received(ts(12, 7)), 10, ts(12, 8)},
		{"H-08", ts(10, 3), received(ts(12, 7)), 13, ts(13, 0)},
		{"H-09", ts(10, 3), received(ts(12, 7)), 12, ts(12, 8)},
		{"H-10", ts(10, 3), received(ts(10, 2)), 10, ts(10, 4)},
		{"H-11", ts(0, 0), nil, 0, ts(0, 1)},
	} {
		t.Run(v.id, func(t *testing.T) {
			bare, guarded := HLC{v.state}, must(NewGuardedHLC(HLCParams{MaxCounter: math.MaxUint32}))
			guarded.clock = bare
			if v.m == nil {
				assert.Equal(t, v.want, bare.Tick(v.pt))
				assert.Equal(t, v.want, must(guarded.Tick(v.pt)))
				return
			}
			assert.Equal(t, v.want, bare.Receive(*v.m, v.pt))
			assert.Equal(t, v.want, must(guarded.Receive(*v.m, v.pt)))
		})
	}
}

// H-12: "n1 fast +100 sends at 1000; n0 recv 1005, sends 1006; n2 slow -50 recv 1011;
// n0 local pt=1101".
func vectorH12(t *testing.T) {
	var n0, n1, n2 HLC
	var got []Timestamp
	m1 := n1.Tick(1000 + 100)
	got = append(got, m1, n0.Receive(m1, 1005))
	m0 := n0.Tick(1006)
	got = append(got, m0, n2.Receive(m0, 1011-50), n0.Tick(1101))
	assert.Equal(t, []Timestamp{{1100, 0}, {1100, 1}, {1100, 2}, {1100, 3}, {1101, 0}}, got)
}

// history of TestHLCClock: S5 S6 R10(10,5) S7 R8(10,4) R10(10,99) R11(10,31) S11.
var cockroach = []struct {
	pt Reading
	m  *Timestamp
}{{5, nil}, {6, nil}, {10, &Timestamp{10, 5}}, {7, nil}, {8, &Timestamp{10, 4}}, {10, &Timestamp{10, 99}}, {11, &Timestamp{10, 31}}, {11, nil}}

func vectorH13(t *testing.T) {
	var c HLC
	var got []Timestamp
	for _, e := range cockroach {
		got = append(got, cockroachStep(&c, e.pt, e.m))
	}
	assert.Equal(t, []Timestamp{{5, 0}, {6, 0}, {10, 6}, {10, 7}, {10, 9}, {10, 100}, {11, 1}, {11, 2}}, got)
}

// cockroachStep is a receipt as that test has it: Now, Update, Now.
func cockroachStep(c *HLC, pt Reading, m *Timestamp) Timestamp {
	if m != nil {
		c.Tick(pt)
		c.Update(*m)
	}
	return c.Tick(pt)
}

func vectorH14(t *testing.T) {
	var c HLC
	var got []Timestamp
	for _, e := range cockroach {
		if e.m == nil {
			got = append(got, c.Tick(e.pt))
		} else {
			got = append(got, c.Receive(*e.m, e.pt))
		}
	}
	assert.Equal(t, []Timestamp{{5, 0}, {6, 0}, {10, 6}, {10, 7}, {10, 8}, {10, 100}, {11, 0}, {11, 1}}, got)
}

// H-15: 200 000 random (state, m, pt): the paper's receive against Update+Now, 0
// differences. Counters come close to their end too.
func vectorH15(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 15))
	draw := func() Timestamp {
		c := uint32(r.IntN(6))
		if r.IntN(4) == 0 {
			c = math.MaxUint32 - c
		}
		return ts(Reading(r.IntN(6)), c)
	}
	for range 200_000 {
		state, m, pt := draw(), draw(), Reading(r.IntN(8))
		paper, theirs := HLC{state}, HLC{state}
		theirs.Update(m)
		require.Equal(t, paper.Receive(m, pt), theirs.Tick(pt), "%v receives %v at %d", state, m, pt)
		require.Positive(t, paper.Last.Compare(state))
		require.Positive(t, paper.Last.Compare(m))
		require.GreaterOrEqual(t, paper.Last.L, pt)
	}
}

// H-16: "4 nodes, e=10, random traffic: l-pt in [0,9] <= 10; max c 10 <= N(e+1)=44".
// The traffic of the vector is not given; of ours the bounds are tested, and that it
// comes near them.
func vectorH16(t *testing.T) {
	const nodes, apart = 4, 10
	var farthest time.Duration
	var most uint32
	r := rand.New(rand.NewPCG(16, 16))
	for range 50 {
		h := must(NewHistory(nodes))
		var clocks [nodes]HLC
		var stamps []Timestamp
		var walls []Reading
		var skew [nodes]Reading
		for n := range skew {
			skew[n] = Reading(r.IntN(apart + 1))
		}
		sent := none
		last := [nodes]Reading{}
		for at := Reading(apart); at < 2000; at++ {
			n := r.IntN(nodes)
			pt := at + skew[n]
			if pt <= last[n] {
				continue
			}
			last[n] = pt
			if sent != none && r.IntN(2) == 0 {
				must(h.Receive(n, sent))
				stamps = append(stamps, clocks[n].Receive(stamps[sent], pt))
			} else {
				sent = must(h.Local(n))
				stamps = append(stamps, clocks[n].Tick(pt))
			}
			walls = append(walls, pt)
			farthest, most = max(farthest, clocks[n].Ahead(pt)), max(most, clocks[n].Last.C)
		}
		require.NoError(t, h.OrdersCausally(func(a, b Event) bool { return stamps[a].Compare(stamps[b]) < 0 }))
		require.NoError(t, h.CloseToPhysical(func(e Event) time.Duration { return time.Duration(stamps[e].L - walls[e]) }, apart))
		checkHL3HL5(t, h, stamps, walls)
	}
	assert.LessOrEqual(t, most, uint32(nodes*(apart+1)))
	assert.GreaterOrEqual(t, most, uint32(5))
	assert.GreaterOrEqual(t, farthest, time.Duration(8))
}

// checkHL3HL5: "if l > pt, some earlier event had that pt" and "c <= |{g -> f : l.g =
// l.f}|", of the first events of a run.
func checkHL3HL5(t *testing.T, h *History, stamps []Timestamp, walls []Reading) {
	for f := range Event(min(300, h.Len())) {
		found, same := stamps[f].L == walls[f], uint32(0)
		for g := range f {
			if h.Before(g, f) {
				found = found || walls[g] == stamps[f].L
				if stamps[g].L == stamps[f].L {
					same++
				}
			}
		}
		require.True(t, found, "HL3 at %d", f)
		require.LessOrEqual(t, stamps[f].C, same, "HL5 at %d", f)
	}
}

func vectorH17(t *testing.T) {
	var c HLC
	c.Tick(1000 * ms)
	c.Receive(Timestamp{L: 3_601_000 * ms}, 1005*ms)
	for range 1000 {
		c.Tick(1005 * ms)
	}
	assert.Equal(t, ts(3_601_000*ms, 1001), c.Last)
	// "l-pt=3 598 995" is of pt = 2005, a millisecond per event.
	assert.Equal(t, 3_598_995*time.Millisecond, c.Ahead(2005*ms))
}

func vectorH18(t *testing.T) {
	c := must(NewGuardedHLC(DefaultHLCParams()))
	before := must(c.Tick(1000 * ms))
	_, err := c.Receive(Timestamp{L: 3_601_000 * ms}, 1005*ms)
	assert.EqualError(t, err, "hybrid clock: message 3601000000000,0 is 59m59.995s ahead of the wall clock, at most 500ms are accepted")
	assert.Equal(t, before, c.Last())
	assert.Equal(t, ts(1005*ms, 0), must(c.Tick(1005*ms)), "the clock goes on as if there had been no message")
}

// H-19: "restart without persistence, wall stepped back 250: (5000,0) then (4750,0):
// order violated"; and with the bound, not.
func vectorH19(t *testing.T) {
	var c HLC
	last := c.Tick(5000 * ms)
	assert.Equal(t, ts(5000*ms, 0), last)
	var forgotten HLC
	assert.Equal(t, ts(4750*ms, 0), forgotten.Tick(4750*ms))
	assert.Negative(t, forgotten.Last.Compare(last))

	durable := HLCParamsFor(500 * time.Millisecond)
	durable.Durable = true
	g := must(NewGuardedHLC(durable))
	g.Persisted(8000 * ms) // l + 3 s
	last = must(g.Tick(5000 * ms))
	g.Restart(8000 * ms)
	_, err := g.Tick(4750 * ms)
	assert.EqualError(t, err, "hybrid clock: stamp 8000000001,0 is 1ns above the durable bound")
	g.Persisted(11_000 * ms)
	assert.Equal(t, ts(8000*ms+1, 0), must(g.Tick(4750*ms)))
	assert.Positive(t, g.Last().Compare(last))
}

// TestRestartAtBound: to begin at l = U, as section 10.3 has it, issues a stamp twice
// if the node had come as far as its bound, which H-22 permits.
func TestRestartAtBound(t *testing.T) {
	var c HLC
	c.Tick(8000 * ms)
	issued := c.Tick(8000 * ms)
	literal := HLC{Timestamp{L: 8000 * ms}}
	assert.Equal(t, issued, literal.Tick(7000*ms))
	ours := RestartHLC(8000 * ms)
	assert.Positive(t, ours.Tick(7000*ms).Compare(issued))
}

func vectorH20(t *testing.T) {
	var a, b HLC
	assert.Negative(t, a.Tick(100).Compare(b.Tick(101)))
	h := must(NewHistory(2))
	assert.Equal(t, Concurrent, h.Relation(must(h.Local(0)), must(h.Local(1))))
}

// H-21: "fatal iff jump >= maxOffset/2".
func vectorH21(t *testing.T) {
	for _, v := range []struct {
		offset, jump time.Duration
		fatal        bool
		warnings     uint64
	}{{500, 50, false, 0}, {500, 250, true, 0}, {500, 400, true, 0}, {500, -40, false, 0}, {500, -700, false, 1}, {900, 400, false, 0}, {900, -700, false, 1}, {500, 249, false, 0}, {500, -50, false, 0}, {500, -51, false, 1}} {
		c := must(NewGuardedHLC(HLCParamsFor(v.offset * time.Millisecond)))
		must(c.Tick(10_000 * ms))
		_, err := c.Tick(10_000*ms + Reading(v.jump)*ms)
		assert.Equal(t, v.fatal, err != nil, "%+v: %v", v, err)
		assert.Equal(t, v.warnings, c.Backward(), "%+v", v)
	}
}

// H-22: "persisted bound 100, 1010, 1000 with pt 1000: fatal, ok, ok".
func vectorH22(t *testing.T) {
	for bound, fatal := range map[Reading]bool{100: true, 1010: false, 1000: false} {
		c := must(NewGuardedHLC(HLCParams{MaxCounter: 9, Durable: true}))
		_, err := c.Tick(1000)
		assert.Error(t, err, "no bound is durable yet")
		c.Persisted(bound)
		c.Persisted(7) // a bound never falls
		_, err = c.Tick(1000)
		assert.Equal(t, fatal, err != nil, "tick %d: %v", bound, err)
		c = must(NewGuardedHLC(HLCParams{MaxCounter: 9, Durable: true}))
		c.Persisted(bound)
		_, err = c.Receive(Timestamp{L: 1000}, 0)
		assert.Equal(t, fatal, err != nil, "receive %d: %v", bound, err)
	}
}

// H-23: "maxOffset 500 ms, remote +499 ms, +1 s: accepted, rejected".
func vectorH23(t *testing.T) {
	for ahead, rejected := range map[Reading]bool{499 * ms: false, 500 * ms: false, 500*ms + 1: true, 1000 * ms: true} {
		c := must(NewGuardedHLC(DefaultHLCParams()))
		_, err := c.Receive(Timestamp{L: 1000*ms + ahead}, 1000*ms)
		assert.Equal(t, rejected, err != nil, "%d: %v", ahead, err)
	}
}

// TestCounterFull: "c bounded (16 or 32 bits): on overflow l <- l+1, c <- 0 or wait".
func TestCounterFull(t *testing.T) {
	for _, p := range []HLCParams{{MaxCounter: 2}, {MaxCounter: 2, Overflow: Wait}} {
		c := must(NewGuardedHLC(p))
		for want := range uint32(3) {
			assert.Equal(t, ts(10, want), must(c.Tick(10)))
		}
		got, err := c.Tick(8)
		if p.Overflow == Carry {
			assert.NoError(t, err)
			assert.Equal(t, ts(11, 0), got)
			continue
		}
		assert.EqualError(t, err, "hybrid clock: the counter is full at 10,3, wait 3ns")
		assert.Equal(t, ts(11, 0), must(c.Tick(8+3)), "after the wait there is a stamp")
	}
	full := HLC{ts(10, math.MaxUint32)}
	assert.Equal(t, ts(11, 0), full.Tick(10))
	full = HLC{}
	assert.Equal(t, ts(11, 0), full.Receive(ts(10, math.MaxUint32), 0))
}

func TestGuardRefuses(t *testing.T) {
	_, err := NewGuardedHLC(HLCParams{MaxOffset: -1, ForwardJump: -2, BackwardJump: -3, Overflow: 7})
	assert.EqualError(t, err, "max_offset: must not be negative, got -1ns\nforward_jump: must not be negative, got -2ns\n"+
		"backward_jump: must not be negative, got -3ns\nmax_counter: must be 1 or more, got 0\noverflow: there is no kind 7")
	c := must(NewGuardedHLC(DefaultHLCParams()))
	for _, l := range []Reading{math.MaxInt64, math.MinInt64, MaxReading + 1} {
		_, err = c.Receive(Timestamp{L: l}, 0)
		assert.ErrorContains(t, err, "is out of range")
	}
	assert.Equal(t, Timestamp{}, c.Last())
	edge := must(NewGuardedHLC(HLCParams{MaxCounter: 1}))
	must(edge.Receive(Timestamp{L: -MaxReading}, 0))
	assert.Equal(t, ts(MaxReading, 1), must(edge.Receive(Timestamp{L: MaxReading}, 0)))
	must(c.Tick(0))
	_, err = c.Tick(250 * ms)
	assert.EqualError(t, err, "hybrid clock: the wall clock jumped 250ms forward to 250000000, less than 250ms is tolerated")
}

// TestTooManyFar: "a node whose offset exceeds tolerance towards at least half of its
// peers terminates".
func TestTooManyFar(t *testing.T) {
	far, near := 401*time.Millisecond, -400*time.Millisecond
	for _, v := range []struct {
		offsets []time.Duration
		want    bool
	}{{nil, false}, {[]time.Duration{near}, false}, {[]time.Duration{-far}, true}, {[]time.Duration{far, near}, true},
		{[]time.Duration{far, near, near}, false}, {[]time.Duration{far, -far, near}, true}, {[]time.Duration{far, near, far, near}, true}} {
		assert.Equal(t, v.want, TooManyFar(v.offsets, 400*time.Millisecond), "%v", v.offsets)
	}
}
