package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// The fake model: client-1 takes the lock at once and holds it for a length that
// may be drawn, client-2 takes it at 10 ms and holds it for 5 ms, whether it is
// free or not.

type msg struct{ kind sim.Kind }

const (
	begin sim.Kind = iota
	acquired
	released
	take
	leave
)

var kinds = []string{"start", "acquired", "released", "take", "leave"}

func (m msg) Label() sim.Kind              { return m.kind }
func (m msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.kind), 0) }
func (m msg) String() string               { return kinds[m.kind] }

type client struct {
	Wait, Hold sim.Dist
	Panics     bool
}

func (c *client) Step(in sim.In[msg], out *sim.Out[msg]) {
	switch in.Msg.kind {
	case begin:
		out.AfterDraw(c.Wait, msg{take})
	case take:
		if c.Panics {
			panic("lock: who asks?")
		}
		out.Note(msg{acquired})
		out.AfterDraw(c.Hold, msg{leave})
	case leave:
		out.Note(msg{released})
	}
}

// exclusion is violated where two hold the lock.
type exclusion struct {
	sim.Check
	holder sim.NodeID
}

func (e *exclusion) Name() string { return "mutual-exclusion" }
func (e *exclusion) Reset(*sim.View[msg]) {
	e.Clear()
	e.holder = sim.None
}
func (e *exclusion) End(*sim.View[msg])        {}
func (e *exclusion) Why(*sim.View[msg]) string { return "client-2 took the lock of client-1" }
func (e *exclusion) Observe(v *sim.View[msg], o *sim.Observation[msg]) {
	switch {
	case o.Event == sim.Noted && o.Msg.kind == acquired:
		e.Saw()
		v.Record(0, int64(v.Now()))
		v.Record(1, 1)
		if e.holder != sim.None {
			e.Violate(v.Now(), o.Node, e.holder)
		}
		e.holder = o.Node
	case o.Event == sim.Noted && o.Node == e.holder:
		e.holder = sim.None
	}
}

// fairness never sees anything.
type fairness struct{ sim.Check }

func (f *fairness) Name() string                                  { return "fairness" }
func (f *fairness) Reset(*sim.View[msg])                          { f.Clear() }
func (f *fairness) End(*sim.View[msg])                            {}
func (f *fairness) Why(*sim.View[msg]) string                     { return "" }
func (f *fairness) Observe(*sim.View[msg], *sim.Observation[msg]) {}

func fakeProgram(hold sim.Dist, panics bool) sim.Program {
	return sim.NewProgram(func() sim.System[msg] {
		return sim.System[msg]{
			Nodes: []sim.Spec[msg]{
				sim.Place[msg]("client-1", client{Hold: hold}),
				sim.Place[msg]("client-2", client{Wait: sim.Constant(10 * time.Millisecond), Hold: sim.Constant(5 * time.Millisecond), Panics: panics}),
			},
			Kinds:      kinds,
			Notes:      []sim.Kind{acquired, released},
			Properties: []sim.Property[msg]{&exclusion{}, &fairness{}},
			Measures:   []sim.Measure{{Name: "acquired-at", Unit: sim.Duration}, {Name: "acquisitions", Total: true}},
			Describe:   func() func(*sim.View[msg], *sim.Observation[msg]) string { return tell },
		}
	})
}

func tell(v *sim.View[msg], o *sim.Observation[msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	return v.Name(o.Node) + " " + o.Msg.String() + " the lock"
}

// fake makes a scenario of which tests change what they are about.
func fake(name string) *format.Scenario {
	return &format.Scenario{
		Name: name, About: "The fake of " + name + ".", Model: "fake", Seed: 1, Runs: 1, Until: 50 * time.Millisecond,
		Program: fakeProgram(sim.Constant(5*time.Millisecond), false),
		Config:  sim.Config{Until: sim.Time(50 * time.Millisecond)},
		Expect:  []format.Expectation{{Property: "mutual-exclusion", Verdict: sim.Holds}},
	}
}

// pauseAt stops client-1 for 15 ms.
func pauseAt(at time.Duration) []sim.Fault {
	return []sim.Fault{{Name: "pause client-1", Do: sim.Pause, Node: 1, For: sim.Constant(15 * time.Millisecond), When: sim.When{At: sim.Time(at)}}}
}

// fakes are the scenarios of the fake loader.
var fakes = map[string]func() *format.Scenario{
	"fake/calm": func() *format.Scenario { return fake("fake/calm") },
	"fake/pause": func() *format.Scenario {
		s := fake("fake/pause")
		s.Config.Faults = pauseAt(time.Millisecond)
		at := sim.Time(10 * time.Millisecond)
		two := int64(2)
		s.Expect = []format.Expectation{
			{Property: "mutual-exclusion", Verdict: sim.Violated, At: &at, Nodes: []string{"client-2", "client-1"}},
			{Measure: "acquisitions", Want: format.Bound{Least: &two, Most: &two}},
		}
		return s
	},
	"fake/surprise": func() *format.Scenario {
		s := fake("fake/surprise")
		s.Config.Faults = pauseAt(time.Millisecond)
		s.Expect = nil
		return s
	},
	"fake/vacuous": func() *format.Scenario {
		s := fake("fake/vacuous")
		s.Config.Faults = pauseAt(time.Second)
		s.Expect = append(s.Expect, format.Expectation{Property: "fairness", Verdict: sim.Holds})
		return s
	},
	"fake/panic": func() *format.Scenario {
		s := fake("fake/panic")
		s.Program = fakeProgram(sim.Constant(time.Millisecond), true)
		return s
	},
	"fake/drawn": func() *format.Scenario {
		s := fake("fake/drawn")
		s.Program, s.Runs = fakeProgram(sim.Exponential(5*time.Millisecond), false), 1000
		low, high := sim.Chance(100_000_000), sim.Chance(200_000_000) // e^-2 is 13.5 %
		s.Expect = []format.Expectation{{Property: "mutual-exclusion", Low: &low, High: &high}}
		return s
	},
	"fake/grid": func() *format.Scenario {
		s := fake("fake/grid")
		for _, hold := range []string{"2ms", "5ms", "20ms"} {
			d, _ := time.ParseDuration(hold)
			v := fake("fake/grid")
			v.Runs, v.Program = 100, fakeProgram(sim.Exponential(d), false)
			v.Expect = []format.Expectation{{Property: "mutual-exclusion", Verdict: sim.Violated}}
			s.Variants = append(s.Variants, format.Variant{Settings: []result.Setting{{Path: "params.hold", Value: hold}}, Scenario: v})
		}
		s.Runs = 100
		return s
	},
	"fake/table": func() *format.Scenario { return fakeTable(4, 3) },
	"fake/huge":  func() *format.Scenario { return fakeTable(4, 17) },
}

// fakeTable is a grid of two axes of cases: nobody violates anything under the last strategy,
// or when all is calm; a late pause strikes nobody.
func fakeTable(situations, strategies int) *format.Scenario {
	s := fake("fake/table")
	s.Runs = 100
	for i := range situations {
		for j := range strategies {
			v := fake("fake/table")
			v.Runs, v.Show = 100, []string{"acquired-at", "acquisitions"}
			hold := sim.Constant(time.Duration(2+j) * time.Millisecond)
			if i > 0 && j < strategies-1 {
				hold = sim.Exponential(time.Duration(5*i+5*j) * time.Millisecond)
			}
			v.Program = fakeProgram(hold, false)
			if i == 3 {
				v.Config.Faults = pauseAt(time.Second)
			}
			situation := []string{"calm", "double click, key per call", "crash after effect, before record", "pause > lock TTL"}[i]
			strategy := []string{"S1 as coded (timestamp key)", "S3 as coded + UNIQUE", "D1"}[j%3] + strings.Repeat("'", j/3)
			set := []result.Setting{{Path: "situation", Value: situation}, {Path: "strategy", Value: strategy}, {Path: "params.fixed", Value: "1"}}
			s.Variants = append(s.Variants, format.Variant{Settings: set, Scenario: v})
		}
	}
	return s
}

var fakeNames = []string{"fake/calm", "fake/drawn", "fake/grid", "fake/panic", "fake/pause", "fake/surprise", "fake/vacuous"}

func fakeCatalog() cli.Catalog {
	return cli.Catalog{
		Catalog: scenarios.Catalog(),
		Names:   func() []string { return fakeNames },
		Load: func(name string, o format.Options) (*format.Scenario, error) {
			if strings.HasPrefix(name, "bad") {
				return nil, &format.Invalid{Problems: []format.Problem{
					{File: name, Line: 3, Column: 5, Path: "params.tll", Text: "tll", Message: `unknown key "tll"; did you mean "ttl"?`, Nearest: "ttl"}}}
			}
			build := fakes[strings.TrimSuffix(name, " it's.yaml")]
			if build == nil {
				return nil, &format.Invalid{Problems: []format.Problem{{File: name, Message: "no scenario has this name"}}}
			}
			s := build()
			s.Name = name
			for _, one := range append([]format.Variant{{Scenario: s}}, s.Variants...) {
				if o.NoFaults {
					one.Scenario.Config.Faults = nil
				}
			}
			return s, nil
		},
		Record: func(s *format.Scenario, f *explore.Failure, o record.Options) (*record.Record, error) {
			return &record.Record{Scenario: s.Name, Seed: f.Seed, Version: "test", Command: o.Command}, nil
		},
		Source: func(name string) ([]byte, error) {
			if fakes[name] == nil {
				return nil, errors.New("no scenario has this name")
			}
			return []byte("about: " + name + "\n"), nil
		},
	}
}

// call runs a command line.
func call(t *testing.T, line ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "")
	var out, err bytes.Buffer
	code = simctl(context.Background(), fakeCatalog(), line, &out, &err)
	return code, out.String(), err.String()
}

// split splits a command line at its spaces.
func split(format string, args ...any) []string { return strings.Fields(fmt.Sprintf(format, args...)) }
