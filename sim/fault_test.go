package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ticking does what f says each 1000 ms from 1000 on, numbered.
func ticking(f func(n int64, out *Out[tm])) does {
	return func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == tick {
			f(in.Msg.n, out)
		}
		if in.Msg.kind == start || in.Msg.kind == tick {
			out.After(1000*ms, tm{kind: tick, n: in.Msg.n + 1})
		}
	}
}

// sender sends alphas to node 1, and notes that it did.
var sender = ticking(func(n int64, out *Out[tm]) {
	out.Send(1, tm{kind: alpha, n: n})
	out.Note(tm{kind: mark, n: n})
})

// net is a network of fixed delays.
func net(millis int64) Network { return Network{Default: Link{Delay: forMillis(millis)}} }

// The rule: "process pause: M and W advance, no handler runs, messages are queued".
func TestPause(t *testing.T) {
	replay := []Stop{{At: 2500 * ms, For: 1000 * ms}, {At: 3000 * ms, For: 2000 * ms}, {At: 9000 * ms, For: 500 * ms}}
	for _, c := range []struct {
		name   string
		until  int64
		fault  Fault
		events []string // but for notes
		strike Injection
		story  []string
	}{
		{"at an instant", 10_000, Fault{When: When{At: at(1500)}, For: forMillis(2000)},
			[]string{"1.500s a paused", "3.500s a resumed"}, Injection{1, at(1500)},
			[]string{"1.500s a is paused for 2s", "3.500s a resumes"}},
		{"forever", 10_000, Fault{When: When{At: at(1500)}, Forever: true},
			[]string{"1.500s a paused"}, Injection{1, at(1500)}, []string{"1.500s a is paused forever"}},
		{"for no time", 10_000, Fault{When: When{At: at(1500)}}, nil, Injection{0, Never}, nil},
		{"after the end", 10_000, Fault{When: When{At: at(10_000)}, For: forMillis(1)}, nil, Injection{0, Never}, nil},
		{"after the second note", 10_000, Fault{When: When{Note: mark, Nth: 2, By: 2}, For: forMillis(500)},
			[]string{"2.000s a paused", "2.500s a resumed"}, Injection{1, at(2000)},
			[]string{"2.000s a is paused for 500ms", "2.500s a resumes"}},
		{"after each note", 4000, Fault{When: When{Note: mark, By: 2}, For: forMillis(500)},
			[]string{"1.000s a paused", "1.500s a resumed", "2.000s a paused", "2.500s a resumed", "3.000s a paused", "3.500s a resumed"},
			Injection{3, at(1000)}, nil},
		{"after a note of the node itself", 10_000, Fault{When: When{Note: mark}, For: forMillis(500)}, nil, Injection{0, Never}, nil},
		{"after a note that never comes", 10_000, Fault{When: When{Note: gamma, By: 2}, For: forMillis(500)}, nil, Injection{0, Never}, nil},
		{"again and again", 10_000, Fault{When: When{Every: forMillis(3000)}, For: forMillis(1000)},
			[]string{"3.000s a paused", "4.000s a resumed", "7.000s a paused", "8.000s a resumed"}, Injection{2, at(3000)}, nil},
		{"replayed from the start, overlapping, and again", 16_000, Fault{When: When{Replay: replay, Span: 10_000 * ms}},
			[]string{"2.500s a paused", "5.000s a resumed", "9.000s a paused", "9.500s a resumed", "12.500s a paused", "15.000s a resumed"},
			Injection{5, at(2500)},
			[]string{"2.500s a is paused for 1s", "3.000s a is paused for 2s", "5.000s a resumes", "9.000s a is paused for 500ms", "9.500s a resumes",
				"12.500s a is paused for 1s", "13.000s a is paused for 2s", "15.000s a resumes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.fault.Do, c.fault.Node = Pause, 1
			config := Config{Until: at(c.until), Faults: []Fault{c.fault}}
			if c.fault.When.Replay != nil { // the minimal draw: from the start of the log
				config.Overrides = []Override{{Draw: Draw{Purpose: Faults, Name: Hash("")}}}
			}
			r := newRig(t, config, idle, sender)
			res := r.run(t, 1)
			assert.Equal(t, c.events, r.events(Noted))
			assert.Equal(t, []Injection{c.strike}, res.Faults)
			if c.story != nil {
				assert.Equal(t, c.story, r.story)
			}
			for _, s := range r.steps { // no step while paused
				for i := 0; i+1 < len(r.seen); i++ {
					if p := r.seen[i]; s.in.Self == 1 && p.o.Event == Paused && s.at > p.at {
						resumed := slices.IndexFunc(r.seen[i:], func(o observed) bool { return o.o.Event == Resumed })
						require.Positive(t, resumed)
						require.GreaterOrEqual(t, s.at, min(r.seen[i+resumed].at, s.at))
						require.False(t, s.at > p.at && s.at < r.seen[i+resumed].at, "%v during the pause of %v", s, p)
					}
				}
			}
		})
	}
}

// The phase of a replayed log is drawn: "each place in the log equally likely". A
// stop under way at the phase holds for the rest of it, so that at every instant of a
// run the node is stopped as often as in the log.
func TestReplayPhase(t *testing.T) {
	replay := []Stop{{At: 1000 * ms, For: 1000 * ms}, {At: 8000 * ms, For: 3000 * ms}} // 1 to 2 and 8 to 11, that is, to 1: of 10
	for _, c := range []struct {
		phase  time.Duration
		events []string
	}{
		{0, []string{"0.000s a paused", "2.000s a resumed", "8.000s a paused", "12.000s a resumed"}},
		{500 * ms, []string{"0.000s a paused", "1.500s a resumed", "7.500s a paused", "11.500s a resumed"}},
		{1000 * ms, []string{"0.000s a paused", "1.000s a resumed", "7.000s a paused", "11.000s a resumed"}},
		{1600 * ms, []string{"0.000s a paused", "0.400s a resumed", "6.400s a paused", "10.400s a resumed"}},
		{2000 * ms, []string{"6.000s a paused", "10.000s a resumed"}},
		{7999 * ms, []string{"0.001s a paused", "4.001s a resumed", "10.001s a paused"}},
		{9000 * ms, []string{"0.000s a paused", "3.000s a resumed", "9.000s a paused"}},
	} {
		t.Run(c.phase.String(), func(t *testing.T) {
			draw := uint64(c.phase) // the least draw that gives this phase
			draw = (draw<<30/uint64(10_000*ms) + 1) << 34
			if c.phase == 0 {
				draw = 0
			}
			r := newRig(t, Config{Until: at(12_500), Faults: []Fault{{Do: Pause, Node: 1, When: When{Replay: replay, Span: 10_000 * ms}}},
				Overrides: []Override{{Draw: Draw{Purpose: Faults, Name: Hash("")}, Value: draw}}}, idle)
			r.run(t, 1)
			var got []string
			for _, o := range r.seen {
				o.at = (o.at + Time(ms)/2) / Time(ms) * Time(ms) // the draw is not exact
				if o.at < at(12_400) {
					got = append(got, o.String())
				}
			}
			assert.Equal(t, c.events, got)
		})
	}
	t.Run("as often as in the log", func(t *testing.T) {
		const runs = 4000
		instants := []Time{at(1), at(500), at(5000), at(23_456)}
		stopped := make([]int, len(instants))
		r := newRig(t, Config{Until: at(24_000), Faults: []Fault{{Do: Pause, Node: 1, When: When{Replay: replay, Span: 10_000 * ms}}}},
			nil, onStart(func(out *Out[tm]) {
				for _, i := range instants {
					out.After(time.Duration(i), tm{kind: tick, n: int64(i)})
				}
			}))
		probe := &prober{rig: r, instants: instants, stopped: stopped}
		r.sys.Nodes[1] = Place[tm]("probe", *probe)
		w, err := NewWorld(r.sys, r.w.config)
		require.NoError(t, err)
		r.w = w
		for seed := range uint64(runs) {
			require.Nil(t, w.Run(seed).Panic)
		}
		for i := range instants {
			assert.InDelta(t, 0.4*runs, stopped[i], 6*31, "at %v", instants[i])
		}
	})
}

// prober looks whether node 1 is paused.
type prober struct {
	rig      *rig
	instants []Time
	stopped  []int
}

func (p *prober) Step(in In[tm], out *Out[tm]) {
	if in.Msg.kind == start {
		for i, at := range p.instants {
			out.After(time.Duration(at), tm{kind: tick, n: int64(i)})
		}
		return
	}
	if _, paused := p.rig.w.view.PausedSince(1); paused {
		p.stopped[in.Msg.n]++
	}
}

// "A pause may be injected at any effect boundary: after the step decided and before
// effect k leaves. This is how checked, then paused, then wrote happens."
func TestPauseBetweenEffects(t *testing.T) {
	work := func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start:
			out.After(100*ms, tm{kind: tick, n: int64(in.Wall)})
		case tick:
			out.Note(tm{kind: mark, n: 1})
			out.Send(2, tm{kind: alpha, n: 1})
			out.Note(tm{kind: mark, n: 2})
			out.Send(2, tm{kind: alpha, n: 2})
			out.After(50*ms, tm{kind: beta})
			out.At(Wall(at(200)), tm{kind: gamma})
		}
	}
	pause := func(nth int, millis int64) Fault {
		return Fault{Name: fmt.Sprint(nth), Do: Pause, Node: 1, When: When{Note: mark, Nth: nth}, For: forMillis(millis)}
	}
	before := func(kind Kind, nth int) Fault {
		return Fault{Do: Pause, Node: 1, When: When{Before: kind, Nth: nth}, For: forMillis(1000)}
	}
	for _, c := range []struct {
		name   string
		faults []Fault
		costs  []Dist
		steps  []string
		events []string
		read   string // of node 1's monotonic and wall clock, in its last step
	}{
		{"no pause", nil, nil,
			[]string{"0.100s a<a tick 0", "0.105s b<a alpha 1", "0.105s b<a alpha 2", "0.150s a<a beta 0", "0.200s a<a gamma 0"},
			[]string{"0.100s a mark 1", "0.100s a mark 2"}, "0.200s 0.200s"},
		{"at the first note", []Fault{pause(1, 1000)}, nil,
			// The rest leaves at 1.100: the timer runs from then, the alarm is overdue.
			[]string{"0.100s a<a tick 0", "1.100s a<a gamma 0", "1.105s b<a alpha 1", "1.105s b<a alpha 2", "1.150s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.100s a resumed", "1.100s a mark 2"}, "1.150s 1.150s"},
		{"at the second note", []Fault{pause(2, 1000)}, nil,
			[]string{"0.100s a<a tick 0", "0.105s b<a alpha 1", "1.100s a<a gamma 0", "1.105s b<a alpha 2", "1.150s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a mark 2", "0.100s a paused", "1.100s a resumed"}, "1.150s 1.150s"},
		{"at both", []Fault{pause(1, 1000), pause(2, 500)}, nil,
			[]string{"0.100s a<a tick 0", "1.105s b<a alpha 1", "1.600s a<a gamma 0", "1.605s b<a alpha 2", "1.650s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.100s a resumed", "1.100s a mark 2", "1.100s a paused", "1.600s a resumed"}, "1.650s 1.650s"},
		{"two at the same note", []Fault{pause(1, 1000), {Name: "x", Do: Pause, Node: 1, When: When{Note: mark, Nth: 1}, For: forMillis(1500)}}, nil,
			[]string{"0.100s a<a tick 0", "1.600s a<a gamma 0", "1.605s b<a alpha 1", "1.605s b<a alpha 2", "1.650s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.600s a resumed", "1.600s a mark 2"}, "1.650s 1.650s"},
		{"at the second of a step that takes time", []Fault{pause(2, 1000)}, []Dist{forMillis(10)},
			// The start takes 10 and arms at 10 for 100; the tick decides at 110.
			[]string{"0.110s a<a tick 0", "0.125s b<a alpha 1", "1.120s a<a gamma 0", "1.125s b<a alpha 2", "1.170s a<a beta 0"},
			[]string{"0.120s a mark 1", "0.120s a mark 2", "0.120s a paused", "1.120s a resumed"}, "1.170s 1.170s"},
		{"a suspend", []Fault{{Do: Suspend, Node: 1, When: When{Note: mark, Nth: 1}, For: forMillis(1000)}}, nil,
			// Both clocks read 100 at the resume at 1100.
			[]string{"0.100s a<a tick 0", "1.105s b<a alpha 1", "1.105s b<a alpha 2", "1.150s a<a beta 0", "1.200s a<a gamma 0"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.100s a resumed", "1.100s a mark 2"}, "0.200s 0.200s"},
		{"a crash for good", []Fault{{Do: Crash, Node: 1, When: When{Note: mark, Nth: 1}, Forever: true}}, nil,
			[]string{"0.100s a<a tick 0"}, []string{"0.100s a mark 1", "0.100s a crashed"}, "0.100s 0.100s"},
		{"a crash in what is buffered", []Fault{pause(1, 1000), {Name: "x", Do: Crash, Node: 1, When: When{Note: mark, Nth: 2}, Forever: true}}, nil,
			[]string{"0.100s a<a tick 0", "1.105s b<a alpha 1"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.100s a resumed", "1.100s a mark 2", "1.100s a crashed"}, "0.100s 0.100s"},
		{"before the first message", []Fault{before(alpha, 1)}, nil,
			[]string{"0.100s a<a tick 0", "1.100s a<a gamma 0", "1.105s b<a alpha 1", "1.105s b<a alpha 2", "1.150s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.100s a resumed", "1.100s a mark 2"}, "1.150s 1.150s"},
		{"before anything leaves", []Fault{before(mark, 1)}, nil,
			[]string{"0.100s a<a tick 0", "1.100s a<a gamma 0", "1.105s b<a alpha 1", "1.105s b<a alpha 2", "1.150s a<a beta 0"},
			[]string{"0.100s a paused", "1.100s a resumed", "1.100s a mark 1", "1.100s a mark 2"}, "1.150s 1.150s"},
		{"before the timer is armed", []Fault{before(beta, 1)}, nil,
			[]string{"0.100s a<a tick 0", "0.105s b<a alpha 1", "0.105s b<a alpha 2", "1.100s a<a gamma 0", "1.150s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a mark 2", "0.100s a paused", "1.100s a resumed"}, "1.150s 1.150s"},
		{"before each message, what is buffered included", []Fault{before(alpha, 0)}, nil,
			[]string{"0.100s a<a tick 0", "1.105s b<a alpha 1", "2.100s a<a gamma 0", "2.105s b<a alpha 2", "2.150s a<a beta 0"},
			[]string{"0.100s a mark 1", "0.100s a paused", "1.100s a resumed", "1.100s a mark 2", "1.100s a paused", "2.100s a resumed"}, "2.150s 2.150s"},
		{"before the second message of a step that takes time", []Fault{before(alpha, 2)}, []Dist{forMillis(10)},
			[]string{"0.110s a<a tick 0", "0.125s b<a alpha 1", "1.120s a<a gamma 0", "1.125s b<a alpha 2", "1.170s a<a beta 0"},
			[]string{"0.120s a mark 1", "0.120s a mark 2", "0.120s a paused", "1.120s a resumed"}, "1.170s 1.170s"},
		{"a crash before the second message", []Fault{{Do: Crash, Node: 1, When: When{Before: alpha, Nth: 2}, Forever: true}}, nil,
			[]string{"0.100s a<a tick 0", "0.105s b<a alpha 1"}, []string{"0.100s a mark 1", "0.100s a mark 2", "0.100s a crashed"}, "0.100s 0.100s"},
		{"a pause of another node", []Fault{{Do: Pause, Node: 2, When: When{Note: mark, By: 1, Nth: 1}, For: forMillis(1000)}}, nil,
			[]string{"0.100s a<a tick 0", "0.150s a<a beta 0", "0.200s a<a gamma 0", "1.100s b<a alpha 1", "1.100s b<a alpha 2"},
			[]string{"0.100s a mark 1", "0.100s b paused", "0.100s a mark 2", "1.100s b resumed"}, "0.200s 0.200s"},
	} {
		for _, twice := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, twice %v", c.name, twice), func(t *testing.T) {
				r := newRig(t, Config{Network: net(5), Faults: c.faults, Costs: c.costs, Until: at(10_000)}, work, idle)
				if twice { // a trace takes the same path as a second run of each step, which an actor is unfit for
					r.w.Watch(Watch{Trace: &discard{}})
				}
				res := r.run(t, 1)
				assert.Equal(t, c.steps, r.stepsOf(None))
				assert.Equal(t, c.events, r.events(ClockChanged))
				last := r.steps[len(r.steps)-1]
				for _, s := range r.steps {
					if s.in.Self == 1 {
						last = s
					}
				}
				assert.Equal(t, c.read, Seconds(int64(last.in.Mono))+" "+Seconds(int64(last.in.Wall)))
				for i, s := range res.Faults {
					want := 1
					if c.faults[i].When.Before != 0 && c.faults[i].When.Nth == 0 {
						want = 2
					}
					assert.Equal(t, want, s.Count)
				}
			})
		}
	}
}

type discard struct{ n int }

func (d *discard) Write(b []byte) (int, error) { d.n += len(b); return len(b), nil }

func TestPausesOverlap(t *testing.T) {
	pause := func(from, to int64) Fault {
		return Fault{Name: fmt.Sprint(from), Do: Pause, Node: 1, When: When{At: at(from)}, For: forMillis(to - from)}
	}
	suspend := func(from, to int64) Fault { f := pause(from, to); f.Do = Suspend; return f }
	for _, c := range []struct {
		name   string
		faults []Fault
		events []string
		mono   []string // at the end of each stop: monotonic, boot time, wall, of what came due
	}{
		{"one in another", []Fault{pause(1000, 5000), pause(2000, 3000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"5.000s 5.000s 5.000s"}},
		{"one beyond another", []Fault{pause(1000, 3000), pause(2000, 5000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"5.000s 5.000s 5.000s"}},
		{"one after another without a gap", []Fault{pause(1000, 3000), pause(3000, 5000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"5.000s 5.000s 5.000s"}},
		{"suspends without a gap", []Fault{suspend(1000, 3000), suspend(3000, 5000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"1.000s 5.000s 1.000s"}},
		{"suspends that overlap", []Fault{suspend(1000, 3000), suspend(2000, 5000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"1.000s 5.000s 1.000s"}},
		{"a suspend in a suspend", []Fault{suspend(1000, 5000), suspend(2000, 3000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"1.000s 5.000s 1.000s"}},
		{"a suspend in a pause", []Fault{pause(1000, 5000), suspend(2000, 3000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"4.000s 5.000s 4.000s"}},
		{"a pause beyond a suspend", []Fault{suspend(1000, 3000), pause(2000, 5000)},
			[]string{"1.000s a paused", "5.000s a resumed"}, []string{"3.000s 5.000s 3.000s"}},
		{"suspends with a gap", []Fault{suspend(1000, 2000), suspend(3000, 5000)},
			[]string{"1.000s a paused", "2.000s a resumed", "3.000s a paused", "5.000s a resumed"},
			[]string{"1.000s 2.000s 1.000s", "2.000s 5.000s 2.000s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Node b sends just after the start of each stop.
			r := newRig(t, Config{Until: at(10_000), Faults: c.faults}, idle, onStart(func(out *Out[tm]) {
				out.After(1500*ms, tm{kind: tick})
				out.After(4500*ms, tm{kind: tick})
			}))
			r.w.slots[2] = Place[tm]("b", echo{To: 1, At: []time.Duration{1500 * ms, 4500 * ms}}).slot.fresh()
			r.run(t, 1)
			assert.Equal(t, c.events, r.events(ClockChanged))
			var read []string
			for _, s := range r.steps {
				if line := fmt.Sprintf("%s %s %s", Seconds(int64(s.in.Mono)), Seconds(int64(s.in.Boot)), Seconds(int64(s.in.Wall))); s.in.Msg.kind == alpha && !slices.Contains(read, line) {
					read = append(read, line)
				}
			}
			assert.Equal(t, c.mono, read)
		})
	}
}

// echo sends an alpha at each of some instants.
type echo struct {
	To NodeID
	At []time.Duration
}

func (e *echo) Step(in In[tm], out *Out[tm]) {
	if in.Msg.kind == tick {
		out.Send(e.To, tm{kind: alpha, n: in.Msg.n})
		return
	}
	for i, d := range e.At {
		out.After(d, tm{kind: tick, n: int64(i + 1)})
	}
}

// sending sends an alpha to node 1 at each of the given instants, in ms.
func sending(millis ...int64) does {
	return func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start:
			for i, m := range millis {
				out.After(time.Duration(m)*ms, tm{kind: tick, n: int64(i + 1)})
			}
		case tick:
			out.Send(1, tm{kind: alpha, n: in.Msg.n})
		}
	}
}

// "A step cost (constant or drawn, default 0) occupies the node: effects leave at its
// end, the next message waits."
func TestStepCost(t *testing.T) {
	answer := func(in In[tm], out *Out[tm]) {
		if in.Msg.kind == alpha {
			out.Note(tm{kind: mark, n: in.Msg.n})
			out.Send(2, tm{kind: beta, n: in.Msg.n})
		}
	}
	for _, c := range []struct {
		name   string
		cost   Dist
		faults []Fault
		steps  []string
		events []string
	}{
		{"none", forMillis(0), nil,
			[]string{"1.000s a<b alpha 1", "1.000s b<a beta 1", "1.050s a<b alpha 2", "1.050s b<a beta 2", "5.000s a<b alpha 3", "5.000s b<a beta 3"},
			[]string{"1.000s a mark 1", "1.050s a mark 2", "5.000s a mark 3"}},
		{"constant", forMillis(100), nil,
			[]string{"1.000s a<b alpha 1", "1.100s a<b alpha 2", "1.100s b<a beta 1", "1.200s b<a beta 2", "5.000s a<b alpha 3", "5.100s b<a beta 3"},
			[]string{"1.100s a mark 1", "1.200s a mark 2", "5.100s a mark 3"}},
		// The work of a step makes no progress while the process is stopped: 40 of it
		// are done at 1040, the rest from 3040 on.
		{"with a pause in it", forMillis(100), []Fault{{Do: Pause, Node: 1, When: When{At: at(1040)}, For: forMillis(2000)}},
			[]string{"1.000s a<b alpha 1", "3.100s a<b alpha 2", "3.100s b<a beta 1", "3.200s b<a beta 2", "5.000s a<b alpha 3", "5.100s b<a beta 3"},
			[]string{"1.040s a paused", "3.040s a resumed", "3.100s a mark 1", "3.200s a mark 2", "5.100s a mark 3"}},
		{"with a short pause in it", forMillis(100), []Fault{{Do: Pause, Node: 1, When: When{At: at(1040)}, For: forMillis(20)}},
			[]string{"1.000s a<b alpha 1", "1.120s a<b alpha 2", "1.120s b<a beta 1", "1.220s b<a beta 2", "5.000s a<b alpha 3", "5.100s b<a beta 3"},
			[]string{"1.040s a paused", "1.060s a resumed", "1.120s a mark 1", "1.220s a mark 2", "5.100s a mark 3"}},
		{"with overlapping pauses in it", forMillis(100), []Fault{
			{Name: "1", Do: Pause, Node: 1, When: When{At: at(1040)}, For: forMillis(20)},
			{Name: "2", Do: Suspend, Node: 1, When: When{At: at(1050)}, For: forMillis(50)},
			{Name: "3", Do: Pause, Node: 1, When: When{At: at(1060)}, For: forMillis(10)}},
			[]string{"1.000s a<b alpha 1", "1.160s a<b alpha 2", "1.160s b<a beta 1", "1.260s b<a beta 2", "5.000s a<b alpha 3", "5.100s b<a beta 3"},
			[]string{"1.040s a paused", "1.100s a resumed", "1.160s a mark 1", "1.260s a mark 2", "5.100s a mark 3"}},
		{"with a pause that begins as it ends", forMillis(100), []Fault{{Do: Pause, Node: 1, When: When{At: at(1100)}, For: forMillis(20)}},
			[]string{"1.000s a<b alpha 1", "1.120s a<b alpha 2", "1.120s b<a beta 1", "1.220s b<a beta 2", "5.000s a<b alpha 3", "5.100s b<a beta 3"},
			[]string{"1.100s a paused", "1.120s a resumed", "1.120s a mark 1", "1.220s a mark 2", "5.100s a mark 3"}},
		{"with a crash in it", forMillis(100), []Fault{{Do: Crash, Node: 1, When: When{At: at(1060)}, For: forMillis(500)}},
			// The effects of the first and the second message, which waited, are lost.
			[]string{"1.000s a<b alpha 1", "5.000s a<b alpha 3", "5.100s b<a beta 3"},
			[]string{"1.060s a crashed", "1.560s a restarted", "5.100s a mark 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Until: at(10_000), Costs: []Dist{c.cost}, Faults: c.faults}, answer, sending(1000, 1050, 5000))
			r.run(t, 1)
			var steps []string
			for _, s := range r.steps {
				if k := s.in.Msg.kind; k == alpha || k == beta {
					steps = append(steps, s.String())
				}
			}
			assert.Equal(t, c.steps, steps)
			assert.Equal(t, c.events, r.events(ClockChanged))
		})
	}
	t.Run("drawn", func(t *testing.T) {
		cost := Uniform(ms, 50*ms)
		r := newRig(t, Config{Until: at(10_000), Costs: []Dist{cost}}, answer, sending(1000, 2000, 3000))
		r.run(t, 1)
		s := newSource(1)
		var want []string
		for i := range 3 { // draw 0 is that of the start
			end := at(int64(1000*(i+1))) + Time(cost.Sample(s.at(Costs, 1, None, uint64(i+1))))
			want = append(want, fmt.Sprintf("%v a mark %d", end, i+1))
		}
		assert.Equal(t, want, r.events())
	})
	t.Run("a node that falls behind handles everything in order", func(t *testing.T) {
		const n = 300
		r := newRig(t, Config{Until: at(10_000), Costs: []Dist{forMillis(10)},
			Faults: []Fault{{Do: Pause, Node: 1, When: When{Every: forMillis(97)}, For: forMillis(30)}}},
			idle, onStart(func(out *Out[tm]) {
				for i := range int64(n) {
					out.Send(1, tm{kind: alpha, n: i})
				}
			}))
		r.run(t, 1)
		var got, want []int64
		for _, s := range r.steps {
			if s.in.Msg.kind == alpha {
				got = append(got, s.in.Msg.n)
			}
		}
		for i := range int64(n) {
			want = append(want, i)
		}
		assert.Equal(t, want, got)
	})
}

// durable keeps count, and loses work in a crash.
type durable struct {
	count, work int64
	Log         []int64
}

func (d *durable) Step(in In[tm], out *Out[tm]) {
	if in.Msg.kind == alpha {
		d.count++
		d.work++
		d.Log = append(d.Log, in.Msg.n)
	}
	out.Note(tm{kind: mark, n: 100*d.count + 10*d.work + int64(len(d.Log))})
}

func (d *durable) Recover(before *durable) { d.count = before.count }

func (d *durable) Reset(initial *durable) {
	log := append(d.Log[:0], initial.Log...)
	*d = *initial
	d.Log = log
}

// "A crash loses volatile state, inbox, timers and effects that have not left;
// messages in flight still arrive. After a crash the node is built anew and handed
// what it had made durable."
func TestCrash(t *testing.T) {
	t.Run("state", func(t *testing.T) {
		r := newRig(t, Config{Until: at(10_000), Network: net(200), Faults: []Fault{
			{Do: Crash, Node: 1, When: When{At: at(2500)}, For: forMillis(1600)}}}, idle, sending(1000, 2000, 2400, 4000))
		r.sys.Nodes[0] = Place[tm]("a", durable{Log: []int64{7}})
		w, err := NewWorld(r.sys, r.w.config)
		require.NoError(t, err)
		r.w = w
		for range 3 { // each run begins with the initial state
			r.run(t, 1)
			assert.Equal(t, []string{
				"0.000s a mark 1",
				"1.200s a mark 112", "2.200s a mark 223", // counted, worked, logged
				"2.500s a crashed", // what arrives at 2.600 is lost
				"4.100s a restarted", "4.100s a mark 201",
				"4.200s a mark 312",
			}, r.events(ClockChanged))
		}
	})
	timers := func(in In[tm], out *Out[tm]) {
		switch in.Msg.kind {
		case start:
			out.After(1000*ms, tm{kind: tick, n: int64(in.Mono)})
			out.At(in.Wall.Add(1000*ms), tm{kind: gamma})
			out.Send(2, tm{kind: beta, n: int64(in.Wall) / int64(ms)})
		}
	}
	crash := func(do Action, at_, millis int64) Fault {
		return Fault{Name: fmt.Sprint(do, at_), Do: do, Node: 1, When: When{At: at(at_)}, For: forMillis(millis)}
	}
	for _, c := range []struct {
		name    string
		faults  []Fault
		steps   []string // but for starts
		events  []string
		strikes []int
	}{
		// Timers are lost, the message in flight arrives, and what arrives while the
		// node is down is lost.
		{"and restart", []Fault{crash(Crash, 100, 500)},
			[]string{"0.300s b<a beta 0", "0.900s b<a beta 600", "1.600s a<a tick 0", "1.600s a<a gamma 0"},
			[]string{"0.100s a crashed", "0.600s a restarted"}, []int{1}},
		{"and restart at once", []Fault{crash(Crash, 100, 0)},
			[]string{"0.300s b<a beta 0", "0.400s b<a beta 100", "1.100s a<a tick 0", "1.100s a<a gamma 0"},
			[]string{"0.100s a crashed", "0.100s a restarted"}, []int{1}},
		{"forever", []Fault{{Name: "x", Do: Crash, Node: 1, When: When{At: at(100)}, Forever: true}},
			[]string{"0.300s b<a beta 0"}, []string{"0.100s a crashed"}, []int{1}},
		{"while down does not strike", []Fault{crash(Crash, 100, 500), crash(Crash, 200, 5000)},
			[]string{"0.300s b<a beta 0", "0.900s b<a beta 600", "1.600s a<a tick 0", "1.600s a<a gamma 0"},
			[]string{"0.100s a crashed", "0.600s a restarted"}, []int{1, 0}},
		{"a pause while down does not strike", []Fault{crash(Crash, 100, 500), crash(Pause, 200, 5000), crash(Suspend, 300, 5000)},
			[]string{"0.300s b<a beta 0", "0.900s b<a beta 600", "1.600s a<a tick 0", "1.600s a<a gamma 0"},
			[]string{"0.100s a crashed", "0.600s a restarted"}, []int{1, 0, 0}},
		// The pause ends with the process; nothing of it is left for the new one.
		{"while paused", []Fault{crash(Pause, 50, 400), crash(Crash, 100, 100)},
			[]string{"0.300s b<a beta 0", "0.500s b<a beta 200", "1.200s a<a tick 0", "1.200s a<a gamma 0"},
			[]string{"0.050s a paused", "0.100s a crashed", "0.200s a restarted"}, []int{1, 1}},
		// The machine reboots: its monotonic clock runs again and reads 0. Its wall
		// clock is stale by 150.
		{"while suspended", []Fault{crash(Suspend, 50, 400), crash(Crash, 100, 100)},
			[]string{"0.300s b<a beta 0", "0.500s b<a beta 50", "1.200s a<a tick 0", "1.200s a<a gamma 0"},
			[]string{"0.050s a paused", "0.100s a crashed", "0.200s a restarted"}, []int{1, 1}},
		{"and a pause that outlasts that of the life before", []Fault{crash(Pause, 50, 1000), crash(Crash, 100, 100), crash(Pause, 300, 2000)},
			[]string{"0.300s b<a beta 0", "0.500s b<a beta 200", "2.300s a<a tick 0", "2.300s a<a gamma 0"},
			[]string{"0.050s a paused", "0.100s a crashed", "0.200s a restarted", "0.300s a paused", "2.300s a resumed"}, []int{1, 1, 1}},
		{"and a pause that ends before that of the life before", []Fault{crash(Pause, 50, 1000), crash(Crash, 100, 100), crash(Pause, 300, 200)},
			[]string{"0.300s b<a beta 0", "0.500s b<a beta 200", "1.200s a<a tick 0", "1.200s a<a gamma 0"},
			[]string{"0.050s a paused", "0.100s a crashed", "0.200s a restarted", "0.300s a paused", "0.500s a resumed"}, []int{1, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Until: at(3000), Network: net(300), Faults: c.faults}, timers, idle)
			res := r.run(t, 1)
			assert.Equal(t, c.steps, r.stepsOf(None))
			assert.Equal(t, c.events, r.events(ClockChanged))
			var strikes []int
			for _, s := range res.Faults {
				strikes = append(strikes, s.Count)
			}
			assert.Equal(t, c.strikes, strikes)
		})
	}
	t.Run("the inbox is lost", func(t *testing.T) {
		r := newRig(t, Config{Until: at(9000), Faults: []Fault{crash(Pause, 500, 3000), crash(Crash, 1500, 100)}}, idle, sending(1000, 1100, 2000))
		r.run(t, 1)
		assert.Equal(t, []string{"2.000s a<b alpha 3"}, r.stepsOf(1))
		// "The wall clock is kept by its battery; the monotonic clock starts anew."
		last := r.steps[len(r.steps)-1]
		assert.Equal(t, []int64{int64(at(400)), int64(at(400)), int64(at(2000))}, []int64{int64(last.in.Mono), int64(last.in.Boot), int64(last.in.Wall)})
	})
	t.Run("in the midst of handling the inbox", func(t *testing.T) {
		r := newRig(t, Config{Until: at(9000), Faults: []Fault{crash(Pause, 500, 1000),
			{Name: "x", Do: Crash, Node: 1, When: When{Note: mark, Nth: 2}, For: forMillis(100)}}}, func(in In[tm], out *Out[tm]) {
			if in.Msg.kind == alpha {
				out.Note(tm{kind: mark})
			}
		}, sending(1000, 1100, 1200, 2000))
		r.run(t, 1)
		assert.Equal(t, []string{"1.500s a<b alpha 1", "1.500s a<b alpha 2", "2.000s a<b alpha 4"}, r.stepsOf(1))
	})
	t.Run("again and again", func(t *testing.T) {
		r := newRig(t, Config{Until: at(10_000), Faults: []Fault{{Do: Crash, Node: 1, When: When{Every: forMillis(3000)}, For: forMillis(1000)}}}, idle)
		res := r.run(t, 1)
		assert.Equal(t, []string{"3.000s a crashed", "4.000s a restarted", "7.000s a crashed", "8.000s a restarted"}, r.events(ClockChanged))
		assert.Equal(t, []Injection{{2, at(3000)}}, res.Faults)
		assert.Equal(t, []string{"3.000s a crashes", "4.000s a restarts", "7.000s a crashes", "8.000s a restarts"}, r.story)
	})
}

func TestSetRate(t *testing.T) {
	rate := func(do PPB, from, to int64) Fault {
		f := Fault{Name: fmt.Sprint(do, from), Do: SetRate, Node: 1, Rate: do, When: When{At: at(from)}, For: forMillis(to - from)}
		if to == 0 {
			f.Forever, f.For = true, Dist{}
		}
		return f
	}
	const fast, slow = 100_000_000, -100_000_000 // 10 %
	for _, c := range []struct {
		name    string
		faults  []Fault
		mono    []int64 // at 1000, 2000, ... 6000 true ms
		strikes []int
	}{
		{"none", nil, []int64{1010, 2020, 3030, 4040, 5050, 6060}, nil},
		{"with an end", []Fault{rate(fast, 1000, 3000)}, []int64{1010, 2110, 3210, 4220, 5230, 6240}, []int{1}},
		{"forever", []Fault{rate(fast, 1000, 0)}, []int64{1010, 2110, 3210, 4310, 5410, 6510}, []int{1}},
		{"for no time", []Fault{rate(fast, 1000, 1000)}, []int64{1010, 2020, 3030, 4040, 5050, 6060}, []int{0}},
		// The one that began last counts, until it ends.
		{"one in another", []Fault{rate(fast, 1000, 5000), rate(slow, 2000, 3000)}, []int64{1010, 2110, 3010, 4110, 5210, 6220}, []int{1, 1}},
		{"one beyond another", []Fault{rate(fast, 1000, 3000), rate(slow, 2000, 5000)}, []int64{1010, 2110, 3010, 3910, 4810, 5820}, []int{1, 1}},
		{"three, not listed in the order in which they begin", []Fault{rate(slow, 2000, 5000), rate(fast, 1000, 0), rate(0, 3000, 4000)},
			[]int64{1010, 2110, 3010, 4010, 4910, 6010}, []int{1, 1, 1}},
		{"one after another", []Fault{rate(fast, 1000, 3000), rate(slow, 3000, 5000)}, []int64{1010, 2110, 3210, 4110, 5010, 6020}, []int{1, 1}},
		{"one in one forever", []Fault{rate(fast, 1000, 0), rate(slow, 2000, 3000)}, []int64{1010, 2110, 3010, 4110, 5210, 6310}, []int{1, 1}},
		{"begun again before its end", []Fault{{Do: SetRate, Node: 1, Rate: fast, When: When{Note: mark, By: 2}, For: forMillis(1500)}},
			// After the notes at 1000, 2000, ... 5000: until 6500.
			[]int64{1010, 2110, 3210, 4310, 5410, 6510}, []int{6}},
		{"while suspended", []Fault{{Do: Suspend, Node: 1, When: When{At: at(1000)}, For: forMillis(2000)}, rate(fast, 2000, 4000)},
			[]int64{1010, 1010, 1010, 2110, 3120, 4130}, []int{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []int64
			var r *rig
			r = newRig(t, Config{Until: at(6500), Faults: c.faults, Clocks: []Clock{{Rate: 10_000_000}}}, idle,
				ticking(func(n int64, out *Out[tm]) {
					out.Note(tm{kind: mark})
					out.Send(3, tm{kind: alpha})
				}),
				func(in In[tm], out *Out[tm]) {
					if in.Msg.kind == alpha {
						got = append(got, r.w.view.Read(1, MonoClock)/int64(ms))
					}
				})
			res := r.run(t, 1)
			assert.Equal(t, c.mono, got)
			var strikes []int
			for _, s := range res.Faults {
				strikes = append(strikes, s.Count)
			}
			assert.Equal(t, c.strikes, strikes)
		})
	}
}

// "The zero When means at instant 0, before the nodes start": faults are [a,b), and
// what is sent at a is concerned.
func TestFaultsAtTheStart(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		want  []string // the steps, with starts
	}{
		{Fault{Do: Lose, Msg: MsgChoice{Kind: alpha, Nth: 1}}, []string{"0.000s a<a start 0", "0.000s b<b start 0", "0.000s a<b alpha 2"}},
		{Fault{Do: Cut, Sides: [][]NodeID{{1}, {2}}, For: forMillis(1)}, []string{"0.000s a<a start 0", "0.000s b<b start 0"}},
		{Fault{Do: Pause, Node: 2, For: forMillis(1)}, []string{"0.000s a<a start 0", "0.001s b<b start 0", "0.001s a<b alpha 1", "0.001s a<b alpha 2"}},
		{Fault{Do: Crash, Node: 2, For: forMillis(1)}, []string{"0.000s a<a start 0", "0.001s b<b start 0", "0.001s a<b alpha 1", "0.001s a<b alpha 2"}},
		{Fault{Do: Crash, Node: 2, Forever: true}, []string{"0.000s a<a start 0"}},
	} {
		r := newRig(t, Config{Until: at(100), Faults: []Fault{c.fault}}, idle, onStart(func(out *Out[tm]) {
			out.Send(1, tm{kind: alpha, n: 1})
			out.Send(1, tm{kind: alpha, n: 2})
		}))
		res := r.run(t, 1)
		var got []string
		for _, s := range r.steps {
			got = append(got, s.String())
		}
		assert.Equal(t, c.want, got, c.fault.Do)
		assert.Equal(t, Time(0), res.Faults[0].First)
	}
}

func TestStepClock(t *testing.T) {
	r := newRig(t, Config{Until: at(5500), Faults: []Fault{
		{Name: "1", Do: StepClock, Node: 1, When: When{At: at(1500)}, By: 10_000 * ms},
		{Name: "2", Do: StepClock, Node: 1, When: When{Note: mark, By: 2, Nth: 3}, By: -20_000 * ms},
		{Name: "3", Do: StepClock, Node: 1, When: When{Every: forMillis(2200)}, By: 1 * ms},
	}}, idle, sender)
	res := r.run(t, 1)
	var wall, mono []int64
	for _, s := range r.steps {
		if s.in.Self == 1 && s.in.Msg.kind == alpha {
			wall, mono = append(wall, int64(s.in.Wall)/int64(ms)), append(mono, int64(s.in.Mono)/int64(ms))
		}
	}
	assert.Equal(t, []int64{1000, 12_000, -6999, -5999, -4998}, wall)
	assert.Equal(t, []int64{1000, 2000, 3000, 4000, 5000}, mono)
	assert.Equal(t, []Injection{{1, at(1500)}, {1, at(3000)}, {2, at(2200)}}, res.Faults)
	assert.Equal(t, []string{"1.500s a has its wall clock stepped by 10s", "2.200s a has its wall clock stepped by 1ms",
		"3.000s a has its wall clock stepped by -20s", "4.400s a has its wall clock stepped by 1ms"}, r.story)
}

func TestPartition(t *testing.T) {
	everyone := func(in In[tm], out *Out[tm]) { // each sends to each at 0, 1000 and so on
		if in.Msg.kind == alpha {
			return
		}
		for to := NodeID(1); to <= 4; to++ {
			out.Send(to, tm{kind: alpha, n: in.Msg.n})
		}
		out.After(1000*ms, tm{kind: tick, n: in.Msg.n + 1})
	}
	for _, c := range []struct {
		name   string
		sides  [][]NodeID
		oneWay bool
		cut    []string
	}{
		{"symmetric", [][]NodeID{{1}, {2, 3}}, false, []string{"a>b", "a>c", "b>a", "c>a"}},
		{"one way", [][]NodeID{{1}, {2, 3}}, true, []string{"a>b", "a>c"}},
		{"groups", [][]NodeID{{1, 2}, {3}, {4}}, false, []string{"a>c", "a>d", "b>c", "b>d", "c>a", "c>b", "c>d", "d>a", "d>b", "d>c"}},
		{"from one group to others", [][]NodeID{{1, 2}, {3}, {4}}, true, []string{"a>c", "a>d", "b>c", "b>d"}},
	} {
		for _, do := range []Action{Cut, Hold} {
			t.Run(fmt.Sprint(c.name, ", ", do), func(t *testing.T) {
				r := newRig(t, Config{Until: at(10_000), Network: net(100), Faults: []Fault{
					{Do: do, Sides: c.sides, OneWay: c.oneWay, When: When{At: at(1500)}, For: forMillis(2000)}}},
					everyone, everyone, everyone, everyone)
				res := r.run(t, 1)
				arrived := make(map[string]map[int64]Time)
				for _, s := range r.steps {
					if s.in.Msg.kind == alpha {
						k := nodeName(s.in.From) + ">" + nodeName(s.in.Self)
						if arrived[k] == nil {
							arrived[k] = make(map[int64]Time)
						}
						arrived[k][s.in.Msg.n] = s.at
					}
				}
				assert.Len(t, arrived, 16)
				for k, at_ := range arrived {
					for n := range int64(9) {
						want, there := at(1000*n+100), true
						if slices.Contains(c.cut, k) && (n == 2 || n == 3) {
							want, there = at(3600), do == Hold
						}
						got, ok := at_[n]
						require.Equal(t, there, ok, "%s %d", k, n)
						if there {
							require.Equal(t, want, got, "%s %d", k, n)
						}
					}
				}
				assert.Equal(t, []Injection{{2 * len(c.cut), at(2000)}}, res.Faults)
			})
		}
	}
}

func TestHold(t *testing.T) {
	hold := Fault{Do: Hold, Sides: [][]NodeID{{1}, {2}}, When: When{At: at(500)}, For: forMillis(3000)}
	t.Run("forever", func(t *testing.T) {
		f := hold
		f.Forever = true
		r := newRig(t, Config{Faults: []Fault{f}}, idle, sending(100, 1000))
		res := r.run(t, 1)
		assert.Equal(t, []string{"0.100s a<b alpha 1"}, r.stepsOf(1))
		assert.Equal(t, []Injection{{1, at(1000)}}, res.Faults)
		assert.Equal(t, []string{"0.500s the network buffers forever: a | b"}, r.story)
	})
	t.Run("keeps the order of the link", func(t *testing.T) {
		for seed := range uint64(50) {
			r := newRig(t, Config{Network: Network{Default: Link{Delay: Exponential(500 * ms)}}, Faults: []Fault{hold}},
				idle, sending(100, 600, 700, 800, 3400, 3500, 3501, 3502, 3600))
			r.run(t, seed)
			var got []int64
			for _, s := range r.steps {
				if s.in.Msg.kind == alpha {
					got = append(got, s.in.Msg.n)
				}
			}
			require.Equal(t, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, got)
		}
	})
	t.Run("the story tells when it begins and ends, and not of each message", func(t *testing.T) {
		f := hold
		f.OneWay, f.Sides = true, [][]NodeID{{2}, {1}}
		r := newRig(t, Config{Faults: []Fault{f}}, idle, sending(100, 1000))
		r.run(t, 1)
		assert.Equal(t, []string{"0.500s the network buffers for 3s: b to a", "3.500s the network again lets through: b to a"}, r.story)
	})
}

// "One message delayed by kind and count", and lost, and duplicated.
func TestMessageFaults(t *testing.T) {
	choice := func(kind Kind, from, to NodeID, nth int) MsgChoice {
		return MsgChoice{Kind: kind, From: from, To: to, Nth: nth}
	}
	for _, c := range []struct {
		name   string
		fault  Fault
		steps  []string
		strike Injection
	}{
		{"delay the second alpha, which the third overtakes", Fault{Do: Delay, Msg: choice(alpha, 2, 1, 2), For: forMillis(1500)},
			[]string{"1.100s a<b alpha 1", "3.100s a<b alpha 3", "3.500s a<b alpha 2", "4.100s a<b alpha 4"}, Injection{1, at(2000)}},
		{"delay each alpha", Fault{Do: Delay, Msg: choice(alpha, None, None, 0), For: forMillis(200)},
			[]string{"1.200s a<b alpha 1", "2.200s a<b alpha 2", "3.200s a<b alpha 3", "4.200s a<b alpha 4"}, Injection{4, at(1000)}},
		{"deliver one at once", Fault{Do: Delay, Msg: choice(alpha, None, None, 2)},
			[]string{"1.100s a<b alpha 1", "2.000s a<b alpha 2", "3.100s a<b alpha 3", "4.100s a<b alpha 4"}, Injection{1, at(2000)}},
		{"lose the second from 2500 on", Fault{Do: Lose, Msg: choice(alpha, None, 1, 2), When: When{At: at(2500)}},
			[]string{"1.100s a<b alpha 1", "2.100s a<b alpha 2", "3.100s a<b alpha 3"}, Injection{1, at(4000)}},
		{"lose each from another node", Fault{Do: Lose, Msg: choice(alpha, 1, None, 0)},
			[]string{"1.100s a<b alpha 1", "2.100s a<b alpha 2", "3.100s a<b alpha 3", "4.100s a<b alpha 4"}, Injection{0, Never}},
		{"lose each of another kind", Fault{Do: Lose, Msg: choice(beta, None, None, 0)},
			[]string{"1.100s a<b alpha 1", "2.100s a<b alpha 2", "3.100s a<b alpha 3", "4.100s a<b alpha 4"}, Injection{0, Never}},
		{"duplicate the third", Fault{Do: Duplicate, Msg: choice(alpha, None, None, 3), For: forMillis(1200)},
			[]string{"1.100s a<b alpha 1", "2.100s a<b alpha 2", "3.100s a<b alpha 3", "4.100s a<b alpha 4", "4.200s a<b alpha 3"}, Injection{1, at(3000)}},
		// Notes and messages are counted apart; the messages since the note: the
		// second note leaves after the second alpha.
		{"lose the first after the second note", Fault{Do: Lose, Msg: choice(alpha, None, None, 1), When: When{Note: mark, By: 2, Nth: 2}},
			[]string{"1.100s a<b alpha 1", "2.100s a<b alpha 2", "4.100s a<b alpha 4"}, Injection{1, at(3000)}},
		{"lose the first after each note", Fault{Do: Lose, Msg: choice(alpha, None, None, 1), When: When{Note: mark, By: 2}},
			[]string{"1.100s a<b alpha 1"}, Injection{3, at(2000)}},
		{"lose the first in each 1600", Fault{Do: Lose, Msg: choice(alpha, None, None, 1), When: When{Every: forMillis(1600)}},
			[]string{"1.100s a<b alpha 1", "3.100s a<b alpha 3"}, Injection{2, at(2000)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Until: at(4500), Network: net(100), Faults: []Fault{c.fault}}, idle, sender)
			res := r.run(t, 1)
			assert.Equal(t, c.steps, r.stepsOf(1))
			assert.Equal(t, []Injection{c.strike}, res.Faults)
		})
	}
	t.Run("the first fault decides", func(t *testing.T) {
		lose := Fault{Name: "lose", Do: Lose, Msg: choice(alpha, None, None, 1)}
		twice := Fault{Name: "twice", Do: Duplicate, Msg: choice(alpha, None, None, 1), For: forMillis(500)}
		for _, c := range []struct {
			faults  []Fault
			arrives []string
			strikes []int
		}{
			{[]Fault{lose, twice}, []string{"2.100s a<b alpha 2"}, []int{1, 0}}, // the 1st is counted, but lost
			{[]Fault{twice, lose}, []string{"1.500s a<b alpha 1", "2.100s a<b alpha 2"}, []int{1, 1}},
		} {
			r := newRig(t, Config{Until: at(2900), Network: net(100), Faults: c.faults}, idle, sender)
			res := r.run(t, 1)
			assert.Equal(t, c.arrives, r.stepsOf(1))
			assert.Equal(t, c.strikes, []int{res.Faults[0].Count, res.Faults[1].Count})
		}
	})
}

// "NewWorld refuses a configuration that names what the system does not have, with
// all mistakes in one error."
func TestRefusals(t *testing.T) {
	_, err := NewWorld(System[tm]{Kinds: kindNames, Nodes: []Spec[tm]{Place[tm]("a", echo{})}}, Config{
		Until:  -5,
		Clocks: make([]Clock, 2),
		Costs:  make([]Dist, 3),
		Network: Network{
			Default: Link{Loss: -1},
			Rules:   []LinkRule{{From: []NodeID{1, 0}, To: []NodeID{5}, Link: Link{Duplicate: Certain + 1}}},
		},
		Faults: []Fault{
			{Name: "nobody", Do: Pause},
			{Name: "stranger", Do: Crash, Node: 2, When: When{Note: 6, By: -1}},
			{Name: "kind", Do: Lose, Msg: MsgChoice{Kind: 77, From: 9, To: 8, Nth: -1}},
			{Name: "one side", Do: Cut, Sides: [][]NodeID{{1}}},
			{Name: "sides", Do: Hold, Sides: [][]NodeID{{1}, {1, 3}, {}}},
			{Name: "rate", Do: SetRate, Node: 1, Rate: MaxPPB + 1},
			{Name: "when", Do: Pause, Node: 1, When: When{At: -1, Nth: -2}},
			{Name: "every", Do: Pause, Node: 1, When: When{Every: Exponential(0)}},
			{Name: "span", Do: Pause, Node: 1, When: When{Replay: []Stop{{}}}},
			{Name: "stops", Do: Pause, Node: 1, When: When{Replay: []Stop{{At: 5}, {At: 4}, {At: 10}, {At: 11, For: -1}}, Span: 10}},
			{Name: "sided", Do: Pause, Node: 1, Sides: [][]NodeID{{1}, {1}}},
			{Name: "what", Do: 99},
			{Name: "every", Do: Pause, Node: 1, When: When{Every: Exponential(1)}},
		},
	})
	require.Error(t, err)
	assert.Equal(t, `until: must be positive, got -0.000000005s
clocks and costs: more than the 1 nodes have
network: loss: want 0 to 1000000000 parts per billion, got -1
network: rule 1: duplicate: want 0 to 1000000000 parts per billion, got 1000000001
network: rule 1: there is no node 0, only 1 to 1
network: rule 1: there is no node 5, only 1 to 1
fault "nobody": pause needs a node
fault "stranger": node: there is no node 2, only 1 to 1
fault "stranger": noted by: there is no node -1, only 1 to 1
fault "stranger": note: there is no kind 6, only 0 to 5
fault "kind": from: there is no node 9, only 1 to 1
fault "kind": to: there is no node 8, only 1 to 1
fault "kind": message: there is no kind 77, only 0 to 5
fault "kind": message: want the 1st or a later one, or 0 for each, got -1
fault "one side": cut needs 2 to 200 sides, got 1
fault "sides": side: node 1 is on two sides or twice on one
fault "sides": side: there is no node 3, only 1 to 1
fault "sides": a side has no nodes
fault "rate": rate: want at most +500000ppm either way, got +500000001ppb
fault "when": at: must not be negative, got -0.000000001s
fault "when": note: want the 1st or a later one, or 0 for each, got -2
fault "every": every: {exp: 0s} is always 0
fault "span": a replayed log needs a span
fault "stops": replay: stop 2, at 4ns for 0s, is out of order or outside the span of 10ns
fault "stops": replay: stop 3, at 10ns for 0s, is out of order or outside the span of 10ns
fault "stops": replay: stop 4, at 11ns for -1ns, is out of order or outside the span of 10ns
fault "sided": pause has no sides
fault "what": there is no action 99
fault "every": another one that draws has this name, and would draw the same`, err.Error())

	_, err = NewWorld(System[tm]{Nodes: []Spec[tm]{Place[tm]("a", echo{})}}, Config{Until: 1, Clocks: []Clock{{Rate: -MaxPPB - 1}}})
	assert.EqualError(t, err, "clock of a: a rate error of -500000001ppb is beyond +500000ppm")
}

// TestCalmRecurrence: the minimal draw of a fault that recurs is that it does not, or time
// would stand still.
func TestCalmRecurrence(t *testing.T) {
	rig := newRig(t, Config{Until: Time(time.Second), Minimal: true, Faults: []Fault{{Name: "p", Do: Pause, Node: 1, When: When{Every: Exponential(ms)}, For: Exponential(ms)}}},
		func(In[tm], *Out[tm]) {})
	require.Zero(t, rig.run(t, 1).Faults[0].Count)
}
