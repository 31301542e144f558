package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/paramstest"
	"fencepost/sim"
)

func TestProblems(t *testing.T) {
	for _, v := range []struct {
		name  string
		set   func(*Params)
		paths []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"the limits", func(p *Params) {
			p.Processes, p.Start, p.Rounds, p.Within = maxProcesses, []time.Duration{maxLength}, []int{maxRounds}, maxLength
		}, nil},
		{"the least", func(p *Params) { p.Processes, p.Within = 1, 1 }, nil},
		{"many rounds in no time", func(p *Params) { p.Rounds, p.Work = []int{maxAtOnce}, dists(0) }, nil},
		{"nobody", func(p *Params) { p.Processes = 0 }, []string{"processes"}},
		{"fewer than nobody", func(p *Params) { p.Processes = -1 }, []string{"processes"}},
		{"too many", func(p *Params) { p.Processes = 129 }, []string{"processes"}},
		{"more values than processes", func(p *Params) {
			p.Start, p.Think, p.Work, p.Rounds = list(0, 0, 0, 0), dists(1, 1, 1, 1), dists(1, 1, 1, 1), []int{1, 1, 1, 1}
		}, []string{"start", "think", "work", "rounds"}},
		{"lengths", func(p *Params) { p.Start, p.Within = []time.Duration{2 * maxLength}, 0 }, []string{"start", "within"}},
		{"before the start", func(p *Params) { p.Start = list(-1) }, []string{"start"}},
		{"rounds", func(p *Params) { p.Rounds = []int{-1, maxRounds + 1} }, []string{"rounds", "rounds"}},
		{"round and round in no time", func(p *Params) { p.Rounds, p.Work = []int{0}, dists(0) }, []string{"rounds"}},
		{"round and round in no time, the last", func(p *Params) { p.Rounds, p.Work = []int{0}, dists(5, 5, 0) }, []string{"rounds"}},
		{"round and round", func(p *Params) { p.Rounds, p.Work, p.Think = []int{0}, dists(0), []sim.Dist{sim.Exponential(ms)} }, nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
}
