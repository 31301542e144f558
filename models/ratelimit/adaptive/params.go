package adaptive

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Algorithm string        `yaml:"algorithm,oneof=static|aimd|vegas|gradient2|cpu"`            // cpu
	Limit     int64         `yaml:"limit" range:"1..1048576"`                                   // at the start: 20
	Min       int64         `yaml:"min" range:"1..1048576"`                                     // 20
	Max       int64         `yaml:"max" range:"1..1048576"`                                     // 200
	Guard     bool          `yaml:"guard"`                                                      // the limit grows only while half of it is in use: true
	Sample    time.Duration `yaml:"sample" range:"1ms..1000h"`                                  // 1s
	Per       string        `yaml:"per,oneof=sample|round-trip"`                                // what the controller is told of: their mean over a sample, or each; not of cpu: sample
	Late      int           `yaml:"late" range:"0..16" of:"algorithm=aimd|vegas|gradient2|cpu"` // samples that a measurement is late: 0
	High      int64         `yaml:"high" range:"1..100"`                                        // of cpu, percent: 80
	Low       int64         `yaml:"low" range:"0..100"`                                         // of cpu, percent: 60; 0: the limit never grows
	Step      int64         `yaml:"step" range:"1..1048576"`                                    // of cpu: 1
	Timeout   time.Duration `yaml:"timeout" range:"1ms..1000h"`                                 // of aimd: 5s

	// A step so much too late means a pause, and round trips across it do not count: 0s, they do.
	IgnorePauses time.Duration `yaml:"ignore-pauses" range:"0s..1000h"`

	Cores        int64         `yaml:"cores" range:"0..10000"`          // of the plant: 0, it has only a load, which is the limit in percent
	Service      sim.Dist      `yaml:"service" range:"0s..1000h"`       // of a job: 100ms
	Cost         int64         `yaml:"cost" range:"1..1048576"`         // without cores: load of a job, in hundredths of a percent: 100
	Change       time.Duration `yaml:"change" range:"0s..1000h"`        // from when on the next two hold: 0s, never
	ServiceLater *sim.Dist     `yaml:"service-later" range:"0s..1000h"` // as service
	CostLater    *int64        `yaml:"cost-later" range:"1..1048576"`   // as cost

	Load     []Phase       `yaml:"load" many:"0..100"`          // requests: none
	Patience time.Duration `yaml:"patience" range:"1ms..1000h"` // of who sends them: 1s
	Capacity int64         `yaml:"capacity" range:"0..1048576"` // of the plant, requests a second, which goodput is checked against: 0, it is not

	Settle time.Duration `yaml:"settle" range:"0s..1000h"` // time to settle, from the start and from change: 10s
	Band   []int64       `yaml:"band" range:"0..1048576"`  // where: percent of cpu, else limits: not checked
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Algorithm: "cpu", Limit: 20, Min: 20, Max: 200, Guard: true, Sample: time.Second, Per: "sample", High: 80, Low: 60, Step: 1,
		Timeout: 5 * time.Second, Service: sim.Constant(100 * time.Millisecond), Cost: 100, Patience: time.Second, Settle: 10 * time.Second}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	found.If(p.Max < p.Min, "max", "want at least min, which is %d, got %d", p.Min, p.Max)
	found.If(p.Low > p.High, "low", "want at most high, which is %d, got %d", p.High, p.Low)
	found.If(p.IgnorePauses > 0 && p.IgnorePauses < time.Millisecond, "ignore-pauses", "want 0s or at least 1ms, got %v", p.IgnorePauses)
	p.plantProblems(&found)
	p.loadProblems(&found)
	return found.OnePerPath()
}

func (p *Params) plantProblems(found *model.Errors) {
	found.If((p.CostLater != nil || p.ServiceLater != nil) && p.Change == 0, "change", "say when service-later or cost-later begins")
	found.If(p.Cores == 0 && p.Algorithm != "static" && p.Algorithm != "cpu", "cores", "%s needs round trips: a plant with at least 1 core", p.Algorithm)
	found.If(p.Cores == 0 && len(p.Load) > 0, "load", "a plant without cores serves no request")
	found.If(len(p.Band) != 0 && (len(p.Band) != 2 || p.Band[1] < p.Band[0]), "band", "want two numbers, the lower one first")
}

func (p *Params) loadProblems(found *model.Errors) {
	for i, ph := range p.Load {
		if i > 0 && ph.At <= p.Load[i-1].At {
			found.Add(fmt.Sprintf("load.%d.at", i), "must be after %v, got %v", p.Load[i-1].At, ph.At)
		}
		found.If(ph.Every.Sample(1<<63) < 10*time.Microsecond, fmt.Sprintf("load.%d.every", i), "want at least 10µs between two requests, half of the time")
	}
}
