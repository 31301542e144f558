package model_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

type shared struct {
	Clock string `yaml:"clock,oneof=wall|boot"`
}

type block struct {
	Mode string `yaml:"mode,required,oneof=a|b"`
}

// all has a parameter of each form.
type all struct {
	shared
	Name    string          `yaml:"name"`
	Small   uint8           `yaml:"small" range:"1..255"`
	Clients int             `yaml:"clients" range:"1..3"`
	Nodes   int             `yaml:"nodes" range:"0..9" because:"all meet all"`
	Fewer   int             `yaml:"fewer" range:"0..9" because:"all meet all"`
	Drift   sim.PPB         `yaml:"drift" range:"-1ppm..2ppb"`
	Most    *int64          `yaml:"most" range:"-2..2"`
	Wait    *time.Duration  `yaml:"wait" range:"0s..1h"`
	Work    []sim.Dist      `yaml:"work,one-or-many" range:"1ms..2s" each:"clients"`
	Starts  []time.Duration `yaml:"starts" range:"0s..1m"`
	Kinds   []string        `yaml:"kinds,oneof=x|y"`
	One     *block          `yaml:"one"`
	List    []block         `yaml:"list"`
	other   string
}

func TestValidateFindsEverythingThatTagsSay(t *testing.T) {
	p := all{shared: shared{Clock: "sun"}, Name: "any", Small: 0, Clients: 2, Nodes: 10, Fewer: -1, Drift: 3, Most: new(int64), Wait: new(time.Duration),
		Work:   []sim.Dist{sim.Constant(time.Second), sim.Uniform(time.Second, 3*time.Second), {}},
		Starts: []time.Duration{0, time.Minute + 1, -1}, Kinds: []string{"x", "z", ""}, One: &block{"c"}, List: []block{{"a"}, {"B"}}, other: "at will"}
	*p.Most, *p.Wait = -3, time.Hour+1
	assert.Equal(t, model.Errors{
		{"clock", `want one of wall, boot, got "sun"`},
		{"small", "want 1 to 255, got 0"},
		{"nodes", "want 0 to 9, got 10: all meet all"},
		{"fewer", "want 0 to 9, got -1"},
		{"drift", "want -1ppm to 2ppb, got 3ppb"},
		{"most", "want -2 to 2, got -3"},
		{"wait", "want 0s to 1h, got 1h0m0.000000001s"},
		{"work", "3 values for 2 clients"},
		{"work.1", "want 1ms to 2s, got 2.999999999s"},
		{"work.2", "want 1ms to 2s, got 0s"},
		{"starts.1", "want 0s to 1m, got 1m0.000000001s"},
		{"starts.2", "want 0s to 1m, got -1ns"},
		{"kinds.1", `want one of x, y, got "z"`},
		{"one.mode", `want one of a, b, got "c"`},
		{"list.1.mode", `want one of a, b, got "B"`},
	}, model.Validate(&p, all{}))
	assert.Empty(t, model.Validate(&all{Small: 1, Clients: 3}, all{}), "what is left out is not wrong")
	_ = p.other
}

func TestErr(t *testing.T) {
	var found model.Errors
	assert.NoError(t, found.Err("pay"))
	found.Add("ttl", "want at least %v", time.Second)
	found.If(false, "ttl", "it is right")
	found.If(true, "lease", "no")
	found.AddLines("text", errors.New("line 1\nline 2"))
	assert.EqualError(t, found.Err("pay"), "pay: ttl: want at least 1s\npay: lease: no\npay: text: line 1\npay: text: line 2")
}

func TestValidateCountsTheValuesOfLists(t *testing.T) {
	type params struct {
		Names  []string `yaml:"names" many:"1..2" because:"they are few"`
		Blocks []block  `yaml:"blocks" many:"0..1"`
	}
	assert.Equal(t, model.Errors{{"names", "want 1 to 2 values, got 3: they are few"}, {"blocks", "want at most 1 values, got 2"}},
		model.Validate(&params{Names: make([]string, 3), Blocks: make([]block, 2)}, params{}))
	assert.Equal(t, model.Errors{{"names", "want 1 to 2 values, got 0"}}, model.Validate(&params{}, params{}))
	assert.Empty(t, model.Validate(&params{Names: make([]string, 2), Blocks: make([]block, 1)}, params{}))
}

// TestValidateRefusesWhatIsNotUsed has one parameter of each form that depends on another.
func TestValidateRefusesWhatIsNotUsed(t *testing.T) {
	type inner struct {
		Low *int `yaml:"low" range:"0..9" of:"mode=slow"`
	}
	type params struct {
		Mode  string        `yaml:"mode,oneof=fast|safe|slow"`
		Spare int           `yaml:"spare" range:"0..9" of:"mode=safe|slow"`
		Wait  time.Duration `yaml:"wait" range:"0s..1h" of:"mode=slow"`
		Work  sim.Dist      `yaml:"work" range:"0s..1h" of:"mode=slow"`
		Names []string      `yaml:"names" of:"mode=slow"`
		Inner inner         `yaml:"inner"`
		Block *inner        `yaml:"block"`
		Other *block        `yaml:"other" of:"mode=slow"`
	}
	usual := params{Mode: "fast", Spare: 1, Wait: time.Second}
	given := params{Mode: "fast", Spare: 2, Wait: 0, Work: sim.Constant(1), Names: []string{"a"}, Inner: inner{new(int)}, Block: &inner{new(int)}, Other: &block{}}
	assert.Equal(t, model.Errors{
		{"spare", "mode is fast, which does not use it: want safe or slow"}, {"wait", "mode is fast, which does not use it: want slow"}, {"work", "mode is fast, which does not use it: want slow"},
		{"names", "mode is fast, which does not use it: want slow"}, {"inner.low", "mode is fast, which does not use it: want slow"}, {"block.low", "mode is fast, which does not use it: want slow"},
		{"other", "mode is fast, which does not use it: want slow"},
	}, model.Validate(&given, usual))
	given.Mode = "safe"
	assert.Len(t, model.Validate(&given, usual), 6, "spare is used")
	given.Mode = "slow"
	assert.Empty(t, model.Validate(&given, usual))
	usual.Work = sim.Uniform(time.Second, time.Second)
	as := params{Mode: "fast", Spare: 1, Wait: time.Second, Work: sim.Constant(time.Second), Names: []string{}, Block: &inner{}}
	assert.Empty(t, model.Validate(&as, usual), "what is as usual is not given")
}

func TestWrongTagsPanic(t *testing.T) {
	type (
		open struct {
			N int `yaml:"n" range:"1.."`
		}
		plain struct {
			N time.Duration `yaml:"n" range:"0..9"`
		}
		each struct {
			N []int `yaml:"n" range:"0..9" each:"clients"`
		}
		many struct {
			N []int `yaml:"n" range:"0..9" many:"clients"`
		}
		of struct {
			N int `yaml:"n" range:"0..9" of:"mode=slow"`
		}
	)
	assert.PanicsWithValue(t, `model: n: want a range of a int, got "1.."`, func() { model.Validate(&open{}, open{}) })
	assert.PanicsWithValue(t, `model: n: want a range of a time.Duration, got "0..9"`, func() { model.Validate(&plain{}, plain{}) })
	assert.PanicsWithValue(t, `model: n: each names no parameter: "clients"`, func() { model.Validate(&each{}, each{}) })
	assert.PanicsWithValue(t, `model: n: want a range of how many values, got "clients"`, func() { model.Validate(&many{}, many{}) })
	assert.PanicsWithValue(t, `model: n: of names no parameter: "mode"`, func() { model.Validate(&of{1}, of{}) })
}
