package broadcast

import (
	"time"

	"fencepost/sim"
)

// algorithm is an [Algorithm] that can be part of the state of a node.
type algorithm[A any] interface {
	*A
	Algorithm
	Reset(initial *A)
}

// Process broadcasts now and then, and applies what it delivers to its replica of the
// account.
type Process[A any, P algorithm[A]] struct {
	Replica
	Part A // of the algorithm
}

// Replica is what a process is about, whatever the order.
type Replica struct {
	Processes int
	Start     time.Duration // from its start, or restart, to a broadcast
	Gap       sim.Dist      // from one of its broadcasts to the next
	Messages  int           // that it broadcasts by itself; 0: without end
	Answers   int           // that it broadcasts besides: one for each of the first Answers that it delivers of others
	Operation Operation     // that its messages carry
	Account   Account

	spoken   int // broadcasts by itself
	answered int
	sent     uint32 // broadcasts
}

// Step implements [sim.Node].
func (p *Process[A, P]) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	part := P(&p.Part)
	switch m := in.Msg; m.Kind {
	case start:
		p.begin(out)
	case speak:
		p.spoken++
		p.broadcast(in.Self, out)
		p.deliver(in.Self, out)
		if p.more() {
			out.AfterDraw(p.Gap, Msg{Kind: speak})
		}
	case Cast, Ack:
		waiting := part.Waiting()
		if answer, now := part.Receive(in.From, m); now {
			out.Note(posted(Acked, &m, p.Processes-1))
			p.toAll(in.Self, out, answer)
		}
		p.deliver(in.Self, out)
		if m.Kind == Cast && part.Waiting() > waiting {
			out.Note(Msg{Kind: Buffered, Sender: m.Sender, Seq: m.Seq})
		}
	default:
		panic("broadcast: a process got " + m.String())
	}
}

// begin starts a process, perhaps not for the first time.
func (p *Process[A, P]) begin(out *sim.Out[Msg]) {
	if p.more() {
		out.After(p.Start, Msg{Kind: speak})
	}
}

// more reports whether it has something left to say by itself.
func (p *Process[A, P]) more() bool {
	return (p.Messages == 0 || p.spoken < p.Messages) && p.spoken < maxMessages
}

func (p *Process[A, P]) broadcast(self sim.NodeID, out *sim.Out[Msg]) {
	p.sent++
	m := P(&p.Part).Broadcast(Msg{Kind: Cast, Op: p.Operation, Sender: self, Seq: p.sent})
	out.Note(posted(Sent, &m, p.Processes-1))
	p.toAll(self, out, m)
}

func (p *Process[A, P]) toAll(self sim.NodeID, out *sim.Out[Msg], m Msg) {
	for id := sim.NodeID(1); int(id) <= p.Processes; id++ {
		if id != self {
			out.Send(id, m)
		}
	}
}

// deliver applies what may be delivered by now, and answers it.
func (p *Process[A, P]) deliver(self sim.NodeID, out *sim.Out[Msg]) {
	for {
		m, ok := P(&p.Part).Next()
		if !ok {
			return
		}
		p.Account.Apply(m.Op)
		out.Note(delivered(&m, p.Account))
		if m.Sender != self && p.answered < p.Answers {
			p.answered++
			p.broadcast(self, out)
		}
	}
}

// Reset implements [sim.Resetter].
func (p *Process[A, P]) Reset(initial *Process[A, P]) {
	p.Replica = initial.Replica
	P(&p.Part).Reset(&initial.Part)
}

// Recover implements [sim.Recoverer]. Nothing is durable, but that a number stands for one
// message only: neither the account nor the clock is.
func (p *Process[A, P]) Recover(before *Process[A, P]) {
	p.spoken, p.answered, p.sent = before.spoken, before.answered, before.sent
}
