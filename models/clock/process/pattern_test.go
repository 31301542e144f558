package process

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// sent is who sent to whom how often, in a run.
func sent(t *testing.T, pattern string, events int) (to [6][6]int, locals int) {
	t.Helper()
	p := busy("lamport", pattern, func(p *Params) { p.Events = ptr(events) })
	_, l := playAll(t, p)
	for i := range l.events {
		switch e := &l.events[i]; {
		case e.from != none:
			to[l.history.Process(e.from)+1][l.history.Process(clock.Event(i))+1]++
		case e.kind == Local:
			locals++
		}
	}
	return to, locals
}

func TestPatterns(t *testing.T) {
	t.Run("ring", func(t *testing.T) {
		to, locals := sent(t, "ring", 20)
		for i := 1; i <= 5; i++ {
			assert.Equal(t, 10, to[i][i%5+1])
		}
		assert.Equal(t, 50, locals, "a local event, a send, and so on")
	})
	t.Run("client-server", func(t *testing.T) {
		to, locals := sent(t, "client-server", 20)
		for i := 2; i <= 5; i++ {
			assert.Equal(t, 10, to[i][1])
			assert.Equal(t, 10, to[1][i], "each message is answered")
		}
		assert.Equal(t, 40, locals)
	})
	for _, pattern := range []string{"random", "gossip"} {
		t.Run(pattern, func(t *testing.T) {
			to, _ := sent(t, pattern, 2000)
			all := 0
			for i := 1; i <= 5; i++ {
				assert.Zero(t, to[i][i])
				for j := 1; j <= 5; j++ {
					all += to[i][j]
					if i != j && pattern == "gossip" {
						assert.InDelta(t, 500, to[i][j], 100)
					} else if i != j {
						assert.InDelta(t, 250, to[i][j], 70)
					}
				}
			}
			assert.Equal(t, map[string]int{"random": 5000, "gossip": 10_000}[pattern], all)
		})
	}
}

// TestNames: processes have the names that people know.
func TestNames(t *testing.T) {
	names := func(change func(*Params)) string {
		p := with(change)
		require.Empty(t, p.Problems())
		s := sim.NewProgram(p.System)
		return strings.Join(s.Nodes, " ")
	}
	assert.Equal(t, "A B C", names(func(*Params) {}))
	assert.Equal(t, "server client-1 client-2", names(func(p *Params) { p.Pattern = "client-server" }))
	assert.Equal(t, "Q P", names(func(p *Params) { p.Script = "Q: a\nP: b" }))
	assert.Contains(t, names(func(p *Params) { p.Processes = 27 }), "process-1 process-2 ")
}

// A script goes on after a crash with what has not happened yet, and instants count from
// then on; messages that waited are lost, and one that comes twice is received once.
func TestScripts(t *testing.T) {
	p := scripted("lamport", "A: a1 a2@10ms a3\nB: b1 b2\na1 -> b1\na3 -> b2", "")
	r := play(t, p)
	assert.Equal(t, at(15), r.Moment("B receives a3 of A: b2 is 4"))
	r = play(t, p, simtest.Inject("A", sim.Fault{Do: sim.Crash, When: when(8), For: sim.Constant(2 * ms)}))
	assert.Equal(t, at(20), r.Moment("A does a2"), "10 ms after the restart")
	r = play(t, p, simtest.Disturb("A", "B", sim.Fault{Do: sim.Duplicate, For: sim.Constant(7 * ms), Msg: sim.MsgChoice{Kind: Message}}))
	assert.EqualValues(t, 5, r.Measure("stamped-events"))
	r = play(t, p, simtest.Disturb("A", "B", sim.Fault{Do: sim.Delay, For: sim.Constant(50 * ms), Msg: sim.MsgChoice{Kind: Message, Nth: 1}}))
	r.Logs("B receives a1 of A: b1 is 2", "B receives a3 of A: b2 is 4")
	assert.Equal(t, at(50), r.Moment("B receives a3 of A"), "it came early and was kept")
}

// One event may receive and send: the message carries the stamp of the receipt.
func TestReceiptThatSends(t *testing.T) {
	r := play(t, scripted("vector", "A: a\nB: b\nC: c\na -> b\nb -> c", "A: [1,0,0]\nB: [1,1,0]\nC: [1,1,1]"))
	r.Holds("as-written", "orders-causally", "detects-concurrency")
	assert.EqualValues(t, 2, r.Measure("messages"))
	r = play(t, scripted("lamport", "A: a\nB: b\nC: c\na -> b, c", "A: 1\nB: 2\nC: 2"))
	r.Holds("as-written")
	assert.EqualValues(t, 2, r.Measure("messages"), "one event, two messages")
}

// A clock that is full or has no durable bound refuses an event; the process tries again.
func TestRefusals(t *testing.T) {
	p := scripted("hlc", "A: a1@1s a2 a3 a4@1100ms", "A: 1000ms,0 1000ms,1 refused 1100ms,0")
	p.MaxCounter, p.Overflow = 1, "wait"
	r := play(t, p)
	r.Holds("as-written")
	r.Logs("A refuses a3: the counter is full")
	p.Overflow, p.Stamps = "carry", "A: 1000ms,0 1000ms,1 1000000001ns,0 1100ms,0"
	play(t, p).Holds("as-written", "counter-bound")

	p = scripted("hlc", "A: a1@900ms a2@3s", "A: refused 61000ms,0")
	p.Durable = true // to 3 s until 1 s have passed, when the bound follows the clock
	step := simtest.Inject("A", sim.Fault{Do: sim.StepClock, By: 58 * 1000 * ms, When: when(500)})
	r = play(t, p, step)
	r.Holds("as-written")
	r.Logs("A refuses a1: no bound is durable")

	// Of a pattern an event that is refused is made after the next gap.
	p = busy("hlc", "ring", func(p *Params) { p.Events, p.MaxCounter, p.Overflow, p.Locals = ptr(4), 1, "wait", 0 })
	gap := sim.Constant(10 * ms)
	p.Gap = &gap
	r = play(t, p, offset("B", 35*ms))
	assert.NotZero(t, r.Measure("refused"))
	assert.EqualValues(t, 20, r.Measure("messages"))
}

// A crash neither adds to what a scenario has processes do nor takes from it.
func TestEventsAcrossCrashes(t *testing.T) {
	crash := simtest.Inject("A", sim.Fault{Do: sim.Crash, When: when(50), For: sim.Constant(0)})
	gap := sim.Constant(ms)
	p := scripted("lamport", "A: a", "")
	p.Gap, p.Then = &gap, []int{100}
	assert.EqualValues(t, 101, play(t, p, crash).Measure("stamped-events"))
	p = with(func(p *Params) { p.Pattern, p.Gap, p.Events = "ring", &gap, ptr(100) })
	assert.EqualValues(t, 300, play(t, p, crash).Measure("messages"))
}

// TestCosts: a dense vector has a varint for each process, a sparse one how many are not 0
// and the id and the counter of each, and one that is pruned a reading of 8 bytes as well.
func TestCosts(t *testing.T) {
	const relay = "A: a0 a\nB: b1 b2\nC: c\na -> b1\nb2 -> c"
	r := play(t, scripted("vector", relay, ""))
	assert.EqualValues(t, 3+3, r.Measure("bytes-per-message"))
	assert.EqualValues(t, (1+2)+(1+4), r.Measure("bytes-per-message-sparse"))
	p := scripted("pruned", relay, "A: {A:1} {A:2}\nB: {A:2,B:1} {A:2,B:2}\nC: {B:2,C:1}")
	p.Keep, p.Gap = 2, ptr(sim.Constant(ms))
	r = play(t, p)
	assert.EqualValues(t, (1+2+8)+(1+4+16), r.Measure("bytes-per-message"))
	assert.EqualValues(t, 4, r.Measure("false-concurrent"), "c with all others, of ten pairs")
	assert.Zero(t, r.Measure("misordered")+r.Measure("concurrent-ordered"))
	r.Logs("C receives b2 of B: c is {B:2,C:1}, which is not after b2 of B ({A:2,B:2})")
}

// TestDetails: a journal says of every event what it is.
func TestDetails(t *testing.T) {
	p := busy("vector", "gossip", func(p *Params) { p.Processes, p.Events = 2, ptr(2) })
	text := details(t, p)
	assert.Contains(t, text, "does event 1: [1,0]")
	assert.Contains(t, text, "receives event 2 of A: event 3 is [2,3]")
	assert.Contains(t, text, "sends event 2: [2,0]")
	p = busy("hlc", "ring", func(p *Params) { p.Durable, p.Events = true, ptr(1) })
	assert.Contains(t, details(t, p), "makes durable that no stamp will be above 3s")
	text = details(t, scripted("pruned", "A: a\nB: b\na -> b", "A: {A:1}"))
	assert.Contains(t, text, "receives a of A: b is {A:1,B:1}")
}

func details(t *testing.T, p Params) string {
	t.Helper()
	require.Empty(t, p.Problems())
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(1000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(500 * ms)}}})
	require.NoError(t, err)
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	w.Run(1)
	var b strings.Builder
	for i := range j.Entries {
		b.WriteString(strings.Join(j.Entries[i].Description, "\n") + strings.Join(j.Entries[i].Detail, "\n") + "\n")
	}
	return b.String()
}

// TestFull: an oracle that has no room left checks nothing more, and says so.
func TestFull(t *testing.T) {
	p := busy("vector", "ring", func(p *Params) { p.Events = ptr(10) })
	r := simtest.Play(t, func() sim.System[Msg] {
		s := p.System()
		ledgerOf(&s).room = 20 * (eventNumbers + 5)
		return s
	}, sim.Config{Until: at(60_000)})
	r.OnlyViolates()
	assert.EqualValues(t, 20, r.Measure("stamped-events"))
	assert.EqualValues(t, 75-20, r.Measure("unjudged"))

	// What was written down and was not checked has happened all the same.
	q := scripted("vector", "A: a1 a2 a3", "A: [1] [2] [3]")
	r = simtest.Play(t, func() sim.System[Msg] {
		s := q.System()
		ledgerOf(&s).room = 2 * (eventNumbers + 1)
		return s
	}, sim.Config{Until: at(60_000)})
	r.OnlyViolates()
	assert.EqualValues(t, 1, r.Measure("unjudged"))
}

// TestManyProcesses: 640 processes, whose numbers have ten bits, and 1024 with -whole, are no trouble.
func TestManyProcesses(t *testing.T) {
	n := whole.Of(640, 1024)
	for _, kind := range []string{"lamport", "vector"} {
		p := busy(kind, "random", func(p *Params) { p.Processes, p.Events, p.Locals = n, ptr(2), 0 })
		r := play(t, p, simtest.Once())
		r.OnlyViolates()
		r.Holds("orders-causally")
		assert.EqualValues(t, 4*n, r.Measure("stamped-events"))
	}
}
