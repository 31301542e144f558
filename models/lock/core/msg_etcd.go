package core

import (
	"fmt"
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/internal/raft"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of etcd: a digest has their numbers.
const (
	Raft           sim.Kind = 84  // etcd server to etcd server: a packet
	RaftTick       sim.Kind = 85  // etcd server timer: a heartbeat interval is over
	RaftElect      sim.Kind = 86  // etcd server timer: an election timeout is over; Try its number
	Leads          sim.Kind = 87  // note of an etcd server: it leads a term, from now on
	EtcdGrant      sim.Kind = 125 // client to etcd: the lease and its TTL; the number of the request, as in all that follow
	EtcdGranted    sim.Kind = 126 // OK: done; an answer has the number and the attempt of its request
	EtcdKeepAlive  sim.Kind = 127 // client to etcd: the lease; without a number, as its answer
	EtcdKeptAlive  sim.Kind = 128 // the TTL of the lease, 0 if it is gone
	EtcdRevoke     sim.Kind = 129 // client to etcd: the lease
	EtcdRevoked    sim.Kind = 130 // OK: done
	EtcdLock       sim.Kind = 131 // client to etcd: the transaction of the mutex, with the lease
	EtcdLocked     sim.Kind = 132 // the create revisions of the client's key, 0 if the lease is gone, and of the oldest key
	EtcdSeek       sim.Kind = 133 // client to etcd: the lease, and the create revision of its key
	EtcdSought     sim.Kind = 134 // OK: there is a key before it; its name, and the present revision
	EtcdWatch      sim.Kind = 135 // client to etcd: the name of a key, and the revision from which on
	EtcdDeleted    sim.Kind = 136 // OK: the key is deleted, at a revision; else the history from there on is gone
	EtcdVerify     sim.Kind = 137 // client to etcd: the lease
	EtcdVerified   sim.Kind = 138 // the create revision of the client's key, 0 if it has none
	EtcdUnlock     sim.Kind = 139 // client to etcd: the name of a key; its create revision, 0 to delete it whatever that is
	EtcdUnlocked   sim.Kind = 140 // OK: something was deleted
	EtcdPut        sim.Kind = 141 // client to etcd: put the fixed key, with the lease
	EtcdCreate     sim.Kind = 142 // client to etcd: put it unless it is there, with the lease
	EtcdCreated    sim.Kind = 143 // OK: put; the create revision, 0 if the lease is gone; if it was there its lease, and the present revision
	EtcdPoll       sim.Kind = 144 // client timer: the loop of keep-alives
	EtcdDeadline   sim.Kind = 145 // client timer: the loop of deadlines
	EtcdResend     sim.Kind = 146 // client timer: a request has no answer; its number, and that of the server
	EtcdScan       sim.Kind = 147 // etcd timer: look for expired leases
	EtcdCommit     sim.Kind = 148 // etcd timer: the revocation of a lease is committed
	EtcdLeader     sim.Kind = 149 // etcd timer: another server leads
	EtcdCheckpoint sim.Kind = 150 // in the log of etcd on Raft: how many seconds are left of a lease; 0 forgets that
)

var etcdKinds = model.Kinds{
	Raft:           model.Message("raft"),
	RaftTick:       model.Timer("raft-tick"),
	RaftElect:      model.Timer("raft-elect"),
	Leads:          model.Note("leads"),
	EtcdGrant:      model.Message("lease-grant"),
	EtcdGranted:    model.Message("lease-grant-reply"),
	EtcdKeepAlive:  model.Message("keep-alive"),
	EtcdKeptAlive:  model.Message("keep-alive-reply"),
	EtcdRevoke:     model.Message("lease-revoke"),
	EtcdRevoked:    model.Message("lease-revoke-reply"),
	EtcdLock:       model.Message("lock-txn"),
	EtcdLocked:     model.Message("lock-txn-reply"),
	EtcdSeek:       model.Message("get-predecessor"),
	EtcdSought:     model.Message("get-predecessor-reply"),
	EtcdWatch:      model.Message("watch-key"),
	EtcdDeleted:    model.Message("watch-event"),
	EtcdVerify:     model.Message("get-own-key"),
	EtcdVerified:   model.Message("get-own-key-reply"),
	EtcdUnlock:     model.Message("delete-key"),
	EtcdUnlocked:   model.Message("delete-key-reply"),
	EtcdPut:        model.Message("put-key"),
	EtcdCreate:     model.Message("create-txn"),
	EtcdCreated:    model.Message("put-key-reply"),
	EtcdPoll:       model.Timer("keep-alive-poll"),
	EtcdDeadline:   model.Timer("deadline-poll"),
	EtcdResend:     model.Timer("resend"),
	EtcdScan:       model.Timer("lease-scan"),
	EtcdCommit:     model.Timer("revoke-commit"),
	EtcdLeader:     model.Timer("leader-change"),
	EtcdCheckpoint: model.Message("lease-checkpoint"),
}

// EtcdFixedKey is the name of the key of the recipes that have one for all.
const EtcdFixedKey = 0

// NewRaft is a packet, by its header. Packets of different headers have different sums, but for one pair in 2^64.
func NewRaft(h raft.Header) Msg {
	const mostTerm = 1<<24 - 1
	return Msg{head: head{Kind: Raft, OK: h.Reject, n: h.Entries}, Try: h.Commit, value: h.Sum,
		tail: tail{token: h.Term, x: int64(h.Index)<<32 | int64(min(h.LogTerm, mostTerm))<<8 | int64(h.Type)}}
}

// RaftHeader is the header of the packet.
func (m *Msg) RaftHeader() raft.Header {
	return raft.Header{Sum: m.value, Term: m.token, Type: uint8(m.x), Reject: m.OK, Index: uint32(m.x >> 32),
		LogTerm: uint32(m.x) >> 8, Commit: m.Try, Entries: m.n}
}

// NewLeads notes that a server leads a term.
func NewLeads(term uint64) Msg { return Msg{head: head{Kind: Leads}, tail: tail{token: term}} }

// Term is that which a server leads.
func (m *Msg) Term() uint64 { return m.token }

// NewEtcdRequest is a message about a lease and the key of that name: [EtcdKeepAlive], [EtcdRevoke],
// [EtcdLock], [EtcdVerify], [EtcdPut], [EtcdCreate] or [EtcdCommit].
func NewEtcdRequest(kind sim.Kind, lease etcd.LeaseID) Msg {
	return Msg{head: head{Kind: kind}, value: uint64(lease)}
}

// NewEtcdLease is a message about a lease with a TTL in seconds: [EtcdGrant] or [EtcdCheckpoint].
func NewEtcdLease(kind sim.Kind, lease etcd.LeaseID, seconds int64) Msg {
	return Msg{head: head{Kind: kind}, value: uint64(lease), tail: tail{x: seconds}}
}

// NewEtcdKeptAlive answers a keep-alive with the TTL in seconds, 0 if the lease is gone. The relay is
// the client that the answer is for, if a server has asked for it; [sim.None] to a client.
func NewEtcdKeptAlive(lease etcd.LeaseID, seconds int64, relay sim.NodeID) Msg {
	return Msg{head: head{Kind: EtcdKeptAlive, n: uint16(relay)}, value: uint64(lease), tail: tail{x: seconds}}
}

// SetRelay says for which client a server asks or answers another; [sim.None] for none.
func (m *Msg) SetRelay(client sim.NodeID) { m.n = uint16(client) }

// Relay is the client that a keep-alive or its answer is relayed for; [sim.None] if it is not.
func (m *Msg) Relay() sim.NodeID { return sim.NodeID(m.n) }

// LeaseID is the lease that a message is about.
func (m *Msg) LeaseID() etcd.LeaseID { return etcd.LeaseID(m.value) }

// Seconds is the TTL of a lease, or what is left of it; 0: it is gone.
func (m *Msg) Seconds() int64 { return m.x }

// LeaseTTL is the TTL of a lease; 0: it is gone.
func (m *Msg) LeaseTTL() time.Duration { return time.Duration(m.x) * time.Second }

// NewEtcdSeek looks for the key before that of a session, which was made at a revision.
func NewEtcdSeek(lease etcd.LeaseID, created uint64) Msg {
	return Msg{head: head{Kind: EtcdSeek}, value: uint64(lease), tail: tail{x: int64(created)}}
}

// NewEtcdWatch waits for the deletion of a key from a revision on.
func NewEtcdWatch(key uint64, from int64) Msg {
	return Msg{head: head{Kind: EtcdWatch}, value: key, tail: tail{x: from}}
}

// NewEtcdUnlock deletes a key if it was made at a revision; 0: at any.
func NewEtcdUnlock(key, created uint64) Msg {
	return Msg{head: head{Kind: EtcdUnlock}, value: key, tail: tail{token: created}}
}

// KeyName is the name of the key that a message is about.
func (m *Msg) KeyName() uint64 { return m.value }

// Rev is the revision from which a client looks, or that of the store with an answer.
func (m *Msg) Rev() int64 { return m.x }

// CreateRev is the revision at which the client's key, or the fixed key, was made; 0: there is none.
func (m *Msg) CreateRev() uint64 { return m.token }

// SetNumber numbers a request.
func (m *Msg) SetNumber(n uint16) { m.n = n }

// NewEtcdResend is the timer of a numbered request to a server, 0 and up.
func NewEtcdResend(number uint16, server sim.NodeID) Msg {
	return Msg{head: head{Kind: EtcdResend, n: number}, value: uint64(server)}
}

// Server is the number of the server whose answer has not come, 0 and up.
func (m *Msg) Server() sim.NodeID { return sim.NodeID(m.value) }

// NewEtcdReply answers a request at a revision, about the lease or key of the request.
func NewEtcdReply(kind sim.Kind, request *Msg, ok bool, rev int64) Msg {
	return Msg{head: head{Kind: kind, OK: ok, n: request.n}, Try: request.Try, value: request.value, tail: tail{x: rev}}
}

// NewEtcdLocked answers with the revisions at which the client's key and the oldest were made.
func NewEtcdLocked(request *Msg, ok bool, created uint64, oldest int64) Msg {
	m := NewEtcdReply(EtcdLocked, request, ok, oldest)
	m.token = created
	return m
}

// Oldest is the revision at which the oldest key was made.
func (m *Msg) Oldest() uint64 { return uint64(m.x) }

// NewEtcdSought answers with the key before that of the client, at a revision; not OK: there is none.
func NewEtcdSought(request *Msg, ok bool, key uint64, rev int64) Msg {
	m := NewEtcdReply(EtcdSought, request, ok, rev)
	m.value = key
	return m
}

// NewEtcdVerified answers at a revision with that at which the client's key was made.
func NewEtcdVerified(request *Msg, ok bool, created uint64, rev int64) Msg {
	m := NewEtcdReply(EtcdVerified, request, ok, rev)
	m.token = created
	return m
}

// NewEtcdCreated answers that the fixed key was made, or which lease's it is; and at which revision it
// was made, 0 if the lease is gone.
func NewEtcdCreated(request *Msg, ok bool, owner etcd.LeaseID, created uint64, rev int64) Msg {
	m := NewEtcdReply(EtcdCreated, request, ok, rev)
	m.value, m.token = uint64(owner), created
	return m
}

// NewEtcdWatched is the end of a numbered watch of a key: it is deleted, at a revision; not OK: the
// history from there on is gone.
func NewEtcdWatched(try uint32, number uint16, key uint64, ok bool, rev int64) Msg {
	return Msg{head: head{Kind: EtcdDeleted, OK: ok, n: number}, Try: try, value: key, tail: tail{x: rev}}
}

// etcdWords is such a message in words, but for its kind. A key has the
// name of the session's lease, which is that of the attempt that opened it.
func etcdWords(m *Msg) string {
	key := func() string {
		if m.value == EtcdFixedKey {
			return " the fixed key"
		}
		return " " + valueName(m.value)
	}
	switch m.Kind {
	case Raft:
		return " " + m.RaftHeader().String()
	case Leads:
		return fmt.Sprintf(" term %d", m.token)
	case EtcdGrant:
		return fmt.Sprintf("%s for %v", key(), m.LeaseTTL())
	case EtcdKeepAlive, EtcdRevoke, EtcdLock, EtcdVerify, EtcdPut, EtcdCreate:
		return key()
	case EtcdKeptAlive:
		if m.x == 0 {
			return key() + " gone"
		}
		return fmt.Sprintf("%s for %v", key(), m.LeaseTTL())
	case EtcdLocked:
		return fmt.Sprintf(" made at %d, oldest %d", m.token, m.x)
	case EtcdSeek:
		return fmt.Sprintf("%s before %d", key(), m.x)
	case EtcdSought:
		if !m.OK {
			return " none"
		}
		return key()
	case EtcdWatch:
		return fmt.Sprintf("%s from %d", key(), m.x)
	case EtcdDeleted:
		if !m.OK {
			return key() + " compacted"
		}
		return fmt.Sprintf("%s deleted at %d", key(), m.x)
	case EtcdVerified:
		if m.token == 0 {
			return " none"
		}
		return fmt.Sprintf(" made at %d", m.token)
	case EtcdUnlock:
		if m.token == 0 {
			return key()
		}
		return fmt.Sprintf("%s if made at %d", key(), m.token)
	case EtcdCreated:
		return fmt.Sprintf(" made at %d", m.token)
	}
	return ""
}
