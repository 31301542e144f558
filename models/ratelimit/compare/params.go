package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim/model"
)

// Params are the params block of a scenario.
type Params struct {
	Limit      int64         `yaml:"limit" range:"1..1099511627776"` // L, per key: 60
	Window     time.Duration `yaml:"window" range:"1ns..640000h"`    // W: 1m
	Burst      int64         `yaml:"burst" range:"0..1099511627776"` // capacity of the buckets, the meter and the queue, and burst= of nginx, which is one less than a capacity: the limit
	Buckets    int64         `yaml:"buckets"`                        // of the sub-windows: 60
	Algorithms []string      `yaml:"algorithms,one-or-many"`         // all but nginx, which is limit_req with nodelay
	Traffic    Traffic       `yaml:"traffic"`
}

// Traffic is generated, or else recorded in an access log.
type Traffic struct {
	AccessLog traffic.Log    `yaml:"accesslog"`
	Key       string         `yaml:"key"`         // of the log, by which requests are limited: client
	Prefix6   int            `yaml:"ipv6-prefix"` // bits of an IPv6 client that count: 0, all
	Horizon   *time.Duration `yaml:"horizon"`     // within which lines of a log of over a million are sorted: 10m
	traffic.Params
}

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Limit: 60, Window: time.Minute, Buckets: 60, Algorithms: usual()}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	p.nameProblems(&found)
	if len(found) == 0 {
		_, wrong := New(p.rules(), p.Algorithms)
		found = append(found, wrong...)
	}
	p.trafficProblems(&found)
	return found
}

func (p *Params) nameProblems(found *model.Errors) {
	found.If(len(p.Algorithms) == 0, "algorithms", "none: want one or more of %s", strings.Join(Algorithms(), ", "))
	for i, name := range p.Algorithms {
		path := fmt.Sprintf("algorithms.%d", i)
		switch {
		case find(name) == nil:
			found.Add(path, "there is no algorithm %q: want one of %s", name, strings.Join(Algorithms(), ", "))
		case slices.Contains(p.Algorithms[:i], name):
			found.Add(path, "%s is in the list already", name)
		case name == "nginx" && p.Window != time.Second && p.Window != time.Minute:
			found.Add("window", "nginx has rates per second and per minute: want 1s or 1m, got %v", p.Window)
		}
	}
}

func (p *Params) trafficProblems(found *model.Errors) {
	t := &p.Traffic
	if t.AccessLog.Open == nil {
		found.If(t.Key != "" || t.Prefix6 != 0 || t.Horizon != nil, "traffic", "key, ipv6-prefix and horizon are of an accesslog, and there is none")
		p.generatedProblems(found)
		return
	}
	found.If(!reflect.ValueOf(t.Params).IsZero(), "traffic", "there is an accesslog, so nothing is generated: want neither classes nor what describes one")
	log, err := t.AccessLog.Open(t.options(DefaultMemory))
	if err == nil {
		err = log.Close()
	}
	if err != nil {
		found.Add("traffic.accesslog", "%v", err)
	}
}

// generatedProblems are the mistakes in traffic that is generated, after the limit and
// window of the rules have been put where it attacks them.
func (p *Params) generatedProblems(found *model.Errors) {
	t := &p.Traffic
	if len(t.Classes) > 0 && !reflect.ValueOf(t.Class).IsZero() {
		found.Add("traffic.classes", "these are all there is: what stands beside them (arrivals, rate, clients and so on) belongs into one of them")
		return
	}
	generated := p.generated(traffic.MaxFor)
	for _, q := range generated.Problems() {
		if len(t.Classes) == 0 {
			q.Path = strings.TrimPrefix(q.Path, "classes.0.")
		}
		found.Add("traffic."+q.Path, "%s", q.Message)
	}
}

// generated is the traffic without a log: until the end of the run, if it does not say
// how long.
func (p *Params) generated(until time.Duration) traffic.Params {
	t := p.Traffic.Params
	if t.For == 0 {
		t.For = min(until, traffic.MaxFor)
	}
	return t.Against(p.Limit, p.Window)
}

func (t *Traffic) options(memory int64) traffic.LogOptions {
	return traffic.LogOptions{Key: t.Key, Prefix6: t.Prefix6, Horizon: t.Horizon, Memory: memory}
}

func (p *Params) rules() Rules {
	r := Rules{Limit: p.Limit, Window: p.Window, Burst: p.Burst, Buckets: p.Buckets}
	if r.Burst == 0 {
		r.Burst = r.Limit
	}
	return r
}
