package lock

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

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

	begin   // client timer: the next acquisition
	retry   // client timer: the next attempt
	timeout // client timer: no answer in time; N says about what
	worked  // client timer: the critical section's work is done
	done    // client timer: the lock is no longer needed
	renew   // client timer: extend the lock
	expire  // Redis alarm: the key's time is over
	sync    // Redis timer: the whole second
	rejoin  // Redis timer or alarm: a delayed restart is over

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
	Freed    // the key is gone; OK if a client deleted it, with its grant in Value; N is 1 if it was lost in a crash
	Issued   // note of the counter: Token
	Applied  // note of the store: Token, Value the grant, X the new counter
	Fenced   // note of the store: Token is registered; N is 1 if it is a value, that of the grant in Value
	Rejected // note of the store: Token was stale, Value the grant, X the token it knows; N is 1 if the values differed, and X is the grant that registered last
	Hung     // note of a client: N instances granted its attempt, and neither side has a quorum: it never ends
)

var kindNames = []string{
	"start", "set", "set-reply", "get", "get-reply", "del", "del-if", "del-reply", "extend", "extend-reply",
	"incr", "incr-reply", "fence", "fence-reply", "read", "read-reply", "write", "write-reply",
	"begin", "retry", "timeout", "worked", "done", "renew", "expire", "sync", "rejoin",
	"trying", "acquired", "refused", "failed", "extended", "checked", "expired", "released", "stale",
	"owned", "freed", "issued", "applied", "fenced", "rejected", "hung",
}

// noted are the kinds that are notes.
var noted = []sim.Kind{Trying, Acquired, Refused, Failed, Extended, Checked, Expired, Released, Stale,
	Owned, Freed, Issued, Applied, Fenced, Rejected, Hung}

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
	return d.Fold(m.Token, uint64(m.X))
}

// String is the message in words.
func (m Msg) String() string {
	s := kindNames[m.Kind]
	switch m.Kind {
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
	case Refused:
		s += fmt.Sprintf(" with %d granted, validity %v", m.N, time.Duration(m.X))
	}
	return s
}

func tokenName(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" token %d", token)
}

// grantOf names one attempt of one client. It is also the lock's value, where
// values are unique: it stands for the random string of the algorithm.
func grantOf(client sim.NodeID, try uint32) uint64 { return uint64(client)<<32 | uint64(try) }

// constantValue is the lock's value where every client uses the same.
const constantValue = 1

func valueName(v uint64) string {
	if v == constantValue {
		return "'1'"
	}
	return fmt.Sprintf("%d.%d", v>>32, uint32(v))
}
