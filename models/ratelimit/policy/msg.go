package policy

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request  // client to limiter: Client, Tier
	Response // limiter to client: OK
	Take     // limiter to counters: as Request, with Version
	Taken    // counters to limiter: as Take, with OK, Rule, Flags, and how long to wait
	Poll     // limiter to store
	File     // store to limiter: Version, and when it was published on the store's wall clock

	publish // store's timer: Version
	poll    // limiter's timer
	adopt   // limiter's alarm: Version is used from now on
	ask     // client's timer
	begin   // limiter's timer: the request of Client has waited, since when on the limiter's clock

	Published // store's note: Version
	Adopted   // limiter's note: it uses Version; 0 is no rules
	BadFile   // limiter's note: Version does not load
	Decided   // limiter's note: as Taken
	Begun     // limiter's note: the request of Client begins, and how long it has waited

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Request:   model.MessageKind("request").Text(" of {client}, tier {tier}"),
	Response:  model.MessageKind("response").Text(" {yes}"),
	Take:      model.MessageKind("take").Text(" for {client}, tier {tier}, version {version}"),
	Taken:     model.MessageKind("taken").Text(" {yes} for {client}, version {version}, rule {number}"),
	Poll:      model.MessageKind("poll"),
	File:      model.MessageKind("file").Text(" version {version}"),
	publish:   model.TimerKind("publish").Text(" version {version}"),
	poll:      model.TimerKind("poll-timer"),
	adopt:     model.TimerKind("adopt").Text(" version {version}"),
	ask:       model.TimerKind("ask"),
	begin:     model.TimerKind("begin"),
	Published: model.NoteKind("published").Text(" version {version}").Log("version {version} of the rules is published"),
	Adopted:   model.NoteKind("adopted").Text(" version {version}").Log("{node} {uses}"),
	BadFile:   model.NoteKind("bad-file").Text(" version {version}").Log("{node} cannot load {problem}"),
	Decided: model.NoteKind("decided").Text(" {yes} for {client}, version {version}, rule {number}").
		Log("{client} is {decided}").Detail("{decides}"),
	Begun: model.NoteKind("begun").Text(" after {waited}"),
})

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

// published is a version that the store sends, with when it was published.
func published(version int16, when sim.Wall) Msg {
	return Msg{Kind: File, Version: version, time: int64(when)}
}

// waiting is a request that waits since an instant; begun is the note that it begins.
func waiting(client int16, since sim.Mono) Msg {
	return Msg{Kind: begin, Client: client, time: int64(since)}
}
func begun(client int16, waited time.Duration) Msg {
	return Msg{Kind: Begun, Client: client, time: int64(waited)}
}

func (m *Msg) published() sim.Wall     { return sim.Wall(m.time) }
func (m *Msg) since() sim.Mono         { return sim.Mono(m.time) }
func (m *Msg) waited() time.Duration   { return time.Duration(m.time) }
func (m *Msg) wait() time.Duration     { return time.Duration(m.time) } // before it begins
func (m *Msg) yes() bool               { return m.OK }
func (m *Msg) warned() bool            { return m.Flags&Warned != 0 }
func (m *Msg) over() bool              { return m.Flags&Over != 0 }
func (m *Msg) withoutRule() bool       { return m.Rule == noRule }
func (m *Msg) empty() bool             { return m.Version == 0 } // of rules
func (m *Msg) free() bool              { return m.empty() || m.withoutRule() }
func (m *Msg) setWait(d time.Duration) { m.time = int64(d) }

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
