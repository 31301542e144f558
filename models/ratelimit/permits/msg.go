package permits

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	OK     bool
	Rid    uint32
	InUse  int32
	Wait   time.Duration
	status uint16 `at:"code"` // status of the answer; 0: the connection was closed
	panic  uint16 `at:"code"` // number of what the panic says
}

//messages:family
type messages struct {
	// client to limiter: Rid, Wait: how long the client waits for its turn, 0 if it does not say
	Req          model.Message `has:"+Wait" say:"[ within {Wait}]"`
	Cancel       model.Message // client to limiter: Rid, the connection is closed
	Resp         model.Message `has:"Rid status" new:"answered" say:" {statusText}"` // limiter to client: Rid, status
	Shutdown     model.Message // operator to limiter
	Acquire      model.Message // limiter to store: Rid
	AcquireReply model.Message `has:"+OK" say:" [?OK:ok|no]"` // OK: Rid has a permit
	Renew        model.Message // limiter to store: Rid
	Free         model.Message // limiter to store: Rid
	send         model.Timer   // of a client: the next request
	giveUp       model.Timer   // of a client: Rid has taken too long
	order        model.Timer   // of an operator: the next shutdown
	finish       model.Timer   // of a limiter: the handler of Rid returns
	expire       model.Timer   // of a limiter: Rid has waited, or been asked about, for too long
	toSelect     model.Timer   // of a limiter: the handler of Rid gets to its select
	pickNotify   model.Timer   // of a limiter: of the two cases of a handler, this one
	pickTimer    model.Timer   // of a limiter: or this one, whichever comes first
	pickItem     model.Timer   // of a limiter: of the two cases of the dispatcher, this one
	pickDone     model.Timer   // of a limiter: or this one
	dispatch     model.Timer   // of a limiter: the dispatcher begins, or has written its line
	drainTimeout model.Timer   // of a limiter: it has drained for long enough
	beat         model.Timer   // of a limiter: Rid needs its permit still
	Gone         model.Note    // of a client: it gives up Rid
	Got          model.Note    `has:"Rid status" new:"answered" say:" {statusText}"` // of a client: status is the answer to Rid
	Arrived      model.Note    // of a limiter: Rid, Wait: how long it may
	Queued       model.Note    // Rid waits
	Granted      model.Note    `has:"+InUse" say:", {InUse} in use"` // Rid has a permit; InUse. Of a limiter or the store
	Started      model.Note    // the handler of Rid runs
	Done         model.Note    // the handler of Rid has returned
	Freed        model.Note    `has:"+InUse" say:", {InUse} in use"` // the permit of Rid is back; InUse. Of a limiter or the store
	// Rid is told status
	Answered  model.Note `has:"Rid status" new:"answered" say:" {statusText}"`
	Cancelled model.Note // the limiter has learnt that the client of Rid is gone
	Draining  model.Note // no request may start any more
	Drained   model.Note // no request is left
	Stopped   model.Note // the dispatcher has returned
	// with panicText; Rid in whose handler, 0: in the whole process
	Panicked   model.Note `has:"Rid panic" new:"panicked" say:": {panicText}"`
	Purged     model.Note `has:"+InUse" say:", {InUse} in use"` // of the store: the permit of Rid has expired; InUse
	Overridden model.Note // the handler of Rid is cut off: the time for draining is over
}

// Status codes of an answer. Closed connections have none.
const (
	OK              = 200
	TooManyRequests = 429
	ClientClosed    = 499 // the client has gone, and does not read it
	Unavailable     = 503
	GatewayTimeout  = 504
)

// What a panic says.
const (
	sendOnClosed  = 1
	closeOfClosed = 2
)

var panicTexts = [...]string{"", "send on closed channel", "close of closed channel"}

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind  sim.Kind
	OK    bool
	code  uint16        // see the constructors
	Rid   uint32        // the request: see ridOf; 0 is none
	InUse int32         // permits
	Wait  time.Duration // for a permit
}

func (m *Msg) panicText() string { return panicTexts[m.code] }

// statusText is the status in words.
func (m *Msg) statusText() string {
	if m.status() == 0 {
		return "connection closed"
	}
	return fmt.Sprint(m.status())
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.OK {
		ok = 1
	}
	return d.Fold(uint64(m.Kind)|ok<<8|uint64(m.code)<<16|uint64(m.Rid)<<32, uint64(m.InUse)).Fold(uint64(m.Wait), 0)
}

// String is the message in words.
func (m Msg) String() string {
	s := kinds.Name(m.Kind)
	if m.Rid != 0 {
		s += fmt.Sprintf(" %d.%d", client(m.Rid), nth(m.Rid))
	}
	return s + m.words()
}

// A request is named by its client and which of the client's requests it is, from 1.
const (
	ridBits     = 24
	maxRequests = 1<<ridBits - 1
)

func ridOf(client sim.NodeID, n int) uint32 { return uint32(client)<<ridBits | uint32(n) }

// client is whose request it is.
func client(rid uint32) sim.NodeID { return sim.NodeID(rid >> ridBits) }

// nth is which of the client's requests it is.
func nth(rid uint32) int { return int(rid & maxRequests) }
