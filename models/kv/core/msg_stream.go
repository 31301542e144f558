package core

import (
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message by which a node that gains keys is sent what is stored of them: a digest has
// their numbers.
const (
	Fetch      sim.Kind = 19 // controller to a node that gains keys
	FetchDone  sim.Kind = 20 // that node to the controller
	StreamAsk  sim.Kind = 21 // node that gains keys to one of the old ring
	StreamItem sim.Kind = 22 // that one back: an object
	StreamEnd  sim.Kind = 23 // that one back: how many objects there were
	StreamTick sim.Kind = 39 // node timer: the next part of a stream
	StreamLook sim.Kind = 40 // node timer: whether streams of a change make progress
	Streamed   sim.Kind = 69 // note of a node: it has all that another one had to send
)

var streamKinds = model.Kinds{
	Fetch:      model.MessageKind("fetch"),
	FetchDone:  model.MessageKind("fetch-done"),
	StreamAsk:  model.MessageKind("stream-ask"),
	StreamItem: model.MessageKind("stream-item"),
	StreamEnd:  model.MessageKind("stream-end"),
	StreamTick: model.TimerKind("stream-tick"),
	StreamLook: model.TimerKind("stream-look"),
	Streamed:   model.NoteKind("streamed"),
}

// NewStreamAsk asks for a stream, in a round of asking.
func NewStreamAsk(round uint8, change uint32, rings Transition) Msg {
	return Msg{Kind: StreamAsk, code: round, number: change, word: uint64(rings)}
}

// NewStreamItem is the nth object of a stream, from 0.
func NewStreamItem(round uint8, change, nth, key uint32, o *version.Object) Msg {
	return Msg{Kind: StreamItem, code: round, number: change, req: nth, key: key, Obj: o}
}

// NewStreamEnd ends a stream of that many objects.
func NewStreamEnd(round uint8, change, objects uint32) Msg {
	return Msg{Kind: StreamEnd, code: round, number: change, req: objects}
}

// Round is the round of asking that a stream is of.
func (m *Msg) Round() uint8 { return m.code }

// Nth is which object of its stream this is, from 0.
func (m *Msg) Nth() uint32 { return m.req }

// Total is how many objects a stream had.
func (m *Msg) Total() uint32 { return m.req }

// NewStreamTick is the timer of the stream to a node.
func NewStreamTick(to sim.NodeID) Msg { return Msg{Kind: StreamTick, node: uint16(to)} }

// NewStreamed notes what a node has sent.
func NewStreamed(from sim.NodeID, objects uint32, bytes uint64) Msg {
	return Msg{Kind: Streamed, node: uint16(from), number: objects, word: bytes}
}

// Objects is how many were streamed.
func (m *Msg) Objects() uint32 { return m.number }

// Bytes is how many were streamed.
func (m *Msg) Bytes() uint64 { return m.word }
