package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// following is a fault that lets node 1 follow a log from an instant on.
func following(from int64, changes ...ClockChange) Fault {
	return Fault{Name: "log", Do: FollowLog, Node: 1, When: When{At: at(from)}, Changes: changes}
}

// changed is one change of a log, in milliseconds.
func changed(millis int64, rate PPB, step int64) ClockChange {
	return ClockChange{At: time.Duration(millis) * ms, Rate: rate, Step: time.Duration(step) * ms}
}

// eachSecond runs a system of which a clock of node 1 is read at 1000, 2000, ... true ms,
// in milliseconds, also while the node is stopped.
func eachSecond(t *testing.T, faults []Fault, clock ClockID) (got []int64, r *rig, res *Result) {
	r = newRig(t, Config{Until: at(6500), Faults: faults}, idle,
		ticking(func(n int64, out *Out[tm]) { out.Send(3, tm{kind: alpha}) }),
		func(in In[tm], out *Out[tm]) {
			if in.Msg.kind == alpha {
				got = append(got, r.w.view.Read(1, clock)/int64(ms))
			}
		})
	res = r.run(t, 1)
	return got, r, res
}

// The model: "H: piecewise-constant list of (tau_k, ppb_k)", "J: list of (tau_j, step_j)"; M includes
// slew and excludes steps, W includes both.
func TestFollowLog(t *testing.T) {
	const fast, slow = 100_000_000, -100_000_000 // 10 %
	for _, c := range []struct {
		name       string
		faults     []Fault
		mono, wall []int64 // at 1000, 2000, ... 6000 true ms
		strikes    []int
		story      []string
	}{
		{"rates and steps", []Fault{following(0, changed(0, 0, 7), changed(1000, fast, 0), changed(3000, slow, -5000), changed(4000, 0, 0))},
			[]int64{1000, 2100, 3200, 4100, 5100, 6100}, []int64{1007, 2107, -1793, -893, 107, 1107}, []int{4},
			[]string{"0.000s a has its clocks follow a log, with its wall clock moved by 7ms", "3.000s a has its wall clock stepped by -5s, as its log says"}},
		{"later than the start", []Fault{following(2000, changed(0, fast, 0), changed(1000, 0, 500))},
			[]int64{1000, 2000, 3100, 4100, 5100, 6100}, []int64{1000, 2000, 3600, 4600, 5600, 6600}, []int{2},
			[]string{"3.000s a has its wall clock stepped by 500ms, as its log says"}},
		{"several changes at one instant", []Fault{following(0, changed(1000, fast, 300), changed(1000, slow, -200), changed(1000, 0, 1))},
			[]int64{1000, 2000, 3000, 4000, 5000, 6000}, []int64{1101, 2101, 3101, 4101, 5101, 6101}, []int{1},
			[]string{"1.000s a has its wall clock stepped by 101ms, as its log says"}},
		{"nothing changes", []Fault{following(0, changed(0, 0, 0), changed(3000, 0, 0))},
			[]int64{1000, 2000, 3000, 4000, 5000, 6000}, nil, []int{0}, nil},
		{"all of it after the end", []Fault{following(0, changed(7000, fast, 1))},
			[]int64{1000, 2000, 3000, 4000, 5000, 6000}, nil, []int{0}, nil},
		{"begins after the end", []Fault{following(6500, changed(0, fast, 1))},
			[]int64{1000, 2000, 3000, 4000, 5000, 6000}, nil, []int{0}, nil},

		// The fault that began last counts for the rate, and steps add up.
		{"a rate set in the midst", []Fault{following(0, changed(1000, fast, 0), changed(3000, slow, 50)),
			{Name: "set", Do: SetRate, Node: 1, Rate: 0, When: When{At: at(2000)}, For: forMillis(2000)}},
			[]int64{1000, 2100, 3100, 4100, 5000, 5900}, []int64{1000, 2100, 3150, 4150, 5050, 5950}, []int{2, 1}, nil},
		{"a rate hides a change that has no step", []Fault{following(0, changed(1000, fast, 0), changed(3000, slow, 0)),
			{Name: "set", Do: SetRate, Node: 1, Rate: 0, When: When{At: at(2000)}, For: forMillis(2000)}},
			[]int64{1000, 2100, 3100, 4100, 5000, 5900}, nil, []int{1, 1}, nil},
		{"begins while a rate is set", []Fault{{Name: "set", Do: SetRate, Node: 1, Rate: slow, When: When{At: at(0)}, Forever: true},
			following(1000, changed(1000, fast, 0))},
			[]int64{900, 1800, 2900, 4000, 5100, 6200}, nil, []int{1, 1}, nil},
		{"two logs", []Fault{following(0, changed(0, fast, 0), changed(4000, 0, 0)),
			{Name: "other", Do: FollowLog, Node: 1, When: When{At: at(2000)}, Changes: []ClockChange{changed(1000, slow, 9)}}},
			[]int64{1100, 2200, 3300, 4200, 5100, 6000}, []int64{1100, 2200, 3309, 4209, 5109, 6009}, []int{1, 1}, nil},
		{"and a step of the clock", []Fault{following(0, changed(2000, 0, 30)),
			{Name: "step", Do: StepClock, Node: 1, By: 1000 * ms, When: When{At: at(1500)}}},
			[]int64{1000, 2000, 3000, 4000, 5000, 6000}, []int64{1000, 3030, 4030, 5030, 6030, 7030}, []int{1, 1}, nil},

		// A log goes on in true time.
		{"while suspended", []Fault{{Name: "sleep", Do: Suspend, Node: 1, When: When{At: at(1000)}, For: forMillis(2000)},
			following(0, changed(2000, fast, 70))},
			[]int64{1000, 1000, 1000, 2100, 3200, 4300}, []int64{1000, 1070, 1070, 2170, 3270, 4370}, []int{1, 1}, nil},
		{"while down", []Fault{{Name: "crash", Do: Crash, Node: 1, When: When{At: at(1000)}, For: forMillis(2000)},
			following(0, changed(2000, fast, 70), changed(5000, 0, 0))},
			[]int64{1000, 2000, 0, 1100, 2200, 3200}, []int64{1000, 2070, 3170, 4270, 5370, 6370}, []int{1, 2}, nil},
		{"while paused", []Fault{{Name: "pause", Do: Pause, Node: 1, When: When{At: at(1000)}, For: forMillis(2000)},
			following(0, changed(2000, fast, 70))},
			[]int64{1000, 2000, 3100, 4200, 5300, 6400}, []int64{1000, 2070, 3170, 4270, 5370, 6470}, []int{1, 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			mono, r, res := eachSecond(t, c.faults, MonoClock)
			assert.Equal(t, c.mono, mono)
			var strikes []int
			for _, s := range res.Faults {
				strikes = append(strikes, s.Count)
			}
			assert.Equal(t, c.strikes, strikes)
			if c.story != nil {
				assert.Equal(t, c.story, r.story)
			}
			wall, _, again := eachSecond(t, c.faults, WallClock)
			if c.wall == nil {
				c.wall = c.mono
			}
			assert.Equal(t, c.wall, wall)
			digest := res.Digest
			assert.Equal(t, digest, again.Digest)
			assert.Equal(t, digest, r.run(t, 1).Digest, "a world forgets how far the log was")
		})
	}
}

// TestFollowLogFirst: the instant of the first strike is that of the first change that
// makes a difference.
func TestFollowLogFirst(t *testing.T) {
	r := newRig(t, Config{Faults: []Fault{following(100, changed(0, 0, 0), changed(50, 5, 0), changed(60, 5, 0), changed(70, 5, 1))}}, idle)
	assert.Equal(t, []Injection{{2, at(150)}}, r.run(t, 1).Faults)
}

// TestFollowLogMovesTimers: a timer comes when the monotonic clock says so, an alarm when
// the wall clock does, at once if a step has passed it.
func TestFollowLogMovesTimers(t *testing.T) {
	r := newRig(t, Config{Faults: []Fault{following(0, changed(0, 100_000_000, 0), changed(1000, 0, 400))}},
		onStart(func(out *Out[tm]) {
			out.After(2000*ms, tm{kind: alpha})
			out.At(Wall(1450*ms), tm{kind: beta})
			out.At(Wall(1600*ms), tm{kind: gamma})
		}))
	r.run(t, 1)
	assert.Equal(t, []string{"1.000s a<a beta 0", "1.100s a<a gamma 0", "1.900s a<a alpha 0"}, r.stepsOf(1))
}

// TestFollowLogInJournal: an explanation names the fault for each step of the clock.
func TestFollowLogInJournal(t *testing.T) {
	r := newRig(t, Config{Faults: []Fault{{Name: "never", Do: Lose}, following(0, changed(10, 1000, 0), changed(20, 0, 5))}}, idle)
	var j Journal
	r.w.Watch(Watch{Journal: &j})
	r.run(t, 1)
	var said []string
	for _, e := range j.Entries {
		if e.Step == 0 {
			said = append(said, fmt.Sprintf("%d %v %v %s", e.Fault, e.At, e.Ends, e.Text))
		}
	}
	assert.Equal(t, []string{"2 0.020s false has its wall clock stepped by 5ms, as its log says"}, said)
}

func TestFollowLogRefusals(t *testing.T) {
	for want, f := range map[string]Fault{
		"follow-log needs a node":                                           {Do: FollowLog, Changes: []ClockChange{{}}},
		"a log without changes":                                             {Do: FollowLog, Node: 1},
		"pause follows no log":                                              {Do: Pause, Node: 1, For: forMillis(1), Changes: []ClockChange{{}}},
		"a log begins once, at an instant":                                  {Do: FollowLog, Node: 1, Changes: []ClockChange{{}}, When: When{Every: forMillis(1)}},
		"changes: number 1, at -1ns, is out of order":                       {Do: FollowLog, Node: 1, Changes: []ClockChange{{At: -1}, {At: -2}}},
		"changes: number 2, at 4ns, is out of order":                        {Do: FollowLog, Node: 1, Changes: []ClockChange{{At: 5}, {At: 4}, {At: 3}}},
		"changes: number 1: rate: want at most +500000ppm either way, got ": {Do: FollowLog, Node: 1, Changes: []ClockChange{{Rate: -MaxPPB - 1}}},
	} {
		f.Name = "x"
		err := f.check(2, len(kindNames))
		require.Error(t, err)
		assert.Contains(t, err.Error(), `fault "x": `+want)
	}
	f := Fault{Name: "x", Do: FollowLog, Node: 1, Changes: []ClockChange{{}}, When: When{Note: mark}}
	require.EqualError(t, f.check(2, len(kindNames)), `fault "x": a log begins once, at an instant`)
}

// TestFollowLogFarOut: what no run reaches and no clock can count stays at the end of both.
func TestFollowLogFarOut(t *testing.T) {
	const far = time.Duration(1<<63 - 1)
	r := newRig(t, Config{Faults: []Fault{following(1000, ClockChange{Step: far}, ClockChange{Step: far}, ClockChange{At: far, Step: -far})}}, idle)
	assert.Equal(t, 1, r.run(t, 1).Faults[0].Count)
	assert.Equal(t, int64(far), r.w.view.Read(1, WallClock))
}

// BenchmarkFollowLog is a run of 80 000 s with a step each second, with and without a log
// of 5000 changes; what the log costs is the difference.
func BenchmarkFollowLog(b *testing.B) {
	f := Fault{Name: "log", Do: FollowLog, Node: 1}
	for i := range 5000 {
		f.Changes = append(f.Changes, ClockChange{At: time.Duration(i) * 16 * time.Second, Rate: PPB(i%7 - 3), Step: time.Duration(i % 2)})
	}
	for name, faults := range map[string][]Fault{"with": {f}, "without": nil} {
		b.Run(name, func(b *testing.B) {
			w, err := NewWorld(System[tm]{Kinds: kindNames, Nodes: []Spec[tm]{Place[tm]("a", echo{})}}, Config{Until: at(80_000_000), Faults: faults})
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				w.Run(1)
			}
		})
	}
}
