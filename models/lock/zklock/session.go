package zklock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// session is the client of ZooKeeper below a recipe: it keeps a session alive, and knows
// whether it still has one as well as a client can.
//
//	closed       there is none, and none is wanted
//	connecting   it dials until a server answers
//	connected    it has heard from the server within 2/3 of the timeout
//	suspended    it has not: its session may have expired or not, and it dials
//
// The session is lost when a server says, on reconnection, that it has expired; or before,
// when Curator has waited for long enough.
//
// All of it is of one TCP connection, so that a message that the network loses breaks it:
// while a reply is outstanding, nothing else that arrives counts as a sign of life, and the
// answer to a ping says how many events of watches there were. A network that keeps no order
// is none for TCP.
//
// Source: ZooKeeper 3.8, ClientCnxn.SendThread.run; Curator 5, ConnectionStateManager.
type session struct {
	Server  sim.NodeID
	Timeout time.Duration // that it asks for
	Percent int           // of the timeout that Curator waits in suspension before it gives the session up; 0: it waits for the server's word

	state      state
	id         uint64        // 0: none
	timeout    time.Duration // that the server has granted
	xid        uint16        // of the latest request
	waits      bool          // for its reply
	connection uint16        // timers of an earlier one are stale
	events     uint16        // of watches that have arrived on the connection
	lastHeard  sim.Mono      // the latest sign of life of the server
	lastSent   sim.Mono      // the latest message to it
	suspended  sim.Wall      // since when: Curator reads System.currentTimeMillis
}

type state uint8

const (
	closed state = iota
	connecting
	connected
	suspended
)

// Event is what has become of a session.
type Event uint8

const (
	nothing      Event = iota
	opened             // a new one
	resumed            // the same one, after a suspension
	Disconnected       // nothing heard for 2/3 of the timeout, or the connection is closed: Curator's SUSPENDED
	Lost               // Curator's LOST
	Expired            // the server's word
)

// open dials, unless there is a session or will be one.
func (s *session) open(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.state == closed {
		s.state = connecting
		s.dial(in, out)
	}
}

// dial asks for a session, or for the one that there is. The servers of the connection
// string share the timeout between them: three, as in most ensembles.
func (s *session) dial(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.connection++
	s.waits = false
	out.Send(s.Server, core.NewZKConnect(s.id, s.Timeout, s.connection))
	out.After(s.Timeout/3, core.NewZKTimer(core.ZKRedial, s.connection))
}

// request sends a message that is answered.
func (s *session) request(in sim.In[core.Msg], m core.Msg) core.Msg {
	s.xid++
	s.waits, s.lastSent = true, in.Mono
	m.SetZKRequest(s.id, s.xid)
	return m
}

// answered reports whether a message is the reply to the latest request.
func (s *session) answered(in sim.In[core.Msg]) bool {
	if s.state != connected || !s.waits || in.Msg.Number() != s.xid {
		return false
	}
	s.waits, s.lastHeard = false, in.Mono
	return true
}

// alive takes down a sign of life that is not a reply.
func (s *session) alive(in sim.In[core.Msg]) {
	if s.state == connected && !s.waits {
		s.lastHeard = in.Mono
	}
}

// receive takes in what concerns the session alone.
func (s *session) receive(in sim.In[core.Msg], out *sim.Out[core.Msg]) Event {
	m := in.Msg
	current := func() bool { return m.Connection() == s.connection } // of the kinds that have one
	switch {
	case m.Kind == core.ZKPong && s.state == connected && m.Events() != s.events:
		return s.suspend(in, out)
	case m.Kind == core.ZKPong:
		s.alive(in)
	case m.Kind == core.ZKConnected && current() && s.state != connected:
		return s.connected(in, out)
	case m.Kind == core.ZKClosed && m.Session() == s.id && s.state == connected:
		return s.suspend(in, out)
	case m.Kind == core.ZKPingDue && current():
		s.ping(in, out)
	case m.Kind == core.ZKQuiet && current():
		return s.quiet(in, out)
	case m.Kind == core.ZKRedial && current() && s.state != connected:
		s.dial(in, out)
	case m.Kind == core.ZKPatience && m.Session() == s.id && s.state == suspended:
		return s.giveUp(in, out)
	}
	return nothing
}

// connected is the server's answer to a dial.
func (s *session) connected(in sim.In[core.Msg], out *sim.Out[core.Msg]) Event {
	if !in.Msg.OK {
		s.renounce(in, out)
		return Expired
	}
	event := opened
	if s.id != 0 {
		event = resumed
	}
	s.state, s.id, s.timeout = connected, in.Msg.Session(), in.Msg.SessionTimeout()
	s.connection++
	s.events = 0
	s.lastHeard, s.lastSent = in.Mono, in.Mono
	out.After(s.timeout/3, core.NewZKTimer(core.ZKPingDue, s.connection))
	out.After(2*s.timeout/3, core.NewZKTimer(core.ZKQuiet, s.connection))
	return event
}

// ping is sent when nothing else has been for a third of the timeout.
func (s *session) ping(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	due := s.lastSent.Add(s.timeout / 3)
	if !in.Mono.Before(due) {
		out.Send(s.Server, core.NewZKSession(core.ZKPing, s.id))
		s.lastSent, due = in.Mono, in.Mono.Add(s.timeout/3)
	}
	out.After(due.Sub(in.Mono), core.NewZKTimer(core.ZKPingDue, s.connection))
}

// quiet suspends the session if nothing has been heard for two thirds of the timeout.
func (s *session) quiet(in sim.In[core.Msg], out *sim.Out[core.Msg]) Event {
	due := s.lastHeard.Add(2 * s.timeout / 3)
	if !in.Mono.Before(due) {
		return s.suspend(in, out)
	}
	out.After(due.Sub(in.Mono), core.NewZKTimer(core.ZKQuiet, s.connection))
	return nothing
}

func (s *session) suspend(in sim.In[core.Msg], out *sim.Out[core.Msg]) Event {
	s.state, s.suspended = suspended, in.Wall
	if s.Percent > 0 {
		out.After(s.patience(), core.NewZKSession(core.ZKPatience, s.id))
	}
	s.dial(in, out)
	return Disconnected
}

// patience is how long Curator waits in suspension before it says LOST.
func (s *session) patience() time.Duration { return s.timeout * time.Duration(s.Percent) / 100 }

// giveUp says LOST once the wall clock has advanced by the patience since the suspension.
// The wait before is one on the monotonic clock: a step forward shortens nothing, a step
// back makes it wait again.
func (s *session) giveUp(in sim.In[core.Msg], out *sim.Out[core.Msg]) Event {
	due := s.suspended.Add(s.patience())
	if in.Wall.Before(due) {
		out.After(due.Sub(in.Wall), core.NewZKSession(core.ZKPatience, s.id))
		return nothing
	}
	s.renounce(in, out)
	return Lost
}

// close ends the session, if a server hears of it; else it expires. The answer is not waited for.
func (s *session) close(out *sim.Out[core.Msg]) {
	if s.state == connected {
		out.Send(s.Server, core.NewZKSession(core.ZKClose, s.id))
	}
	s.connection++
	s.state, s.id, s.waits = closed, 0, false
}

// renounce leaves a session that is over, or that the client takes to be, and asks for a
// new one.
func (s *session) renounce(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.state, s.id = connecting, 0
	s.dial(in, out)
}
