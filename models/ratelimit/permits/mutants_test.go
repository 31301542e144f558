package permits

import (
	"testing"

	"fencepost/sim"
)

// Each property has a mutant here that violates it, and without the mutation it does not:
// a checker that cannot fail is a defect. What the middleware of the source violates is
// in vectors_test.go.

// keeper never takes a permit back.
type keeper struct{ FixedLimiter }

func (k *keeper) Reset(initial *keeper) { k.FixedLimiter.Reset(&initial.FixedLimiter) }

func (k *keeper) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == finish {
		k.finished(out, in.Msg.Rid)
		return
	}
	k.FixedLimiter.Step(in, out)
}

// giver takes a permit back twice.
type giver struct{ FixedLimiter }

func (g *giver) Reset(initial *giver) { g.FixedLimiter.Reset(&initial.FixedLimiter) }

func (g *giver) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	g.FixedLimiter.Step(in, out)
	if in.Msg.Kind == finish {
		g.release(in, out, in.Msg.Rid)
	}
}

// mute tells nobody that its time is over.
type mute struct{ FixedLimiter }

func (m *mute) Reset(initial *mute) { m.FixedLimiter.Reset(&initial.FixedLimiter) }

func (m *mute) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == expire {
		m.Limit.Leave(in.Msg.Rid)
		return
	}
	m.FixedLimiter.Step(in, out)
}

// lingerer tells those whose time is over, and lets them wait on.
type lingerer struct{ FixedLimiter }

func (l *lingerer) Reset(initial *lingerer) { l.FixedLimiter.Reset(&initial.FixedLimiter) }

func (l *lingerer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == expire {
		answer(out, in.Msg.Rid, Unavailable)
		return
	}
	in.Mono = 0 // it does not look at deadlines
	l.FixedLimiter.Step(in, out)
}

// stutterer answers a request that is done twice.
type stutterer struct{ FixedLimiter }

func (s *stutterer) Reset(initial *stutterer) { s.FixedLimiter.Reset(&initial.FixedLimiter) }

func (s *stutterer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	s.FixedLimiter.Step(in, out)
	if in.Msg.Kind == finish {
		answer(out, in.Msg.Rid, OK)
	}
}

// deaf does not listen to a kind of message but for saying that it has come.
type deaf struct {
	FixedLimiter
	to, note sim.Kind
}

func (d *deaf) Reset(initial *deaf) {
	d.FixedLimiter.Reset(&initial.FixedLimiter)
	d.to, d.note = initial.to, initial.note
}

func (d *deaf) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != d.to {
		d.FixedLimiter.Step(in, out)
	} else if d.note != 0 {
		out.Note(Msg{Kind: d.note, Rid: in.Msg.Rid})
	}
}

// mixed is a run of the fixed algorithm in which everything that the properties check
// happens: one request is served, one waits, one waits in vain and one is refused.
func mixed(p *Params) {
	p.Clients, p.Queue, p.Timeout = 4, ptr(2), ptr(70*ms)
	p.Start, p.Work = list(0, 10, 20, 30), works(50, 100, 20)
	p.Patience = list(0, 0, 200, 0)
}

func TestMutants(t *testing.T) {
	type limiter = FixedLimiter
	place := func(change func(*limiter)) func(limiter) sim.Spec[Msg] {
		return func(l limiter) sim.Spec[Msg] {
			change(&l)
			return sim.Place[Msg]("limiter-1", l)
		}
	}
	for _, v := range []struct {
		property string
		what     string
		first    sim.Time
		set      func(*Params)
		mutant   func(limiter) sim.Spec[Msg]
	}{
		{"permits-conserved", "a permit is kept", at(50), nil,
			func(l limiter) sim.Spec[Msg] { return sim.Place[Msg]("limiter-1", keeper{l}) }},
		{"permits-conserved", "a permit is given back twice", at(50), nil,
			func(l limiter) sim.Spec[Msg] { return sim.Place[Msg]("limiter-1", giver{l}) }},
		{"permits-conserved", "one permit more", at(10), nil, place(func(l *limiter) { l.Limit.Permits++ })},
		{"concurrency-limit", "one permit more", at(10), nil, place(func(l *limiter) { l.Limit.Permits++ })},
		{"fifo", "the newest first", at(110), func(p *Params) { p.Work, p.Timeout, p.Patience = works(50, 10, 60), ptr(200*ms), nil },
			place(func(l *limiter) { l.Limit.LIFO = true })},
		{"one-answer", "nobody is told that its time is over", at(91), nil,
			func(l limiter) sim.Spec[Msg] { return sim.Place[Msg]("limiter-1", mute{l}) }},
		{"one-answer", "two answers", at(50), nil,
			func(l limiter) sim.Spec[Msg] { return sim.Place[Msg]("limiter-1", stutterer{l}) }},
		{"queue-bound", "one place more", at(30), nil, place(func(l *limiter) { l.Limit.Queue++ })},
		{"no-start-after-drain", "a shutdown is not heard", at(50), func(p *Params) { p.Shutdown = list(40) },
			func(l limiter) sim.Spec[Msg] {
				return sim.Place[Msg]("limiter-1", deaf{l, Shutdown, Draining})
			}},
		{"drains", "a shutdown is not heard", at(41), func(p *Params) { p.Shutdown = list(40) },
			func(l limiter) sim.Spec[Msg] {
				return sim.Place[Msg]("limiter-1", deaf{l, Shutdown, Draining})
			}},
		{"drains", "the end of the draining is not heard", at(141), func(p *Params) {
			p.Shutdown, p.Work, p.Drain = list(40), works(500), ptr(100*ms)
		}, func(l limiter) sim.Spec[Msg] { return sim.Place[Msg]("limiter-1", deaf{l, drainTimeout, 0}) }},
		{"no-start-for-gone", "who has been told 503 still waits", at(100), func(p *Params) { p.Work = works(100) },
			func(l limiter) sim.Spec[Msg] { return sim.Place[Msg]("limiter-1", lingerer{l}) }},
		{"no-start-for-gone", "a cancellation is not heard", at(50), func(p *Params) { p.Patience = list(0, 20, 0, 0) },
			func(l limiter) sim.Spec[Msg] {
				return sim.Place[Msg]("limiter-1", deaf{l, Cancel, Cancelled})
			}},
	} {
		t.Run(v.property+": "+v.what, func(t *testing.T) {
			p := fixed(mixed)
			if v.set != nil {
				v.set(&p)
			}
			play(t, p).OnlyViolates()
			r := playSystem(t, func() sim.System[Msg] {
				s := p.System()
				for i, n := range s.Nodes {
					if n.Name == "limiter-1" {
						s.Nodes[i] = v.mutant(FixedLimiter{executor: newExecutor(forEach(p.Clients, p.Work, sim.Dist{})), Timeout: p.timeout(), Drain: p.drain(),
							Limit: Fixed{Permits: p.Permits, Queue: p.queue()}})
					}
				}
				return s
			})
			r.Violated(v.property, v.first)
		})
	}
}
