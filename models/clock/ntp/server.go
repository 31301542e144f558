package ntp

import (
	"time"

	"fencepost/sim"
)

// Server tells the time of its own wall clock to who asks, or to every client again and
// again. If its clock is wrong it is a falseticker.
//
// Source: RFC 5905, sections 3 and 9.
type Server struct {
	Work sim.Dist // how long an answer takes

	Broadcast    bool // to every client, unasked
	First, Last  sim.NodeID
	Start, Every time.Duration
	Polls        int // how often; 0: without end

	sent uint32
}

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		if s.Broadcast {
			out.After(s.Start, Msg{Kind: tick})
		}
	case Request:
		if s.Work.IsZero() {
			out.Send(in.From, reply(m.number(), m.origin(), in.Wall, in.Wall))
			return
		}
		out.AfterDraw(s.Work, received(&m, in.From, in.Wall))
	case answer:
		out.Send(m.client(), reply(m.number(), m.origin(), m.receive(), in.Wall))
	case tick:
		s.sent++
		for c := s.First; c <= s.Last; c++ {
			out.Send(c, broadcast(s.sent, in.Wall))
		}
		if s.Polls == 0 || s.sent < uint32(s.Polls) {
			out.After(s.Every, Msg{Kind: tick})
		}
	default:
		panic("ntp: a server got " + m.String())
	}
}
