package policy

import (
	"time"

	"fencepost/sim"
)

// Limiter decides each request by the version of the rules that it has: load, validate, swap.
// It begins with the first one and asks for the latest every so often, by its monotonic
// clock.
type Limiter struct {
	Store, Counters sim.NodeID
	Poll            time.Duration
	Phase           time.Duration // when it first asks
	AdoptAfter      time.Duration // from when a version was published to when all use it, on wall clocks; 0: each as soon as it has it
	DropOnBad       bool          // a file that does not load leaves it without rules
	Clients         sim.NodeID    // the first; the others follow
	book            *book         // shared, never written

	version int16 // in use
	seen    int16 // the latest that it has read
	stored  bool  // what it uses is on its disk
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		if !l.stored {
			l.version, l.seen, l.stored = 1, 1, true
		}
		out.Note(Msg{Kind: Adopted, Version: l.version})
		out.After(l.Phase, Msg{Kind: poll})
	case poll:
		out.Send(l.Store, Msg{Kind: Poll})
		out.After(l.Poll, Msg{Kind: poll})
	case File:
		l.load(in, out)
	case adopt:
		l.adopt(out, m.Version)
	case Request:
		m.Kind, m.Version = Take, l.version
		out.Send(l.Counters, m)
	case Taken:
		l.decide(in, out)
	case begin:
		out.Note(begun(m.Client, in.Mono.Sub(m.since())))
		out.Send(l.client(m), Msg{Kind: Response, OK: true})
	default:
		panic("policy: a limiter got " + m.String())
	}
}

// load reads a version that it has not seen yet.
func (l *Limiter) load(in sim.In[Msg], out *sim.Out[Msg]) {
	v := in.Msg.Version
	if v <= l.seen {
		return
	}
	l.seen = v
	switch {
	case l.book.versions[v].problem != "":
		out.Note(Msg{Kind: BadFile, Version: v})
		if l.DropOnBad {
			l.version = 0
			out.Note(Msg{Kind: Adopted})
		}
	case l.AdoptAfter > 0:
		out.At(in.Msg.published().Add(l.AdoptAfter), Msg{Kind: adopt, Version: v})
	default:
		l.adopt(out, v)
	}
}

func (l *Limiter) adopt(out *sim.Out[Msg], v int16) {
	if v > l.version {
		l.version = v
		out.Note(Msg{Kind: Adopted, Version: v})
	}
}

// decide passes on what the counters say: at once, or when a request that waits has its
// turn.
func (l *Limiter) decide(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	m.Kind = Decided
	out.Note(m)
	if m.OK && m.wait() > 0 {
		out.After(m.wait(), waiting(m.Client, in.Mono))
		return
	}
	out.Send(l.client(m), Msg{Kind: Response, OK: m.OK})
}

func (l *Limiter) client(m Msg) sim.NodeID { return l.Clients + sim.NodeID(m.Client) }

// Recover implements [sim.Recoverer]: the version in use is on its disk. One that it was
// about to adopt is not, and is read again.
func (l *Limiter) Recover(before *Limiter) {
	l.version, l.seen, l.stored = before.version, before.version, before.stored
}
