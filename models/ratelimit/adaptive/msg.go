package adaptive

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request // load to limiter: X when it was sent, on the load's clock
	Work    // limiter to plant: X as in Request, Y when it was let in, on the limiter's clock
	Done    // plant to limiter: as Work; OK: it spans a pause of the plant
	Reply   // limiter to load: X as in Request; OK: it was served, else refused
	Allowed // limiter to plant: the limit is N from now on
	CPULoad // plant to limiter: N percent

	arrive  // load's timer: the next request
	tick    // limiter's timer: a sample is complete
	beat    // of limiter and plant: nothing, but that time has not stood still
	worked  // plant's timer: as Work, Z when the job came, on the plant's clock
	measure // plant's timer: how busy it was

	Limited  // limiter's note: the limit is N after X, and Y requests were under way
	Ignored  // limiter's note: N round trips span a pause and do not count
	Refused  // limiter's note
	Measured // plant's note: N percent
	Sent     // load's note
	Answered // load's note: OK: within its patience; X how long it took
)

var kindNames = []string{
	start: "start", Request: "request", Work: "work", Done: "done", Reply: "reply", Allowed: "allowed", CPULoad: "cpu-load",
	arrive: "arrive", tick: "tick", beat: "beat", worked: "worked", measure: "measure",
	Limited: "limited", Ignored: "ignored", Refused: "refused", Measured: "measured", Sent: "sent", Answered: "answered",
}

var noted = []sim.Kind{Limited, Ignored, Refused, Measured, Sent, Answered}

// Msg is every message of the model. A kind uses the fields its comment names.
type Msg struct {
	Kind    sim.Kind
	OK      bool
	N       int32
	X, Y, Z int64
}

// Label implements [sim.Message].
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.OK {
		ok = 1
	}
	return d.Fold(uint64(m.Kind)|ok<<8|uint64(uint32(m.N))<<16, uint64(m.X)).Fold(uint64(m.Y), uint64(m.Z))
}

// String is the message in words.
func (m Msg) String() string {
	s := kindNames[m.Kind]
	switch m.Kind {
	case Allowed, Ignored:
		s += fmt.Sprintf(" %d", m.N)
	case CPULoad, Measured:
		s += fmt.Sprintf(" %d%%", m.N)
	case Limited:
		s += fmt.Sprintf(" %d after %d, %d under way", m.N, m.X, m.Y)
	case Done:
		if m.OK {
			s += " across a pause"
		}
	case Reply:
		if !m.OK {
			s += " refused"
		}
	case Answered:
		s += fmt.Sprintf(" after %v", time.Duration(m.X))
	}
	return s
}
