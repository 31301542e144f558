package idempotency

import (
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/models/idempotency/flow"
	"fencepost/models/idempotency/flows"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	program := p.compile(&found)
	if program != nil {
		p.roles(program, &found)
	}
	for i := range min(p.Clients, maxClients) {
		found.If(values.At(p.Intents, i, 1) == 0 && values.Brief(values.At(p.Gap, i, usualGap)), "gap", "client-%d has intents without end, and nothing between them: want a gap above 0s", i+1)
		timeout, backoff := values.At(p.Timeout, i, usualTimeout), values.At(p.Backoff, i, usualBackoff)
		found.If(values.At(p.Attempts, i, usualAttempts) == 0 && timeout >= 0 && values.Brief(backoff), "backoff", "client-%d has attempts without end, and nothing between them: want a backoff above 0s", i+1)
	}
	return found
}

// maxClients is as the range of the parameter says.
const maxClients = 64

// compile is the flow, nil if there is something wrong with it.
func (p *Params) compile(found *model.Errors) *flow.Program {
	name, text, path := p.Flow, p.Program, "program"
	switch {
	case name != "" && text != "":
		found.Add("program", "a flow is named: want one of both")
		return nil
	case text == "":
		if name == "" {
			name = "reference"
		}
		path = "flow"
		var ok bool
		if text, ok = flows.Text(name); !ok {
			found.Add("flow", "no flow %q%s; want one of %s", name, meant(name), strings.Join(flows.Names(), ", "))
			return nil
		}
	default:
		name = "program"
	}
	program, err := flow.Parse(name, text)
	if err == nil {
		return program
	}
	list := flow.Problems(err)
	for _, e := range list {
		found.Add(path, "line %d, column %d: %s", e.Line, e.Column, e.Message)
	}
	found.If(len(list) == 0, path, "%v", err)
	return nil
}

// meant is the flow whose name is nearest, for a message.
func meant(name string) string {
	if w := text.Nearest(name, flows.Names()); w != "" {
		return "; did you mean " + w + "?"
	}
	return ""
}

// roles refuses servers that would have nothing to run, and a flow that has nothing for
// clients: they send requests, or else events.
func (p *Params) roles(program *flow.Program, found *model.Errors) {
	path := "flow"
	if p.Program != "" {
		path = "program"
	}
	found.If(!program.Has(flow.Request) && !program.Has(flow.Event), path, "there is no `on request` and no `on event`: clients would get no answer")
	found.If(values.Or(p.Relays, 0) > 0 && !program.Has(flow.Every), "relays", "the flow has no `every`")
	found.If(values.Or(p.Consumers, 0) > 0 && !program.Has(flow.Event), "consumers", "the flow has no `on event`")
	if n := len(program.Effects); n > maxEffects {
		found.Add(path, "%d tables of effects: want at most %d", n, maxEffects)
	}
}

// What a params block leaves out.
var (
	usualGap     = sim.Constant(time.Second)
	usualBackoff = sim.Constant(200 * time.Millisecond)
)

const (
	usualTimeout  = 5 * time.Second
	usualAttempts = 10
)

// timed are the parameters that the flow reads.
func (p *Params) timed(usual flow.Params) flow.Params {
	for _, d := range []struct {
		into *time.Duration
		from *time.Duration
	}{{&usual.Lease, p.Lease}, {&usual.LockTTL, p.LockTTL}, {&usual.MaxWait, p.MaxWait}, {&usual.Poll, p.Poll},
		{&usual.TTL, p.TTL}, {&usual.LockTimeout, p.LockTimeout}, {&usual.ProviderTTL, p.ProviderTTL}} {
		if d.from != nil {
			*d.into = *d.from
		}
	}
	return usual
}

// within is how long an answer may take.
func (p *Params) within(timed flow.Params) time.Duration {
	if p.Bounds.Within != nil {
		return *p.Bounds.Within
	}
	longest := time.Duration(0)
	for i := range p.Clients {
		attempts := values.At(p.Attempts, i, usualAttempts)
		if attempts == 0 || attempts > usualAttempts {
			attempts = usualAttempts
		}
		backoff := values.At(p.Backoff, i, usualBackoff)
		each := values.At(p.Timeout, i, usualTimeout) + backoff.Most()
		longest = max(longest, time.Duration(attempts)*each)
	}
	return longest + timed.Lease + timed.MaxWait
}

var (
	usualWork = sim.Constant(10 * time.Millisecond)
	keyPers   = map[string]KeyPer{"call": KeyPerCall, "content": KeyOfContent, "content-and-time": KeyOfContentAndTime}

	isolations = map[string]sql.Isolation{"repeatable-read": sql.RepeatableRead, "serializable": sql.Serializable}
)

const usualBetween = 100 * time.Millisecond
