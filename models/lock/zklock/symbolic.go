package zklock

import (
	"fencepost/models/internal/zookeeper"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (z *Client) Unsupported() string { return "" }

// Forget implements [core.Symbolic]. What a client knows of its node is set anew with the next one.
func (z *Client) Forget() {
	z.tries = 0 // only a note says it
	if z.phase == idle {
		z.name = zookeeper.Name{}
	}
	if z.phase <= stating || z.phase >= holding {
		z.czxid = 0
	}
	z.prior = zookeeper.Name{} // it is asked for when it is set
	z.session.forget()
}

// forget clears what is set anew when the session is connected, or suspended.
func (s *session) forget() {
	if s.state != connected {
		s.lastHeard, s.lastSent, s.events = 0, 0, 0
	}
	if s.state != suspended {
		s.suspended = 0
	}
}

// Ignores implements [core.Symbolic]. The numbers of connections and requests never come again, and a session that
// the client has left neither.
func (z *Client) Ignores(a *sim.Arrival[core.Msg]) bool {
	switch m := &a.Msg; m.Kind {
	case core.ZKConnected, core.ZKPingDue, core.ZKQuiet, core.ZKRedial:
		return m.Connection() != z.connection
	case core.ZKPatience, core.ZKEvent:
		return m.Session() != z.id
	case core.ZKCreated, core.ZKMade, core.ZKListed, core.ZKGot, core.ZKDeleted:
		return !z.waits || m.Number() != z.xid
	}
	return false // what the server says of the session, which may be a sign of life
}

// Symbolic implements [sim.Symbolic].
func (s *Server) Symbolic() string { return "" }

// Forget implements [sim.Symbolic]. When something has come of a connection only a note says: any reading stands for it.
func (s *Server) Forget() {
	for i := range s.connections {
		s.connections[i].touched = s.ensemble.End()
	}
}

// Ignores implements [sim.Symbolic].
func (s *Server) Ignores(*sim.Arrival[core.Msg]) bool { return false }
