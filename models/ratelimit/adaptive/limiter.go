package adaptive

import (
	"time"

	"fencepost/sim"
)

// maxLate bounds how many samples late a measurement may be.
const maxLate = 16

// Limiter lets in as many requests at once as its controller says. It tells the controller
// of the round trips of each Sample together, or of each one; of the load of the plant's CPU it hears from the
// plant. Measurements reach the controller Late samples late, as from a system that
// collects them first.
type Limiter struct {
	Load, Plant  sim.NodeID
	Control      Controller
	Initial      int64
	Sample       time.Duration
	Each         bool          // it tells the controller of each round trip
	Late         int           // 0 to maxLate
	Saturated    bool          // there is always more to do than the limit allows
	IgnorePauses time.Duration // a step that comes so late means a pause, and round trips across it do not count; 0: they do

	inflight int64
	most     int64 // at once in this sample
	sum      time.Duration
	trips    int64
	ignored  int32
	pause    pause
	pending  [maxLate + 1]Sample
	waiting  int // of pending
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	l.pause.notice(in.Mono, l.IgnorePauses)
	switch m := in.Msg; m.Kind {
	case start:
		l.Control.Start(l.Initial)
		l.announce(out, 0, 0)
		out.Send(l.Plant, allowed(l.Control.Limit()))
		out.After(l.Sample, Msg{Kind: tick})
		l.pause.arm(out, l.IgnorePauses)
	case beat:
		l.pause.arm(out, l.IgnorePauses)
	case Request:
		l.request(in, out)
	case Done:
		l.done(in, out)
	case CPULoad:
		if l.Control.Algorithm == ByCPU {
			l.take(out, Sample{CPU: m.percent(), Inflight: l.busiest()})
		}
		out.Send(l.Plant, allowed(l.Control.Limit())) // again and again: a message may be lost
		l.most = l.inflight
	case tick:
		l.tick(out)
	default:
		panic("adaptive: the limiter got " + m.String())
	}
}

func (l *Limiter) request(in sim.In[Msg], out *sim.Out[Msg]) {
	if l.inflight >= l.Control.Limit() {
		out.Note(Msg{Kind: Refused})
		out.Send(l.Load, reply(&in.Msg, false))
		return
	}
	l.inflight++
	l.most = max(l.most, l.inflight)
	out.Send(l.Plant, work(&in.Msg, in.Mono))
}

func (l *Limiter) done(in sim.In[Msg], out *sim.Out[Msg]) {
	rtt := max(1, in.Mono.Sub(in.Msg.admitted()))
	switch {
	case l.IgnorePauses > 0 && (in.Msg.paused() || l.pause.since(in.Msg.admitted())):
		l.ignored++
	case l.Each && l.Control.Algorithm != ByCPU:
		l.take(out, Sample{RTT: rtt, Inflight: l.inflight})
	default:
		l.sum += rtt
		l.trips++
	}
	l.inflight = max(0, l.inflight-1) // after a crash answers come for requests of before
	out.Send(l.Load, reply(&in.Msg, true))
}

// busiest is how many requests were under way at once.
func (l *Limiter) busiest() int64 {
	if l.Saturated {
		return l.Control.Limit()
	}
	return l.most
}

// tick ends a sample of round trips. One without a round trip says nothing.
func (l *Limiter) tick(out *sim.Out[Msg]) {
	out.After(l.Sample, Msg{Kind: tick})
	if l.ignored > 0 {
		out.Note(ignored(int64(l.ignored)))
	}
	if l.Control.Algorithm != ByCPU {
		if l.trips > 0 {
			l.take(out, Sample{RTT: max(1, l.sum/time.Duration(l.trips)), Inflight: l.busiest()})
		}
		l.most = l.inflight
	}
	l.sum, l.trips, l.ignored = 0, 0, 0
}

// take hands the controller the sample that is due now.
func (l *Limiter) take(out *sim.Out[Msg], s Sample) {
	l.pending[l.waiting] = s
	l.waiting++
	if l.waiting <= l.Late {
		return
	}
	due := l.pending[0]
	copy(l.pending[:], l.pending[1:l.waiting])
	l.waiting--
	before := l.Control.Limit()
	l.Control.Update(due)
	l.announce(out, before, due.Inflight)
}

func (l *Limiter) announce(out *sim.Out[Msg], before, inflight int64) {
	if limit := l.Control.Limit(); limit != before {
		out.Note(limited(limit, before, inflight))
	}
}

// pause notices that a process was stopped: it is awake at least every quarter of a
// threshold, and a clock that has advanced by more between two steps says that it slept.
type pause struct {
	seen  sim.Mono // at the last step
	end   sim.Mono // of the last pause
	slept bool
}

func (p *pause) notice(now sim.Mono, threshold time.Duration) {
	if threshold > 0 && now.Sub(p.seen) > threshold {
		p.end, p.slept = now, true
	}
	p.seen = now
}

func (p *pause) arm(out *sim.Out[Msg], threshold time.Duration) {
	if threshold > 0 {
		out.After(threshold/4, Msg{Kind: beat})
	}
}

// since reports whether a pause has ended since then.
func (p *pause) since(then sim.Mono) bool { return p.slept && p.end >= then }
