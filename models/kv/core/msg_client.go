package core

import (
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between clients and the nodes that coordinate their requests, of a client to
// itself, and the notes of clients: a digest has their numbers.
const (
	Start         sim.Kind = 0  // the zero message
	Put           sim.Kind = 1  // client to node; to another node, if it is forwarded
	PutReply      sim.Kind = 2  // node to client, or to the node that has forwarded it
	Get           sim.Kind = 3  // as Put
	GetReply      sim.Kind = 4  // as PutReply
	CompareAndSet sim.Kind = 26 // client to node with a leader; answered as Put is

	Next   sim.Kind = 28 // client timer: the next step
	GiveUp sim.Kind = 29 // client timer: a request has taken too long
	Poll   sim.Kind = 30 // client timer: a request is asked again

	Asked    sim.Kind = 46 // note of a client: it sends a request to a node
	Answered sim.Kind = 47 // note of a client: a request is answered
	Failed   sim.Kind = 48 // note of a client: a request is refused or not answered
	Behind   sim.Kind = 54 // note of a client: an answer lacks something that it has seen

	ForwardTimeout sim.Kind = 71 // node timer: a request that was forwarded is not answered
	Received       sim.Kind = 62 // note of a node: it has a request of a client
)

var clientKinds = model.Kinds{
	Start:          model.MessageKind("start"),
	Put:            model.MessageKind("put"),
	PutReply:       model.MessageKind("put-reply"),
	Get:            model.MessageKind("get"),
	GetReply:       model.MessageKind("get-reply"),
	CompareAndSet:  model.MessageKind("compare-and-set"),
	Next:           model.TimerKind("next"),
	GiveUp:         model.TimerKind("give-up"),
	Poll:           model.TimerKind("poll"),
	Asked:          model.NoteKind("asked"),
	Answered:       model.NoteKind("answered"),
	Failed:         model.NoteKind("failed"),
	Behind:         model.NoteKind("behind"),
	ForwardTimeout: model.TimerKind("forward-timeout"),
	Received:       model.NoteKind("received"),
}

// Status is how a request ends.
type Status uint8

// The statuses.
const (
	OK          Status = iota
	Unavailable        // too few replicas can be reached
	TimedOut           // too few replicas have answered in time: a write may be stored all the same
	Refused            // the coordinator's clock is too far from that of the context
	NoAnswer           // the client has waited long enough
	TooOld             // the same, and what it was answered lacks something that it has seen
	Mismatch           // a compare-and-set finds another value
)

var statusNames = [...]string{"ok", "unavailable", "timed out", "refused", "no answer", "older than what it has seen", "another value"}

// String is the status in words.
func (s Status) String() string { return statusNames[s] }

// NewPut asks for a write in the context of what its client has read.
func NewPut(key, req uint32, context *version.Object, w *version.Write) Msg {
	return Msg{Kind: Put, key: key, req: req, Obj: context, Write: w}
}

// NewGet asks for a read from some nodes, a bit each; 0: from the replicas.
func NewGet(key, req uint32, from uint64) Msg {
	return Msg{Kind: Get, key: key, req: req, word: from}
}

// ReadFrom are the nodes that a read is from, a bit each; 0: the replicas.
func (m *Msg) ReadFrom() uint64 { return m.word }

// Compare makes a compare-and-set of a write: it takes place if the key has the expected value, 0 for
// none.
func (m Msg) Compare(expects uint64) Msg {
	m.Kind, m.word = CompareAndSet, expects
	return m
}

// Expects is the value that a compare-and-set expects; 0: none.
func (m *Msg) Expects() uint64 { return m.word }

// NewPutReply answers a write with what its coordinator stores, and to how many other nodes it has sent
// that.
func NewPutReply(key, req uint32, status Status, o *version.Object, sentTo uint8) Msg {
	return Msg{Kind: PutReply, code: uint8(status), key: key, req: req, Obj: o, number: uint32(sentTo)}
}

// SentTo is how many other nodes the coordinator of an answered write has sent it to.
func (m *Msg) SentTo() uint16 { return uint16(m.number) }

// NewGetReply answers a read.
func NewGetReply(key, req uint32, status Status, o *version.Object) Msg {
	return Msg{Kind: GetReply, code: uint8(status), key: key, req: req, Obj: o}
}

// Status is how a request has ended, or what a replica says of a write.
func (m *Msg) Status() Status { return Status(m.code) }

// For is a request or an answer between nodes, on behalf of a client; of none: it is for whom it is sent to.
func (m Msg) For(client uint16) Msg {
	m.node = client
	return m
}

// Client is on whose behalf a request is forwarded or answered, or received; 0: of none.
func (m *Msg) Client() uint16 { return m.node }

// NewRequestTimer is a timer of a kind about a request.
func NewRequestTimer(kind sim.Kind, req uint32) Msg { return Msg{Kind: kind, req: req} }

// NewForwardTimeout is the timer of a client's request that was forwarded.
func NewForwardTimeout(client uint16, req uint32) Msg {
	return Msg{Kind: ForwardTimeout, node: client, req: req}
}

// NewAsked notes that a request is sent to a node.
func NewAsked(request *Msg, to sim.NodeID) Msg {
	m := *request
	m.Kind, m.node = Asked, uint16(to)
	return m
}

// NewAnswered notes the end of a request: [Answered], or [Failed] if its status says so. A read has no
// write.
func NewAnswered(key, req uint32, status Status, o *version.Object, w *version.Write) Msg {
	kind := Answered
	if status != OK {
		kind = Failed
	}
	return Msg{Kind: kind, code: uint8(status), key: key, req: req, Obj: o, Write: w}
}

// SetCopies notes how many other nodes an answered write was sent to.
func (m *Msg) SetCopies(sentTo uint16) { m.node = sentTo }

// Copies is how many other nodes an answered write was sent to.
func (m *Msg) Copies() uint16 { return m.node }

// SetCompares notes of a request, or of its end, that it is a compare-and-set, and what it expects.
func (m *Msg) SetCompares(expects uint64) { m.number, m.word = 1, expects }

// Compares reports whether a note is of a compare-and-set, and what that expects; 0: no value.
func (m *Msg) Compares() (expects uint64, ok bool) { return m.word, m.number == 1 }

// NewBehind notes that the answer to a read lacks something that its client has seen.
func NewBehind(key, req uint32, answer *version.Object) Msg {
	return Msg{Kind: Behind, key: key, req: req, Obj: answer}
}

// NoteReceived notes a request of a client: from then on it is at a node.
func NoteReceived(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.node == 0 {
		out.Note(Msg{Kind: Received, key: in.Msg.key, req: in.Msg.req, node: uint16(in.From)})
	}
}
