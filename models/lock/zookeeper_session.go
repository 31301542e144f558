package lock

import (
	"time"

	"fencepost/sim"
)

// zkSession is the client of ZooKeeper below a recipe: it keeps a session alive, and knows
// whether it still has one as well as a client can.
//
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
type zkSession struct {
	Server  sim.NodeID
	Timeout time.Duration // that it asks for
	Percent int           // of the timeout that Curator waits in suspension before it gives the session up; 0: it waits for the server's word

	state      zkState
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

type zkState uint8

const (
	zkClosed zkState = iota
	zkConnecting
	zkConnected
	zkSuspended
)

// zkEvent is what has become of a session.
type zkEvent uint8

const (
	zkNothing      zkEvent = iota
	zkOpened               // a new one
	zkResumed              // the same one, after a suspension
	zkDisconnected         // nothing heard for 2/3 of the timeout, or the connection is closed: Curator's SUSPENDED
	zkLost                 // Curator's LOST
	zkExpired              // the server's word
)

// open dials, unless there is a session or will be one.
func (s *zkSession) open(in sim.In[Msg], out *sim.Out[Msg]) {
	if s.state == zkClosed {
		s.state = zkConnecting
		s.dial(in, out)
	}
}

// dial asks for a session, or for the one that there is. The servers of the connection
// string share the timeout between them: three, as in most ensembles.
func (s *zkSession) dial(in sim.In[Msg], out *sim.Out[Msg]) {
	s.connection++
	s.waits = false
	out.Send(s.Server, Msg{Kind: ZKConnect, N: s.connection, Token: s.id, X: int64(s.Timeout)})
	out.After(s.Timeout/3, Msg{Kind: zkRedial, N: s.connection})
}

// request sends a message that is answered.
func (s *zkSession) request(in sim.In[Msg], m Msg) Msg {
	s.xid++
	s.waits, s.lastSent = true, in.Mono
	m.N, m.Token = s.xid, s.id
	return m
}

// answered reports whether a message is the reply to the latest request.
func (s *zkSession) answered(in sim.In[Msg]) bool {
	if s.state != zkConnected || !s.waits || in.Msg.N != s.xid {
		return false
	}
	s.waits, s.lastHeard = false, in.Mono
	return true
}

// alive takes down a sign of life that is not a reply.
func (s *zkSession) alive(in sim.In[Msg]) {
	if s.state == zkConnected && !s.waits {
		s.lastHeard = in.Mono
	}
}

// receive takes in what concerns the session alone.
func (s *zkSession) receive(in sim.In[Msg], out *sim.Out[Msg]) zkEvent {
	m := in.Msg
	current := m.N == s.connection
	switch {
	case m.Kind == ZKPong && s.state == zkConnected && m.N != s.events:
		return s.suspend(in, out)
	case m.Kind == ZKPong:
		s.alive(in)
	case m.Kind == ZKConnected && current && s.state != zkConnected:
		return s.connected(in, out)
	case m.Kind == ZKClosed && m.Token == s.id && s.state == zkConnected:
		return s.suspend(in, out)
	case m.Kind == zkPing && current:
		s.ping(in, out)
	case m.Kind == zkQuiet && current:
		return s.quiet(in, out)
	case m.Kind == zkRedial && current && s.state != zkConnected:
		s.dial(in, out)
	case m.Kind == zkPatience && m.Token == s.id && s.state == zkSuspended:
		return s.giveUp(in, out)
	}
	return zkNothing
}

// connected is the server's answer to a dial.
func (s *zkSession) connected(in sim.In[Msg], out *sim.Out[Msg]) zkEvent {
	if !in.Msg.OK {
		s.renounce(in, out)
		return zkExpired
	}
	event := zkOpened
	if s.id != 0 {
		event = zkResumed
	}
	s.state, s.id, s.timeout = zkConnected, in.Msg.Token, time.Duration(in.Msg.X)
	s.connection++
	s.events = 0
	s.lastHeard, s.lastSent = in.Mono, in.Mono
	out.After(s.timeout/3, Msg{Kind: zkPing, N: s.connection})
	out.After(2*s.timeout/3, Msg{Kind: zkQuiet, N: s.connection})
	return event
}

// ping is sent when nothing else has been for a third of the timeout.
func (s *zkSession) ping(in sim.In[Msg], out *sim.Out[Msg]) {
	due := s.lastSent.Add(s.timeout / 3)
	if !in.Mono.Before(due) {
		out.Send(s.Server, Msg{Kind: ZKPing, Token: s.id})
		s.lastSent, due = in.Mono, in.Mono.Add(s.timeout/3)
	}
	out.After(due.Sub(in.Mono), Msg{Kind: zkPing, N: s.connection})
}

// quiet suspends the session if nothing has been heard for two thirds of the timeout.
func (s *zkSession) quiet(in sim.In[Msg], out *sim.Out[Msg]) zkEvent {
	due := s.lastHeard.Add(2 * s.timeout / 3)
	if !in.Mono.Before(due) {
		return s.suspend(in, out)
	}
	out.After(due.Sub(in.Mono), Msg{Kind: zkQuiet, N: s.connection})
	return zkNothing
}

func (s *zkSession) suspend(in sim.In[Msg], out *sim.Out[Msg]) zkEvent {
	s.state, s.suspended = zkSuspended, in.Wall
	if s.Percent > 0 {
		out.After(s.patience(), Msg{Kind: zkPatience, Token: s.id})
	}
	s.dial(in, out)
	return zkDisconnected
}

// patience is how long Curator waits in suspension before it says LOST.
func (s *zkSession) patience() time.Duration { return s.timeout * time.Duration(s.Percent) / 100 }

// giveUp says LOST once the wall clock has advanced by the patience since the suspension.
// The wait before is one on the monotonic clock: a step forward shortens nothing, a step
// back makes it wait again.
func (s *zkSession) giveUp(in sim.In[Msg], out *sim.Out[Msg]) zkEvent {
	due := s.suspended.Add(s.patience())
	if in.Wall.Before(due) {
		out.After(due.Sub(in.Wall), Msg{Kind: zkPatience, Token: s.id})
		return zkNothing
	}
	s.renounce(in, out)
	return zkLost
}

// renounce leaves a session that is over, or that the client takes to be, and asks for a
// new one.
func (s *zkSession) renounce(in sim.In[Msg], out *sim.Out[Msg]) {
	s.state, s.id = zkConnecting, 0
	s.dial(in, out)
}
