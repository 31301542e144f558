package kittest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/kit/kittest"
	"fencepost/sim"
)

// log is a test that takes down what is wrong.
type log struct {
	testing.TB
	lines []string
}

func (l *log) Helper()                        {}
func (l *log) Errorf(format string, a ...any) { l.lines = append(l.lines, fmt.Sprintf(format, a...)) }

type msg struct{ Kind sim.Kind }

func (m msg) Label() sim.Kind              { return m.Kind }
func (m msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), 0) }
func (m msg) String() string               { return "start" }

type idle struct{}

func (*idle) Step(sim.In[msg], *sim.Out[msg]) {}

type block struct {
	Size *int `yaml:"size" range:"0..2"`
}

type params struct {
	Mode  string        `yaml:"mode,oneof=a|b"`
	N     uint8         `yaml:"n" range:"1..255"`
	Gap   []sim.Dist    `yaml:"gap" range:"0s..1s" each:"n"`
	Wait  time.Duration `yaml:"wait" range:"1s..1h"`
	Names []string      `yaml:"names" many:"0..3"`
	Block *block        `yaml:"block"`
	List  []block       `yaml:"list"`
}

func usual() params                            { return params{N: 1, Wait: time.Second} }
func problems(p *params) []kit.ValidationError { return kit.Validate(p, usual()) }
func anything(*params) sim.System[msg] {
	return sim.System[msg]{Kinds: []string{"start"}, Nodes: []sim.Spec[msg]{sim.Place[msg]("n", idle{})}}
}
func system(p *params) (s sim.System[msg]) {
	s = anything(p)
	s.Err = kit.Validate(p, usual()).Err("m")
	return s
}
func without(path string) func(*params) []kit.ValidationError {
	return func(p *params) (found []kit.ValidationError) {
		for _, e := range kit.Validate(p, usual()) {
			if !strings.HasPrefix(e.Path, path) {
				found = append(found, e)
			}
		}
		return found
	}
}

func TestParamsAcceptsAModelThatChecksItsParameters(t *testing.T) {
	l := &log{}
	kittest.Params(l, usual, problems, system)
	assert.Empty(t, l.lines)
}

// Each thing that a model may forget is seen.
func TestParamsSeesWhatIsForgotten(t *testing.T) {
	for path, want := range map[string]string{
		"mode":        "kittest: mode: no-such-word is not refused",
		"n":           "kittest: n: 0 is not refused",
		"gap.0":       "kittest: gap: 1000000001 is not refused",
		"gap":         "kittest: gap with a value too many is not refused",
		"names":       "kittest: names with a value too many is not refused",
		"wait":        "kittest: wait: 999999999 is not refused",
		"block.size":  "kittest: block.size: 3 is not refused",
		"list.0.size": "kittest: list.0.size: -1 is not refused",
	} {
		l := &log{}
		kittest.Params(l, usual, without(path), anything)
		assert.Contains(t, strings.Join(l.lines, "\n"), want)
	}
	for want, bad := range map[string]struct {
		defaults func() params
		problems func(*params) []kit.ValidationError
		system   func(*params) sim.System[msg]
	}{
		"kittest: the default parameters are refused: [{n want 1 to 255, got 0} {wait want 1s to 1h, got 0s}]": {func() params { return params{} }, problems, system},
		"kittest: mode: b is refused": {usual, func(p *params) []kit.ValidationError {
			if p.Mode == "b" {
				return []kit.ValidationError{{Path: "mode", Message: "want one of a, b, got b"}}
			}
			return problems(p)
		}, system},
		"and making a world of it <nil>": {usual, problems, anything},
	} {
		l := &log{}
		kittest.Params(l, bad.defaults, bad.problems, bad.system)
		assert.Contains(t, strings.Join(l.lines, "\n"), want)
	}
	type unlimited struct {
		N int      `yaml:"n"`
		D sim.Dist `yaml:"d"`
	}
	l := &log{}
	kittest.Params(l, func() unlimited { return unlimited{} }, func(*unlimited) []kit.ValidationError { return nil }, func(*unlimited) sim.System[msg] { return anything(nil) })
	assert.Equal(t, []string{"kittest: n: a number without a range", "kittest: d: a number without a range"}, l.lines)
}

func TestRefusedComparesPathAndMessage(t *testing.T) {
	slow := func(p *params) { p.Wait = 2 * time.Hour }
	for _, c := range []struct {
		of    kittest.Case[params]
		right bool
	}{
		{kittest.Case[params]{Path: "wait", Says: "got 2h", Set: slow}, true},
		{kittest.Case[params]{Path: "wait", Says: "got 3h", Set: slow}, false},
		{kittest.Case[params]{Path: "n", Set: slow}, false},
		{kittest.Case[params]{Set: slow}, false},
		{kittest.Case[params]{Set: func(p *params) { p.N = 2 }}, true},
		{kittest.Case[params]{Path: "n", Set: func(p *params) { p.N, p.Wait = 0, 0 }}, false},
	} {
		l := &log{}
		kittest.Refused(l, usual, problems, c.of)
		assert.Equal(t, c.right, len(l.lines) == 0, l.lines)
	}
}

// loose is a message whose digest does not have N.
type loose struct {
	msg
	N int
}

func (l loose) String() string { return []string{"one", "two", ""}[l.N] }

func TestFoldsSeesAFieldThatIsNotInTheDigest(t *testing.T) {
	l := &log{}
	kittest.Folds(l, msg{}, msg{Kind: 1})
	assert.Empty(t, l.lines)
	kittest.Folds(l, loose{}, loose{N: 1}, loose{msg: msg{Kind: 1}, N: 2})
	assert.Equal(t, []string{"kittest: two messages have the same digest: one and two", "kittest:  has no text"}, l.lines)
}
