package pbs

import (
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the comment
// gives.
type Params struct {
	Replicas int             `yaml:"replicas" range:"1..100"`       // N, the replicas of a key: 3
	Read     int             `yaml:"read-quorum" range:"1..100"`    // R, the answers that a read waits for: 1
	Write    int             `yaml:"write-quorum" range:"1..100"`   // W, the acknowledgements that a write waits for: 1
	Latency  Latency         `yaml:"latency"`                       // of messages: those of lnkd-disk
	T        []time.Duration `yaml:"t,one-or-many" range:"0s..24h"` // how long after the acknowledgement of the write a read is sent: measure fresh is of the first, fresh/T of each other: 0s
	Versions int             `yaml:"versions" range:"0..100"`       // also, without regard to time, reads that return one of this many last versions: 0, none
	Trials   int             `yaml:"trials" range:"1..10000000"`    // of a run: 100000
}

// Latency is how long messages between coordinators and replicas travel, with the time that
// a replica takes: a fit, or what the distributions say, or a fit with some of the four
// replaced.
type Latency struct {
	Fit    string         `yaml:"fit,oneof=none|lnkd-ssd|lnkd-disk|ymmr|wan"` // production latencies of LinkedIn and Yammer as published; wan is lnkd-disk in data centers 75ms apart
	Write  *sim.Dist      `yaml:"write" range:"0s..10000h"`                   // of a write to a replica: of the fit
	Ack    *sim.Dist      `yaml:"ack" range:"0s..10000h"`                     // of its acknowledgement: of the fit
	Read   *sim.Dist      `yaml:"read" range:"0s..10000h"`                    // of a read to a replica: of the fit
	Answer *sim.Dist      `yaml:"answer" range:"0s..10000h"`                  // of its answer: of the fit
	Remote *time.Duration `yaml:"remote" range:"0s..1h"`                      // added to each message of a replica that is not beside the coordinator: of the fit
}

// IsZero reports whether nothing is said of latencies.
func (l *Latency) IsZero() bool { return *l == Latency{} }

// Delays are the latencies of the parameters, which have no errors.
func (l *Latency) Delays() Delays {
	d, _ := Fit(l.Fit) // of none there are none
	d.Write, d.Ack = values.Or(l.Write, d.Write), values.Or(l.Ack, d.Ack)
	d.Read, d.Answer = values.Or(l.Read, d.Read), values.Or(l.Answer, d.Answer)
	d.Remote = values.Or(l.Remote, d.Remote)
	return d
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Replicas: 3, Read: 1, Write: 1, T: []time.Duration{0}, Trials: 100_000}
}

// Problems are all errors in the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	if len(found) > 0 { // what follows may rest on it
		return found
	}
	for _, q := range []struct {
		path  string
		value int
	}{{"read-quorum", p.Read}, {"write-quorum", p.Write}} {
		found.If(q.value > p.Replicas, q.path, "want at most replicas, which is %d, got %d", p.Replicas, q.value)
	}
	found.If(len(p.T) == 0 || len(p.T) > maxTimes, "t", "want 1 to %d durations, got %d", maxTimes, len(p.T))
	for i, t := range p.T {
		if slices.Contains(p.T[:i], t) {
			found.Add("t", "%s is in the list twice", values.Length(t))
			break
		}
	}
	return found
}

// maxTimes is how many measures of freshness there may be.
const maxTimes = 100

func (p *Params) quorums() Quorums { return Quorums{p.Replicas, p.Read, p.Write} }

func (p *Params) delays() Delays {
	l := p.Latency
	if l.IsZero() {
		l.Fit = "lnkd-disk"
	}
	return l.Delays()
}
