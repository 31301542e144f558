package idempotency

import (
	"fencepost/models/idempotency/flow"
	"fencepost/sim"
)

// ask sends what a task asks for to the node that has it, or arms the timer that it waits
// for.
func (s *Server) ask(out *sim.Out[Msg], i int, a *flow.Action) {
	t := &s.slots[i]
	s.calls++
	t.call, t.action, t.asked = s.calls, a.Number, false
	m := Msg{Slot: uint8(i), Call: t.call}
	switch a.Do {
	case flow.Work:
		m.Kind = woken
		out.AfterDraw(s.Work, m)
	case flow.Sleep:
		m.Kind = woken
		out.AfterDraw(sim.Uniform(a.Least, max(a.Least, a.Most)), m)
	case flow.Query, flow.Fetch:
		s.query(out, t, a, m)
	default:
		t.trips++
		out.Send(s.receiver(a, t, &m), m)
		m = Msg{Kind: unanswered, Slot: m.Slot, Call: m.Call}
		out.After(s.Other, m)
	}
}

// query sends a statement, or asks for the next row of the one before.
func (s *Server) query(out *sim.Out[Msg], t *slot, a *flow.Action, m Msg) {
	m.Kind, m.Statement, m.Values = Query, uint16(a.Statement), a.Values
	if a.Do == flow.Fetch {
		m.Kind = Fetch
	} else {
		m.First = !t.connected
		t.statements++
	}
	t.connected, t.asked = true, true
	t.trips++
	out.Send(s.Database, m)
	out.After(s.Statement, Msg{Kind: unanswered, Slot: m.Slot, Call: m.Call})
}

// receiver writes the message for an action, and is the node that it goes to.
func (s *Server) receiver(a *flow.Action, t *slot, m *Msg) sim.NodeID {
	m.Values = [5]Value{Value(a.Word), Null, Null, a.Value, Value(a.Lifetime)}
	copy(m.Values[1:3], a.Values[:min(a.N, 2)])
	switch a.Do {
	case flow.CacheGet:
		m.Kind = CacheGet
	case flow.CacheSet:
		m.Kind = CacheSet
		if a.Absent {
			m.Kind = CacheAdd
		}
	case flow.CacheDel:
		m.Kind = CacheDel
	case flow.CacheDelIf:
		m.Kind = CacheDelIf
	case flow.Charge:
		m.Kind, m.Values = Charge, [5]Value{a.Amount, a.Key, t.demand.intent}
		return s.Provider
	case flow.Lookup:
		m.Kind, m.Values = Lookup, [5]Value{a.Key}
		return s.Provider
	case flow.Publish:
		m.Kind, m.Values = Publish, [5]Value{a.Key, a.Amount}
		return s.Broker
	default:
		panic("idempotency: a task asks for " + a.Do.String())
	}
	return s.Cache
}
