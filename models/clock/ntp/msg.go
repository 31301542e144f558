package ntp

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	number   uint32        `at:"n"`      // number of the poll or the broadcast, 1 and up
	client   sim.NodeID    `at:"who"`    // client whose request is to be answered
	server   sim.NodeID    `at:"who"`    // server that has answered, or has not
	receive  sim.Wall      `at:"first"`  // receive timestamp, as RFC 5905, section 8, has the names of the three
	transmit sim.Wall      `at:"second"` // transmit timestamp
	origin   sim.Wall      `at:"third"`  // origin timestamp, by the client's wall clock
	offset   time.Duration `at:"first"`  // offset by which a server, or true time, is ahead of the client's clock
	delay    time.Duration `at:"second"` // delay of both ways
	margin   time.Duration `at:"second"` // margin of the offset, up and down
	at       sim.Mono      `at:"third"`  // reading of the client's monotonic clock
	slew     uint32        `at:"n"`      // number of the slew that is over
	from     time.Duration `at:"first"`  // correction before
	to       time.Duration `at:"second"` // correction from now on
}

//messages:family
type messages struct {
	Request model.Message `has:"number origin" new:"request" text:" {number}"` // client to server, of a poll: origin
	// server to client, of a poll: origin, receive, transmit
	Reply     model.Message `has:"number origin receive transmit" new:"reply" text:" {number}, came at {received}, left at {sent}"`
	Broadcast model.Message `has:"number transmit" new:"broadcast" text:" {number}, left at {sent}"` // server to client, numbered: transmit
	poll      model.Timer   // of a client: ask the servers
	// of a server: the reply to a client is ready, of a poll: origin, receive
	answer  model.Timer `has:"request(number origin) client receive" new:"received"`
	tick    model.Timer // of a server: the next broadcast
	slewEnd model.Timer `has:"number +slew" new:"slewEnded" text:" {number}"` // of a client: a slew is over
	// the client asks its servers, once more
	Polled model.Note `has:"number" new:"polled" text:" {number}" detail:"asks its servers for the time"`
	// a server has not answered a poll
	Missed model.Note `has:"server number" new:"missed" text:" {number}" log:"{node} has no answer from {server}"`
	// a server has answered a poll, or broadcasts: offset, delay, at
	Sampled model.Note `has:"server number offset delay at" new:"sampled" text:" offset {offset}, delay {delay}" log:"{node} takes its clock to be {aside} by {server}, give or take {half}" detail:"takes its clock to be {aside} by {server}: the ways took {delay}"`
	// what the client believes: offset, margin, at
	Chosen model.Note `has:"offset margin at" new:"chosen" text:" {offset}, give or take {margin}" detail:"decides that its clock is {aside}, give or take {margin}"`
	// the servers do not agree, the client believes nothing
	Undecided model.Note `log:"{node} believes none of its servers: too few agree" detail:"decides nothing: too few servers agree"`
	// the correction is another one: from, to, at
	Stepped model.Note `has:"from to at" new:"corrected" text:" from {from} to {to}" log:"{node} sets its clock {way} by {by}"`
	// the correction begins to move: from, to, at
	Slewed   model.Note `has:"from to at" new:"corrected" text:" from {from} to {to}" log:"{node} lets its clock run {speed}" detail:"lets its correction go from {from} to {to}"`
	SlewDone model.Note `detail:"has corrected its clock"` // and there it is
	// the daemon gives up: offset
	Exited model.Note `has:"offset" new:"exited" text:", {offset} off" log:"{node} gives up: its clock is {aside}, and that cannot be"`
}

// Msg is every message of the model; times are in nanoseconds.
type Msg struct {
	Kind sim.Kind
	who  sim.NodeID
	n    uint32

	first, second, third int64
}

// by is how much the correction changes, and setBack how much it goes back.
func (m *Msg) by() time.Duration      { return (m.to() - m.from()).Abs() }
func (m *Msg) setBack() time.Duration { return max(m.from()-m.to(), 0) }
func (m *Msg) goesBack() bool         { return m.to() < m.from() }

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.who)<<32, uint64(m.n))
	return d.Fold(uint64(m.first), uint64(m.second)).Fold(uint64(m.third), 0)
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }
