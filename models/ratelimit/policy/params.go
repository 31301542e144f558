package policy

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/wish"
	"fencepost/sim"
	"fencepost/sim/model"
)

// RulesFile is a version of the rules.
type RulesFile struct {
	At   time.Duration `yaml:"at" range:"0s..1000h"` // when it is published; the first is there from the start
	File string        `yaml:"file,required"`        // in the format of envoyproxy/ratelimit
}

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Rules   []RulesFile   `yaml:"rules" many:"1..1000"`            // 100 a minute for each user
	Domain  string        `yaml:"domain"`                          // that requests are of: api
	Send    []string      `yaml:"send,one-or-many" many:"1..8"`    // keys of a request's descriptors, each with the client's name: user
	Tiers   []string      `yaml:"tiers" many:"0..16"`              // of clients, behind it in each descriptor, as (tier, NAME): none
	Flip    time.Duration `yaml:"flip" range:"0s..1000h"`          // how often each client goes to its next tier: 0s, never
	Counter string        `yaml:"counter,oneof=descriptor|client"` // what is counted together: descriptor

	Algorithm string `yaml:"algorithm,oneof=window|bucket|log|queue"`                                 // window
	OnChange  string `yaml:"on-change,oneof=as-is|proportional|additive|reset" of:"algorithm=bucket"` // of bucket: as-is
	Clock     string `yaml:"clock,oneof=monotonic|wall"`                                              // of the counters: monotonic

	Soft    int64         `yaml:"soft,proportion" range:"0..1000000000" of:"algorithm=log"` // of log, what may be admitted above the limit: 0
	SoftFor time.Duration `yaml:"soft-for" range:"0s..1000h"`                               // for this long: 10s

	Places   int64         `yaml:"places" range:"0..1048576"`      // of queue: 10
	Deadline time.Duration `yaml:"deadline" range:"0s..1000h"`     // of a request: 5s
	MaxWait  string        `yaml:"max-wait,oneof=deadline|places"` // of queue, what bounds it: deadline, and places

	Poll       time.Duration   `yaml:"poll" range:"1ms..1000h"`                             // 30s
	Phase      []time.Duration `yaml:"phase,one-or-many" each:"limiters" range:"0s..1000h"` // when each limiter first polls: evenly spread over one poll
	Push       bool            `yaml:"push"`                                                // versions are sent to the limiters, too: false
	AdoptAfter time.Duration   `yaml:"adopt-after" range:"0s..1000h"`                       // from publishing to using, on wall clocks: 0s, as soon as it is there
	OnBadFile  string          `yaml:"on-bad-file,oneof=keep|drop"`                         // keep

	Wish wish.Wish `yaml:"wish"` // what each client is to get, whatever the rules say: none

	Limiters int             `yaml:"limiters" range:"1..64"`                                    // 2
	Clients  int             `yaml:"clients" range:"1..64"`                                     // 1
	Start    []time.Duration `yaml:"start,one-or-many" each:"clients" range:"0s..1000h"`        // of each client: 0s
	Every    []sim.Dist      `yaml:"every,one-or-many" each:"clients" range:"0s..1000h"`        // from one burst to the next: 1s
	Burst    []int           `yaml:"burst,one-or-many" each:"clients" range:"1..100000"`        // requests in it: 1
	Requests []int           `yaml:"requests,one-or-many" each:"clients" range:"0..1000000000"` // of a client in all: 0, without end
}

// defaultRules are those of a scenario that has none.
const defaultRules = `
domain: api
descriptors:
  - key: user
    rate_limit: {unit: minute, requests_per_unit: 100}
`

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Rules: []RulesFile{{File: defaultRules}}, Domain: "api", Send: []string{"user"}, Counter: "descriptor", Algorithm: "window", OnChange: "as-is", Clock: "monotonic",
		SoftFor: 10 * time.Second, Places: 10, Deadline: 5 * time.Second, MaxWait: "deadline", Poll: 30 * time.Second, OnBadFile: "keep",
		Limiters: 2, Clients: 1}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	found.If(p.Flip > 0 && len(p.Tiers) < 2, "flip", "there is no other tier to go to")
	for i := range p.Every {
		found.If(p.Every[i].Sample(1<<63) < 10*time.Microsecond, fmt.Sprintf("every.%d", i), "want at least 10µs between two bursts, half of the time")
	}
	p.Wish.Problems(&found)
	if len(found) == 0 {
		p.ruleProblems(&found)
	}
	return found.OnePerPath()
}

// ruleProblems are those of the files. A later version that does not load is no mistake:
// it is what a scenario may be about.
func (p *Params) ruleProblems(found *model.Errors) {
	for i, f := range p.Rules {
		switch {
		case i == 0 && f.At != 0:
			found.Add("rules.0.at", "the first version is there from the start, got %v", f.At)
		case i > 0 && f.At <= p.Rules[i-1].At:
			found.Add(fmt.Sprintf("rules.%d.at", i), "must be after %v, got %v", p.Rules[i-1].At, f.At)
		}
	}
	b, _, err := newBook(p)
	if err != nil {
		found.Add("rules", "%v", err)
		return
	}
	if first := &b.versions[1]; first.problem != "" {
		found.Add("rules.0.file", "the first version must load: %s", first.problem)
	}
}

// hard is the most that a soft limit admits.
func (p *Params) hard(limit int64) int64 { return limit + limit*p.Soft/1e9 }

// changes are what becomes of a bucket: it stays as it is, if nothing is said.
var changes = map[string]ratelimit.Change{"proportional": ratelimit.Proportional, "additive": ratelimit.Additive, "reset": ratelimit.Fresh}
