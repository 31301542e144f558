package broadcast

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
			p.Processes, p.Start, p.Within, p.Balance = maxProcesses, []time.Duration{maxLength}, maxLength, maxAmount
		}, nil},
		{"the least", func(p *Params) { p.Processes, p.Within, p.Balance = 1, 1, -maxAmount }, nil},
		{"many messages and answers", func(p *Params) { p.Messages, p.Answers = []int{maxMessages}, []int{maxMessages} }, nil},
		{"as many as anybody remembers", func(p *Params) { p.Processes, p.Messages = 32, []int{0} }, nil},
		{"many at once", func(p *Params) { p.Messages, p.Gap = []int{maxAtOnce}, dists(0) }, nil},
		{"too many at once", func(p *Params) { p.Messages, p.Gap = []int{maxAtOnce + 1}, dists(0) }, []string{"messages"}},
		{"nobody", func(p *Params) { p.Processes = 0 }, []string{"processes"}},
		{"fewer than nobody", func(p *Params) { p.Processes = -1 }, []string{"processes"}},
		{"too many", func(p *Params) { p.Processes = 65 }, []string{"processes"}},
		{"more values than processes", func(p *Params) {
			p.Start, p.Gap, p.Messages, p.Answers = list(0, 0, 0, 0), dists(1, 1, 1, 1), []int{1, 1, 1, 1}, []int{1, 1, 1, 1}
			p.Operations = []string{"add 1", "add 1", "add 1", "add 1"}
		}, []string{"start", "gap", "messages", "answers", "operations"}},
		{"lengths", func(p *Params) { p.Start, p.Within = []time.Duration{2 * maxLength}, 0 }, []string{"start", "within"}},
		{"before the start", func(p *Params) { p.Start = list(-1) }, []string{"start"}},
		{"counts", func(p *Params) { p.Messages, p.Answers = []int{-1}, []int{maxMessages + 1} }, []string{"messages", "answers"}},
		{"without end", func(p *Params) { p.Messages = []int{0} }, nil},
		{"without end, at once", func(p *Params) { p.Messages, p.Gap = []int{0}, dists(0) }, []string{"messages"}},
		{"without end, at once now and then", func(p *Params) { p.Messages, p.Gap = []int{0}, []sim.Dist{sim.Exponential(ms)} }, nil},
		{"more than anybody remembers", func(p *Params) { p.Processes, p.Messages = 64, []int{0} }, []string{"messages"}},
		{"operations", func(p *Params) { p.Operations = []string{"add 1", "steal 1"} }, []string{"operations"}},
		{"a balance that is too large", func(p *Params) { p.Balance = maxAmount + 1 }, []string{"balance"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
}
