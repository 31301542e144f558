package core

import (
	"fmt"

	"fencepost/models/internal/kubernetes"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of a leader election on a Lease object: a digest has their numbers.
const (
	GetObject      sim.Kind = 117 // client to the API server
	CreateObject   sim.Kind = 118 // client to the API server: the lease
	UpdateObject   sim.Kind = 119 // client to the API server: the lease, with the version that it replaces
	ObjectReply    sim.Kind = 120 // API server to client: the lease as it is now; OK: done; Try the request
	ElectionWait   sim.Kind = 121 // client timer: the wait between two tries, or two renewals, or for the stop hooks is over
	RequestTimeout sim.Kind = 122 // client timer: no reply in time
	RenewDeadline  sim.Kind = 123 // client timer: the renewal, or the release, has been tried for long enough
	DeleteObject   sim.Kind = 124 // API server timer: it is deleted by an administrator
)

var kubernetesKinds = model.Kinds{
	GetObject:      model.Message("get-object"),
	CreateObject:   model.Message("create-object"),
	UpdateObject:   model.Message("update-object"),
	ObjectReply:    model.Message("object-reply"),
	ElectionWait:   model.Timer("election-wait"),
	RequestTimeout: model.Timer("request-timeout"),
	RenewDeadline:  model.Timer("renew-deadline"),
	DeleteObject:   model.Timer("delete-object"),
}

// SetLease writes a lease into a message.
func (m *Msg) SetLease(l kubernetes.Lease) {
	m.value, m.n, m.x = l.Holder, l.Seconds, int64(l.Renewed)
	m.token = l.Version<<32 | uint64(l.Transitions)
}

// Lease is what SetLease has written.
func (m *Msg) Lease() kubernetes.Lease {
	return kubernetes.Lease{Version: m.token >> 32,
		Record: kubernetes.Record{Holder: m.value, Seconds: m.n, Renewed: sim.Wall(m.x), Transitions: uint32(m.token)}}
}

// NewConflict answers a numbered request that the lease as it is does not allow.
func NewConflict(request uint32, l kubernetes.Lease) Msg {
	m := Msg{head: head{Kind: ObjectReply}, Try: request}
	m.SetLease(l)
	m.token = 1 // not 0, which is no object
	return m
}

// NotFound reports whether there is no object: only a get is answered so.
func (m *Msg) NotFound() bool { return !m.OK && m.token == 0 }

// kubernetesWords is such a message in words, but for its kind.
func kubernetesWords(m *Msg) string {
	switch m.Kind {
	case CreateObject, UpdateObject, ObjectReply:
		return objectName(m)
	}
	return ""
}

// objectName is the lease in a message, in words.
func objectName(m *Msg) string {
	l := m.Lease()
	switch {
	case m.Kind == ObjectReply && !m.OK:
		return " no"
	case l.Holder == 0:
		return fmt.Sprintf(" version %d, no holder", l.Version)
	}
	return fmt.Sprintf(" version %d, holder %s, %ds, %d transitions", l.Version, valueName(l.Holder), l.Seconds, l.Transitions)
}
