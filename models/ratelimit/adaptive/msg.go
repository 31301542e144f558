package adaptive

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request // load to limiter
	Work    // limiter to plant
	Done    // plant to limiter
	Reply   // limiter to load
	Allowed // limiter to plant: the limit from now on
	CPULoad // plant to limiter: how busy it was

	arrive  // load's timer: the next request
	tick    // limiter's timer: a sample is complete
	beat    // of limiter and plant: nothing, but that time has not stood still
	worked  // plant's timer: a job is complete
	measure // plant's timer: how busy it was

	Limited  // limiter's note: the limit is another
	Ignored  // limiter's note: round trips span a pause and do not count
	Refused  // limiter's note
	Measured // plant's note: how busy it was
	Sent     // load's note
	Answered // load's note

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Request:  model.MessageKind("request"),
	Work:     model.MessageKind("work"),
	Done:     model.MessageKind("done").Text("{paused}"),
	Reply:    model.MessageKind("reply").Text("{served}"),
	Allowed:  model.MessageKind("allowed").Text(" {limit}"),
	CPULoad:  model.MessageKind("cpu-load").Text(" {percent}%"),
	arrive:   model.TimerKind("arrive"),
	tick:     model.TimerKind("tick"),
	beat:     model.TimerKind("beat"),
	worked:   model.TimerKind("worked"),
	measure:  model.TimerKind("measure"),
	Limited:  model.NoteKind("limited").Text(" {limit} after {before}, {inflight} under way").Log("the limit {moves}"),
	Ignored:  model.NoteKind("ignored").Text(" {trips}").Log("the limiter ignores {trips} round trips across a pause"),
	Refused:  model.NoteKind("refused").Detail("refuses a request"),
	Measured: model.NoteKind("measured").Text(" {percent}%").Detail("measures a load of {percent}%"),
	Sent:     model.NoteKind("sent"),
	Answered: model.NoteKind("answered").Text(" after {took}").Detail("has its answer after {took}, {in-time}"),
})

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

// A request takes with it when it was sent, on the load's clock, and when it was let in, on
// the limiter's: so the messages about it need no table.

func request(sent sim.Mono) Msg { return Msg{Kind: Request, x: int64(sent)} }
func reply(request Msg, served bool) Msg {
	return Msg{Kind: Reply, x: request.x, ok: served}
}
func work(request Msg, admitted sim.Mono) Msg {
	return Msg{Kind: Work, x: request.x, y: int64(admitted)}
}

// job is a request at the plant, which came by the plant's clock; done is its end.
func job(work Msg, came sim.Mono) Msg {
	return Msg{Kind: worked, x: work.x, y: work.y, z: int64(came)}
}
func done(job Msg, paused bool) Msg { return Msg{Kind: Done, x: job.x, y: job.y, ok: paused} }

func allowed(limit int64) Msg    { return Msg{Kind: Allowed, n: int32(limit)} }
func cpuLoad(percent int32) Msg  { return Msg{Kind: CPULoad, n: percent} }
func measured(percent int32) Msg { return Msg{Kind: Measured, n: percent} }
func ignored(trips int32) Msg    { return Msg{Kind: Ignored, n: trips} }

// limited says that the limit was another before, 0 at the start, and how many requests
// were under way.
func limited(limit, before, inflight int64) Msg {
	return Msg{Kind: Limited, n: int32(limit), x: before, y: inflight}
}
func answered(took time.Duration, inTime bool) Msg {
	return Msg{Kind: Answered, x: int64(took), ok: inTime}
}

func (m *Msg) sent() sim.Mono      { return sim.Mono(m.x) }
func (m *Msg) admitted() sim.Mono  { return sim.Mono(m.y) }
func (m *Msg) came() sim.Mono      { return sim.Mono(m.z) }
func (m *Msg) served() bool        { return m.ok }
func (m *Msg) paused() bool        { return m.ok } // the plant, while it had the job
func (m *Msg) limit() int64        { return int64(m.n) }
func (m *Msg) before() int64       { return m.x }
func (m *Msg) first() bool         { return m.x == 0 } // limit
func (m *Msg) inflight() int64     { return m.y }
func (m *Msg) percent() int64      { return int64(m.n) }
func (m *Msg) trips() int64        { return int64(m.n) }
func (m *Msg) took() time.Duration { return time.Duration(m.x) }
func (m *Msg) inTime() bool        { return m.ok }

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
