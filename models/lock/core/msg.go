package core

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/raft"
	"fencepost/sim"
)

// The kinds of message.
const (
	Start sim.Kind = iota // the zero message

	Set      // client to Redis: Value, X the TTL, 0 for none
	SetReply // OK: the key was free
	Get      // client to Redis
	GetReply // Value, 0 for none
	Del      // client to Redis, unconditional
	DelIf    // client to Redis: the script, Value
	DelReply // OK: something was deleted
	Extend   // client to Redis: the script that moves the expiry: Value, X the TTL, N the extension's number
	ExtReply // OK: the key held the value; N

	Incr          // client to the counter
	IncrReply     // Token
	Register      // client to the store: the fence operation, which registers Token
	RegisterReply // OK: not stale
	Read          // client to the store
	ReadReply     // X the counter
	Write         // client to the store: Token, N the number of the request, X the new value
	WriteReply    // OK: not rejected

	Begin    // client timer: the next acquisition
	Retry    // client timer: the next attempt
	Timeout  // client timer: no answer in time; N says about what
	Worked   // client timer: the critical section's work is done
	Unneeded // client timer: the lock is no longer needed
	Renew    // client timer: extend the lock
	Expire   // Redis alarm: the key's time is over
	Sync     // Redis timer: the whole second
	Rejoin   // Redis timer or alarm: a delayed restart is over

	Trying   // note of a client: an attempt begins
	Acquired // X: the reading of its clock up to which it may act, OK if there is one; N: messages it took
	Refused  // an attempt failed; N instances granted it, X the validity that was left
	Failed   // it gives up acquiring: no tries left
	Extended // X: the new reading
	Checked  // the lock is still valid, for another X; what follows is what the lock protects
	Expired  // it is not: the client gives up its critical section
	Released // the client has done what the lock protects; N is 1 if its write was not answered in time
	Stale    // the store rejected the client's token; N is 1 if its write carried it
	Owned    // note of a Redis: the key belongs to the grant in Value
	Freed    // the key is gone; OK if a client deleted it, with its grant in Value; N is 1 if it was lost in a crash, 2 if an administrator deleted it, 3 if a new master does not have it
	Issued   // note of the counter: Token
	Applied  // note of the store: Token, Value the grant, X the new counter, N how often its client has written before with this grant
	Fenced   // note of the store: Token is registered; N is 1 if it is a value, that of the grant in Value
	Rejected // note of the store: Token was stale, Value the grant, X the token it knows; N is 1 if the values differed, and X is the grant that registered last
	Hung     // note of a client: N instances granted its attempt, and neither side has a quorum: it never ends
	LockLost // note of a client: it has learned that it no longer holds the lock, and leaves the critical section

	ExtendOrSet // client to Redis: the script that moves the expiry, or sets a key that is gone: as Extend

	Enter       // client to Redis: Redisson's lock script: Value the owner, X the lease
	EnterReply  // OK: it is the owner; else X is what is left of the lease of another
	Leave       // client to Redis: Redisson's unlock script: Value the owner, X the lease
	LeaveReply  // OK: it was the owner; N is 1 if it is no more
	Subscribe   // client to Redis: OK, or no more
	Subscribed  // Redis to client
	Unlocked    // Redis to a client that has subscribed: the lock was released
	Watch       // client timer: renew the lease; N the number of the watch
	Latch       // client timer: the lease of another is over
	WatchEnded  // note of a client: it renews the lease no more; N is 1 if it still believes to hold the lock
	WatchLeaked // note of a client: it renews the lease of a lock that it has released

	Replicate // master to replica: the key as it is: Value, OK and X its expiry, N and Try whose it is; Token the position in the stream
	ReplAck   // replica to master: Token the position that it has
	GetAck    // master to replica
	Wait      // client to master: N replicas, X for how long
	WaitReply // N replicas have acknowledged
	ReplicaOf // Sentinel to Redis: X the master, itself for none; Token the epoch
	Probe     // Sentinel to Redis: PING and INFO
	Info      // OK: it is a master; X its master, N its priority, Token its offset

	AskDown   // Sentinel to Sentinel: X the master, Token the epoch, OK: asks for a vote
	DownReply // OK: it is down; X for whom it has voted, Token in which epoch
	Hello     // Sentinel to Sentinel: X the master, Token the epoch of its promotion
	GetMaster // client to Sentinel
	MasterIs  // X
	Published // Sentinel to client: X is the master now

	Flush   // master timer: the lag of replica N is over
	Beat    // replica timer: the next acknowledgement
	Waited  // master timer: client X has waited for long enough
	Tick    // Sentinel timer: the next look
	Inquire // Sentinel timer: asks X whether it has been promoted
	Unfound // client timer: no Sentinel has answered

	Promoted         // note of a Redis: it is a master from now on; Token the epoch
	Following        // note of a Redis: it is a replica of X from now on; N is 1 if it was a master: what only it had is lost
	SubjectivelyDown // note of a Sentinel: X has not answered for too long
	ObjectivelyDown  // note of a Sentinel: N Sentinels say so of X
	Candidacy        // note of a Sentinel: it wants to lead the failover in epoch Token
	Elected          // note of a Sentinel: it does
	SwitchedMaster   // note of a Sentinel: X is the master of its configuration; Token the epoch
	Tilted           // note of a Sentinel: its clock has jumped, and it does nothing for a while

	Raft      // etcd server to etcd server: Packet
	RaftTick  // etcd server timer: a heartbeat interval is over
	RaftElect // etcd server timer: the election timeout numbered Try is over
	Leads     // note of an etcd server: it leads, from now on, the term in Token

	ZKConnect   // client to ZooKeeper: Token the session, 0 for a new one, X the timeout, N the connection
	ZKConnected // Token the session, X its timeout, N; not OK: the session has expired
	ZKClosed    // the server has closed the connection of the session in Token
	ZKPing      // client to ZooKeeper: Token the session, as in every request
	ZKPong      // N the events sent on this connection
	ZKCreate    // client to ZooKeeper: an ephemeral sequential node with the GUID in Value; N numbers requests
	ZKCreated   // Value and X its name, Token its czxid; not OK: X is the code of the error
	ZKMake      // client to ZooKeeper: the lock's directory
	ZKMade      //
	ZKList      // client to ZooKeeper: the directory; Value and X the client's node; OK: and watch it
	ZKListed    // OK: the client's node is there, its suffix in the lower half of X; Token its place, from 0; Value and the upper half of X the node before it
	ZKGet       // client to ZooKeeper: the node of Value and X; OK: and watch it
	ZKGot       // OK: it exists, Token its czxid
	ZKDelete    // client to ZooKeeper: the node of Value and X
	ZKDeleted   // OK: it was there
	ZKEvent     // a watch has fired: Value and X the node, Token the session

	ZKPingDue  // client timer: has nothing been sent for a third of the timeout? N the connection
	ZKQuiet    // client timer: has nothing been heard for two thirds of it? N the connection
	ZKRedial   // client timer: no server has answered; N the connection
	ZKPatience // client timer: Curator's LOST; Token the session
	ZKTick     // ZooKeeper timer: a bucket of sessions is over
	ZKSweep    // ZooKeeper timer: empty containers

	ZKSuspended    // note of a client: it does not know whether it has a session
	ZKResumed      // note of a client: it has reconnected within its session
	ZKLost         // note of a client: it takes its session to be over
	ZKExpired      // note of a client: a server says that its session is over
	ZKWoken        // note of a client that waits: a watch has fired
	ZKListing      // note of a ZooKeeper: it lists N nodes in X bytes
	ZKSessionEnded // note of a ZooKeeper: the session in Token, of the client in Value, has expired X after its latest sign of life

	GetObject      // client to the API server
	CreateObject   // client to the API server: the lease, as setLease has it
	UpdateObject   // client to the API server: the lease, with the version that it replaces
	ObjectReply    // the lease as it is now; OK: done; Try the request
	ElectionWait   // client timer: the wait between two tries, or two renewals, or for the stop hooks is over
	RequestTimeout // client timer: no reply in time
	RenewDeadline  // client timer: the renewal, or the release, has been tried for long enough
	DeleteObject   // API server timer
	EtcdGrant      // client to etcd: Value the lease, X its TTL in seconds; N the number of the request, as in all that follow
	EtcdGranted    // OK; an answer has the N and the Try of its request
	EtcdKeepAlive  // client to etcd: Value the lease; without N, as its answer
	EtcdKeptAlive  // X its TTL in seconds, 0 if it is gone
	EtcdRevoke     // client to etcd: Value the lease
	EtcdRevoked    // OK
	EtcdLock       // client to etcd: the transaction of the mutex: Value the lease
	EtcdLocked     // Token the create revision of the client's key, 0 if the lease is gone; X that of the oldest key
	EtcdSeek       // client to etcd: Value the lease, X the create revision of its key
	EtcdSought     // OK: there is a key before it; Value its name, X the present revision
	EtcdWatch      // client to etcd: Value the name of a key, X the revision from which on
	EtcdDeleted    // OK: the key in Value is deleted, at revision X; else the history from there on is gone
	EtcdVerify     // client to etcd: Value the lease
	EtcdVerified   // Token the create revision of the client's key, 0 if it has none
	EtcdUnlock     // client to etcd: Value the name of a key; Token its create revision, 0 to delete it whatever that is
	EtcdUnlocked   // OK: something was deleted
	EtcdPut        // client to etcd: put the fixed key: Value the lease
	EtcdCreate     // client to etcd: put it unless it is there: Value the lease
	EtcdCreated    // OK: put; Token the create revision, 0 if the lease is gone; if it was there Value its lease, X the present revision
	EtcdPoll       // client timer: the loop of keep-alives
	EtcdDeadline   // client timer: the loop of deadlines
	EtcdResend     // client timer: request N has no answer; Value the server's number, from 0
	EtcdScan       // etcd timer: look for expired leases
	EtcdCommit     // etcd timer: the revocation of the lease in Value is committed
	EtcdLeader     // etcd timer: another server leads

	EtcdCheckpoint // in the log of etcd on Raft: X seconds are left of the lease in Value; 0 forgets that
	Pulse          // client timer: a leader writes again
	Skipped        // note of a client: the store says that the job of night X is done

	ConsulAcquire  // client to Consul: Value the grant, X the TTL of its session, N the number of the request
	ConsulRenew    // client to Consul: Value, X
	ConsulRelease  // client to Consul: Value, N
	ConsulReply    // OK: done; Token is LockIndex; X is 1 if the lock is free, and a lock-delay in effect; N of the request
	ConsulChanged  // Consul to client: the lock is held no more by the session that held it, Value to its client
	ConsulAgain    // client timer: no reply, or the pause of a lock-delay is over; N the request
	ConsulRenewDue // client timer: half a TTL is over
	ConsulExpire   // Consul timer: two TTLs are over

	kindCount // append new kinds above: digests hold the numbers
)

// Kinds names the kinds of message, and says what each is.
var Kinds = kit.NewKinds(kindCount, kit.Kinds{
	Set:           kit.Message("set"),
	SetReply:      kit.Message("set-reply"),
	Get:           kit.Message("get"),
	GetReply:      kit.Message("get-reply"),
	Del:           kit.Message("del"),
	DelIf:         kit.Message("del-if"),
	DelReply:      kit.Message("del-reply"),
	Extend:        kit.Message("extend"),
	ExtReply:      kit.Message("extend-reply"),
	Incr:          kit.Message("incr"),
	IncrReply:     kit.Message("incr-reply"),
	Register:      kit.Message("fence"),
	RegisterReply: kit.Message("fence-reply"),
	Read:          kit.Message("read"),
	ReadReply:     kit.Message("read-reply"),
	Write:         kit.Message("write"),
	WriteReply:    kit.Message("write-reply"),

	Begin:    kit.Timer("begin"),
	Retry:    kit.Timer("retry"),
	Timeout:  kit.Timer("timeout"),
	Worked:   kit.Timer("worked"),
	Unneeded: kit.Timer("done"),
	Renew:    kit.Timer("renew"),
	Expire:   kit.Timer("expire"),
	Sync:     kit.Timer("sync"),
	Rejoin:   kit.Timer("rejoin"),

	Trying:   kit.Note("trying"),
	Acquired: kit.Note("acquired"),
	Refused:  kit.Note("refused"),
	Failed:   kit.Note("failed"),
	Extended: kit.Note("extended"),
	Checked:  kit.Note("checked"),
	Expired:  kit.Note("expired"),
	Released: kit.Note("released"),
	Stale:    kit.Note("stale"),
	Owned:    kit.Note("owned"),
	Freed:    kit.Note("freed"),
	Issued:   kit.Note("issued"),
	Applied:  kit.Note("applied"),
	Fenced:   kit.Note("fenced"),
	Rejected: kit.Note("rejected"),
	Hung:     kit.Note("hung"),
	LockLost: kit.Note("lock-lost"),

	ExtendOrSet: kit.Message("extend-or-set"),
	Enter:       kit.Message("lock-script"),
	EnterReply:  kit.Message("lock-script-reply"),
	Leave:       kit.Message("unlock-script"),
	LeaveReply:  kit.Message("unlock-script-reply"),
	Subscribe:   kit.Message("subscribe"),
	Subscribed:  kit.Message("subscribed"),
	Unlocked:    kit.Message("unlocked"),
	Watch:       kit.Timer("watch"),
	Latch:       kit.Timer("latch"),
	WatchEnded:  kit.Note("watch-ended"),
	WatchLeaked: kit.Note("watch-leaked"),
	Replicate:   kit.Message("replicate"),
	ReplAck:     kit.Message("replconf-ack"),
	GetAck:      kit.Message("replconf-getack"),
	Wait:        kit.Message("wait"),
	WaitReply:   kit.Message("wait-reply"),
	ReplicaOf:   kit.Message("replicaof"),
	Probe:       kit.Message("info"),
	Info:        kit.Message("info-reply"),
	AskDown:     kit.Message("is-master-down"),
	DownReply:   kit.Message("is-master-down-reply"),
	Hello:       kit.Message("hello"),
	GetMaster:   kit.Message("get-master"),
	MasterIs:    kit.Message("master"),
	Published:   kit.Message("switch-master"),

	Flush:   kit.Timer("flush"),
	Beat:    kit.Timer("beat"),
	Waited:  kit.Timer("waited"),
	Tick:    kit.Timer("tick"),
	Inquire: kit.Timer("inquire"),
	Unfound: kit.Timer("unfound"),

	Promoted:         kit.Note("promoted"),
	Following:        kit.Note("following"),
	SubjectivelyDown: kit.Note("subjectively-down"),
	ObjectivelyDown:  kit.Note("objectively-down"),
	Candidacy:        kit.Note("candidacy"),
	Elected:          kit.Note("elected"),
	SwitchedMaster:   kit.Note("switched-master"),
	Tilted:           kit.Note("tilted"),

	Raft:      kit.Message("raft"),
	RaftTick:  kit.Timer("raft-tick"),
	RaftElect: kit.Timer("raft-elect"),
	Leads:     kit.Note("leads"),

	ZKConnect:      kit.Message("zk-connect"),
	ZKConnected:    kit.Message("zk-connected"),
	ZKClosed:       kit.Message("zk-closed"),
	ZKPing:         kit.Message("zk-ping"),
	ZKPong:         kit.Message("zk-pong"),
	ZKCreate:       kit.Message("zk-create"),
	ZKCreated:      kit.Message("zk-created"),
	ZKMake:         kit.Message("zk-make-directory"),
	ZKMade:         kit.Message("zk-made-directory"),
	ZKList:         kit.Message("zk-list"),
	ZKListed:       kit.Message("zk-listed"),
	ZKGet:          kit.Message("zk-get"),
	ZKGot:          kit.Message("zk-got"),
	ZKDelete:       kit.Message("zk-delete"),
	ZKDeleted:      kit.Message("zk-deleted"),
	ZKEvent:        kit.Message("zk-event"),
	ZKPingDue:      kit.Timer("zk-ping-due"),
	ZKQuiet:        kit.Timer("zk-read-timeout"),
	ZKRedial:       kit.Timer("zk-connect-timeout"),
	ZKPatience:     kit.Timer("zk-lost-due"),
	ZKTick:         kit.Timer("zk-tick"),
	ZKSweep:        kit.Timer("zk-container-check"),
	ZKSuspended:    kit.Note("zk-suspended"),
	ZKResumed:      kit.Note("zk-resumed"),
	ZKLost:         kit.Note("zk-lost"),
	ZKExpired:      kit.Note("zk-expired"),
	ZKWoken:        kit.Note("zk-woken"),
	ZKListing:      kit.Note("zk-listing"),
	ZKSessionEnded: kit.Note("zk-session-ended"),

	GetObject:      kit.Message("get-object"),
	CreateObject:   kit.Message("create-object"),
	UpdateObject:   kit.Message("update-object"),
	ObjectReply:    kit.Message("object-reply"),
	ElectionWait:   kit.Timer("election-wait"),
	RequestTimeout: kit.Timer("request-timeout"),
	RenewDeadline:  kit.Timer("renew-deadline"),
	DeleteObject:   kit.Timer("delete-object"),
	EtcdGrant:      kit.Message("lease-grant"),
	EtcdGranted:    kit.Message("lease-grant-reply"),
	EtcdKeepAlive:  kit.Message("keep-alive"),
	EtcdKeptAlive:  kit.Message("keep-alive-reply"),
	EtcdRevoke:     kit.Message("lease-revoke"),
	EtcdRevoked:    kit.Message("lease-revoke-reply"),
	EtcdLock:       kit.Message("lock-txn"),
	EtcdLocked:     kit.Message("lock-txn-reply"),
	EtcdSeek:       kit.Message("get-predecessor"),
	EtcdSought:     kit.Message("get-predecessor-reply"),
	EtcdWatch:      kit.Message("watch-key"),
	EtcdDeleted:    kit.Message("watch-event"),
	EtcdVerify:     kit.Message("get-own-key"),
	EtcdVerified:   kit.Message("get-own-key-reply"),
	EtcdUnlock:     kit.Message("delete-key"),
	EtcdUnlocked:   kit.Message("delete-key-reply"),
	EtcdPut:        kit.Message("put-key"),
	EtcdCreate:     kit.Message("create-txn"),
	EtcdCreated:    kit.Message("put-key-reply"),
	EtcdPoll:       kit.Timer("keep-alive-poll"),
	EtcdDeadline:   kit.Timer("deadline-poll"),
	EtcdResend:     kit.Timer("resend"),
	EtcdScan:       kit.Timer("lease-scan"),
	EtcdCommit:     kit.Timer("revoke-commit"),
	EtcdLeader:     kit.Timer("leader-change"),
	EtcdCheckpoint: kit.Message("lease-checkpoint"),

	ConsulAcquire:  kit.Message("consul-acquire"),
	ConsulRenew:    kit.Message("consul-renew"),
	ConsulRelease:  kit.Message("consul-release"),
	ConsulReply:    kit.Message("consul-reply"),
	ConsulChanged:  kit.Message("consul-changed"),
	ConsulAgain:    kit.Timer("consul-again"),
	ConsulRenewDue: kit.Timer("consul-renew-timer"),
	ConsulExpire:   kit.Timer("consul-expire"),
	Pulse:          kit.Timer("pulse"),
	Skipped:        kit.Note("skipped"),
})

// Msg is every message of the lock protocols. A kind uses the fields its comment
// names, and Try where it belongs to one attempt of a client.
type Msg struct {
	Kind  sim.Kind
	OK    bool
	N     uint16
	Try   uint32 // the client's attempt, 1 and up
	Value uint64
	Token uint64 // fencing token, 1 and up; 0 is none
	X     int64

	Packet *raft.Packet // of Raft; nil in all others
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.OK {
		ok = 1
	}
	d = d.Fold(uint64(m.Kind)|ok<<8|uint64(m.N)<<16|uint64(m.Try)<<32, m.Value)
	d = d.Fold(m.Token, uint64(m.X))
	if m.Packet != nil {
		d = m.Packet.Fold(d)
	}
	return d
}

// String is the message in words.
func (m Msg) String() string {
	s := Kinds.Name(m.Kind)
	switch m.Kind {
	case CreateObject, UpdateObject, ObjectReply:
		s += objectName(&m)
	case Set, Extend:
		s += " " + valueName(m.Value)
		if m.X > 0 {
			s += fmt.Sprintf(" px %v", time.Duration(m.X))
		}
	case DelIf, Owned:
		s += " " + valueName(m.Value)
	case GetReply:
		if m.Value == 0 {
			return s + " nil"
		}
		s += " " + valueName(m.Value)
	case SetReply, DelReply, ExtReply, RegisterReply, WriteReply:
		if m.OK {
			return s + " ok"
		}
		return s + " no"
	case IncrReply, Issued, Fenced:
		s += fmt.Sprintf(" token %d", m.Token)
	case ReadReply:
		s += fmt.Sprintf(" %d", m.X)
	case Write, Applied:
		s += fmt.Sprintf(" %d%s", m.X, tokenName(m.Token))
	case Register, Rejected:
		s += tokenName(m.Token)
	case Raft:
		s += " " + m.Packet.String()
	case Leads:
		s += fmt.Sprintf(" term %d", m.Token)
	case Refused:
		s += fmt.Sprintf(" with %d granted, validity %v", m.N, time.Duration(m.X))
	default:
		s += etcdWords(&m)
	}
	return s
}

func tokenName(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" token %d", token)
}

// GrantOf names one attempt of one client. It is also the lock's value, where
// values are unique: it stands for the random string of the algorithm.
func GrantOf(client sim.NodeID, try uint32) uint64 { return uint64(client)<<32 | uint64(try) }

// Client is whose grant it is.
func Client(grant uint64) sim.NodeID { return sim.NodeID(grant >> 32) }

// ConstantValue is the lock's value where every client uses the same.
const ConstantValue = 1

func valueName(v uint64) string {
	if v == ConstantValue {
		return "'1'"
	}
	return fmt.Sprintf("%d.%d", v>>32, uint32(v))
}
