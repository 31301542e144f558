package ntp

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request   // client to server, of a poll: origin
	Reply     // server to client, of a poll: origin, receive, transmit
	Broadcast // server to client, numbered: transmit

	poll    // client timer: ask the servers
	answer  // server timer: the reply to a client is ready, of a poll: origin, receive
	tick    // server timer: the next broadcast
	slewEnd // client timer: a slew is over

	Polled    // note: the client asks its servers, once more
	Missed    // note: a server has not answered a poll
	Sampled   // note: a server has answered a poll, or broadcasts: offset, delay, at
	Chosen    // note: what the client believes: offset, margin, at
	Undecided // note: the servers do not agree, the client believes nothing
	Stepped   // note: the correction is another one: from, to, at
	Slewed    // note: the correction begins to move: from, to, at
	SlewDone  // note: and there it is
	Exited    // note: the daemon gives up: offset

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Request:   model.MessageKind("request").Text(" {number}"),
	Reply:     model.MessageKind("reply").Text(" {number}, came at {received}, left at {sent}"),
	Broadcast: model.MessageKind("broadcast").Text(" {number}, left at {sent}"),
	poll:      model.TimerKind("poll"),
	answer:    model.TimerKind("answer"),
	tick:      model.TimerKind("tick"),
	slewEnd:   model.TimerKind("slew-end").Text(" {number}"),
	Polled:    model.NoteKind("polled").Text(" {number}").Detail("asks its servers for the time"),
	Missed:    model.NoteKind("missed").Text(" {number}").Log("{node} has no answer from {server}"),
	Sampled: model.NoteKind("sampled").Text(" offset {offset}, delay {delay}").
		Log("{node} takes its clock to be {aside} by {server}, give or take {half}").
		Detail("takes its clock to be {aside} by {server}: the ways took {delay}"),
	Chosen:    model.NoteKind("chosen").Text(" {offset}, give or take {margin}").Detail("decides that its clock is {aside}, give or take {margin}"),
	Undecided: model.NoteKind("undecided").Log("{node} believes none of its servers: too few agree").Detail("decides nothing: too few servers agree"),
	Stepped:   model.NoteKind("stepped").Text(" from {from} to {to}").Log("{node} sets its clock {way} by {by}"),
	Slewed:    model.NoteKind("slewed").Text(" from {from} to {to}").Log("{node} lets its clock run {speed}").Detail("lets its correction go from {from} to {to}"),
	SlewDone:  model.NoteKind("slew-done").Detail("has corrected its clock"),
	Exited:    model.NoteKind("exited").Text(", {offset} off").Log("{node} gives up: its clock is {aside}, and that cannot be"),
})

// Msg is every message of the model. The constructors below write what a kind has, and the
// accessors read it; times are in nanoseconds.
type Msg struct {
	Kind   sim.Kind
	who    sim.NodeID
	n      uint32
	values [3]int64
}

// request asks for the time at the origin timestamp, by the client's wall clock, in a poll.
func request(poll uint32, origin sim.Wall) Msg {
	return Msg{Kind: Request, n: poll, values: [3]int64{0, 0, int64(origin)}}
}

// received is the timer of a server that has a request of a client.
func received(m *Msg, client sim.NodeID, receive sim.Wall) Msg {
	return Msg{Kind: answer, who: client, n: m.n, values: [3]int64{int64(receive), 0, m.values[2]}}
}

// reply is the answer to a request. The names of its timestamps are those of RFC 5905,
// section 8: origin, receive and transmit.
func reply(poll uint32, origin, receive, transmit sim.Wall) Msg {
	return Msg{Kind: Reply, n: poll, values: [3]int64{int64(receive), int64(transmit), int64(origin)}}
}

// broadcast is the nth of its server.
func broadcast(nth uint32, transmit sim.Wall) Msg {
	return Msg{Kind: Broadcast, n: nth, values: [3]int64{0, int64(transmit), 0}}
}

// number is that of the poll or the broadcast, 1 and up.
func (m *Msg) number() uint32 { return m.n }

// client is whose request is to be answered.
func (m *Msg) client() sim.NodeID { return m.who }

func (m *Msg) receive() sim.Wall  { return sim.Wall(m.values[0]) }
func (m *Msg) transmit() sim.Wall { return sim.Wall(m.values[1]) }
func (m *Msg) origin() sim.Wall   { return sim.Wall(m.values[2]) }

// polled is that the client asks its servers, for the nth time.
func polled(nth uint32) Msg { return Msg{Kind: Polled, n: nth} }

// missed is that a server has not answered a poll.
func missed(server sim.NodeID, poll uint32) Msg { return Msg{Kind: Missed, who: server, n: poll} }

// sampled is that a server is ahead of the client's clock by the offset, and that both ways
// took the delay. At is the client's monotonic clock, here and below.
func sampled(server sim.NodeID, number uint32, offset, delay time.Duration, at sim.Mono) Msg {
	return Msg{Kind: Sampled, who: server, n: number, values: [3]int64{int64(offset), int64(delay), int64(at)}}
}

// server is that which has answered, or has not.
func (m *Msg) server() sim.NodeID { return m.who }

// chosen is that true time is ahead of the client's clock by the offset, give or take the
// margin.
func chosen(offset, margin time.Duration, at sim.Mono) Msg {
	return Msg{Kind: Chosen, values: [3]int64{int64(offset), int64(margin), int64(at)}}
}

func exited(offset time.Duration) Msg { return Msg{Kind: Exited, values: [3]int64{int64(offset)}} }

func (m *Msg) offset() time.Duration { return time.Duration(m.values[0]) }
func (m *Msg) delay() time.Duration  { return time.Duration(m.values[1]) }
func (m *Msg) margin() time.Duration { return time.Duration(m.values[1]) }
func (m *Msg) at() sim.Mono          { return sim.Mono(m.values[2]) }

// slewEnded is the timer of a numbered slew.
func slewEnded(number uint32) Msg { return Msg{Kind: slewEnd, n: number} }

// slew is the number of the slew that is over.
func (m *Msg) slew() uint32 { return m.n }

// corrected is a step or a slew of the correction.
func corrected(kind sim.Kind, from, to time.Duration, at sim.Mono) Msg {
	return Msg{Kind: kind, values: [3]int64{int64(from), int64(to), int64(at)}}
}

func (m *Msg) from() time.Duration { return time.Duration(m.values[0]) }
func (m *Msg) to() time.Duration   { return time.Duration(m.values[1]) }

// by is how much the correction changes, and setBack how much it goes back.
func (m *Msg) by() time.Duration      { return (m.to() - m.from()).Abs() }
func (m *Msg) setBack() time.Duration { return max(m.from()-m.to(), 0) }
func (m *Msg) goesBack() bool         { return m.to() < m.from() }

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.who)<<32, uint64(m.n))
	return d.Fold(uint64(m.values[0]), uint64(m.values[1])).Fold(uint64(m.values[2]), 0)
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }
