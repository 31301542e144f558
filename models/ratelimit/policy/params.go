package policy

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// RulesFile is a version of the rules.
type RulesFile struct {
	At   time.Duration `yaml:"at"`            // when it is published; the first is there from the start
	File string        `yaml:"file,required"` // in the format of envoyproxy/ratelimit
}

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Rules   []RulesFile   `yaml:"rules"`                           // 100 a minute for each user
	Domain  string        `yaml:"domain"`                          // that requests are of: api
	Send    []string      `yaml:"send,one-or-many"`                // keys of a request's descriptors, each with the client's name: user
	Tiers   []string      `yaml:"tiers"`                           // of clients, behind it in each descriptor, as (tier, NAME): none
	Flip    time.Duration `yaml:"flip"`                            // how often each client goes to its next tier: 0s, never
	Counter string        `yaml:"counter,oneof=descriptor|client"` // what is counted together: descriptor

	Algorithm string `yaml:"algorithm,oneof=window|bucket|log|queue"`           // window
	OnChange  string `yaml:"on-change,oneof=as-is|proportional|additive|reset"` // of bucket: as-is
	Clock     string `yaml:"clock,oneof=monotonic|wall"`                        // of the counters: monotonic

	Soft    int64         `yaml:"soft,proportion"` // of log, what may be admitted above the limit: 0
	SoftFor time.Duration `yaml:"soft-for"`        // for so long: 10s

	Places   int64         `yaml:"places"`                         // of queue: 10
	Deadline time.Duration `yaml:"deadline"`                       // of a request: 5s
	MaxWait  string        `yaml:"max-wait,oneof=deadline|places"` // of queue, what bounds it: deadline, and places

	Poll       time.Duration   `yaml:"poll"`                        // 30s
	Phase      []time.Duration `yaml:"phase,one-or-many"`           // when each limiter first polls: evenly spread over one poll
	Push       bool            `yaml:"push"`                        // versions are sent to the limiters, too: false
	AdoptAfter time.Duration   `yaml:"adopt-after"`                 // from publishing to using, on wall clocks: 0s, as soon as it is there
	OnBadFile  string          `yaml:"on-bad-file,oneof=keep|drop"` // keep

	Limiters int             `yaml:"limiters"`             // 2
	Clients  int             `yaml:"clients"`              // 1
	Start    []time.Duration `yaml:"start,one-or-many"`    // of each client: 0s
	Every    []sim.Dist      `yaml:"every,one-or-many"`    // from one burst to the next: 1s
	Burst    []int           `yaml:"burst,one-or-many"`    // requests in it: 1
	Requests []int           `yaml:"requests,one-or-many"` // of a client in all: 0, without end
}

// Limits of the parameters.
const (
	maxVersions = 1000
	maxKeys     = 8
	maxTiers    = 16
	maxLimiters = 64
	maxClients  = 64
	maxBurst    = 100_000
	maxLength   = 1000 * time.Hour
)

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
	within("limiters", int64(p.Limiters), 1, maxLimiters)
	within("clients", int64(p.Clients), 1, maxClients)
	within("places", p.Places, 0, 1<<20)
	found.Length("poll", p.Poll, time.Millisecond, maxLength)
	found.Length("adopt-after", p.AdoptAfter, 0, maxLength)
	found.Length("flip", p.Flip, 0, maxLength)
	found.Length("soft-for", p.SoftFor, 0, maxLength)
	found.Length("deadline", p.Deadline, 0, maxLength)
	found.Count("send", len(p.Send), 1, maxKeys, "keys")
	if len(p.Tiers) > maxTiers {
		found.Bad("tiers", "want at most %d, got %d", maxTiers, len(p.Tiers))
	}
	if p.Flip > 0 && len(p.Tiers) < 2 {
		found.Bad("flip", "there is no other tier to go to")
	}
	if p.Soft > 0 && p.Algorithm != "log" {
		found.Bad("soft", "soft limits are of algorithm log, this is %s", p.Algorithm)
	}
	if p.OnChange != "as-is" && p.Algorithm != "bucket" {
		found.Bad("on-change", "only a bucket is changed, this is %s", p.Algorithm)
	}
	p.listProblems(&found)
	if len(found) == 0 {
		p.ruleProblems(&found)
	}
	return found
}

func (p *Params) listProblems(found *problems) {
	few := func(path string, n, most int, of string) {
		if n > most {
			found.Bad(path, "%d values for %d %s", n, most, of)
		}
	}
	few("phase", len(p.Phase), p.Limiters, "limiters")
	few("start", len(p.Start), p.Clients, "clients")
	few("every", len(p.Every), p.Clients, "clients")
	few("burst", len(p.Burst), p.Clients, "clients")
	few("requests", len(p.Requests), p.Clients, "clients")
	for _, d := range append(append([]time.Duration(nil), p.Phase...), p.Start...) {
		if d > maxLength {
			found.Bad("start", "want at most %v, got %v", maxLength, d)
		}
	}
	for i := range p.Every {
		if p.Every[i].Sample(1<<63) < 10*time.Microsecond {
			found.Bad("every", "want at least 10µs between two bursts, half of the time")
		}
	}
	for _, n := range p.Burst {
		found.Count("burst", n, 1, maxBurst, "requests")
	}
	for _, n := range p.Requests {
		if n < 0 {
			found.Bad("requests", "want 0 (without end) or more, got %d", n)
		}
	}
}

// ruleProblems are those of the files. A later version that does not load is no mistake:
// it is what a scenario may be about.
func (p *Params) ruleProblems(found *problems) {
	if len(p.Rules) == 0 || len(p.Rules) > maxVersions {
		found.Bad("rules", "want 1 to %d versions, got %d", maxVersions, len(p.Rules))
		return
	}
	for i, f := range p.Rules {
		switch {
		case i == 0 && f.At != 0:
			found.Bad("rules.0.at", "the first version is there from the start, got %v", f.At)
		case i > 0 && (f.At <= p.Rules[i-1].At || f.At > maxLength):
			found.Bad(fmt.Sprintf("rules.%d.at", i), "must be after %v and at most %v, got %v", p.Rules[i-1].At, maxLength, f.At)
		}
	}
	b, _, err := newBook(p)
	if err != nil {
		found.Bad("rules", "%v", err)
		return
	}
	if first := &b.versions[1]; first.problem != "" {
		found.Bad("rules.0.file", "the first version must load: %s", first.problem)
	}
}

// hard is the most that a soft limit admits.
func (p *Params) hard(limit int64) int64 { return limit + limit*p.Soft/1e9 }

// change is what becomes of a bucket.
func (p *Params) change() ratelimit.Change {
	switch p.OnChange {
	case "proportional":
		return ratelimit.Proportional
	case "additive":
		return ratelimit.Additive
	case "reset":
		return ratelimit.Fresh
	}
	return ratelimit.AsIs
}
