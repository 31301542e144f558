package process

import (
	"time"

	"fencepost/sim"
)

// Pattern is who sends to whom.
type Pattern uint8

// The patterns of which no event is written down.
const (
	Ring         Pattern = iota // to the next process
	Random                      // to any other, each equally often
	ClientServer                // to the first process, which sends a reply
	Gossip                      // to any other, which sends a reply
)

// answers reports whether who receives a message sends a reply.
func (p Pattern) answers() bool { return p == ClientServer || p == Gossip }

// Process makes events of its own, the gap apart: some local ones, then a send, and so
// on. Processes are the nodes 1 to Processes.
type Process struct {
	Pattern   Pattern
	Processes int
	Gap       sim.Dist
	Events    int  // of its own, 0 is without end
	Locals    int  // between two sends
	Serves    bool // it makes no events of its own

	life
	made  int      // events of its own
	asked sim.Mono // when it began to choose whom to send to
}

// Reset implements [sim.Resetter].
func (p *Process) Reset(initial *Process) {
	l := p.life
	*p = *initial
	p.life = l
	p.life.reset(&initial.life)
}

// Recover implements [sim.Recoverer]. How many events it still has to make is the
// scenario's, not the process's.
func (p *Process) Recover(before *Process) {
	p.life.recover(&before.life)
	p.made = before.made
}

// Step implements [sim.Node].
func (p *Process) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case start:
		p.life.persist(&in, out)
		p.rest(out)
	case persist:
		p.life.persist(&in, out)
	case next:
		p.next(&in, out)
	case pick:
		p.sendTo(&in, out, p.other(in.Self, in.Mono.Sub(p.asked)))
	case Message:
		if _, ok := p.receive(&in, out, uint16(in.From), &in.Msg, noEvent); ok && p.Pattern.answers() {
			if m, ok := p.send(&in, out, noEvent); ok {
				m.Kind = Reply
				out.Send(in.From, m)
			}
		}
	case Reply:
		p.receive(&in, out, uint16(in.From), &in.Msg, noEvent)
	default:
		panic("process: a process got " + in.Msg.String())
	}
}

// rest lets a gap pass until the next event of the process's own.
func (p *Process) rest(out *sim.Out[Msg]) {
	if !p.Serves && (p.Events == 0 || p.made < p.Events) {
		out.AfterDraw(p.Gap, Msg{Kind: next})
	}
}

// next is an event of the process's own. Whom to send to is drawn as the length of a
// timer: each other process is a nanosecond of it.
func (p *Process) next(in *sim.In[Msg], out *sim.Out[Msg]) {
	switch {
	case p.made%(p.Locals+1) < p.Locals:
		if p.local(in, out, noEvent) {
			p.made++
		}
		p.rest(out)
	case p.Pattern == Ring:
		p.sendTo(in, out, sim.NodeID(int(in.Self)%p.Processes+1))
	case p.Pattern == ClientServer:
		p.sendTo(in, out, 1)
	default:
		p.asked = in.Mono
		out.AfterDraw(sim.Uniform(0, time.Duration(p.Processes-1)), Msg{Kind: pick})
	}
}

// other is the nth of the other processes, from 0. A process that was stopped meanwhile
// counts on from the first.
func (p *Process) other(self sim.NodeID, nth time.Duration) sim.NodeID {
	id := sim.NodeID(nth%time.Duration(p.Processes-1)) + 1
	if id >= self {
		id++
	}
	return id
}

// sendTo is a send. A clock that refuses it is asked again after the next gap.
func (p *Process) sendTo(in *sim.In[Msg], out *sim.Out[Msg], to sim.NodeID) {
	if m, ok := p.send(in, out, noEvent); ok {
		p.made++
		out.Send(to, m)
	}
	p.rest(out)
}
