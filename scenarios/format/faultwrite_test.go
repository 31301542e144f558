package format_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
	"fencepost/sim/explain"
)

func TestFaultText(t *testing.T) {
	const s = time.Second
	dur := sim.Constant
	log, err := sim.LogNormal(time.Millisecond, 20*time.Millisecond)
	require.NoError(t, err)
	for want, f := range map[string]sim.Fault{
		"{pause: client-1, before: write, nth: 1, for: 8.061s}": {
			Node: 1, When: sim.When{Before: fake.Write, By: 1, Nth: 1}, For: dur(8061 * time.Millisecond)},
		"{crash: redis-1, at: 2.5s, for: 1s}": {Do: sim.Crash, Node: 3, When: sim.When{At: sim.Time(2500 * time.Millisecond)}, For: dur(s)},
		"{crash: redis-1, at: 2m}":            {Do: sim.Crash, Node: 3, When: sim.When{At: sim.Time(2 * time.Minute)}, Forever: true},
		"{suspend: client-2, on: checked, for: {exp: 3s}, name: x}": {
			Name: "x", Do: sim.Suspend, Node: 2, When: sim.When{Note: fake.Checked}, For: sim.Exponential(3 * s)},
		"{pause: client-2, on: checked, by: client-1, nth: 2, for: {uniform: [1us, 1h]}, name: x}": {
			Name: "x", Node: 2, When: sim.When{Note: fake.Checked, By: 1, Nth: 2, At: 7}, For: sim.Uniform(time.Microsecond, time.Hour)},
		"{pause: client-2, every: {exp: 30s}, for: {lognormal: {median: 1ms, p99: 20ms}}, name: \"a, b\"}": {
			Name: "a, b", Node: 2, When: sim.When{Every: sim.Exponential(30 * s)}, For: log},
		"{pause: client-2, every: 30s, for: {exp: 1s}}": {
			Name: "pause client-2 every 30s", Node: 2, When: sim.When{Every: dur(30 * s)}, For: sim.Exponential(s)},
		"{step-clock: client-1, by: -3s, before: write, nth: 1}": {
			Do: sim.StepClock, Node: 1, By: -3 * s, When: sim.When{Before: fake.Write, By: 1, Nth: 1}},
		"{step-clock: redis-1, by: 1ns, before: {effect: write, by: client-1, nth: 1}}": {
			Do: sim.StepClock, Node: 3, By: 1, When: sim.When{Before: fake.Write, By: 1, Nth: 1}},
		"{step-clock: redis-1, by: 10s, on: {note: checked, by: client-1}}": {
			Do: sim.StepClock, Node: 3, By: 10 * s, When: sim.When{Note: fake.Checked, By: 1}},
		"{set-rate: client-1, to: +200ppm, at: 0s}":        {Do: sim.SetRate, Node: 1, Rate: 200_000, Forever: true},
		"{set-rate: client-1, to: -1ppb, at: 1s, for: 2s}": {Do: sim.SetRate, Node: 1, Rate: -1, When: sim.When{At: sim.Time(s)}, For: dur(2 * s)},
		"{cut: {between: [[client-1], [redis-1, store]]}}": {Do: sim.Cut, Sides: [][]sim.NodeID{{1}, {3, 5}}, Forever: true},
		"{hold: {between: [[client-1], [store]], one-way: true}, at: 1ns, for: 1s}": {
			Do: sim.Hold, Sides: [][]sim.NodeID{{1}, {5}}, OneWay: true, When: sim.When{At: 1}, For: dur(s)},
		"{delay: {kind: write, from: client-1, nth: 3}, for: 9.943s}": {Do: sim.Delay, Msg: sim.MsgChoice{Kind: fake.Write, From: 1, Nth: 3}, For: dur(9943 * time.Millisecond)},
		"{lose: {kind: ack, to: client-2}, at: 40s}":                  {Do: sim.Lose, Msg: sim.MsgChoice{Kind: fake.Ack, To: 2}, When: sim.When{At: sim.Time(40 * s)}},
		"{duplicate: {kind: ack}, for: 0s}":                           {Do: sim.Duplicate, Msg: sim.MsgChoice{Kind: fake.Ack}},
	} {
		got, err := format.WriteFault(fake.Program(), &f)
		require.NoError(t, err, want)
		require.Equal(t, want, got)
	}
}

func TestFaultTextRefuses(t *testing.T) {
	stops, err := sim.Empirical([]time.Duration{time.Millisecond, 2 * time.Millisecond})
	require.NoError(t, err)
	for want, f := range map[string]sim.Fault{
		`fault "a": its lengths are those of a log or table: the scenario has to name the file`: {Name: "a", Node: 1, For: stops},
		`fault "a": it follows a log, which is in a file: the scenario has to name that`: {
			Name: "a", Node: 1, When: sim.When{Span: time.Second, Replay: []sim.Stop{{At: 0, For: 1}}}},
		`fault {pause: client-1, at: 0s, for: {exp: 1s}} draws, and has no name to draw by`: {Node: 1, For: sim.Exponential(time.Second)},
		`fault "": there is no node 9`:             {Node: 9, For: sim.Constant(1)},
		`fault "": there is no kind of message 99`: {Node: 1, For: sim.Constant(1), When: sim.When{Note: 99}},
		`fault "" cannot be written: fault:1:41: a length of 0 has no effect: want one above 0 (at faults.0.for)`: {Node: 1},
		`fault "" cannot be written: a scenario would read {step-clock: client-1, by: 1s, at: 0s}, which is not the same`: {
			Do: sim.StepClock, Node: 1, By: time.Second, For: sim.Constant(1)},
	} {
		_, err := format.WriteFault(fake.Program(), &f)
		require.Error(t, err, want)
		require.Contains(t, err.Error(), want)
	}
	_, err = format.WriteFault(fake.Program(), &sim.Fault{Do: sim.Cut, Sides: [][]sim.NodeID{{1}, {2}}, When: sim.When{Before: fake.Write, By: 1}, For: sim.Constant(1)})
	require.ErrorContains(t, err, `"before" does not belong to cut`)
}

// randomFault is a fault of the kinds that a search makes, and of those that can be
// scripted.
func randomFault(r *rand.Rand, p *sim.Program) sim.Fault {
	node := func() sim.NodeID { return sim.NodeID(r.IntN(len(p.Nodes)) + 1) }
	kind := func() sim.Kind { return sim.Kind(r.IntN(len(p.Kinds)-1) + 1) }
	length := func() time.Duration { return time.Duration(r.Uint64()>>(r.IntN(62)+1)) + 1 }
	f := sim.Fault{Do: sim.Action(r.IntN(int(sim.Duplicate) + 1))}
	if f.Do < sim.Cut {
		f.Node = node()
	}
	switch f.Do {
	case sim.StepClock:
		f.By = length() * time.Duration(1-2*r.IntN(2))
	case sim.Lose:
	case sim.SetRate:
		f.Rate = sim.PPB(r.Int64N(int64(2*sim.MaxPPB)+1)) - sim.MaxPPB
		f.Forever = r.IntN(2) == 0
	case sim.Crash, sim.Cut, sim.Hold:
		f.Forever = r.IntN(2) == 0
	}
	if !f.Forever && f.Do != sim.StepClock && f.Do != sim.Lose {
		f.For = randomDist(r, length)
	}
	if f.Do == sim.Cut || f.Do == sim.Hold {
		f.Sides, f.OneWay = [][]sim.NodeID{{1, 3}, {4}, {2, 5}}[:2+r.IntN(2)], r.IntN(2) == 0
	}
	if f.Do >= sim.Delay {
		f.Msg = sim.MsgChoice{Kind: kind(), From: sim.NodeID(r.IntN(len(p.Nodes) + 1)), To: sim.NodeID(r.IntN(len(p.Nodes) + 1)), Nth: r.IntN(4)}
	}
	w := &f.When
	switch trigger := r.IntN(4); {
	case trigger == 0 && f.Do < sim.Delay:
		w.Note, w.By, w.Nth = p.Kind(p.Notes[r.IntN(len(p.Notes))]), node(), r.IntN(3)
	case trigger == 1 && f.Do < sim.Cut:
		w.Before, w.By, w.Nth = kind(), f.Node, r.IntN(3)
		if r.IntN(3) == 0 {
			w.By = node()
		}
	case trigger == 2 && !f.Forever && f.Do <= sim.Hold && f.Do != sim.StepClock && f.Do != sim.SetRate:
		w.Every = randomDist(r, length)
	case trigger == 3:
		w.At = sim.Time(length())
	}
	if format.Drawing(&f) || r.IntN(3) == 0 {
		f.Name = []string{"x", "a: b", "{", "-", "null", "5", `"`, "it's", "ü"}[r.IntN(9)]
	}
	return f
}

func randomDist(r *rand.Rand, length func() time.Duration) sim.Dist {
	a, b := length(), length()
	switch r.IntN(8) {
	case 0:
		return sim.Exponential(a)
	case 1:
		return sim.Uniform(min(a, b), max(a, b))
	case 2:
		median := a%(100*time.Hour) + 1
		d, err := sim.LogNormal(median, median+time.Duration(r.Int64N(999*int64(median)+1)))
		if err != nil {
			panic(err)
		}
		return d
	case 3:
		d, err := sim.Pareto(a+1, 1_000_000+r.Int64N(999_000_001))
		if err != nil {
			panic(err)
		}
		return d
	case 4:
		return randomMix(r, length)
	}
	return sim.Constant(a)
}

func randomMix(r *rand.Rand, length func() time.Duration) sim.Dist {
	part := func() (d sim.Dist) {
		for d = randomDist(r, length); len(d.Parts()) > 0; d = randomDist(r, length) {
		}
		return d
	}
	first := sim.Chance(r.Int64N(int64(sim.Certain)-2) + 1)
	second := sim.Chance(r.Int64N(int64(sim.Certain-first)-1) + 1)
	parts := []sim.Part{{Share: first, Of: part()}, {Share: second, Of: part()}, {Share: sim.Certain - first - second, Of: part()}}
	d, err := sim.Mix(parts...)
	if err != nil {
		panic(err)
	}
	return d
}

// TestFaultTextRoundTrip: what is written is read as the same fault, alone, in a list
// and in a file.
func TestFaultTextRoundTrip(t *testing.T) {
	p := fake.Program()
	r := rand.New(rand.NewPCG(1, 2))
	var list []sim.Fault
	for range 3000 {
		f := randomFault(r, p)
		text, err := format.WriteFault(p, &f)
		require.NoError(t, err, "%+v", f)
		back, err := format.ReadFault(p, text)
		require.NoError(t, err, text)
		want := format.Normal(&f)
		if want.Name == "" {
			want.Name = back.Name
		}
		require.Equal(t, want, format.Normal(&back), text)
		require.NotContains(t, explain.Phrase(p, &f), "%!")
		if f.Name == "" && f.When.At < sim.Time(time.Minute) && len(list) < 40 {
			list = append(list, f)
		}
	}
	list = append(list, sim.Fault{Name: "pause client-1 at 0s", Node: 1, For: sim.Exponential(1)}, sim.Fault{Node: 1, For: sim.Constant(1)})
	text, err := format.WriteFaults(p, list)
	require.NoError(t, err)
	s := fake.Good(t, "model: fake\nuntil: 1m\nruns: 1\n", result.Setting{Path: "faults", Value: text})
	require.Len(t, s.Config.Faults, len(list))
	for i := range list {
		want := format.Normal(&list[i])
		if want.Name == "" {
			want.Name = s.Config.Faults[i].Name
		}
		require.Equal(t, want, format.Normal(&s.Config.Faults[i]))
	}
}

// TestLogNormalText: what is written is the very distribution.
func TestLogNormalText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		median := time.Duration(r.Uint64()>>(r.IntN(50)+14)) + 1
		d, err := sim.LogNormal(median, median+time.Duration(r.Int64N(999*int64(median)+1)))
		require.NoError(t, err)
		text, err := format.WriteDist(&d)
		require.NoError(t, err, d.String())
		back, err := format.ReadFault(fake.Program(), "{pause: client-1, at: 1s, for: "+text+"}")
		require.NoError(t, err)
		require.True(t, reflect.DeepEqual(d, back.For), text)
	}
}

// TestShippedFaults: every scripted fault of the scenarios that ship can be written,
// but for those that follow a log.
func TestShippedFaults(t *testing.T) {
	written := 0
	for i, name := range scenarios.Names() {
		if !whole.Takes(i, 3) {
			continue
		}
		s, err := scenarios.Load(name, format.Options{})
		require.NoError(t, err)
		for i := range s.Config.Faults {
			f := &s.Config.Faults[i]
			require.NotEmpty(t, explain.Phrase(&s.Program, f))
			text, err := format.WriteFault(&s.Program, f)
			if len(f.When.Replay) > 0 || f.Do == sim.FollowLog {
				require.ErrorContains(t, err, "it follows a log")
				continue
			}
			require.NoError(t, err)
			written++
			again, err := scenarios.Load(name, format.Options{Sets: []result.Setting{{Path: "faults", Value: "[" + text + "]"}}})
			if err != nil && strings.Contains(err.Error(), "changes faults.") {
				continue // its grid varies the faults, and refuses others
			}
			require.NoError(t, err, text)
			require.Equal(t, format.Normal(f), format.Normal(&again.Config.Faults[0]), text)
		}
	}
	require.Greater(t, written, 20)
}

func TestFaultPhrase(t *testing.T) {
	p := fake.Program()
	for text, want := range map[string]string{
		"{pause: client-1, before: write, nth: 1, for: 8.061s}":                                  "client-1 is paused for 8.061s, just before its 1st write is emitted",
		"{pause: client-1, at: 100ms, for: 15s}":                                                 "client-1 is paused for 15s at 0.100s",
		"{pause: client-1, on: checked, for: {exp: 5s}}":                                         "client-1 is paused for 5s on average, right after each checked of its own",
		"{pause: client-1, on: applied, by: store, nth: 2, for: 1s}":                             "client-1 is paused for 1s, right after the 2nd applied of store",
		"{pause: client-1, on: applied, by: store, for: 1s}":                                     "client-1 is paused for 1s, right after each applied of store",
		"{suspend: client-1, every: {exp: 30s}, for: 1m}":                                        "client-1 has its host suspended for 1m, again and again, after 30s on average",
		"{crash: redis-1, at: 2.5s, for: 1s}":                                                    "redis-1 crashes at 2.500s and restarts after 1s",
		"{crash: redis-1, at: 2.5s}":                                                             "redis-1 crashes at 2.500s and does not restart",
		"{crash: client-1, before: write, nth: 11, for: 0s}":                                     "client-1 crashes just before its 11th write is emitted, and restarts at once",
		"{step-clock: redis-1, by: -3s, at: 1s}":                                                 "redis-1 has its wall clock stepped by -3s at 1.000s",
		"{step-clock: redis-1, by: 3s, before: {effect: ack, by: store, nth: 3}}":                "redis-1 has its wall clock stepped by 3s, just before the 3rd ack of store is emitted",
		"{set-rate: client-1, to: 200ppm, at: 0s}":                                               "client-1 has its clocks run at +200ppm from the start",
		"{set-rate: client-1, to: 200ppm, at: 5s}":                                               "client-1 has its clocks run at +200ppm from 5.000s on",
		"{set-rate: client-1, to: 200ppm, at: 5s, for: 1s}":                                      "client-1 has its clocks run at +200ppm for 1s from 5.000s",
		"{set-rate: client-1, to: 200ppm, on: checked, nth: 1}":                                  "client-1 has its clocks run at +200ppm, from right after its 1st checked on",
		"{set-rate: client-1, to: 200ppm, on: checked, nth: 1, for: 1s}":                         "client-1 has its clocks run at +200ppm for 1s, right after its 1st checked",
		"{cut: {between: [client-1, [redis-1, redis-2]]}}":                                       "the network is cut from the start: client-1 | redis-1, redis-2",
		"{cut: {from: client-1, to: [redis-1, redis-2, store], one-way: true}, at: 1s, for: 2s}": "the network is cut for 2s from 1.000s: client-1 to redis-1, redis-2, store",
		"{hold: {from: store}, every: 9s, for: 1s}":                                              "the network buffers for 1s, again and again, after 9s: store | client-1, client-2, redis-1, redis-2",
		"{delay: {kind: write, from: client-1, nth: 3}, for: 9.943s}":                            "the 3rd write of client-1 takes 9.943s",
		"{delay: {kind: write}, at: 1s, for: {uniform: [1us, 9ms]}}":                             "each write from 1.000s on takes 1us to 9ms",
		"{lose: {kind: ack, to: client-1, nth: 22}}":                                             "the 22nd ack to client-1 is lost",
		"{duplicate: {kind: write, nth: 1}, for: {lognormal: {median: 1ms, p99: 20ms}}}":         "the 1st write arrives a second time, after 1ms in the median and, at the 99th percentile, 20ms",
	} {
		f, err := format.ReadFault(p, text)
		require.NoError(t, err, text)
		assert.Equal(t, want, explain.Phrase(p, &f), text)
	}
	assert.Equal(t, "client-1 is paused, when and as long as its log says",
		explain.Phrase(p, &sim.Fault{Node: 1, When: sim.When{Span: 2, Replay: []sim.Stop{{}}}}))
}
