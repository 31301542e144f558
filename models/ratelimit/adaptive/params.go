package adaptive

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Algorithm string        `yaml:"algorithm,oneof=static|aimd|vegas|gradient2|cpu"` // cpu
	Limit     int64         `yaml:"limit"`                                           // at the start: 20
	Min       int64         `yaml:"min"`                                             // 20
	Max       int64         `yaml:"max"`                                             // 200
	Guard     bool          `yaml:"guard"`                                           // the limit grows only while half of it is in use: true
	Sample    time.Duration `yaml:"sample"`                                          // 1s
	Per       string        `yaml:"per,oneof=sample|round-trip"`                     // what the controller is told of: their mean over a sample, or each; not of cpu: sample
	Late      int           `yaml:"late"`                                            // samples that a measurement is late: 0
	High      int64         `yaml:"high"`                                            // of cpu, percent: 80
	Low       int64         `yaml:"low"`                                             // of cpu, percent: 60; 0: the limit never grows
	Step      int64         `yaml:"step"`                                            // of cpu: 1
	Timeout   time.Duration `yaml:"timeout"`                                         // of aimd: 5s

	// A step so much too late means a pause, and round trips across it do not count: 0s, they do.
	IgnorePauses time.Duration `yaml:"ignore-pauses"`

	Cores        int64         `yaml:"cores"`         // of the plant: 0, it has only a load, which is the limit in percent
	Service      sim.Dist      `yaml:"service"`       // of a job: 100ms
	Cost         int64         `yaml:"cost"`          // without cores: load of a job, in hundredths of a percent: 100
	Change       time.Duration `yaml:"change"`        // from when on the next two hold: 0s, never
	ServiceLater *sim.Dist     `yaml:"service-later"` // as service
	CostLater    *int64        `yaml:"cost-later"`    // as cost

	Load     []Phase       `yaml:"load"`     // requests: none
	Patience time.Duration `yaml:"patience"` // of who sends them: 1s
	Capacity int64         `yaml:"capacity"` // of the plant, requests a second, which goodput is judged by: 0, it is not

	Settle time.Duration `yaml:"settle"` // time to come to rest, from the start and from change: 10s
	Band   []int64       `yaml:"band"`   // where: percent of cpu, else limits: not judged
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Algorithm: "cpu", Limit: 20, Min: 20, Max: 200, Guard: true, Sample: time.Second, Per: "sample", High: 80, Low: 60, Step: 1,
		Timeout: 5 * time.Second, Service: sim.Constant(100 * time.Millisecond), Cost: 100, Patience: time.Second, Settle: 10 * time.Second}
}

// Limits of the parameters.
const (
	maxCores  = 10_000
	maxPhases = 100
	maxLength = 1000 * time.Hour
)

// Problem is a mistake in the parameters, at a path below params.
type Problem struct{ Path, Message string }

// problems collects them.
type problems = values.Problems[Problem]

// Problems are all mistakes in the parameters.
func (p *Params) Problems() []Problem {
	var found problems
	found.Words(p)
	within := func(path string, v, least, most int64) {
		if v < least || v > most {
			found.Bad(path, "want %d to %d, got %d", least, most, v)
		}
	}
	within("limit", p.Limit, 1, maxLimit)
	within("min", p.Min, 1, maxLimit)
	within("max", p.Max, p.Min, maxLimit)
	within("late", int64(p.Late), 0, maxLate)
	within("high", p.High, 1, 100)
	within("low", p.Low, 0, p.High)
	within("step", p.Step, 1, maxLimit)
	within("cores", p.Cores, 0, maxCores)
	within("cost", p.Cost, 1, maxLimit)
	within("capacity", p.Capacity, 0, maxLimit)
	found.Length("sample", p.Sample, time.Millisecond, maxLength)
	found.Length("timeout", p.Timeout, time.Millisecond, maxLength)
	found.Length("patience", p.Patience, time.Millisecond, maxLength)
	found.Length("settle", p.Settle, 0, maxLength)
	found.Length("change", p.Change, 0, maxLength)
	if p.IgnorePauses != 0 {
		found.Length("ignore-pauses", p.IgnorePauses, time.Millisecond, maxLength)
	}
	if p.Algorithm == "static" && p.Late > 0 {
		found.Bad("late", "a static limit looks at no measurement")
	}
	p.plantProblems(&found)
	p.loadProblems(&found)
	return found
}

func (p *Params) plantProblems(found *problems) {
	if p.CostLater != nil && (*p.CostLater < 1 || *p.CostLater > maxLimit) {
		found.Bad("cost-later", "want 1 to %d, got %d", int64(maxLimit), *p.CostLater)
	}
	if (p.CostLater != nil || p.ServiceLater != nil) && p.Change == 0 {
		found.Bad("change", "say when service-later or cost-later begins")
	}
	if p.Cores == 0 && p.Algorithm != "static" && p.Algorithm != "cpu" {
		found.Bad("cores", "%s needs round trips: a plant with at least 1 core", p.Algorithm)
	}
	if p.Cores == 0 && len(p.Load) > 0 {
		found.Bad("load", "a plant without cores serves nobody")
	}
	if len(p.Band) != 0 && (len(p.Band) != 2 || p.Band[0] < 0 || p.Band[1] < p.Band[0]) {
		found.Bad("band", "want two numbers, the lower one first")
	}
}

func (p *Params) loadProblems(found *problems) {
	if len(p.Load) > maxPhases {
		found.Bad("load", "want at most %d phases, got %d", maxPhases, len(p.Load))
	}
	for i, ph := range p.Load {
		if i > 0 && ph.At <= p.Load[i-1].At {
			found.Bad(fmt.Sprintf("load.%d.at", i), "must be after %v, got %v", p.Load[i-1].At, ph.At)
		}
		if ph.Every.Sample(1<<63) < 10*time.Microsecond {
			found.Bad(fmt.Sprintf("load.%d.every", i), "want at least 10µs between two requests, half of the time")
		}
	}
}
