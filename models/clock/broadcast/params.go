package broadcast

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Order      string          `yaml:"order,oneof=none|fifo|causal|total-lamport"`                                                                                                               // none
	Processes  int             `yaml:"processes" range:"1..500" because:"each message goes to all and each delivery is compared with those of all, so time grows with the cube of their number"` // 3
	Start      []time.Duration `yaml:"start,one-or-many" each:"processes" range:"0s..1000h"`                                                                                                     // by process, the last for the rest: from its start, or restart, to its first broadcast: 0s
	Gap        []sim.Dist      `yaml:"gap,one-or-many" each:"processes" range:"0s..1000h"`                                                                                                       // by process: from one of its broadcasts to the next: 100ms
	Messages   []int           `yaml:"messages,one-or-many" each:"processes" range:"0..65536"`                                                                                                   // by process, that it broadcasts by itself: 1; 0, without end
	Answers    []int           `yaml:"answers,one-or-many" each:"processes" range:"0..65536"`                                                                                                    // by process: of how many messages of others it broadcasts an answer: 0
	Operations []string        `yaml:"operations,one-or-many" each:"processes"`                                                                                                                  // by process, what its messages do to the account: add 100
	Balance    int             `yaml:"balance" range:"-1000000..1000000"`                                                                                                                        // of the account, at the start: 1000
	Within     time.Duration   `yaml:"within" range:"1ns..1000h"`                                                                                                                                // what one has delivered all must deliver: 10s
}

// Limits of the parameters.
const (
	maxTotal    = 100     // processes of total-lamport
	maxMessages = 1 << 16 // of a process, by itself; without end is not more, either
	maxPlaces   = 1 << 26 // messages, times processes: what the observers remember
	maxAtOnce   = 1000    // messages of a process between which no time need pass
)

// usualGap is the time between two broadcasts of a process if the parameters do not say.
const usualGap = 100 * time.Millisecond

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Order: "none", Processes: 3, Balance: 1000, Within: 10 * time.Second}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	for i, text := range p.Operations {
		if _, err := ParseOperation(text); err != nil {
			found.Add(fmt.Sprintf("operations.%d", i), "%v", err)
		}
	}
	if len(found) > 0 { // what follows may rest on it
		return found
	}
	found.If(p.Order == "total-lamport" && p.Processes > maxTotal, "processes", "want at most %d of total-lamport, got %d: all acknowledge each message to all, which is N(N-1) messages for one", maxTotal, p.Processes)
	all, atOnce := 0, 0
	for i := range p.Processes {
		r := p.replica(i)
		if r.Messages == 0 {
			r.Messages = maxMessages
		}
		if r.Messages > maxAtOnce && values.Brief(r.Gap) && atOnce == 0 {
			atOnce = i + 1
		}
		all += r.Messages + r.Answers
	}
	found.If(atOnce > 0, "messages", "process-%d broadcasts without end, or more than %d messages: it needs at least 1us of gap", atOnce, maxAtOnce)
	found.If(all*p.Processes > maxPlaces, "messages", "%d processes may deliver at most %d messages, and these are up to %d (without end is %d)", p.Processes, maxPlaces/p.Processes, all, maxMessages)
	return found
}

// replica is that of a process, from 0, but for its operation.
func (p *Params) replica(i int) Replica {
	return Replica{Processes: p.Processes, Start: values.At(p.Start, i, 0), Gap: values.At(p.Gap, i, sim.Constant(usualGap)),
		Messages: values.At(p.Messages, i, 1), Answers: values.At(p.Answers, i, 0), Account: Account(p.Balance * cents)}
}

// operation is what the messages of the i-th process do. It has been checked.
func (p *Params) operation(i int) Operation {
	o, err := ParseOperation(values.At(p.Operations, i, "add 100"))
	if err != nil {
		panic("broadcast: operations: " + err.Error())
	}
	return o
}
