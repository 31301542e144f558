package policy

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request  // client to limiter: Client, Tier
	Response // limiter to client: OK
	Take     // limiter to counters: as Request, with Version
	Taken    // counters to limiter: as Take, with OK, Rule, Flags and X how long to wait
	Poll     // limiter to store
	File     // store to limiter: Version, X when it was published on the store's wall clock

	publish // store's timer: Version
	poll    // limiter's timer
	adopt   // limiter's alarm: Version is used from now on
	ask     // client's timer
	begin   // limiter's timer: the request has waited; X since when, on the limiter's clock

	Published // store's note: Version
	Adopted   // limiter's note: it uses Version; 0 is no rules
	BadFile   // limiter's note: Version does not load
	Decided   // limiter's note: as Taken
	Begun     // limiter's note: a request that has waited begins; X how long it has
)

var kindNames = []string{
	start: "start", Request: "request", Response: "response", Take: "take", Taken: "taken", Poll: "poll", File: "file",
	publish: "publish", poll: "poll-timer", adopt: "adopt", ask: "ask", begin: "begin",
	Published: "published", Adopted: "adopted", BadFile: "bad-file", Decided: "decided", Begun: "begun",
}

var noted = []sim.Kind{Published, Adopted, BadFile, Decided, Begun}

// What a decision says besides.
const (
	Warned  = 1 << iota // it was admitted above the nominal limit
	Over                // a rule in shadow mode would have refused it
	Watched             // every rule that it matches is in shadow mode
)

// noRule is the rule of a request that matches none.
const noRule = -1

// Msg is every message of the model. A kind uses the fields its comment names.
type Msg struct {
	Kind    sim.Kind
	OK      bool
	Flags   uint8
	Tier    uint8
	Client  int16 // from 0
	Version int16 // from 1
	Rule    int16 // of the version, from 0; noRule: none
	X       int64
}

// Label implements [sim.Message].
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.OK {
		ok = 1
	}
	a := uint64(m.Kind) | ok<<8 | uint64(m.Flags)<<16 | uint64(m.Tier)<<24
	b := uint64(uint16(m.Client)) | uint64(uint16(m.Version))<<16 | uint64(uint16(m.Rule))<<32
	return d.Fold(a, b).Fold(uint64(m.X), 0)
}

// String is the message in words.
func (m Msg) String() string {
	s := kindNames[m.Kind]
	switch m.Kind {
	case Request:
		s += fmt.Sprintf(" of client-%d, tier %d", m.Client+1, m.Tier)
	case Take:
		s += fmt.Sprintf(" for client-%d, tier %d, version %d", m.Client+1, m.Tier, m.Version)
	case Taken, Decided:
		s += fmt.Sprintf(" %s for client-%d, version %d, rule %d", verdict(m.OK), m.Client+1, m.Version, m.Rule)
	case Response:
		s += " " + verdict(m.OK)
	case File, publish, adopt, Published, Adopted, BadFile:
		s += fmt.Sprintf(" version %d", m.Version)
	case Begun:
		s += fmt.Sprintf(" after %v", time.Duration(m.X))
	}
	return s
}

func verdict(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}
