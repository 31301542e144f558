package chain

import (
	"math"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/values"
	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// problems collects what is wrong with the parameters.
type problems struct{ kit.Errors }

func (l *problems) count(path string, n, least, most int) {
	if n < least || n > most {
		l.Add(path, "want %d to %d, got %d", least, most, n)
	}
}

func (l *problems) length(path string, d *time.Duration, least, most time.Duration) {
	if d != nil && (*d < least || *d > most) {
		l.Add(path, "want %v to %v, got %v", least, most, *d)
	}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []kit.ValidationError {
	l := problems{kit.Validate(p)}
	l.count("clients", p.Clients, 1, maxClients)
	l.count("layers", p.Layers, 0, maxLayers)
	if p.Source != nil {
		l.count("source", *p.Source, 0, math.MaxInt32)
	}
	l.length("stagger", &p.Stagger, 0, maxLength)
	l.length("timeout", p.Timeout, 0, maxLength)
	for i := range p.Start {
		l.length("start", &p.Start[i], 0, maxLength)
	}
	for _, n := range p.Operations {
		l.count("operations", n, 0, math.MaxInt32)
	}
	if p.Operation == "keyed" && p.Database.None {
		l.Add("operation", "keyed: the database keeps the keys, and there is none: want a database, or idempotent or plain")
	}
	p.arrivals(&l)
	p.Retry.problems(&l, "retry", p)
	if p.LayerRetry != nil {
		p.LayerRetry.problems(&l, "layer-retry", p)
		if p.Layers == 0 {
			l.Add("layer-retry", "there are no layers")
		}
	}
	p.limiter(&l)
	p.database(&l)
	p.bounds(&l)
	return l.Errors
}

func (p *Params) arrivals(l *problems) {
	for _, list := range []struct {
		path string
		n    int
	}{{"start", len(p.Start)}, {"class", len(p.Class)}, {"rate", len(p.Rate)}, {"gap", len(p.Gap)}, {"operations", len(p.Operations)}} {
		if list.n > max(p.Clients, 1) {
			l.Add(list.path, "%d values for %d clients", list.n, p.Clients)
		}
	}
	if len(p.Rate) > 0 && len(p.Gap) > 0 {
		l.Add("gap", "a rate is given: want one of both")
	}
	if len(p.Gap) == 0 {
		return
	}
	for i := range min(max(len(p.Gap), len(p.Operations)), p.Clients) { // the longer list meets the last of the shorter
		gap, n := values.At(p.Gap, i, sim.Dist{}), values.At(p.Operations, i, 1)
		if gap.Most() <= 0 && (n == 0 || n > maxAtOnce) {
			l.Add("gap", "client-%d has operations without end, or more than %d, and nothing between them: want a gap above 0s", i+1, maxAtOnce)
			return
		}
	}
}

// problems finds what is wrong with a policy; above all one that calls without end while
// no time passes.
func (r *RetryParams) problems(l *problems, path string, p *Params) {
	l.count(path+".attempts", r.Attempts, 0, math.MaxInt32)
	l.count(path+".adaptive", r.Adaptive, 0, 1000)
	if r.Adaptive > 0 && r.Adaptive < 10 {
		l.Add(path+".adaptive", "want K in tenths, 10 (K = 1) to 1000, or 0 for none; got %d", r.Adaptive)
	}
	for _, d := range []struct {
		name string
		d    *time.Duration
	}{{"deadline", &r.Deadline}, {"base", r.Base}, {"cap", r.Cap}, {"grain", r.Grain}, {"jitter", &r.Jitter}} {
		l.length(path+"."+d.name, d.d, 0, maxLength)
	}
	b := r.backoff()
	if b.Cap > 0 && b.Cap < b.Base {
		l.Add(path+".cap", "want at least the base, %v, got %v", b.Base, b.Cap)
	}
	if b.Base > 0 && b.Base < b.Grain {
		l.Add(path+".base", "want at least the grain, %v, got %v", b.Grain, b.Base)
	}
	if r.RetryAfter == "ignored" && r.Jitter > 0 {
		l.Add(path+".jitter", "it is on top of a Retry-After, which is ignored")
	}
	told := r.RetryAfter != "ignored" && p.Limiter.RetryAfter != "none"
	if r.Attempts == 0 && (r.Backoff == "none" || b.Base == 0) && !told {
		l.Add(path+".attempts", "without end, and nothing between two calls: want attempts, a backoff, or a retry-after that is given and obeyed")
	}
}

func (p *Params) limiter(l *problems) {
	if usual := DefaultParams().Limiter; p.Limiter.Kind == "bucket" {
		if _, err := ratelimit.NewTokenBucket(p.Limiter.bucket()); err != nil {
			l.Add("limiter", "%s", err)
		}
	} else {
		if p.Limiter.Capacity != usual.Capacity {
			l.Add("limiter.capacity", "the limiter is of kind %s", p.Limiter.Kind)
		}
		if p.Limiter.Refill != usual.Refill {
			l.Add("limiter.refill", "the limiter is of kind %s", p.Limiter.Kind)
		}
	}
	l.count("limiter.credits", int(p.Limiter.Credits), 0, maxQueue)
	if behind := p.Limiter.Kind == "credits" || p.Limiter.sheds(); behind && p.Database.None {
		l.Add("limiter.kind", "nothing is behind the limiter that could grant credits")
	}
	if k := p.Limiter.Kind; k != "credits" && k != "shed-fleet" && p.Limiter.Credits != 0 {
		l.Add("limiter.credits", "the limiter is of kind %s", p.Limiter.Kind)
	}
	if patience := p.patience(); p.Limiter.Silent && patience == 0 {
		l.Add("limiter.silent", "a client that hears nothing and has no timeout waits forever")
	}
	p.shedding(l)
}

func (p *Params) database(l *problems) {
	d, usual := &p.Database, DefaultParams()
	if d.None && p.Queue != usual.Queue {
		l.Add("queue", "there is no database to wait for")
	}
	if d.None && (d.Workers != usual.Database.Workers || d.Service != nil || d.Expected != nil || d.Fails != 0) {
		l.Add("database", "none: true is all that can be said of it")
	}
	if drops := p.Queue.Drop == "expired" || p.Queue.Drop == "hopeless"; drops && p.layout().Timeout == 0 {
		l.Add("queue.drop", "a caller waits forever, so nothing is ever %s: want a timeout or a deadline", p.Queue.Drop)
	}
	l.count("queue.size", p.Queue.Size, 0, maxQueue)
	l.count("database.workers", d.Workers, 1, maxWorkers)
	l.count("database.fails", d.Fails, 0, math.MaxInt32)
	l.length("database.expected", d.Expected, 1, maxLength)
	if d.Service != nil && d.Service.Sample(1<<63) <= 0 {
		l.Add("database.service", "want a length whose median is above 0s; a database that takes no time is none: true")
	}
}

func (p *Params) bounds(l *problems) {
	if p.Bounds.Calls != nil {
		l.count("bounds.calls", *p.Bounds.Calls, 1, math.MaxInt32)
	}
	l.length("bounds.open", p.Bounds.Open, 1, maxLength)
	l.length("bounds.window", p.Bounds.Window, time.Millisecond, time.Hour)
	l.length("bounds.goodput-from", &p.Bounds.GoodputFrom, 0, maxLength)
}
