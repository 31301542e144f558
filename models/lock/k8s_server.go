package lock

import (
	"fmt"
	"time"

	"fencepost/models/internal/kubernetes"
	"fencepost/sim"
)

// objectRequests are the requests to the API server.
var objectRequests = [...]sim.Kind{kubernetes.Get: GetObject, kubernetes.Create: CreateObject, kubernetes.Update: UpdateObject}

// setLease writes a lease into a message.
func (m *Msg) setLease(l kubernetes.Lease) {
	m.Value, m.N, m.X = l.Holder, l.Seconds, int64(l.Renewed)
	m.Token = l.Version<<32 | uint64(l.Transitions)
}

// lease is what setLease has written.
func (m *Msg) lease() kubernetes.Lease {
	return kubernetes.Lease{Version: m.Token >> 32,
		Record: kubernetes.Record{Holder: m.Value, Seconds: m.N, Renewed: sim.Wall(m.X), Transitions: uint32(m.Token)}}
}

// statusOf is how a request ended that was replied to. Only a reply to a get has no object.
func statusOf(m *Msg) kubernetes.Status {
	switch {
	case m.OK:
		return kubernetes.OK
	case m.Token == 0:
		return kubernetes.NotFound
	}
	return kubernetes.Failed
}

// APIServer keeps the Lease object. It is durable: what is behind it is etcd.
type APIServer struct {
	DeleteAt []time.Duration // when the object is deleted, by none of the members

	lease kubernetes.Lease
}

// Step implements [sim.Node].
func (s *APIServer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	ok := true
	switch m.Kind {
	case start:
		for _, d := range s.DeleteAt {
			out.After(d, Msg{Kind: deleteObject})
		}
		return
	case deleteObject:
		if s.lease.Delete() {
			out.Note(Msg{Kind: Freed, N: 2, Token: s.lease.Last()})
		}
		return
	case GetObject:
		ok = s.lease.Version != 0
	case CreateObject:
		ok = s.lease.Create(m.lease().Record)
		s.changed(in, out, ok)
	case UpdateObject:
		ok = s.lease.Update(m.lease().Version, m.lease().Record)
		s.changed(in, out, ok)
	default:
		panic("lock: an API server got " + m.String())
	}
	reply := Msg{Kind: ObjectReply, OK: ok, Try: m.Try}
	reply.setLease(s.lease)
	if !ok && m.Kind != GetObject {
		reply.Token = 1 // a conflict, not a missing object
	}
	out.Send(in.From, reply)
}

// changed tells the observers whose the lease is. That it runs out, the server does not
// notice: X is only what the holder has asked for.
func (s *APIServer) changed(in sim.In[Msg], out *sim.Out[Msg], ok bool) {
	switch {
	case !ok:
	case s.lease.Holder == 0:
		out.Note(Msg{Kind: Freed, OK: true, Value: grantOf(in.From, 0), Token: s.lease.Version})
	default:
		out.Note(Msg{Kind: Owned, OK: true, Value: s.lease.Holder, Token: s.lease.Version,
			X: int64(in.Wall.Add(s.lease.Duration()))})
	}
}

// Recover implements [sim.Recoverer].
func (s *APIServer) Recover(before *APIServer) { s.lease = before.lease }

// objectName is the lease in a message, in words.
func objectName(m *Msg) string {
	l := m.lease()
	switch {
	case m.Kind == ObjectReply && !m.OK:
		return " no"
	case l.Holder == 0:
		return fmt.Sprintf(" version %d, no holder", l.Version)
	}
	return fmt.Sprintf(" version %d, holder %s, %ds, %d transitions", l.Version, valueName(l.Holder), l.Seconds, l.Transitions)
}
