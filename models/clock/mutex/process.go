package mutex

import (
	"time"

	"fencepost/sim"
)

// algorithm is an [Algorithm] that can be part of the state of a node.
type algorithm[A any] interface {
	*A
	Algorithm
	Reset(initial *A)
	Recover(before *A, everything bool)
}

// What a process keeps across a crash.
type durability uint8

const (
	keepsNothing durability = iota
	keepsClock
	keepsEverything // but for the messages that come while it is down
)

// phase is what a process is about.
type phase uint8

const (
	thinking phase = iota
	waiting
	inside
)

// Process thinks, asks, enters, works and leaves.
type Process[A any, P algorithm[A]] struct {
	Life
	Part A            // of the algorithm
	tell []sim.NodeID // of length 0: room for those whom it tells that it leaves
}

// Life is what a process is about, whatever the algorithm.
type Life struct {
	Processes int
	Start     time.Duration // when it first asks
	Think     sim.Dist      // from leaving to asking again
	Work      sim.Dist      // from entering to leaving
	Rounds    int           // 0: without end
	Keeps     durability

	phase phase
	asked uint64 // stamp of its request
	round int    // how many times it has asked
}

// Step implements [sim.Node].
func (p *Process[A, P]) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	part := P(&p.Part)
	switch m := in.Msg; m.Kind {
	case start:
		p.begin(out)
	case ask:
		p.ask(in.Self, out)
	case Request, Reply, Release:
		reply, now := part.Receive(in.From, m)
		switch {
		case now:
			out.Send(in.From, reply)
			out.Note(Msg{Kind: Replied, Peer: in.From})
		case m.Kind == Request:
			out.Note(Msg{Kind: Deferred, Peer: in.From})
		}
	case leave:
		p.leave(out)
	default:
		panic("mutex: a process got " + m.String())
	}
	if p.phase == waiting && part.Granted() {
		p.phase = inside
		out.Note(Msg{Kind: Entered, Stamp: p.asked})
		out.AfterDraw(p.Work, Msg{Kind: leave})
	}
}

// begin starts a process, perhaps not for the first time. If it was in, that is over; if it
// has not forgotten that it waits, it still does.
func (p *Process[A, P]) begin(out *sim.Out[Msg]) {
	switch {
	case p.phase == inside:
		out.After(0, Msg{Kind: leave})
	case p.phase == waiting:
		out.Note(Msg{Kind: Resumed, Stamp: p.asked})
	case p.round == 0:
		out.After(p.Start, Msg{Kind: ask})
	default:
		p.think(out)
	}
}

func (p *Process[A, P]) think(out *sim.Out[Msg]) {
	if p.Rounds == 0 || p.round < p.Rounds {
		out.AfterDraw(p.Think, Msg{Kind: ask})
	}
}

func (p *Process[A, P]) ask(self sim.NodeID, out *sim.Out[Msg]) {
	request := P(&p.Part).Request()
	p.phase, p.asked = waiting, request.Stamp
	p.round++
	out.Note(Msg{Kind: Requested, Stamp: request.Stamp, Messages: int32(p.Processes - 1)})
	for id := sim.NodeID(1); int(id) <= p.Processes; id++ {
		if id != self {
			out.Send(id, request)
		}
	}
}

func (p *Process[A, P]) leave(out *sim.Out[Msg]) {
	m, tell := P(&p.Part).Release(p.tell)
	p.phase, p.tell = thinking, tell[:0]
	out.Note(Msg{Kind: Left, Stamp: p.asked, Messages: int32(len(tell))})
	for _, id := range tell {
		out.Send(id, m)
	}
	p.think(out)
}

// Reset implements [sim.Resetter].
func (p *Process[A, P]) Reset(initial *Process[A, P]) {
	p.Life = initial.Life
	P(&p.Part).Reset(&initial.Part)
}

// Recover implements [sim.Recoverer]. How often it has asked stays known, whatever else
// is lost, so that a run with crashes has as many rounds as one without.
func (p *Process[A, P]) Recover(before *Process[A, P]) {
	p.round = before.round
	if p.Keeps >= keepsClock {
		P(&p.Part).Recover(&before.Part, p.Keeps == keepsEverything)
	}
	if p.Keeps == keepsEverything {
		p.phase, p.asked = before.phase, before.asked
	}
}
