package modeltest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
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

func usual() params                              { return params{N: 1, Wait: time.Second} }
func problems(p *params) []model.ValidationError { return model.Validate(p, usual()) }
func anything(*params) sim.System[msg] {
	return sim.System[msg]{Kinds: []string{"start"}, Nodes: []sim.Spec[msg]{sim.Place[msg]("n", idle{})}}
}
func system(p *params) (s sim.System[msg]) {
	s = anything(p)
	s.Err = model.Validate(p, usual()).Err("m")
	return s
}
func without(path string) func(*params) []model.ValidationError {
	return func(p *params) (found []model.ValidationError) {
		for _, e := range model.Validate(p, usual()) {
			if !strings.HasPrefix(e.Path, path) {
				found = append(found, e)
			}
		}
		return found
	}
}

func TestParamsAcceptsAModelThatChecksItsParameters(t *testing.T) {
	l := &log{}
	modeltest.Params(l, usual, problems, system)
	assert.Empty(t, l.lines)
}

// Each thing that a model may forget is seen.
func TestParamsSeesWhatIsForgotten(t *testing.T) {
	for path, want := range map[string]string{
		"mode":        "modeltest: mode: no-such-word is not refused",
		"n":           "modeltest: n: 0 is not refused",
		"gap.0":       "modeltest: gap: 1000000001 is not refused",
		"gap":         "modeltest: gap with a value too many is not refused",
		"names":       "modeltest: names with a value too many is not refused",
		"wait":        "modeltest: wait: 999999999 is not refused",
		"block.size":  "modeltest: block.size: 3 is not refused",
		"list.0.size": "modeltest: list.0.size: -1 is not refused",
	} {
		l := &log{}
		modeltest.Params(l, usual, without(path), anything)
		assert.Contains(t, strings.Join(l.lines, "\n"), want)
	}
	for want, bad := range map[string]struct {
		defaults func() params
		problems func(*params) []model.ValidationError
		system   func(*params) sim.System[msg]
	}{
		"modeltest: the default parameters are refused: [{n want 1 to 255, got 0} {wait want 1s to 1h, got 0s}]": {func() params { return params{} }, problems, system},
		"modeltest: mode: b is refused": {usual, func(p *params) []model.ValidationError {
			if p.Mode == "b" {
				return []model.ValidationError{{Path: "mode", Message: "want one of a, b, got b"}}
			}
			return problems(p)
		}, system},
		"and making a world of it <nil>": {usual, problems, anything},
	} {
		l := &log{}
		modeltest.Params(l, bad.defaults, bad.problems, bad.system)
		assert.Contains(t, strings.Join(l.lines, "\n"), want)
	}
	type unlimited struct {
		N int      `yaml:"n"`
		D sim.Dist `yaml:"d"`
	}
	l := &log{}
	modeltest.Params(l, func() unlimited { return unlimited{} }, func(*unlimited) []model.ValidationError { return nil }, func(*unlimited) sim.System[msg] { return anything(nil) })
	assert.Equal(t, []string{"modeltest: n: a number without a range", "modeltest: d: a number without a range"}, l.lines)
}

func TestRefusedComparesPathAndMessage(t *testing.T) {
	slow := func(p *params) { p.Wait = 2 * time.Hour }
	for _, c := range []struct {
		of    modeltest.Case[params]
		right bool
	}{
		{modeltest.Case[params]{Path: "wait", Says: "got 2h", Set: slow}, true},
		{modeltest.Case[params]{Path: "wait", Says: "got 3h", Set: slow}, false},
		{modeltest.Case[params]{Path: "n", Set: slow}, false},
		{modeltest.Case[params]{Set: slow}, false},
		{modeltest.Case[params]{Set: func(p *params) { p.N = 2 }}, true},
		{modeltest.Case[params]{Path: "n", Set: func(p *params) { p.N, p.Wait = 0, 0 }}, false},
	} {
		l := &log{}
		modeltest.Refused(l, usual, problems, c.of)
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
	modeltest.Folds(l, msg{}, msg{Kind: 1})
	assert.Empty(t, l.lines)
	modeltest.Folds(l, loose{}, loose{N: 1}, loose{msg: msg{Kind: 1}, N: 2})
	assert.Equal(t, []string{"modeltest: two messages have the same digest: one and two", "modeltest:  has no text"}, l.lines)
}
