package mutex

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Algorithm string          `yaml:"algorithm,oneof=lamport|ricart-agrawala"`                                                      // lamport
	Processes int             `yaml:"processes" range:"1..1000" because:"messages and memory grow with the square of their number"` // 3
	Start     []time.Duration `yaml:"start,one-or-many" each:"processes" range:"0s..1000h"`                                         // by process, the last for the rest: when it first asks: 0s
	Think     []sim.Dist      `yaml:"think,one-or-many" each:"processes" range:"0s..1000h"`                                         // by process: from leaving to asking again: 0s
	Work      []sim.Dist      `yaml:"work,one-or-many" each:"processes" range:"0s..1000h"`                                          // by process: how long it is in the critical section: 100ms
	Rounds    []int           `yaml:"rounds,one-or-many" each:"processes" range:"0..16777216"`                                      // by process: how often it enters: 1; 0, without end
	Durable   string          `yaml:"durable,oneof=nothing|clock|everything"`                                                       // what a process keeps across a crash: nothing
	Within    *time.Duration  `yaml:"within" range:"1ns..1000h"`                                                                    // of asking, a process must enter: 10s; the longest work of all processes and a second, if that is more
}

// maxAtOnce is how many rounds a process may go without time passing.
const maxAtOnce = 1000

// usualWork is how long a process is in the critical section if the parameters do not say.
const usualWork = 100 * time.Millisecond

// usualWithin is in what time of asking a process must enter, if the turns of all take no longer; longestTurn is what a turn
// counts at most, of a distribution without a longest.
const (
	usualWithin = 10 * time.Second
	longestTurn = 100 * time.Hour
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Algorithm: "lamport", Processes: 3, Durable: "nothing"}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	for i := range min(max(len(p.Rounds), len(p.Think), len(p.Work)), p.Processes) { // the longest list meets the last of the others
		life := p.life(i)
		if (life.Rounds == 0 || life.Rounds > maxAtOnce) && values.Brief(life.Think) && values.Brief(life.Work) {
			found.Add("rounds", "process-%d has rounds without end, or more than %d, in no time: want at least 1us of think or of work", i+1, maxAtOnce)
			break
		}
	}
	return found
}

// life is that of a process, from 0.
func (p *Params) life(i int) Life {
	return Life{
		Processes: p.Processes, Start: values.At(p.Start, i, 0), Think: values.At(p.Think, i, sim.Dist{}),
		Work: values.At(p.Work, i, sim.Constant(usualWork)), Rounds: values.At(p.Rounds, i, 1),
		Keeps: map[string]durability{"clock": keepsClock, "everything": keepsEverything}[p.Durable],
	}
}

// within is in what time of asking a process must enter. By default it may wait for one turn of each.
func (p *Params) within() time.Duration {
	turns := time.Second
	for i := range p.Processes {
		work := p.life(i).Work
		turns += min(work.Most(), longestTurn)
	}
	return values.Or(p.Within, max(usualWithin, turns))
}
