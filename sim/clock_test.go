package sim

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors P-01 to P-11 are those of the specification of locks, clocks and the
// key-value store, section D.

// gained is by how much a clock of the given rate error is ahead after so long.
func gained(rate PPB, after time.Duration) time.Duration {
	o := newOscillator(Clock{Rate: rate})
	return time.Duration(int64(o.mono(Time(after))) - int64(after))
}

const day = 24 * time.Hour

func TestClockRates(t *testing.T) {
	// P-01: "1 ms/s: 1000 ppm, 86.4 s/day".
	t.Run("P-01", func(t *testing.T) {
		rate := PPB(time.Millisecond) // per second
		assert.Equal(t, "+1000ppm", rate.String())
		assert.Equal(t, time.Millisecond, gained(rate, time.Second))
		assert.Equal(t, 86_400*ms, gained(rate, day))
	})
	// P-02: "20, 50, 100, 200, 500 ppm: s/day 1.728, 4.320, 8.640, 17.280, 43.200;
	// ms per 30 s: 0.6, 1.5, 3, 6, 15".
	t.Run("P-02", func(t *testing.T) {
		for _, c := range []struct {
			rate      PPB
			day, half time.Duration
		}{
			{20_000, 1728 * ms, 600 * time.Microsecond},
			{50_000, 4320 * ms, 1500 * time.Microsecond},
			{100_000, 8640 * ms, 3 * ms},
			{200_000, 17280 * ms, 6 * ms},
			{500_000, 43200 * ms, 15 * ms},
		} {
			assert.Equal(t, c.day, gained(c.rate, day), c.rate)
			assert.Equal(t, c.half, gained(c.rate, 30*time.Second), c.rate)
			assert.Equal(t, -c.day, gained(-c.rate, day), c.rate)
		}
	})
	// P-03: "slew 128 ms, 1 s, 10 s at 500 ppm; 1 s at 83 333.333 ppm: 256 s, 2000 s,
	// 20 000 s; 12.000 s".
	t.Run("P-03", func(t *testing.T) {
		assert.Equal(t, 128*ms, gained(500_000, 256*time.Second))
		assert.Equal(t, time.Second, gained(500_000, 2000*time.Second))
		assert.Equal(t, 10*time.Second, gained(500_000, 20_000*time.Second))
		assert.Equal(t, time.Second, gained(83_333_333, 12*time.Second).Round(ms))
		assert.Equal(t, -128*ms, gained(-500_000, 256*time.Second))
	})
	// P-06: "leap smear over 24 h: 11.574 ppm".
	t.Run("P-06", func(t *testing.T) {
		assert.Equal(t, -time.Second, gained(-11_574, day).Round(100*time.Microsecond))
		assert.NotEqual(t, -time.Second, gained(-11_575, day).Round(10*time.Microsecond))
	})
	// P-07: "10 000 local ms at -83 333.333 / +83 333.333 ppm: 10 909.1 / 9 230.8 true ms".
	t.Run("P-07", func(t *testing.T) {
		for _, c := range []struct {
			rate PPB
			want time.Duration
		}{{-83_333_333, 10_909_100 * time.Microsecond}, {83_333_333, 9_230_800 * time.Microsecond}} {
			o := newOscillator(Clock{Rate: c.rate})
			got := o.when(MonoClock, int64(10*time.Second), 0)
			assert.Equal(t, c.want, time.Duration(got).Round(100*time.Microsecond))
		}
	})
	// P-08: "ns: M(10 s) and inverse at +100 ppm; at -100 ppm: 10 001 000 000 and
	// 9 999 000 100; 9 999 000 000 and 10 001 000 101".
	t.Run("P-08", func(t *testing.T) {
		fast, slow := newOscillator(Clock{Rate: 100_000}), newOscillator(Clock{Rate: -100_000})
		assert.Equal(t, Mono(10_001_000_000), fast.mono(10e9))
		assert.Equal(t, Time(9_999_000_100), fast.when(MonoClock, 10e9, 0))
		assert.Equal(t, Mono(9_999_000_000), slow.mono(10e9))
		assert.Equal(t, Time(10_001_000_101), slow.when(MonoClock, 10e9, 0))
	})
	// P-09: "step -10 000 at 5000: W(4999), W(5000), W(7000), W(15000): 4999, -5000,
	// -3000, 5000".
	t.Run("P-09", func(t *testing.T) {
		o := newOscillator(Clock{})
		assert.Equal(t, Wall(at(4999)), o.wall(at(4999)))
		o.step(-10_000 * ms)
		assert.Equal(t, Wall(at(-5000)), o.wall(at(5000)))
		assert.Equal(t, Wall(at(-3000)), o.wall(at(7000)))
		assert.Equal(t, Wall(at(5000)), o.wall(at(15_000)))
		assert.Equal(t, Mono(at(15_000)), o.mono(at(15_000)), "monotonic is never stepped")
	})
}

// ntp is the packet of the four-timestamp exchange.
type ntp struct {
	kind       Kind // 1 request, 2 the server's timer, 3 reply, 4 a note of the result
	t0, t1, t2 Wall
	theta      time.Duration
	delta      time.Duration
}

func (m ntp) Label() Kind { return m.kind }
func (m ntp) Fold(d Digest) Digest {
	return d.Fold(uint64(m.kind), uint64(m.t0)).Fold(uint64(m.t1), uint64(m.t2)).Fold(uint64(m.theta), uint64(m.delta))
}
func (m ntp) String() string { return fmt.Sprintf("%+v", ntp{}) }

// ntpServer answers after it has worked for a while.
type ntpServer struct {
	Work time.Duration

	peer NodeID
}

func (s *ntpServer) Step(in In[ntp], out *Out[ntp]) {
	m := in.Msg
	switch m.kind {
	case 1:
		s.peer, m.kind, m.t1 = in.From, 2, in.Wall
		out.After(s.Work, m)
	case 2:
		m.kind, m.t2 = 3, in.Wall
		out.Send(s.peer, m)
	}
}

// ntpClient asks once, and notes offset and delay.
type ntpClient struct{ Server NodeID }

func (c *ntpClient) Step(in In[ntp], out *Out[ntp]) {
	m := in.Msg
	switch m.kind {
	case 0:
		out.Send(c.Server, ntp{kind: 1, t0: in.Wall})
	case 3:
		m.kind = 4
		m.theta = (m.t1.Sub(m.t0) + m.t2.Sub(in.Wall)) / 2
		m.delta = in.Wall.Sub(m.t0) - m.t2.Sub(m.t1)
		out.Note(m)
	}
}

// keeper keeps the last note.
type keeper struct{ last ntp }

func (k *keeper) Reset(*View[ntp])                          { k.last = ntp{} }
func (k *keeper) Observe(_ *View[ntp], o *Observation[ntp]) { k.last = o.Msg }
func (k *keeper) End(*View[ntp])                            {}

func TestClockExchange(t *testing.T) {
	for _, c := range []struct {
		id             string
		there, back    time.Duration
		client, server time.Duration // offsets of the wall clocks
		theta, delta   time.Duration
		t1, t2, t3     Wall
	}{
		// "NTP t0=1000 t1=1150 t2=1152 t3=1202: theta=50, delta=200".
		{"P-04", 100 * ms, 100 * ms, 1000 * ms, 1050 * ms, 50 * ms, 200 * ms, 1150, 1152, 1202},
		// "true offset 0, path 100/20: t0=1000 t1=1100 t2=1102 t3=1122: theta=40,
		// delta=120, error 40 <= delta/2 = 60".
		{"P-05", 100 * ms, 20 * ms, 1000 * ms, 1000 * ms, 40 * ms, 120 * ms, 1100, 1102, 1122},
	} {
		t.Run(c.id, func(t *testing.T) {
			k := &keeper{}
			w, err := NewWorld(System[ntp]{
				Nodes:  []Spec[ntp]{Place[ntp]("client", ntpClient{Server: 2}), Place[ntp]("server", ntpServer{Work: 2 * ms})},
				Kinds:  []string{"start", "request", "work", "reply", "result"},
				Meters: []Observer[ntp]{k},
			}, Config{Until: at(10_000), Twice: true,
				Clocks: []Clock{{Offset: c.client}, {Offset: c.server}},
				Network: Network{Rules: []LinkRule{
					{From: []NodeID{1}, Link: Link{Delay: Constant(c.there)}},
					{From: []NodeID{2}, Link: Link{Delay: Constant(c.back)}},
				}}})
			require.NoError(t, err)
			require.Nil(t, w.Run(1).Panic)
			assert.Equal(t, ntp{kind: 4, t0: Wall(at(1000)), t1: c.t1 * Wall(ms), t2: c.t2 * Wall(ms), theta: c.theta, delta: c.delta}, k.last)
			assert.Equal(t, c.t3, k.last.t0/Wall(ms)+Wall((c.there+c.back+2*ms)/ms))
			wrong := (c.theta - (c.server - c.client)).Abs()
			assert.LessOrEqual(t, wrong, c.delta/2, "abs(error) <= delta/2")
		})
	}
}

// P-10: "VM suspend [3000,8000), step at 10 000: MONOTONIC(8000)=3000,
// (10000)=5000; BOOTTIME 8000, 10 000; W 3000, W(9999)=4999, W(10000)=10 000".
func TestClockSuspend(t *testing.T) {
	t.Run("P-10", func(t *testing.T) {
		type reading struct {
			at               Time
			mono, boot, wall int64
		}
		var got []reading
		var r *rig
		r = newRig(t, Config{Until: at(12_000), Faults: []Fault{
			{Name: "suspend", Do: Suspend, Node: 1, When: When{At: at(3000)}, For: forMillis(5000)},
			{Name: "step", Do: StepClock, Node: 1, When: When{At: at(10_000)}, By: 5000 * ms},
		}}, func(in In[tm], _ *Out[tm]) {
			if in.Msg.kind == alpha {
				got = append(got, reading{r.w.now, int64(in.Mono) / int64(ms), int64(in.Boot) / int64(ms), int64(in.Wall) / int64(ms)})
			}
		}, func(in In[tm], out *Out[tm]) {
			if in.Msg.kind == tick {
				out.Send(1, tm{kind: alpha})
				return
			}
			for _, millis := range []time.Duration{2999, 8000, 9999, 10_000} {
				out.After(millis*ms, tm{kind: tick})
			}
		})
		r.run(t, 1)
		assert.Equal(t, []reading{
			{at(2999), 2999, 2999, 2999},
			{at(8000), 3000, 8000, 3000},
			{at(9999), 4999, 9999, 4999},
			{at(10_000), 5000, 10_000, 10_000},
		}, got)
	})
}

// P-11: "process pause [100,15100): m1 due 150, timer 200, m2 9000: all at 15 100 in
// order m1, timer, m2". The rule: "offer timersFirst and messagesFirst as
// alternative orders, because both occur in reality and they change outcomes".
func TestClockPause(t *testing.T) {
	for _, c := range []struct {
		id    string
		order ResumeOrder
		want  []string
	}{
		{"P-11", ByArrival, []string{"15.100s a<b alpha 1", "15.100s a<a tick 0", "15.100s a<b alpha 2"}},
		{"timers first", TimersFirst, []string{"15.100s a<a tick 0", "15.100s a<b alpha 1", "15.100s a<b alpha 2"}},
		{"messages first", MessagesFirst, []string{"15.100s a<b alpha 1", "15.100s a<b alpha 2", "15.100s a<a tick 0"}},
	} {
		t.Run(c.id, func(t *testing.T) {
			r := newRig(t, Config{Resume: c.order, Faults: []Fault{
				{Do: Pause, Node: 1, When: When{At: at(100)}, For: forMillis(15_000)},
			}}, onStart(func(out *Out[tm]) {
				out.After(200*ms, tm{kind: tick})
			}), func(in In[tm], out *Out[tm]) {
				switch in.Msg.kind {
				case start:
					out.After(150*ms, tm{kind: tick, n: 1})
					out.After(9000*ms, tm{kind: tick, n: 2})
				case tick:
					out.Send(1, tm{kind: alpha, n: in.Msg.n})
				}
			})
			r.run(t, 1)
			assert.Equal(t, c.want, r.stepsOf(1))
		})
	}
}

// history is what was done to a node's clocks, for a reference in exact arithmetic.
type history struct {
	offset time.Duration
	done   []happening
}

type happening struct {
	at   Time
	kind int // what follows
	rate PPB
	by   time.Duration
}

const (
	rates = iota
	suspends
	resumes
	steps
)

// readings are the three clocks at t, from first principles,
// "raw = sum over segments of dt*(1e9+ppb)/1e9, floor, 128-bit integer arithmetic".
func (h *history) readings(t Time) (mono, boot, wall int64) {
	sum := new(big.Int) // in 1e-9 ns
	var rate PPB
	var suspended bool
	var slept, ahead int64
	since := Time(0)
	piece := func(until Time) {
		if suspended {
			slept += int64(until - since)
		} else {
			p := big.NewInt(int64(until - since))
			sum.Add(sum, p.Mul(p, big.NewInt(1e9+int64(rate))))
		}
		since = until
	}
	for _, d := range h.done {
		if d.at > t {
			break
		}
		piece(d.at)
		switch d.kind {
		case rates:
			rate = d.rate
		case suspends:
			suspended = true
		case resumes:
			suspended = false
		case steps:
			ahead += int64(d.by)
		}
	}
	piece(t)
	raw := sum.Div(sum, big.NewInt(1e9)).Int64()
	return raw, raw + slept, raw + ahead + int64(h.offset)
}

func (h *history) read(c ClockID, t Time) int64 {
	m, b, w := h.readings(t)
	return [...]int64{m, b, w}[c]
}

// least is the first instant in [from, until) at which the clock reads at least x,
// by bisection of each piece; Never if there is none.
func (h *history) least(c ClockID, x int64, from, until Time) Time {
	cuts := []Time{from}
	for _, d := range h.done {
		if d.at > from && d.at < until {
			cuts = append(cuts, d.at)
		}
	}
	cuts = append(cuts, until)
	for i, lo := range cuts[:len(cuts)-1] {
		hi := cuts[i+1] - 1
		if hi < lo || h.read(c, hi) < x {
			continue
		}
		for lo < hi {
			if mid := lo + (hi-lo)/2; h.read(c, mid) >= x {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return lo
	}
	return Never
}

// randomHistory is a schedule of rate changes, suspends and steps before until.
func randomHistory(r *rand.Rand, until Time) history {
	h := history{offset: time.Duration(r.Int64N(int64(until))) - time.Duration(until/2)}
	suspended := false
	for now := Time(0); len(h.done) < 12; {
		now += 1 + Time(r.Int64N(int64(until)/10))
		if now >= until {
			break
		}
		d := happening{at: now}
		switch {
		case suspended && r.IntN(2) == 0:
			d.kind, suspended = resumes, false
		case r.IntN(3) == 0 && !suspended:
			d.kind, suspended = suspends, true
		case r.IntN(2) == 0:
			d.kind, d.rate = rates, PPB(r.Int64N(int64(2*MaxPPB)))-MaxPPB
			if r.IntN(4) == 0 {
				d.rate = 0
			}
		default:
			d.kind, d.by = steps, time.Duration(r.Int64N(int64(until)))-time.Duration(until/2)
		}
		h.done = append(h.done, d)
	}
	return h
}

// replayed calls f for random instants in ascending order, with an oscillator that
// has been through the history up to there.
func (h *history) replayed(r *rand.Rand, until Time, f func(o *oscillator, now Time)) {
	o := newOscillator(Clock{Offset: h.offset})
	now := Time(0)
	for i := 0; i <= len(h.done); i++ {
		end := until
		if i < len(h.done) {
			end = h.done[i].at
		}
		for range 4 {
			if now < end {
				f(&o, now)
				now += 1 + Time(r.Int64N(int64(end-now)))
			}
		}
		if now = end; i == len(h.done) {
			return
		}
		switch d := h.done[i]; d.kind {
		case rates:
			o.setRate(now, d.rate)
		case suspends:
			o.suspend(now)
		case resumes:
			o.resume(now)
		case steps:
			o.step(d.by)
		}
	}
}

// MON: "t1 <= t2 implies M(t1) <= M(t2) between reboots", and every reading is the
// exact one: no piece loses the remainder of the one before it.
func TestClockReadingsAreExact(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		until := Time(1) << (10 + r.IntN(44)) // from a microsecond to half a year
		h := randomHistory(r, until)
		var last Mono
		var lastBoot Boot
		h.replayed(r, until, func(o *oscillator, now Time) {
			mono, boot, wall := h.readings(now)
			require.Equal(t, []int64{mono, boot, wall}, []int64{o.read(MonoClock, now), o.read(BootClock, now), o.read(WallClock, now)}, "seed %d at %d", seed, now)
			require.LessOrEqual(t, last, o.mono(now))
			require.LessOrEqual(t, lastBoot, o.boot(now))
			last, lastBoot = o.mono(now), o.boot(now)
			_, frac := o.rawAt(now)
			require.True(t, 0 <= frac && frac < 1e9, "seed %d: remainder %d", seed, frac)
		})
	}
}

// when is the least instant, from now on, at which the clock reads so much.
func TestClockInverseIsExact(t *testing.T) {
	never, later := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		until := Time(1) << (10 + r.IntN(44))
		h := randomHistory(r, until)
		h.replayed(r, until, func(o *oscillator, now Time) {
			for c := MonoClock; c <= WallClock; c++ {
				x := o.read(c, now) - 3 + r.Int64N(int64(until))
				got := o.when(c, x, now)
				if got == Never {
					require.True(t, o.suspended && c != BootClock, "seed %d", seed)
					never++
					continue
				}
				require.GreaterOrEqual(t, got, now)
				require.GreaterOrEqual(t, o.read(c, got), x, "seed %d", seed)
				if got > now {
					require.Less(t, o.read(c, got-1), x, "seed %d", seed)
					later++
				}
			}
		})
	}
	assert.Greater(t, never, 100)
	assert.Greater(t, later, 1000)
}

func TestClockInverseAtTheEnds(t *testing.T) {
	for _, rate := range []PPB{0, 1, -1, MaxPPB, -MaxPPB} {
		o := newOscillator(Clock{Rate: rate})
		for c := MonoClock; c <= WallClock; c++ {
			assert.Equal(t, Time(7), o.when(c, math.MinInt64, 7), "%v %v: what has been reached is due now", rate, c)
			assert.Equal(t, Never, o.when(c, math.MaxInt64, 7), "%v %v", rate, c)
			assert.Greater(t, o.when(c, math.MaxInt64-1, 7), Never/3*2-1, "%v %v", rate, c)
		}
		assert.GreaterOrEqual(t, o.mono(Never), Mono(Never/2), "%v: a reading stays at the end of int64", rate)
	}
	o := newOscillator(Clock{Offset: math.MaxInt64})
	assert.Equal(t, Wall(math.MaxInt64), o.wall(1000))
	o = newOscillator(Clock{Offset: math.MinInt64 + 5})
	assert.Equal(t, Never, o.when(WallClock, 1000, 0))
	assert.Equal(t, Time(5), o.when(WallClock, math.MinInt64+10, 0))
}

// The rule: "Timer after(d) armed at t0 fires at the least t with M(t) - M(t0) >= d
// (invert M; recompute when the rate changes)"; "A wall deadline moves when W is
// stepped; a forward step makes it due at the step instant".
func TestTimersFireExactly(t *testing.T) {
	const until = Time(1e9)
	type armed struct {
		at  Time
		x   int64 // the reading at which it is due
		c   ClockID
		got Time
	}
	fired := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		h := randomHistory(r, until)
		config := Config{Until: until, Clocks: []Clock{{Offset: h.offset}}, Faults: h.faults()}
		var timers []armed
		var rg *rig
		rg = newRig(t, config, func(in In[tm], out *Out[tm]) {
			if in.Msg.kind == beta {
				timers[in.Msg.n].got = rg.w.now
			}
			if in.Msg.kind != start && len(timers) > 60 {
				return
			}
			for range 3 {
				a := armed{at: rg.w.now, c: WallClock, got: Never}
				m := tm{kind: beta, n: int64(len(timers))}
				if r.IntN(2) == 0 {
					d := time.Duration(r.Int64N(int64(until / 4)))
					a.c, a.x = MonoClock, int64(in.Mono.Add(d))
					out.After(d, m)
				} else {
					w := in.Wall.Add(time.Duration(r.Int64N(int64(until/2)) - int64(until/8)))
					a.x = int64(w)
					out.At(w, m)
				}
				timers = append(timers, a)
			}
		})
		rg.run(t, 1)
		for i, a := range timers {
			want := h.least(a.c, a.x, a.at, until)
			if want != Never {
				want = h.runs(want, until)
			}
			require.Equal(t, want, a.got, "seed %d: timer %d of the %v clock, armed at %v for %d", seed, i, a.c, a.at, a.x)
			if want != Never {
				fired++
			}
		}
	}
	assert.Greater(t, fired, 5000)
}

// faults are the history as faults of node 1.
func (h *history) faults() []Fault {
	var fs []Fault
	for i, d := range h.done {
		f := Fault{Name: fmt.Sprint(i), Node: 1, When: When{At: d.at}}
		switch d.kind {
		case rates:
			f.Do, f.Rate, f.Forever = SetRate, d.rate, true
		case suspends:
			f.Do, f.Forever = Suspend, true
			for _, e := range h.done[i:] {
				if e.kind == resumes {
					f.Forever, f.For = false, Constant(e.at.Sub(d.at))
					break
				}
			}
		case resumes:
			continue
		case steps:
			f.Do, f.By = StepClock, d.by
		}
		fs = append(fs, f)
	}
	return fs
}

// runs is the first instant from t on at which the machine is not suspended.
func (h *history) runs(t, until Time) Time {
	suspended := false
	for _, d := range h.done {
		if d.at > t && !suspended {
			return t
		}
		switch d.kind {
		case suspends:
			suspended = true
		case resumes:
			if suspended = false; d.at >= t {
				return d.at
			}
		}
	}
	if suspended {
		return Never
	}
	return min(t, until)
}

func TestAlarmsMoveWithSteps(t *testing.T) {
	for _, c := range []struct {
		name string
		by   time.Duration
		want []string
	}{
		{"no step", 0, []string{"0.000s a<a tick 4", "2.000s a<a tick 2", "3.000s a<a tick 1", "9.000s a<a tick 3"}},
		// "a forward step makes it due at the step instant": in the order of their
		// readings, not in that in which they were set.
		{"forward", 5 * time.Second, []string{"0.000s a<a tick 4", "1.000s a<a tick 2", "1.000s a<a tick 1", "4.000s a<a tick 3"}},
		{"backward", -5 * time.Second, []string{"0.000s a<a tick 4", "7.000s a<a tick 2", "8.000s a<a tick 1", "14.000s a<a tick 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, Config{Faults: []Fault{{Do: StepClock, Node: 1, When: When{At: at(1000)}, By: c.by}}},
				onStart(func(out *Out[tm]) {
					out.At(Wall(at(3000)), tm{kind: tick, n: 1})
					out.At(Wall(at(2000)), tm{kind: tick, n: 2})
					out.At(Wall(at(9000)), tm{kind: tick, n: 3})
					out.At(Wall(at(-1)), tm{kind: tick, n: 4})
				}))
			r.run(t, 1)
			assert.Equal(t, c.want, r.stepsOf(1))
		})
	}
}

func TestReadingsAddAndPrint(t *testing.T) {
	for _, c := range []struct{ want, got string }{
		{"10.020s", at(10_020).String()},
		{"0.000000001s", Time(1).String()},
		{"-5.109s", Seconds(-5_109_000_000)},
		{"-9223372036.854775808s", Seconds(math.MinInt64)},
		{"never", Never.String()},
		{"+100ppm", PPB(100_000).String()},
		{"-1500ppb", PPB(-1500).String()},
		{"monotonic boottime wall", fmt.Sprint(MonoClock, BootClock, WallClock)},
	} {
		assert.Equal(t, c.want, c.got)
	}
	const most = math.MaxInt64
	for _, c := range []struct{ a, b, want int64 }{
		{1, 2, 3}, {most, 0, most}, {most, 1, most}, {most - 1, 1, most}, {1, most, most}, {-1, most, most - 1},
		{math.MinInt64, -1, math.MinInt64}, {math.MinInt64, 0, math.MinInt64}, {-5, -6, -11}, {0, 0, 0},
		{math.MinInt64, most, -1},
	} {
		assert.Equal(t, c.want, addSaturated(c.a, c.b), c)
		d := time.Duration(c.b)
		assert.Equal(t, []int64{c.want, c.want, c.want, c.want},
			[]int64{int64(Time(c.a).Add(d)), int64(Mono(c.a).Add(d)), int64(Boot(c.a).Add(d)), int64(Wall(c.a).Add(d))})
	}
	assert.Equal(t, []time.Duration{3, 3, 3, 3}, []time.Duration{Time(5).Sub(2), Mono(5).Sub(2), Boot(5).Sub(2), Wall(5).Sub(2)})
}

// Before orders readings of one clock: by the reading, not by the distance, which a
// saturated deadline would make wrap.
func TestBefore(t *testing.T) {
	for _, c := range []struct {
		a, b int64
		want bool
	}{{1, 2, true}, {2, 2, false}, {3, 2, false}, {-1, 0, true}, {math.MinInt64, math.MaxInt64, true}, {math.MaxInt64, math.MinInt64, false}} {
		assert.Equal(t, []bool{c.want, c.want, c.want}, []bool{Mono(c.a).Before(Mono(c.b)), Boot(c.a).Before(Boot(c.b)), Wall(c.a).Before(Wall(c.b))}, c)
	}
	never := Wall(5).Add(math.MaxInt64)
	assert.True(t, Wall(math.MinInt64).Before(never), "a deadline that is never reached")
}
