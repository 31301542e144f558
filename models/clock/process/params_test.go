package process

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock/script"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestProblems(t *testing.T) {
	gap := sim.Constant(time.Nanosecond)
	for _, v := range []struct {
		set  func(*Params)
		want []string
	}{
		{func(p *Params) { p.Processes = 1025 }, []string{"processes: want 2 to 1024, got 1025: the oracle"}},
		{func(p *Params) { p.Gap = &gap }, []string{"gap: want at least 1µs, got 1ns"}},
		{func(p *Params) { p.Stamps, p.Then = "A: 1", []int{1} },
			[]string{"stamps: is for pattern: script, the pattern is random", "then: is for pattern: script, the pattern is random"}},
		{func(p *Params) { p.Script, p.Pattern = "A: a", "ring" }, []string{"script: is for pattern: script, the pattern is ring"}},
		{func(p *Params) { p.Pattern = "script" }, []string{"script: there is no event: want lines such as A: a1 a2, and a1 -> b1"}},
		{func(p *Params) { p.Script, p.Processes, p.Events, p.Locals = "A: a", 4, ptr(3), 1 },
			[]string{"processes: the script says which events there are", "events: the script says which events there are", "locals: the script says which events there are"}},
		{func(p *Params) { p.Script = "A a\nB: b b" }, []string{`script: 1:1: want PROCESS: EVENT EVENT... or EVENT -> EVENT, got "A"`, `script: 2:6: another event is named "b", in line 2`}},
		{func(p *Params) { p.Script, p.Then = "A: a", []int{-1, 2} }, []string{"then.0: want 0 to 16777216, got -1", "then: 2 values for 1 processes"}},
		{func(p *Params) { p.Script, p.Then = "A: a", []int{200_000} }, []string{"then.0: want at least 1µs of gap for more than 100000 events, got 200000"}},
		{func(p *Params) { p.Script, p.Stamps = "A: a b\nB: c", "C: 1\nA: 1 x 3 4\n1 2\n# no\nB: -" },
			[]string{`stamps: line 1: the script has no process "C"`, `stamps: line 2: the stamp "x" of b: want a counter, as in 3`,
				"stamps: line 2: A has 2 events in the script, and more stamps here", `stamps: line 3: want PROCESS: STAMP STAMP..., got "1"`}},
		{func(p *Params) { p.Clock, p.Script, p.Stamps = "vector", "A: a b\nB: c", "A: [1] [1,-1]" },
			[]string{`stamps: line 1: the stamp "[1]" of a: want 2 counters, one for each process`, `stamps: line 1: the stamp "[1,-1]" of b: `}},
		{func(p *Params) { p.Clock, p.Script, p.Stamps = "hlc", "A: a b c", "A: 1 1,1 1s,x" },
			[]string{`stamps: line 1: the stamp "1" of a: want a reading and a counter, as in 1100ms,1`,
				`stamps: line 1: the stamp "1,1" of b: want a reading and a counter, as in 1100ms,1`,
				`stamps: line 1: the stamp "1s,x" of c: want a reading and a counter, as in 1100ms,1`}},
		{func(p *Params) { p.Clock, p.Script, p.Stamps = "pruned", "A: a b", "A: {B:1} 3" },
			[]string{`stamps: line 1: the stamp "{B:1}" of a: want processes of the script`, `stamps: line 1: the stamp "3" of b: `}},
		{func(p *Params) { p.Clock, p.Script, p.Stamps = "wall", "A: a", "A: 3" }, []string{`stamps: line 1: the stamp "3" of a: want a reading, as in 1100ms`}},
		{func(p *Params) { p.Clock, p.Claims = "hlc", []string{"close-to-physical"} }, []string{"epsilon: close-to-physical is claimed: say how close, as in 10ms"}},
		{func(p *Params) { p.Clock, p.Rules = "hlc", "literal" }, []string{"rules: clock is hlc, which does not use it: want lamport or vector"}},
	} {
		p := with(v.set)
		var got []string
		for _, q := range p.Problems() {
			got = append(got, q.Path+": "+q.Message)
		}
		require.Len(t, got, len(v.want), "%q", got)
		for i, want := range v.want {
			assert.True(t, strings.HasPrefix(got[i], want), "got %s\nwant %s", got[i], want)
		}
	}
}

// TestLimits: what is as much as may be is not refused.
func TestLimits(t *testing.T) {
	short := sim.Constant(leastGap)
	for i, set := range []func(*Params){
		func(p *Params) { p.Gap = &short },
		func(p *Params) { p.Script, p.Then = "A: a", []int{maxAtOnce} },
		func(p *Params) { p.Script, p.Then, p.Gap = "A: a", []int{1 << 24}, &short },
		func(p *Params) { p.Script, p.Stamps = "A: a", "A: 0" },
	} {
		p := with(set)
		assert.Empty(t, p.Problems(), i)
	}
	for processes, last := range map[int]string{2: "B", 26: "Z", 27: "process-27"} {
		p := with(func(p *Params) { p.Processes = processes })
		program := sim.NewProgram(p.System)
		assert.Equal(t, last, program.Nodes[processes-1])
	}
}

// FuzzStamps: whatever the text, there are stamps for the events, or mistakes.
func FuzzStamps(f *testing.F) {
	for _, text := range []string{"A: 1 2\nB: -", "A: [1,0] refused", "A: 1100ms,1 1s", "A: {A:1,B:2}", "B:: 1", "A: ,"} {
		f.Add(text)
	}
	s := must(script.Parse("A: a1 a2\nB: b1"))
	f.Fuzz(func(t *testing.T, text string) {
		for kind := range promises {
			lines := strings.Count(text, "\n") + 1
			r := stampReader{script: s, kind: kind, bad: func(line int, _ string, _ ...any) {
				if line < 1 || line > lines {
					t.Fatalf("line %d of %d", line, lines)
				}
			}}
			r.read(text)
			if len(r.want) != 3 {
				t.Fatal("not all events")
			}
		}
	})
}

// FuzzParams: what has no problems makes a system, which runs.
func FuzzParams(f *testing.F) {
	f.Add("A: a b\nB: c\nb -> c", "A: 1", "lamport", 10)
	f.Add("A: a@1s\nB: c\na -> c", "B: [1,1]", "vector", 2)
	f.Add("", "", "hlc", 5)
	f.Fuzz(func(t *testing.T, script, stamps, clock string, n int) {
		p := with(func(p *Params) { p.Script, p.Stamps, p.Clock, p.Processes, p.Keep = script, stamps, clock, n, n })
		if _, ok := promises[clock]; !ok || n > 20 || len(script) > 500 {
			return
		}
		if script != "" {
			p.Processes = 3
		}
		if len(p.Problems()) > 0 {
			return
		}
		program := sim.NewProgram(p.System)
		w, err := program.NewWorld(sim.Config{Until: at(1000)})
		require.NoError(t, err)
		if r := w.Run(1); r.Panic != nil {
			t.Fatal(r.Panic)
		}
	})
}
