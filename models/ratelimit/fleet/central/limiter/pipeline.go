package limiter

import (
	"time"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Pipeline holds the commands of a limiter and sends them at once, when there are enough of them or the first has
// waited long enough.
//
// Source: Redis documentation, "Redis pipelining"; S0 13.2 of docs/sources.md.
type Pipeline struct {
	Most  int           // commands in a flush; 0 and 1: none is held
	Flush time.Duration // longest that one is held

	held    []message.Msg
	flushes uint64
}

// send sends a command to the store, or holds it until the next flush.
func (l *Limiter) send(out *sim.Out[message.Msg], to sim.NodeID, m message.Msg) {
	p := &l.Pipeline
	if p.Most <= 1 {
		out.Send(to, m)
		return
	}
	if p.held = append(p.held, m); len(p.held) == 1 {
		out.After(p.Flush, message.NewFlush(p.flushes))
	}
	if len(p.held) == p.Most {
		l.flush(out)
	}
}

// flush sends what is held. The timer of this flush has no effect any more.
func (l *Limiter) flush(out *sim.Out[message.Msg]) {
	for _, m := range l.Pipeline.held {
		out.Send(l.Store, m)
	}
	l.Pipeline.held = l.Pipeline.held[:0]
	l.Pipeline.flushes++
}
