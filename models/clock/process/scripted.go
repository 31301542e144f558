package process

import (
	"slices"
	"time"

	"fencepost/models/clock/script"
	"fencepost/sim"
)

// step is an event of a script, as its process has it.
type step struct {
	event    int32         // of the script
	at       time.Duration // of the process's monotonic clock: not before that
	receives bool
	to       []receipt // whom its message goes to
}

// receipt is an event of a process that receives a message.
type receipt struct {
	node sim.NodeID
	step int32 // of that process, from 0
}

// steps are the events of a script by process.
func steps(s *script.Script) [][]step {
	by := make([][]step, len(s.Processes))
	place := make([]receipt, len(s.Events))
	for i, e := range s.Events {
		place[i] = receipt{sim.NodeID(e.Process + 1), int32(len(by[e.Process]))}
		by[e.Process] = append(by[e.Process], step{event: int32(i), at: e.At, receives: e.From != script.None})
	}
	for i, e := range s.Events {
		if e.From != script.None {
			from := place[e.From]
			send := &by[from.node-1][from.step]
			send.to = append(send.to, place[i])
		}
	}
	return by
}

// Scripted makes the events that a script has for it, strictly in their order. A receipt
// waits until its message is there, and a message that comes early is kept, so delays do
// not change the order of a process's events.
//
// Instants are those of the monotonic clock, which begins again after a crash; what has
// happened by then does not happen again.
type Scripted struct {
	Steps []step
	Gap   sim.Dist // at least that passes between two of its events
	Then  int      // local events after those of the script

	life
	at    int   // the next step
	then  int   // local events made after the last
	armed bool  // a timer will come
	early []Msg // messages that have come before their turn
}

// Reset implements [sim.Resetter].
func (s *Scripted) Reset(initial *Scripted) {
	l, early := s.life, s.early
	*s = *initial
	s.life, s.early = l, append(early[:0], initial.early...)
	s.life.reset(&initial.life)
}

// Recover implements [sim.Recoverer].
func (s *Scripted) Recover(before *Scripted) {
	s.life.recover(&before.life)
	s.at, s.then = before.at, before.then
}

// Step implements [sim.Node].
func (s *Scripted) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case start:
		s.life.persist(&in, out)
	case persist:
		s.life.persist(&in, out)
		return
	case due:
		s.armed = false
	case Message:
		if int(in.Msg.Event) < s.at || s.message(int(in.Msg.Event)) >= 0 {
			return // a second copy
		}
		m := in.Msg
		m.From = uint16(in.From)
		s.early = append(s.early, m) //fencepost:allow a vector that is in a message is never written to
	default:
		panic("process: a scripted process got " + in.Msg.String())
	}
	s.goOn(&in, out)
}

// goOn makes the events whose turn has come.
func (s *Scripted) goOn(in *sim.In[Msg], out *sim.Out[Msg]) {
	for !s.armed && (s.at < len(s.Steps) || s.then < s.Then) {
		if s.at == len(s.Steps) {
			s.local(in, out, noEvent)
			s.then++
		} else if !s.take(in, out, &s.Steps[s.at]) {
			return
		}
		if !s.Gap.IsZero() {
			s.armed = true
			out.AfterDraw(s.Gap, Msg{Kind: due})
		}
	}
}

// take makes a step, if it may happen now. One that the clock gives no stamp is over, and
// sends nothing.
func (s *Scripted) take(in *sim.In[Msg], out *sim.Out[Msg], e *step) bool {
	if wait := e.at - time.Duration(in.Mono); wait > 0 {
		s.armed = true
		out.After(wait, Msg{Kind: due})
		return false
	}
	switch {
	case e.receives:
		i := s.message(s.at)
		if i < 0 {
			return false
		}
		m := s.early[i]
		s.early = slices.Delete(s.early, i, i+1)
		if stamp, ok := s.receive(in, out, m.From, &m, e.event); ok { // one event may receive and send
			e.send(out, Msg{Kind: Message, Send: scriptedSend(e.event), Stamp: stamp})
		}
	case len(e.to) > 0:
		if m, ok := s.send(in, out, e.event); ok {
			e.send(out, m)
		}
	default:
		s.local(in, out, e.event)
	}
	s.at++
	return true
}

// send sends a message to all who receive it.
func (e *step) send(out *sim.Out[Msg], m Msg) {
	for _, r := range e.to {
		m.Event = r.step
		out.Send(r.node, m)
	}
}

// message is which of the messages that have come early a step receives, -1 if it has not
// come.
func (s *Scripted) message(step int) int {
	return slices.IndexFunc(s.early, func(m Msg) bool { return int(m.Event) == step })
}
