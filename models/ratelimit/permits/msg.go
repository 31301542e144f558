package permits

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Req      // client to limiter: Rid, Wait: how long the client waits for its turn, 0 if it does not say
	Cancel   // client to limiter: Rid, the connection is closed
	Resp     // limiter to client: Rid, status
	Shutdown // operator to limiter

	Acquire      // limiter to store: Rid
	AcquireReply // OK: Rid has a permit
	Renew        // limiter to store: Rid
	Free         // limiter to store: Rid

	send         // client timer: the next request
	giveUp       // client timer: Rid has taken too long
	order        // operator timer: the next shutdown
	finish       // limiter timer: the handler of Rid returns
	expire       // limiter timer: Rid has waited, or been asked about, for too long
	toSelect     // limiter timer: the handler of Rid gets to its select
	pickNotify   // limiter timer: of the two cases of a handler, this one
	pickTimer    // limiter timer: or this one, whichever comes first
	pickItem     // limiter timer: of the two cases of the dispatcher, this one
	pickDone     // limiter timer: or this one
	dispatch     // limiter timer: the dispatcher begins, or has written its line
	drainTimeout // limiter timer: it has drained for long enough
	beat         // limiter timer: Rid needs its permit still

	Gone       // note of a client: it gives up Rid
	Got        // note of a client: status is the answer to Rid
	Arrived    // note of a limiter: Rid, Wait: how long it may
	Queued     // Rid waits
	Granted    // Rid has a permit; InUse. Of a limiter or the store
	Started    // the handler of Rid runs
	Done       // the handler of Rid has returned
	Freed      // the permit of Rid is back; InUse. Of a limiter or the store
	Answered   // Rid is told status
	Cancelled  // the limiter has learnt that the client of Rid is gone
	Draining   // no request may start any more
	Drained    // no request is left
	Stopped    // the dispatcher has returned
	Panicked   // with panicText; Rid in whose handler, 0: in the whole process
	Purged     // note of the store: the permit of Rid has expired; InUse
	Overridden // the handler of Rid is cut off: the time for draining is over

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Req:          model.MessageKind("req"),
	Cancel:       model.MessageKind("cancel"),
	Resp:         model.MessageKind("resp"),
	Shutdown:     model.MessageKind("shutdown"),
	Acquire:      model.MessageKind("acquire"),
	AcquireReply: model.MessageKind("acquire-reply"),
	Renew:        model.MessageKind("renew"),
	Free:         model.MessageKind("free"),
	send:         model.TimerKind("send"),
	giveUp:       model.TimerKind("give-up"),
	order:        model.TimerKind("order"),
	finish:       model.TimerKind("finish"),
	expire:       model.TimerKind("expire"),
	toSelect:     model.TimerKind("to-select"),
	pickNotify:   model.TimerKind("pick-notify"),
	pickTimer:    model.TimerKind("pick-timer"),
	pickItem:     model.TimerKind("pick-item"),
	pickDone:     model.TimerKind("pick-done"),
	dispatch:     model.TimerKind("dispatch"),
	drainTimeout: model.TimerKind("drain-timeout"),
	beat:         model.TimerKind("beat"),
	Gone:         model.NoteKind("gone"),
	Got:          model.NoteKind("got"),
	Arrived:      model.NoteKind("arrived"),
	Queued:       model.NoteKind("queued"),
	Granted:      model.NoteKind("granted"),
	Started:      model.NoteKind("started"),
	Done:         model.NoteKind("done"),
	Freed:        model.NoteKind("freed"),
	Answered:     model.NoteKind("answered"),
	Cancelled:    model.NoteKind("cancelled"),
	Draining:     model.NoteKind("draining"),
	Drained:      model.NoteKind("drained"),
	Stopped:      model.NoteKind("stopped"),
	Panicked:     model.NoteKind("panicked"),
	Purged:       model.NoteKind("purged"),
	Overridden:   model.NoteKind("overridden"),
})

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

// answered is a message about a request that is answered with a status, see [OK]; panicked is the note of a
// panic in the handler of a request, or with 0 in the whole process.
func answered(kind sim.Kind, rid uint32, status uint16) Msg {
	return Msg{Kind: kind, Rid: rid, code: status}
}
func panicked(rid uint32, with uint16) Msg { return Msg{Kind: Panicked, Rid: rid, code: with} }

func (m *Msg) status() uint16    { return m.code } // 0: the connection was closed
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
	switch m.Kind {
	case Req:
		if m.Wait > 0 {
			s += fmt.Sprintf(" within %v", m.Wait)
		}
	case Resp, Got, Answered:
		s += " " + m.statusText()
	case AcquireReply:
		if m.OK {
			return s + " ok"
		}
		return s + " no"
	case Granted, Freed, Purged:
		s += fmt.Sprintf(", %d in use", m.InUse)
	case Panicked:
		s += ": " + m.panicText()
	}
	return s
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
