package policy

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	Client    int16         // client, from 0
	Version   int16         // version, from 1
	published sim.Wall      `at:"time"`           // instant at which the version was published, on the store's wall clock
	since     sim.Mono      `at:"time"`           // instant since which the request waits, on the limiter's clock
	waited    time.Duration `at:"time"`           // time for which the request has waited
	wait      time.Duration `at:"time" set:"yes"` // time to wait before the request begins
}

//messages:family
type messages struct {
	Request  model.Message `text:" of {client}, tier {tier}"`                     // client to limiter: Client, Tier
	Response model.Message `text:" {yes}"`                                        // limiter to client: OK
	Take     model.Message `text:" for {client}, tier {tier}, version {version}"` // limiter to counters: as Request, with Version
	// counters to limiter: as Take, with OK, Rule, Flags, and how long to wait
	Taken model.Message `has:"+wait" text:" {yes} for {client}, version {version}, rule {number}"`
	Poll  model.Message // limiter to store
	// store to limiter: Version, and when it was published on the store's wall clock
	File    model.Message `has:"Version published" new:"published" text:" version {version}"`
	publish model.Timer   `text:" version {version}"` // of a store: Version
	poll    model.Timer   `kind:"poll-timer"`         // of a limiter
	adopt   model.Timer   `text:" version {version}"` // of a limiter: Version is used from now on
	ask     model.Timer   // of a client
	// of a limiter: the request of Client has waited, since when on the limiter's clock
	begin model.Timer `has:"Client since" new:"waiting"`
	// of a store: Version
	Published model.Note `text:" version {version}" log:"version {version} of the rules is published"`
	Adopted   model.Note `text:" version {version}" log:"{node} {uses}"`                // of a limiter: it uses Version; 0 is no rules
	BadFile   model.Note `text:" version {version}" log:"{node} cannot load {problem}"` // of a limiter: Version does not load
	// of a limiter: as Taken
	Decided model.Note `has:"+wait" text:" {yes} for {client}, version {version}, rule {number}" log:"{client} is {decided}" detail:"{decides}"`
	// of a limiter: the request of Client begins, and how long it has waited
	Begun model.Note `has:"Client waited" new:"begun" text:" after {waited}"`
}

var description = model.Describe(kinds, facts(nil))

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
	time    int64 // see the constructors
}

func (m *Msg) yes() bool         { return m.OK }
func (m *Msg) warned() bool      { return m.Flags&Warned != 0 }
func (m *Msg) over() bool        { return m.Flags&Over != 0 }
func (m *Msg) withoutRule() bool { return m.Rule == noRule }
func (m *Msg) empty() bool       { return m.Version == 0 } // of rules
func (m *Msg) free() bool        { return m.empty() || m.withoutRule() }

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
	return d.Fold(a, b).Fold(uint64(m.time), 0)
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }
