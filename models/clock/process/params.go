package process

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"fencepost/models/clock"
	"fencepost/models/clock/script"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Clock  string   `yaml:"clock,oneof=wall|lamport|vector|pruned|hlc"`                                                               // lamport
	Claims []string `yaml:"claims,one-or-many,oneof=orders-causally|detects-concurrency|total-order|close-to-physical|counter-bound"` // what the clock is held to: what it promises

	Pattern   string    `yaml:"pattern,oneof=script|ring|random|client-server|gossip"`                                                                       // who sends to whom: script, if there is one, else random
	Processes int       `yaml:"processes" range:"2..1024" because:"the oracle of what happened before what keeps of each receipt a number for each process"` // 3; of a script, those that it has
	Events    *int      `yaml:"events" range:"0..16777216"`                                                                                                  // that each process makes of its own: 10; 0 is without end
	Locals    int       `yaml:"locals" range:"0..16777216"`                                                                                                  // local events between two sends: 0
	Gap       *sim.Dist `yaml:"gap" range:"0s..1000h"`                                                                                                       // between events of a process's own: 10ms; of a script, after each event: 0s

	Script string `yaml:"script"`                               // the events of each process and its messages, see package script
	Stamps string `yaml:"stamps"`                               // of each process, in the order of its events, what as-written wants: none
	Then   []int  `yaml:"then,one-or-many" range:"0..16777216"` // by process: local events after those of the script: 0

	Granule time.Duration  `yaml:"granule" range:"0s..1000h"` // a wall clock shows multiples of it: 0s, every nanosecond
	Epsilon *time.Duration `yaml:"epsilon" range:"0s..1000h"` // how close wall clocks are claimed to be: not claimed

	QueryFrom *time.Duration `yaml:"query-from" range:"0s..1000h"` // which events a query by stamp finds from here, in time of day: no query
	QueryTo   *time.Duration `yaml:"query-to" range:"0s..1000h"`   // and before this

	Durable bool   `yaml:"durable"`                                            // the clock survives a crash; of hlc: a bound does
	Rules   string `yaml:"rules,oneof=once|literal" of:"clock=lamport|vector"` // of lamport and vector: a send ticks once; or twice, as S4 reads literally: once
	Keep    int    `yaml:"keep" range:"1..1024"`                               // of pruned: entries: 10

	MaxOffset    time.Duration `yaml:"max-offset" range:"0s..1000h"`      // of hlc: refuse messages from further ahead: 0s, none
	MaxCounter   int64         `yaml:"max-counter" range:"1..4294967295"` // of hlc: the largest c: 4294967295
	Overflow     string        `yaml:"overflow,oneof=carry|wait"`         // of hlc: a full counter carries into l; or the event is refused: carry
	PersistEvery time.Duration `yaml:"persist-every" range:"1ms..1000h"`  // of hlc, durable: 1s
	PersistAhead time.Duration `yaml:"persist-ahead" range:"1ns..1000h"`  // of hlc, durable: how far the bound is ahead of l: 3s
}

// Limits of the parameters.
const (
	maxAtOnce = 100_000 // events between which no time need pass
	leastGap  = time.Microsecond
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Clock: "lamport", Processes: 3, Rules: "once", Keep: 10, MaxCounter: math.MaxUint32, Overflow: "carry",
		PersistEvery: time.Second, PersistAhead: 3 * time.Second}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	if p.scripted() {
		p.scriptProblems(&found)
	} else {
		p.patternProblems(&found)
	}
	found.If(p.Epsilon == nil && slices.Contains(p.Claims, "close-to-physical") && (p.Clock == "wall" || p.Clock == "hlc"), "epsilon", "close-to-physical is claimed: say how close, as in 10ms")
	const missing = "is missing: a query has both ends, query-from and query-to"
	found.If(p.QueryFrom == nil && p.QueryTo != nil, "query-from", missing)
	found.If(p.QueryFrom != nil && p.QueryTo == nil, "query-to", missing)
	q := values.Or(p.query(), query{0, 1})
	found.If(q.to <= q.from, "query-to", "want it after query-from, which is %v, got %v", time.Duration(q.from), time.Duration(q.to))
	return found
}

// query is the one that is asked, nil if none is.
func (p *Params) query() *query {
	if p.QueryFrom == nil || p.QueryTo == nil {
		return nil
	}
	return &query{int64(*p.QueryFrom), int64(*p.QueryTo)}
}

// scripted reports whether the events are written down.
func (p *Params) scripted() bool { return p.Pattern == "script" || p.Pattern == "" && p.Script != "" }

func (p *Params) scriptProblems(found *model.Errors) {
	const written = "the script says which events there are"
	found.If(p.Processes != 3, "processes", written)
	found.If(p.Events != nil, "events", written)
	found.If(p.Locals != 0, "locals", written)
	s, err := script.Parse(p.Script)
	switch {
	case err != nil:
		found.AddLines("script", err)
		return
	case len(s.Events) == 0:
		found.Add("script", "there is no event: want lines such as A: a1 a2, and a1 -> b1")
		return
	case len(s.Events)*(eventNumbers+len(s.Processes)) > maxNumbers && !p.isScalar():
		found.Add("script", "%d events of %d processes are too many for vectors", len(s.Events), len(s.Processes))
	}
	found.If(len(p.Then) > len(s.Processes), "then", "%d values for %d processes", len(p.Then), len(s.Processes))
	for i, n := range p.Then {
		found.If(n > maxAtOnce && tooShort(p.gap()), fmt.Sprintf("then.%d", i), "want at least %v of gap for more than %d events, got %d", leastGap, maxAtOnce, n)
	}
	p.stamps(s, func(line int, format string, args ...any) {
		found.Add("stamps", "line %d: %s", line, fmt.Sprintf(format, args...))
	})
}

// stamps are those that as-written wants, nil if none are written.
func (p *Params) stamps(s *script.Script, bad func(line int, format string, args ...any)) []expected {
	r := stampReader{script: s, kind: p.Clock, bad: bad}
	if p.Stamps != "" {
		r.read(p.Stamps)
	}
	return r.want
}

func (p *Params) patternProblems(found *model.Errors) {
	unread := "is for pattern: script, the pattern is " + cmp.Or(p.Pattern, "random")
	found.If(p.Script != "", "script", "%s", unread)
	found.If(p.Stamps != "", "stamps", "%s", unread)
	found.If(len(p.Then) > 0, "then", "%s", unread)
	found.If(tooShort(p.gap()), "gap", "want at least %v, got %v", leastGap, p.gap())
}

// tooShort reports whether a gap is less than the least one half of the time.
func tooShort(gap sim.Dist) bool { return gap.Sample(1<<63) < leastGap }

// gap is the one that is given, or that of the pattern.
func (p *Params) gap() sim.Dist {
	if p.scripted() {
		return values.Or(p.Gap, sim.Dist{})
	}
	return values.Or(p.Gap, sim.Constant(10*time.Millisecond))
}

// isScalar reports whether stamps are numbers.
func (p *Params) isScalar() bool { return p.Clock != "vector" && p.Clock != "pruned" }

// overflows are what a full counter of a hybrid clock does: it carries, if nothing is said.
var overflows = map[string]clock.Overflow{"wait": clock.Wait}

// clock is the one of a process, from 0.
func (p *Params) clock(self, processes int) Clock {
	switch p.Clock {
	case "wall":
		return &wall{}
	case "vector":
		return newVector(self, processes, p.Durable)
	case "pruned":
		return &pruned{self: uint32(self), durable: p.Durable,
			limits: clock.PruneLimits{Small: p.Keep, Big: p.Keep, Young: math.MinInt64, Old: math.MaxInt64}}
	case "hlc":
		return newHybrid(clock.HLCParams{MaxOffset: p.MaxOffset, MaxCounter: uint32(p.MaxCounter), Durable: p.Durable, Overflow: overflows[p.Overflow]}, p.PersistAhead)
	}
	return &lamport{durable: p.Durable}
}
