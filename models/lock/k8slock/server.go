package k8slock

import (
	"time"

	"fencepost/models/internal/kubernetes"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// objectRequests are the requests to the API server.
var objectRequests = [...]sim.Kind{kubernetes.Get: core.GetObject, kubernetes.Create: core.CreateObject, kubernetes.Update: core.UpdateObject}

// statusOf is how a request ended that was replied to. Only a reply to a get has no object.
func statusOf(m *core.Msg) kubernetes.Status {
	switch {
	case m.OK:
		return kubernetes.OK
	case m.NotFound():
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
func (s *APIServer) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := in.Msg
	ok := true
	switch m.Kind {
	case core.Start:
		for _, d := range s.DeleteAt {
			out.After(d, core.New(core.DeleteObject))
		}
		return
	case core.DeleteObject:
		if s.lease.Delete() {
			out.Note(core.NewLost(core.ByAdministrator, s.lease.Last()))
		}
		return
	case core.GetObject:
		ok = s.lease.Version != 0
	case core.CreateObject:
		ok = s.lease.Create(m.Lease().Record)
		s.changed(in, out, ok)
	case core.UpdateObject:
		ok = s.lease.Update(m.Lease().Version, m.Lease().Record)
		s.changed(in, out, ok)
	default:
		panic("lock: an API server got " + m.String())
	}
	if !ok && m.Kind != core.GetObject {
		out.Send(in.From, core.NewConflict(m.Try, s.lease))
		return
	}
	reply := core.NewReply(core.ObjectReply, ok).Of(m.Try)
	reply.SetLease(s.lease)
	out.Send(in.From, reply)
}

// changed tells the observers whose the lease is. That it runs out, the server does not
// notice: the reading is only what the holder has asked for.
func (s *APIServer) changed(in sim.In[core.Msg], out *sim.Out[core.Msg], ok bool) {
	switch {
	case !ok:
	case s.lease.Holder == 0:
		out.Note(core.NewFreed(core.GrantOf(in.From, 0), s.lease.Version))
	default:
		out.Note(core.NewOwnedUntil(s.lease.Holder, s.lease.Version, in.Wall.Add(s.lease.Duration())))
	}
}

// Recover implements [sim.Recoverer].
func (s *APIServer) Recover(before *APIServer) { s.lease = before.lease }
