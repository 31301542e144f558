package chain

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/retry"
	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// What a params block leaves out.
const (
	usualTimeout = 5 * time.Second
	usualBase    = 100 * time.Millisecond
	usualCap     = 10 * time.Second
	usualGrain   = time.Millisecond
	usualService = 10 * time.Millisecond
)

// client is the i-th client, from 0.
func (p *Params) client(i int, next sim.NodeID) Client {
	c := p.Retry.client()
	c.Next = next
	c.Start = values.At(p.Start, i, 0) + time.Duration(i+1)*p.Stagger
	c.Operations = values.At(p.Operations, i, 1)
	if len(p.Gap) > 0 {
		c.Gap = values.At(p.Gap, i, sim.Dist{})
	} else {
		c.Rate = values.At(p.Rate, i, traffic.Rate{Requests: 100, Per: time.Second})
	}
	c.Class = values.At(p.Class, i, shed.Critical)
	c.Timeout = p.patience()
	c.Operation = operations[p.Operation]
	p.source(&c, i)
	return c
}

// layer is the i-th service between clients and limiter, from 0.
func (p *Params) layer(i int, next sim.NodeID) Client {
	r := &p.Retry
	if p.LayerRetry != nil {
		r = p.LayerRetry
	}
	c := r.client()
	c.Next, c.Layer = next, true
	c.Timeout = p.patience()
	c.Operation = operations[p.Operation]
	p.source(&c, p.Clients+i)
	return c
}

// source is where the generator of the i-th caller, from 0, begins: unless it is given, at a
// draw, if anything of the policy is drawn at all.
func (p *Params) source(c *Client, i int) {
	c.Source = retry.SplitMix64(values.Or(p.Source, 0) + i + 1)
	jitter := c.Allowance.Attempts != 1 && (c.Backoff.Draws() || c.After.Draws())
	c.Draws = p.Source == nil && (jitter || c.Adaptive.K > 0)
}

var operations = map[string]retry.Operation{"idempotent": retry.Idempotent, "keyed": retry.Keyed, "plain": retry.Plain}

// client is a client with the policy.
func (r *RetryParams) client() Client {
	grain := values.Or(r.Grain, usualGrain)
	kinds := map[string]retry.BudgetKind{"quota": retry.QuotaBudget, "grpc": retry.GRPCBudget, "ratio": retry.RatioBudget}
	c := Client{
		Blind:     r.Blind,
		Backoff:   r.backoff(),
		After:     retry.After{Ignored: r.RetryAfter == "ignored", Jitter: r.Jitter, Grain: grain},
		Allowance: retry.Allowance{Attempts: r.Attempts, Deadline: r.Deadline},
		Oversleep: r.Backoff == "oversleep",
		Adaptive:  retry.Adaptive{K: int64(r.Adaptive)},
	}
	if kind, ok := kinds[r.Budget]; ok {
		c.Budget = retry.NewBudget(kind)
	}
	return c
}

func (r *RetryParams) backoff() retry.Backoff {
	kinds := map[string]retry.Kind{"none": retry.None, "fixed": retry.Fixed, "exponential": retry.Exponential, "oversleep": retry.Exponential,
		"equal": retry.Equal, "decorrelated": retry.Decorrelated}
	kind, ok := kinds[r.Backoff]
	if !ok {
		kind = retry.Full
	}
	base := usualBase
	if r.Backoff == "oversleep" {
		base = 20 * time.Millisecond // 10 ms times 2^attempt, see retry.Loop001
	}
	base = values.Or(r.Base, base)
	return retry.Backoff{Kind: kind, Base: base, Cap: values.Or(r.Cap, max(usualCap, base)), Grain: values.Or(r.Grain, usualGrain)}
}

// patience is how long a call is waited for.
func (p *Params) patience() time.Duration { return values.Or(p.Timeout, usualTimeout) }

func (p *LimiterParams) bucket() ratelimit.TokenBucketParams {
	return ratelimit.TokenBucketParams{Capacity: p.Capacity, Refill: ratelimit.Rate{Tokens: p.Refill.Requests, Per: p.Refill.Per}}
}

func (p *Params) refusal() Refusal {
	wishes := map[string]Wish{"exact": Exact, "none": NoWish}
	r := Refusal{Wish: WholeSeconds, Silent: p.Limiter.Silent}
	if w, ok := wishes[p.Limiter.RetryAfter]; ok {
		r.Wish = w
	}
	return r
}

// expected is how long a worker should take.
func (p *Params) expected() time.Duration {
	service := p.service()
	return values.Or(p.Database.Expected, max(1, service.Sample(1<<63)))
}

func (p *Params) service() sim.Dist { return values.Or(p.Database.Service, sim.Constant(usualService)) }

// limiterNode is the limiter, but for what is behind it.
func (p *Params) limiterNode() Limiter {
	l := Limiter{Refusal: p.refusal(), Retry: max(1, p.expected()/time.Duration(p.Database.Workers))}
	switch p.Limiter.Kind {
	case "bucket":
		l.Entry = Bucket
		l.Rule, _ = ratelimit.NewTokenBucket(p.Limiter.bucket()) // Problems has looked at it
	case "credits":
		l.Entry, l.Credits = Credits, p.credits()
	case "shed-fleet":
		l.Entry, l.Fleet = ShedFleet, p.fleet()
	case "shed-worker":
		l.Entry, l.Credits, l.Worker = ShedWorker, int64(p.Database.Workers), p.worker()
	}
	return l
}

// credits are how many requests may be behind the limiter at once.
func (p *Params) credits() int64 {
	if p.Limiter.Credits == 0 {
		return int64(p.Database.Workers)
	}
	return p.Limiter.Credits
}

func (p *Params) fleet() shed.Fleet {
	return shed.Fleet{Capacity: p.credits(), Reserved: values.Or(p.Limiter.Shed.Reserved, 200)}
}

func (p *Params) worker() shed.Worker {
	s := &p.Limiter.Shed
	low := values.Or(s.Low, 1)
	return shed.Worker{Low: low, High: values.Or(s.High, max(low, int64(p.Database.Workers)/2)), Every: values.Or(s.Every, 10*time.Second)}
}

func (p *Params) queueNode() Queue {
	drops := map[string]Drop{"expired": DropExpired, "hopeless": DropHopeless}
	return Queue{Size: p.Queue.Size, Newest: p.Queue.Order == "lifo", Drop: drops[p.Queue.Drop], Expected: p.expected(), Refusal: p.refusal(), Workers: int64(p.Database.Workers)}
}
