package advise

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/lock/promises"
	"fencepost/scenarios"
)

// cases are some of what may happen, alone and together. What is first is drawn at its limit, the rest anywhere.
var cases = [][]string{
	{promises.Pause}, {promises.Outage}, {promises.Pause, promises.Outage}, {promises.Outage, promises.Pause}, {promises.Pause, promises.Crash},
	{promises.Skew}, {promises.Skew, promises.Outage}, {promises.Step, promises.Pause}, {promises.Pause, promises.Outage, promises.Skew, promises.Step},
}

// TestRules: settings and what may happen are drawn, in all orders of their sizes. Just below a limit no run does harm; of those a period
// above it, which is how loose a rule may be, most cases have a run that does.
func TestRules(t *testing.T) {
	for _, l := range promises.Locks() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, 8))
			seen, loose := 0, []string{}
			for range whole.Of(1, 2) {
				d := drawnCase{t: t, Settings: settingsOf(t, &l, r), Rand: r}
				for _, names := range cases {
					for _, keeps := range []bool{false, true}[:1+b2i(l.Renewed())] {
						n, text := d.edge(keeps, names)
						if seen += n; text != "" {
							loose = append(loose, text)
						}
					}
				}
			}
			require.Positive(t, seen)
			assert.LessOrEqual(t, len(loose)*5, seen, "loose: %v", loose)
		})
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

type drawnCase struct {
	t *testing.T
	*Settings
	*rand.Rand
}

// edge looks at both sides of the limit of the first of some names; of how many sides above it there was one, and which showed no harm.
func (d drawnCase) edge(keeps bool, names []string) (seen int, loose string) {
	kinds := promises.Kinds()
	e := &Events{Values: map[string]*big.Rat{}, Kind: kinds[d.IntN(len(kinds))], Keeps: keeps}
	length := d.Duration(d.Lock.Settings[0].Name)
	for _, name := range names {
		e.Values[name] = big.NewRat(1+int64(float64(length)*d.Float64()*0.5), 1)
		if name == promises.Skew {
			e.Values[name] = big.NewRat(int64(1+d.IntN(100)), 1000)
		}
	}
	c, name := Case{Keeps: keeps, Names: names}, names[0]
	c.Kind = e.kinds(names)[0]
	limit, found := d.limit(e, c, name)
	if !found {
		if v := d.judge(e, c); v.safe() {
			assert.Zero(d.t, d.harmed(e, c), "%v %v has no limit, %v", c, e.Values, d.Settings)
		}
		return 0, ""
	}
	if below := below(name, limit); below.Sign() > 0 {
		assert.Zero(d.t, d.harmed(e.but(name, below), c), "%v %v at %s, %v", c, e.Values, Write(unit(name), below), d.Settings)
	}
	above, found := d.above(e, c, name, limit)
	if !found {
		return 0, ""
	}
	if e = e.but(name, above); d.harmed(e, c) == 0 {
		return 1, c.Kind + " " + d.answer(e, d.judge(e, c)).Schedule
	}
	return 1, ""
}

// What is proven is the formula of its promise: at the number that it gives a law is at its edge, and with the settings of an edge it is that.
func TestProofsAreTheFormulas(t *testing.T) {
	for _, proof := range promises.Proofs() {
		i := slices.IndexFunc(promises.Locks(), func(l promises.Lock) bool { return l.Name == proof.Lock })
		l := promises.Locks()[i]
		if proof.At != "" {
			s, err := ReadOther(&l, nil, proof.At, scenarios.Catalog().LoadText)
			require.NoError(t, err)
			assert.Equal(t, proof.Edge, s.Duration(s.promise(proof.Promise).Formula).String(), proof.Lock)
			continue
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range 10 {
			s := settingsOf(t, &l, r)
			s.values[promises.Pause] = s.must(s.promise(proof.Promise).Formula)
			assert.Zero(t, s.must(proof.Formula()).Sign(), "%s: %s, %v", proof.Lock, proof.Law, s)
		}
	}
}

// harmed is in how many runs of the worst schedules there was harm.
func (d drawnCase) harmed(e *Events, c Case) int {
	got, err := d.tests().happen(e.blow(c)).play(d.t.Context(), 100)
	require.NoError(d.t, err)
	return got.sum()
}
