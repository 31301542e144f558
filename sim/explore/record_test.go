package explore

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/internal/race"
)

func TestSchedulesAsText(t *testing.T) {
	s := restless(t)
	d, err := NewDecoder(s)
	require.NoError(t, err)
	seen := map[sim.Action]bool{}
	for i := range uint64(whole.Of(25, 50)) {
		c := NewSeeded(i)
		_, want, err := d.Run(&c)
		require.NoError(t, err)
		text, err := EncodeSchedule(&s.Program, &want)
		require.NoError(t, err)
		got, err := DecodeSchedule(&s.Program, text)
		require.NoError(t, err)
		require.Equal(t, want.Faults, got.Faults)
		require.Equal(t, len(want.Overrides), len(got.Overrides))
		for i := range want.Overrides {
			require.Equal(t, want.Overrides[i], got.Overrides[i])
		}
		for i := range want.Faults {
			seen[want.Faults[i].Do] = true
		}
		_, err = DecodeFailure(&s.Program, text)
		require.ErrorContains(t, err, "a schedule without a failure")
	}
	require.Len(t, seen, 9) // all but hold
}

// TestAnyFaultAsText fills the fields of faults and overrides at random.
func TestAnyFaultAsText(t *testing.T) {
	p, _ := redlock()
	r := rand.New(rand.NewPCG(5, 6))
	lognormal, err := sim.LogNormal(time.Millisecond, 900*time.Millisecond)
	require.NoError(t, err)
	recorded, err := sim.Empirical([]time.Duration{1, 7, 7, 90})
	require.NoError(t, err)
	tail, err := sim.Pareto(9, 1_510_000)
	require.NoError(t, err)
	mix, err := sim.Mix(sim.Part{Share: sim.Certain / 4, Of: tail}, sim.Part{Share: sim.Certain / 4 * 3, Of: recorded})
	require.NoError(t, err)
	dists := []sim.Dist{tail, mix, {}, sim.Constant(1), sim.Uniform(5, 5), sim.Uniform(2, 900), sim.Exponential(77), lognormal, recorded}
	dist := func() sim.Dist { return dists[r.IntN(len(dists))] }
	node := func() sim.NodeID { return sim.NodeID(r.IntN(len(p.Nodes) + 1)) }
	kind := func() sim.Kind { return sim.Kind(r.IntN(len(p.Kinds))) }
	for range 2000 {
		f := sim.Fault{Name: []string{"", "a", "ü \"<b>\"\n"}[r.IntN(3)], Do: sim.Action(r.IntN(int(sim.FollowLog) + 1)), Node: node(),
			When: sim.When{Note: kind(), Before: kind(), By: node(), Nth: r.IntN(3), Every: dist(), Span: time.Duration(r.Int64()), At: sim.Time(r.Int64()),
				After: []string{"", "gc"}[r.IntN(2)], Ends: r.IntN(2) == 0},
			For: dist(), Forever: r.IntN(2) == 0, By: time.Duration(r.Int64() - r.Int64()), Rate: sim.PPB(r.Int64N(1000) - 500),
			OneWay: r.IntN(2) == 0, Msg: sim.MsgChoice{Kind: kind(), From: node(), To: node(), Nth: r.IntN(2)}}
		for range r.IntN(3) {
			f.When.Replay = append(f.When.Replay, sim.Stop{At: time.Duration(r.Int64()), For: 1})
			f.Changes = append(f.Changes, sim.ClockChange{At: time.Duration(r.Int64()), Rate: sim.PPB(r.Int64N(1000) - 500), Step: time.Duration(r.Int64() - r.Int64())})
			f.Sides = append(f.Sides, []sim.NodeID{1, sim.NodeID(len(p.Nodes))})
		}
		o := sim.Override{Value: r.Uint64(), Draw: sim.Draw{Purpose: sim.Purpose(1 + r.IntN(int(sim.Faults))), From: node(), To: node(), Index: r.Uint64()}}
		if o.Draw.Purpose == sim.Faults {
			o.Draw.Name = []uint64{f.Stream(), r.Uint64(), 0}[r.IntN(3)]
		}
		want := Schedule{Seed: r.Uint64(), Minimal: r.IntN(2) == 0, Faults: []sim.Fault{f}, Overrides: []sim.Override{o}}
		text, err := EncodeSchedule(&p, &want)
		require.NoError(t, err)
		got, err := DecodeSchedule(&p, text)
		require.NoError(t, err, string(text))
		require.Equal(t, want, *got, string(text))
	}
}

// TestEveryFieldIsWritten fails when a type gets a field that the text does not know.
func TestEveryFieldIsWritten(t *testing.T) {
	for v, fields := range map[any]int{
		&Schedule{}: 4, &Failure{}: 7, &sim.Fault{}: 12, &sim.When{}: 10, &sim.MsgChoice{}: 4, &sim.Stop{}: 2, &sim.ClockChange{}: 3,
		&sim.Override{}: 2, &sim.Draw{}: 5, &sim.Finding{}: 4, &sim.Panic{}: 6,
	} {
		rt := reflect.TypeOf(v).Elem()
		assert.Equal(t, fields, rt.NumField(), "%v: then record.go needs it too", rt)
	}
}

func TestFailuresAsText(t *testing.T) {
	for _, clumsy := range []bool{true, false} {
		s := Search{Program: race.Program(clumsy, false), Config: race.Config(), Seed: 1, Runs: 10_000}
		f := found(t, s)
		text, err := EncodeFailure(&s.Program, f)
		require.NoError(t, err)
		got, err := DecodeFailure(&s.Program, text)
		require.NoError(t, err)
		if f.Panic != nil {
			f.Panic.Stack = ""
		}
		require.Equal(t, f, got)
		require.NotContains(t, string(text), "goroutine")

		again, err := (&Search{Program: s.Program}).Evaluate(world(t, &s), got.Schedule)
		require.NoError(t, err)
		require.Equal(t, f.Digest, again.Digest)
	}
}

func world(t testing.TB, s *Search) sim.Runner {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	return w
}

// aFailure has a panic, a name of every sort, and three digits of an override.
func aFailure() (*sim.Program, *Failure) {
	p, _ := redlock()
	return &p, &Failure{
		Schedule: Schedule{Seed: 7, Minimal: true,
			Faults: []sim.Fault{
				{Do: sim.Pause, Node: 1, When: sim.When{Before: p.Kind("write"), Nth: 1}, For: sim.Constant(8061 * time.Millisecond)},
				{Name: "noise", Do: sim.StepClock, Node: 3, When: sim.When{Every: sim.Exponential(time.Minute)}, By: -time.Second},
			},
			Overrides: []sim.Override{{Draw: sim.Draw{Purpose: sim.Faults, Name: sim.Hash("noise"), Index: 2}, Value: 1 << 63}}},
		Run: 3, Property: slices.Index(p.Properties, "no-lost-update"), Steps: 70, Digest: 0xE286CCED03DA6433,
		Finding: sim.Finding{Verdict: sim.Violated, Violations: 1, First: sim.Time(15105 * time.Millisecond), Nodes: [2]sim.NodeID{1, 2}},
	}
}

func TestTextOfAFailure(t *testing.T) {
	p, f := aFailure()
	text, err := EncodeFailure(p, f)
	require.NoError(t, err)
	require.Equal(t, `{
  "format": "fencepost/schedule/v1",
  "digest_version": 1,
  "failure": {
    "property": "no-lost-update",
    "violations": 1,
    "first_ns": 15105000000,
    "nodes": [
      "client-1",
      "client-2"
    ],
    "run": 3,
    "steps": 70,
    "digest": "0xe286cced03da6433"
  },
  "seed": 7,
  "calm": true,
  "faults": [
    {
      "do": "pause",
      "node": "client-1",
      "before": "write",
      "nth": 1,
      "for_ns": 8061000000
    },
    {
      "do": "step-clock",
      "name": "noise",
      "node": "redis-1",
      "every_ns": {
        "exponential": [
          60000000000
        ]
      },
      "step_ns": -1000000000
    }
  ],
  "overrides": [
    {
      "purpose": "fault",
      "fault": "noise",
      "index": 2,
      "value": "0x8000000000000000"
    }
  ]
}
`, string(text))
	got, err := DecodeFailure(p, text)
	require.NoError(t, err)
	require.Equal(t, f, got)
}

func TestTextIsReadStrictly(t *testing.T) {
	p, f := aFailure()
	text, err := EncodeFailure(p, f)
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{"/v1", "/v2", "its format is fencepost/schedule/v2, which is newer: this fencepost reads fencepost/schedule/v1"},
		{"fencepost/schedule/v1", "fencepost/replay/v1", `it is not of the format fencepost/schedule/v1: it says "fencepost/replay/v1"`},
		{"fencepost/schedule/v1", "fencepost/schedule/vx", "it is not of the format"},
		{`"calm"`, `"quiet"`, `unknown field "quiet"`},
		{`"nth"`, `"n-th"`, `unknown field "n-th"`},
		{`"redis-1"`, `"redis-9"`, `fault 2: there is no node "redis-9"`},
		{`"write"`, `"wrote"`, `fault 1: there is no kind of message "wrote"`},
		{`"step-clock"`, `"leap"`, `fault 2: there is no action "leap"`},
		{`"do": "pause"`, `"do": ""`, "fault 1: it does not say what it does"},
		{`"no-lost-update"`, `"no-update"`, `failure: there is no property "no-update"`},
		{`"property": "no-lost-update",`, ``, "failure: it has neither a property nor a panic"},
		{`"client-2"`, `"client-2", "redis-1"`, "failure: it concerns more than 2 nodes"},
		{`"purpose": "fault"`, `"purpose": "luck"`, `override 1: there is no purpose "luck"`},
		{`"purpose": "fault"`, `"purpose": ""`, "override 1: it has no purpose"},
		{`"index": 2`, `"stream": "0x0000000000000001", "index": 2`, "override 1: it has both a fault and a stream"},
		{`"0x8000000000000000"`, `"0x8"`, `override 1: value: want 0x and 16 hexadecimal digits, got "0x8"`},
		{`"0x8000000000000000"`, `"0x80000000000000000"`, "override 1: value: 0x80000000000000000 is more than 64 bits"},
		{`8061000000`, `-1`, "a length is negative: -1"},
		{`"seed": 7`, `"seed": -7`, "number -7"},
		{`"exponential"`, `"exp"`, "there is no such distribution"},
		{"]\n}\n", "]\n", "it ends in the middle"},
		{"]\n}\n", "]\n}{}", "something comes after its end"},
	} {
		bad := strings.Replace(string(text), c.old, c.new, 1)
		require.NotEqual(t, string(text), bad, c.old)
		_, err := DecodeFailure(p, []byte(bad))
		assert.ErrorContains(t, err, c.want, c.new)
	}
	for n := range len(text) - 2 { // without the last brace and newline
		_, err := DecodeFailure(p, text[:n])
		require.ErrorContains(t, err, "it ends in the middle", "%d bytes", n)
	}
	_, err = DecodeSchedule(p, bytes.Repeat([]byte(" "), MaxText+1))
	require.ErrorContains(t, err, "it is too large")
}

func TestTextIsRefused(t *testing.T) {
	p, f := aFailure()
	f.Faults[0].Node = 99
	_, err := EncodeFailure(p, f)
	require.EqualError(t, err, "fault 1: there is no node 99")

	p, f = aFailure()
	p.Nodes = slices.Clone(p.Nodes)
	p.Nodes[1] = "client-1"
	f.Faults[0].Node = 2
	_, err = EncodeFailure(p, f)
	require.EqualError(t, err, `fault 1: node 2 has the name "client-1", which is empty or that of another`)

	p, f = aFailure()
	f.Property = NoProperty
	_, err = EncodeFailure(p, f)
	require.EqualError(t, err, "failure: it has neither a property nor a panic")

	p, f = aFailure()
	f.Overrides[0].Draw.Purpose = 0
	_, err = EncodeFailure(p, f)
	require.EqualError(t, err, "override 1: it has no purpose")

	p, f = aFailure()
	f.Faults[0].Name = strings.Repeat("x", MaxText)
	_, err = EncodeFailure(p, f)
	require.ErrorContains(t, err, "the schedule is too large")
}
