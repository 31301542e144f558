package broadcast

import (
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Order      string          `yaml:"order,oneof=none|fifo|causal|total-lamport"` // none
	Processes  int             `yaml:"processes"`                                  // 3
	Start      []time.Duration `yaml:"start,one-or-many"`                          // by process, the last for the rest: from its start, or restart, to its first broadcast: 0s
	Gap        []sim.Dist      `yaml:"gap,one-or-many"`                            // by process: from one of its broadcasts to the next: 100ms
	Messages   []int           `yaml:"messages,one-or-many"`                       // by process, that it broadcasts by itself: 1; 0, without end
	Answers    []int           `yaml:"answers,one-or-many"`                        // by process: of how many messages of others it broadcasts an answer: 0
	Operations []string        `yaml:"operations,one-or-many"`                     // by process, what its messages do to the account: add 100
	Balance    int             `yaml:"balance"`                                    // of the account, at the start: 1000
	Within     time.Duration   `yaml:"within"`                                     // what one has delivered all must deliver: 10s
}

// Limits of the parameters.
const (
	maxProcesses = 64
	maxMessages  = 1 << 16 // of a process, by itself; without end is not more, either
	maxPlaces    = 1 << 26 // messages, times processes: what the observers remember
	maxAtOnce    = 1000    // messages of a process between which no time need pass
	maxLength    = 1000 * time.Hour
)

// usualGap is the time between two broadcasts of a process if nobody says.
const usualGap = 100 * time.Millisecond

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Order: "none", Processes: 3, Balance: 1000, Within: 10 * time.Second}
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
	found.Each("gap", len(p.Gap), p.Processes, "processes")
	found.Each("messages", len(p.Messages), p.Processes, "processes")
	found.Each("answers", len(p.Answers), p.Processes, "processes")
	found.Each("operations", len(p.Operations), p.Processes, "processes")
	for _, d := range p.Start {
		found.Length("start", d, 0, maxLength)
	}
	p.countProblems(&found)
	for _, text := range p.Operations {
		if _, err := ParseOperation(text); err != nil {
			found.Bad("operations", "%v", err)
		}
	}
	if p.Balance < -maxAmount || p.Balance > maxAmount {
		found.Bad("balance", "want -%d to %d, got %d", maxAmount, maxAmount, p.Balance)
	}
	if p.Within < 1 || p.Within > maxLength {
		found.Bad("within", "want more than 0s, at most %v, got %v", maxLength, p.Within)
	}
	return found
}

// countProblems are messages that are too many, in all or at once.
func (p *Params) countProblems(found *problems) {
	for _, l := range []struct {
		path string
		list []int
	}{{"messages", p.Messages}, {"answers", p.Answers}} {
		for _, n := range l.list {
			if n < 0 || n > maxMessages {
				found.Bad(l.path, "want 0 to %d, got %d", maxMessages, n)
			}
		}
	}
	all, atOnce := 0, 0
	for i := range min(p.Processes, maxProcesses) {
		n := values.At(p.Messages, i, 1)
		if n == 0 {
			n = maxMessages
		}
		gap := values.At(p.Gap, i, sim.Constant(usualGap))
		if n > maxAtOnce && values.Brief(gap) && atOnce == 0 {
			atOnce = i + 1
		}
		all += n + values.At(p.Answers, i, 0)
	}
	if atOnce > 0 {
		found.Bad("messages", "process-%d broadcasts without end, or more than %d messages: it needs at least 1us of gap", atOnce, maxAtOnce)
	}
	if all*p.Processes > maxPlaces {
		found.Bad("messages", "%d processes may deliver at most %d messages, and these are up to %d (without end is %d)", p.Processes, maxPlaces/max(p.Processes, 1), all, maxMessages)
	}
}

// operation is what the messages of the i-th process do. It has been checked.
func (p *Params) operation(i int) Operation {
	o, err := ParseOperation(values.At(p.Operations, i, "add 100"))
	if err != nil {
		panic("broadcast: operations: " + err.Error())
	}
	return o
}
