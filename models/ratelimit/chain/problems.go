package chain

import (
	"fencepost/models/ratelimit"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	found.If(p.Operation == "keyed" && p.Database.None, "operation", "keyed: the database keeps the keys, and there is none: want a database, or idempotent or plain")
	p.arrivals(&found)
	p.Retry.problems(&found, "retry", p)
	if p.LayerRetry != nil {
		p.LayerRetry.problems(&found, "layer-retry", p)
		found.If(p.Layers == 0, "layer-retry", "there are no layers")
	}
	p.limiter(&found)
	p.shedding(&found)
	p.database(&found)
	return found
}

func (p *Params) arrivals(found *model.Errors) {
	found.If(len(p.Rate) > 0 && len(p.Gap) > 0, "gap", "a rate is given: want one of both")
	if len(p.Gap) == 0 {
		return
	}
	for i := range min(max(len(p.Gap), len(p.Operations)), p.Clients) { // the longer list meets the last of the shorter
		gap, n := values.At(p.Gap, i, sim.Dist{}), values.At(p.Operations, i, 1)
		if gap.Most() <= 0 && (n == 0 || n > maxAtOnce) {
			found.Add("gap", "client-%d has operations without end, or more than %d, and nothing between them: want a gap above 0s", i+1, maxAtOnce)
			return
		}
	}
}

// problems finds what is wrong with a policy; above all one that calls without end while
// no time passes.
func (r *RetryParams) problems(found *model.Errors, path string, p *Params) {
	found.If(r.Adaptive > 0 && r.Adaptive < 10, path+".adaptive", "want K in tenths, 10 (K = 1) to 1000, or 0 for none; got %d", r.Adaptive)
	b := r.backoff()
	found.If(b.Cap > 0 && b.Cap < b.Base, path+".cap", "want at least the base, %v, got %v", b.Base, b.Cap)
	found.If(b.Base > 0 && b.Base < b.Grain, path+".base", "want at least the grain, %v, got %v", b.Grain, b.Base)
	found.If(r.RetryAfter == "ignored" && r.Jitter > 0, path+".jitter", "it is on top of a Retry-After, which is ignored")
	told := r.RetryAfter != "ignored" && p.Limiter.RetryAfter != "none"
	found.If(r.Attempts == 0 && (r.Backoff == "none" || b.Base == 0) && !told, path+".attempts", "without end, and nothing between two calls: want attempts, a backoff, or a retry-after that is given and obeyed")
}

func (p *Params) limiter(found *model.Errors) {
	if p.Limiter.Kind == "bucket" {
		if _, err := ratelimit.NewTokenBucket(p.Limiter.bucket()); err != nil {
			found.Add("limiter", "%s", err)
		}
	}
	if behind := p.Limiter.Kind == "credits" || p.Limiter.sheds(); behind && p.Database.None {
		found.Add("limiter.kind", "nothing is behind the limiter that could grant credits")
	}
	if patience := p.patience(); p.Limiter.Silent && patience == 0 {
		found.Add("limiter.silent", "a client that hears nothing and has no timeout waits forever")
	}
}

func (p *Params) database(found *model.Errors) {
	d, usual := &p.Database, DefaultParams()
	found.If(d.None && p.Queue != usual.Queue, "queue", "there is no database to wait for")
	found.If(d.None && (d.Workers != usual.Database.Workers || d.Service != nil || d.Expected != nil || d.Fails != 0), "database", "none: true is all that can be said of it")
	if drops := p.Queue.Drop == "expired" || p.Queue.Drop == "hopeless"; drops && p.layout().Timeout == 0 {
		found.Add("queue.drop", "a caller waits forever, so nothing is ever %s: want a timeout or a deadline", p.Queue.Drop)
	}
	found.If(d.Service != nil && d.Service.Sample(1<<63) <= 0, "database.service", "want a length whose median is above 0s; a database that takes no time is none: true")
}
