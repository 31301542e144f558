package adaptive

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	sent     sim.Mono      `at:"x"`  // instant at which the request was sent, on the load's clock: so the messages about it need no table
	admitted sim.Mono      `at:"y"`  // instant at which it was let in, on the limiter's clock
	came     sim.Mono      `at:"z"`  // instant at which it came, on the plant's clock
	served   bool          `at:"ok"` // the request was served
	paused   bool          `at:"ok"` // the plant was paused while it had the job
	limit    int64         `at:"n"`  // limit
	before   int64         `at:"x"`  // limit before this one; 0 at the start
	inflight int64         `at:"y"`  // number of requests under way
	percent  int64         `at:"n"`  // load in percent
	trips    int64         `at:"n"`  // number of round trips
	took     time.Duration `at:"x"`  // time that the answer took
	inTime   bool          `at:"ok"` // the answer was in time
}

//messages:family
type messages struct {
	Request model.Message `has:"sent" new:"request"`                                   // load to limiter
	Work    model.Message `has:"request(sent) admitted" new:"work"`                    // limiter to plant
	Done    model.Message `has:"job(sent admitted) paused" new:"done" text:"{paused}"` // plant to limiter
	Reply   model.Message `has:"request(sent) served" new:"reply" text:"{served}"`     // limiter to load
	Allowed model.Message `has:"limit" new:"allowed" text:" {limit}"`                  // limiter to plant: the limit from now on
	CPULoad model.Message `has:"percent" new:"cpuLoad" text:" {percent}%"`             // plant to limiter: how busy it was
	arrive  model.Timer   // of a load: the next request
	tick    model.Timer   // of a limiter: a sample is complete
	beat    model.Timer   // of limiter and plant: nothing, but that time has not stood still
	worked  model.Timer   `has:"work(sent admitted) came" new:"job"` // of a plant: a job is complete
	measure model.Timer   // of a plant: how busy it was
	// of a limiter: the limit is another
	Limited model.Note `has:"limit before inflight" new:"limited" text:" {limit} after {before}, {inflight} under way" log:"the limit {moves}"`
	// of a limiter: round trips span a pause and do not count
	Ignored model.Note `has:"trips" new:"ignored" text:" {trips}" log:"the limiter ignores {trips} round trips across a pause"`
	Refused model.Note `detail:"refuses a request"` // of a limiter
	// of a plant: how busy it was
	Measured model.Note `has:"percent" new:"measured" text:" {percent}%" detail:"measures a load of {percent}%"`
	Sent     model.Note // of a load
	// of a load
	Answered model.Note `has:"took inTime" new:"answered" text:" after {took}" detail:"has its answer after {took}, {in-time}"`
}

var facts = model.Facts[Msg]{
	"limit":    model.Number((*Msg).limit),
	"before":   model.Number((*Msg).before),
	"inflight": model.Number((*Msg).inflight),
	"percent":  model.Number((*Msg).percent),
	"trips":    model.Number((*Msg).trips),
	"took":     model.Number((*Msg).took),
	"moves":    model.Whether((*Msg).first, "begins at {limit}", "goes from {before} to {limit}"),
	"paused":   model.Whether((*Msg).paused, " across a pause", ""),
	"served":   model.Whether((*Msg).served, "", " refused"),
	"in-time":  model.Whether((*Msg).inTime, "in time", "too late"),
}

var description = model.Describe(kinds, facts)

// Msg is every message of the model. What a kind has is what its constructor takes.
type Msg struct {
	Kind    sim.Kind
	ok      bool
	n       int32
	x, y, z int64
}

func (m *Msg) first() bool { return m.x == 0 } // limit
// Label implements [sim.Message].
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.ok {
		ok = 1
	}
	return d.Fold(uint64(m.Kind)|ok<<8|uint64(uint32(m.n))<<16, uint64(m.x)).Fold(uint64(m.y), uint64(m.z))
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }
