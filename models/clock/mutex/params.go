package mutex

import (
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Algorithm string          `yaml:"algorithm,oneof=lamport|ricart-agrawala"` // lamport
	Processes int             `yaml:"processes"`                               // 3
	Start     []time.Duration `yaml:"start,one-or-many"`                       // by process, the last for the rest: when it first asks: 0s
	Think     []sim.Dist      `yaml:"think,one-or-many"`                       // by process: from leaving to asking again: 0s
	Work      []sim.Dist      `yaml:"work,one-or-many"`                        // by process: how long it is in the critical section: 100ms
	Rounds    []int           `yaml:"rounds,one-or-many"`                      // by process: how often it enters: 1; 0, without end
	Durable   string          `yaml:"durable,oneof=nothing|clock|everything"`  // what a process keeps across a crash: nothing
	Within    time.Duration   `yaml:"within"`                                  // of asking, a process must enter: 10s
}

// Limits of the parameters.
const (
	maxProcesses = 128
	maxRounds    = 1 << 24
	maxAtOnce    = 1000 // rounds of a process between which no time need pass
	maxLength    = 1000 * time.Hour
)

// usualWork is how long a process is in the critical section if nobody says.
const usualWork = 100 * time.Millisecond

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Algorithm: "lamport", Processes: 3, Durable: "nothing", Within: 10 * time.Second}
}

// Problem is a mistake in the parameters, at a path below params.
type Problem struct{ Path, Message string }

// problems collects them.
type problems = values.Problems[Problem]

// Problems are all mistakes in the parameters.
func (p *Params) Problems() []Problem {
	var found problems
	found.Words(p)
	found.Count("processes", p.Processes, 1, maxProcesses, "processes")
	found.Each("start", len(p.Start), p.Processes, "processes")
	found.Each("think", len(p.Think), p.Processes, "processes")
	found.Each("work", len(p.Work), p.Processes, "processes")
	found.Each("rounds", len(p.Rounds), p.Processes, "processes")
	for _, d := range p.Start {
		found.Length("start", d, 0, maxLength)
	}
	for _, n := range p.Rounds {
		if n < 0 || n > maxRounds {
			found.Bad("rounds", "want 0 (without end) to %d, got %d", maxRounds, n)
		}
	}
	p.endlessProblems(&found)
	if p.Within < 1 || p.Within > maxLength {
		found.Bad("within", "want more than 0s, at most %v, got %v", maxLength, p.Within)
	}
	return found
}

// endlessProblems are processes that would go round and round in no time.
func (p *Params) endlessProblems(found *problems) {
	for i := range min(max(len(p.Rounds), len(p.Think), len(p.Work)), p.Processes) { // the longest list meets the last of the others
		think, work := values.At(p.Think, i, sim.Dist{}), values.At(p.Work, i, sim.Constant(usualWork))
		if n := values.At(p.Rounds, i, 1); (n == 0 || n > maxAtOnce) && values.Brief(think) && values.Brief(work) {
			found.Bad("rounds", "process-%d goes on without end, or for more than %d rounds: it needs at least 1us of think or of work", i+1, maxAtOnce)
			return
		}
	}
}
