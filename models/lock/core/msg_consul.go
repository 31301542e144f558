package core

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between the clients of a lock and a Consul: a digest has their numbers.
const (
	ConsulAcquire  sim.Kind = 153 // client to Consul: the grant, the TTL of its session, the number of the request
	ConsulRenew    sim.Kind = 154 // client to Consul: the grant, the TTL
	ConsulRelease  sim.Kind = 155 // client to Consul: the grant, the TTL, the number of the request
	ConsulReply    sim.Kind = 156 // OK: done; LockIndex; whether a lock-delay is in effect; the number of the request
	ConsulChanged  sim.Kind = 157 // Consul to client: the lock is held no more by the session that held it; its grant, to its client
	ConsulAgain    sim.Kind = 158 // client timer: no reply, or the pause of a lock-delay is over; the number of the request
	ConsulRenewDue sim.Kind = 159 // client timer: half a TTL is over
	ConsulExpire   sim.Kind = 160 // Consul timer: two TTLs are over
)

var consulKinds = model.Kinds{
	ConsulAcquire:  model.Message("consul-acquire"),
	ConsulRenew:    model.Message("consul-renew"),
	ConsulRelease:  model.Message("consul-release"),
	ConsulReply:    model.Message("consul-reply"),
	ConsulChanged:  model.Message("consul-changed"),
	ConsulAgain:    model.Timer("consul-again"),
	ConsulRenewDue: model.Timer("consul-renew-timer"),
	ConsulExpire:   model.Timer("consul-expire"),
}

// NewConsulRequest is [ConsulAcquire], [ConsulRenew] or [ConsulRelease], by the session of a grant. A
// renewal has the number 0.
func NewConsulRequest(kind sim.Kind, grant uint64, ttl time.Duration, number int) Msg {
	return Msg{head: head{Kind: kind, n: uint16(number)}, value: grant, tail: tail{x: int64(ttl)}}
}

// NewConsulReply answers a release or a renewal.
func NewConsulReply(request *Msg, ok bool) Msg {
	return Msg{head: head{Kind: ConsulReply, OK: ok, n: request.n}, Try: request.Try}
}

// NewConsulAcquired answers that the lock is acquired: the LockIndex is how often it has been.
func NewConsulAcquired(request *Msg, index uint64) Msg {
	m := NewConsulReply(request, true)
	m.token = index
	return m
}

// NewConsulRefused answers that the lock is held, or free while a lock-delay is in effect.
func NewConsulRefused(request *Msg, delayed bool) Msg {
	m := NewConsulReply(request, false)
	m.x = int64(bit(delayed))
	return m
}

// LockIndex is how often the lock has been acquired.
func (m *Msg) LockIndex() uint64 { return m.token }

// Delayed reports whether a lock-delay is in effect.
func (m *Msg) Delayed() bool { return m.x == 1 }

// NewConsulChanged ends a blocking query: the grant is what held the lock to its own client, 0 to others.
func NewConsulChanged(try uint32, grant uint64) Msg {
	return Msg{head: head{Kind: ConsulChanged}, Try: try, value: grant}
}

// NewConsulAgain is the timer of a numbered request.
func NewConsulAgain(number int) Msg { return Msg{head: head{Kind: ConsulAgain, n: uint16(number)}} }
