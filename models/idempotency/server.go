package idempotency

import (
	"time"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// Server runs a handler of a flow: for each request of a client, for each event that the
// broker delivers, or again and again. It runs up to Slots tasks at once, each with a
// connection of its own to the database. A crash ends them all; their sessions at the
// database end when the server is back, as those of a host that lost power do.
type Server struct {
	Role      flow.Handler
	Slots     int // tasks at once
	Database  sim.NodeID
	Cache     sim.NodeID // the zero one: none
	Provider  sim.NodeID
	Broker    sim.NodeID
	Work      sim.Dist      // how long the flow's `work` takes
	Statement time.Duration // for which it waits for the database
	Other     time.Duration // for which it waits for the others
	Program   *flow.Program

	calls   uint32 // numbers of messages; never used again, not even after a crash
	closing uint32 // the database has to end all sessions up to that call, and has not said so; 0: none
	slots   []slot
}

// slot is a task and its connection to the database.
type slot struct {
	task       flow.Task
	busy       bool
	from       sim.NodeID
	number     uint32 // of the request or delivery
	demand     demand
	call       uint32 // that it waits for the answer to, or the end of
	action     uint32 // that the call is for
	asked      bool   // the database
	statements uint16
	trips      uint16

	connected bool
	closing   uint32 // as of the server
}

// allSlots stands for every slot of a server, in a [Hangup].
const allSlots = 255

// Reset implements [sim.Resetter].
func (s *Server) Reset(initial *Server) {
	slots := append(s.slots[:0], initial.slots...)
	*s = *initial
	s.slots = slots
}

// Recover implements [sim.Recoverer]. Nothing is durable; but a number never comes again.
func (s *Server) Recover(before *Server) { s.calls, s.closing = before.calls, before.calls }

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		s.hangup(out, allSlots, s.closing)
		if s.Role == flow.Every {
			out.After(s.Program.Period, Msg{Kind: tick})
		}
	case Request:
		s.request(in, out)
	case Deliver:
		event, amount := m.event()
		if i := s.free(); i >= 0 {
			s.slots[i].from, s.slots[i].number = in.From, m.Call
			s.note(out, i, Handling, [5]Value{event, amount})
			s.begin(in, out, i, flow.Input{Event: event, Amount: amount, Intent: event})
		}
	case tick:
		if len(s.slots) == 0 || !s.slots[0].busy {
			s.begin(in, out, s.free(), flow.Input{})
		}
		out.After(s.Program.Period, Msg{Kind: tick})
	case HungUp:
		s.hungUp(m)
	case unclosed:
		s.hangup(out, m.Slot, s.unconfirmed(m))
	case unanswered:
		if s.waits(m) {
			s.unanswered(in, out, int(m.Slot))
		}
	case woken, Result, Row, CacheReply, Charged, Stored:
		if s.waits(m) {
			s.reply(in, out, m)
		}
	default:
		panic("idempotency: a server got " + m.String())
	}
}

// request begins a task for a request, or refuses it.
func (s *Server) request(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	i := s.free()
	if i < 0 {
		out.Note(about(Refused, m.demand()))
		out.Send(in.From, response(m.Call, 503, Null))
		return
	}
	t := &s.slots[i]
	t.from, t.number, t.demand = in.From, m.Call, m.demand()
	note := about(Began, t.demand)
	note.Slot, note.Attempt = uint8(i), m.Attempt
	out.Note(note)
	s.begin(in, out, i, flow.Input{Tenant: m.tenant(), Key: m.key(), Fingerprint: m.fingerprint(), Amount: m.Values[3], Intent: m.intent(),
		Attempt: Value(m.Attempt)})
}

// free is a slot without a task, -1 if there is none.
func (s *Server) free() int {
	for i := range s.slots {
		if !s.slots[i].busy {
			return i
		}
	}
	if len(s.slots) == s.Slots {
		return -1
	}
	s.slots = append(s.slots, slot{})
	return len(s.slots) - 1
}

// begin starts a task in a free slot.
func (s *Server) begin(in sim.In[Msg], out *sim.Out[Msg], i int, input flow.Input) {
	t := &s.slots[i]
	s.calls++
	t.busy = true
	input.Owner = Value(in.Self)<<32 | Value(s.calls)
	s.Program.Start(&t.task, s.Role, input)
	s.run(in, out, i, flow.Reply{})
}

// run lets a task continue until it waits or ends.
func (s *Server) run(in sim.In[Msg], out *sim.Out[Msg], i int, reply flow.Reply) {
	t := &s.slots[i]
	for {
		a := s.Program.Next(&t.task, reply, in.Wall)
		switch a.Do {
		case flow.NoteMade:
			s.note(out, i, flowNotes[a.Note], t.demand.values())
			reply = flow.Reply{Number: a.Number}
			continue
		case flow.Answer:
			s.answer(out, i, &a)
		case flow.Ack:
			out.Send(t.from, Msg{Kind: Consumed, Call: t.number})
		case flow.Return:
		default:
			s.ask(out, i, &a)
			return
		}
		*t = slot{connected: t.connected, closing: t.closing}
		return
	}
}

func (s *Server) note(out *sim.Out[Msg], i int, kind sim.Kind, values [5]Value) {
	out.Note(Msg{Kind: kind, Slot: uint8(i), Values: values})
}

// answer sends the answer of a task to the client.
func (s *Server) answer(out *sim.Out[Msg], i int, a *flow.Action) {
	t := &s.slots[i]
	body := Null
	if a.HasValue {
		body = a.Value
	}
	out.Note(replied(uint8(i), t.demand, uint16(a.Status), body, t.statements, t.trips))
	out.Send(t.from, response(t.number, uint16(a.Status), body))
}

// waits reports whether a task waits for what a message brings.
func (s *Server) waits(m Msg) bool {
	return int(m.Slot) < len(s.slots) && s.slots[m.Slot].busy && s.slots[m.Slot].call == m.Call
}

// reply lets a task continue with the answer that it waits for.
func (s *Server) reply(in sim.In[Msg], out *sim.Out[Msg], m Msg) {
	t := &s.slots[m.Slot]
	if m.Kind == Result && m.Code == sql.ConnectionFailure {
		t.connected = false
	}
	s.run(in, out, int(m.Slot), flow.Reply{Number: t.action, Code: m.Code, Found: m.Rows > 0, Rows: int32(m.Rows), Values: m.Values})
}

// unanswered lets a task continue without an answer. A connection to the database that does not
// answer is closed: what becomes of a statement on it the task does not know.
func (s *Server) unanswered(in sim.In[Msg], out *sim.Out[Msg], i int) {
	t := &s.slots[i]
	s.note(out, i, Unanswered, t.demand.values())
	if t.asked {
		t.connected, t.closing = false, t.call
		s.hangup(out, uint8(i), t.call)
	}
	s.run(in, out, i, flow.Reply{Number: t.action, Code: sql.ConnectionFailure})
}

// hangup tells the database that the connections of a slot, or of all, are closed, up to a
// call; and again until it says that it knows.
func (s *Server) hangup(out *sim.Out[Msg], slot uint8, call uint32) {
	if call == 0 {
		return
	}
	m := Msg{Kind: Hangup, Slot: slot, Call: call}
	out.Send(s.Database, m)
	m.Kind = unclosed
	out.After(s.Statement, m)
}

// unconfirmed is the call of a hangup that the database has not confirmed, 0 if it has.
func (s *Server) unconfirmed(m Msg) uint32 {
	call := s.closing
	if m.Slot != allSlots {
		call = 0
		if int(m.Slot) < len(s.slots) {
			call = s.slots[m.Slot].closing
		}
	}
	if call != m.Call {
		return 0
	}
	return call
}

func (s *Server) hungUp(m Msg) {
	switch {
	case s.unconfirmed(m) == 0:
	case m.Slot == allSlots:
		s.closing = 0
	default:
		s.slots[m.Slot].closing = 0
	}
}
