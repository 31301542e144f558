package ntp

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// aside is by how much a clock is behind, to be said in words.
type aside time.Duration

// String is it in words.
func (a aside) String() string {
	switch behind := time.Duration(a); {
	case behind > 0:
		return fmt.Sprintf("%v behind", behind)
	case behind < 0:
		return fmt.Sprintf("%v ahead", -behind)
	}
	return "right"
}

var facts = model.Facts[Msg]{
	"number":   model.Number((*Msg).number),
	"received": model.Words(func(t *model.Told[Msg]) string { return sim.Seconds(int64(t.Msg.receive())) }),
	"sent":     model.Words(func(t *model.Told[Msg]) string { return sim.Seconds(int64(t.Msg.transmit())) }),
	"server":   model.Number((*Msg).server),
	"offset":   model.Number((*Msg).offset),
	"aside":    model.Words(func(t *model.Told[Msg]) string { return aside(t.Msg.offset()).String() }),
	"delay":    model.Number((*Msg).delay),
	"half":     model.Number(func(m *Msg) time.Duration { return (m.delay() + 1) / 2 }),
	"margin":   model.Number((*Msg).margin),
	"from":     model.Number((*Msg).from),
	"to":       model.Number((*Msg).to),
	"by":       model.Number((*Msg).by),
	"set-back": model.Number((*Msg).setBack),
	"way":      model.Whether((*Msg).goesBack, "back", "forward"),
	"speed":    model.Whether((*Msg).goesBack, "slower, until {by} are gone", "faster, until {by} are made up"),
}

var description = model.Describe(kinds, facts)

// describer says in words what becomes of the clocks, for one run.
type describer struct {
	Truth
	begun     bool
	last      []told // by client and server
	undecided []bool // by client
}

// told is what a client has last heard from a server.
type told struct {
	any           bool
	at            sim.Mono
	offset, delay time.Duration // of the wall clock, so that a correction is no news
}

func newDescriber(l Layout) *describer {
	return &describer{Truth: newTruth(l), last: make([]told, l.Clients*l.Servers), undecided: make([]bool, l.Clients)}
}

// heard is what a client has heard from each server.
func (t *describer) heard(client sim.NodeID) []told {
	return t.last[(t.number(client))*t.Servers:][:t.Servers]
}

// lost reports whether it is news that a client does not know whom to believe: it did, or
// the last of its servers has now answered.
func (t *describer) lost(client sim.NodeID) bool {
	for _, s := range t.heard(client) {
		if !s.any {
			return false
		}
	}
	was := &t.undecided[t.number(client)]
	news := !*was
	*was = true
	return news
}

// news reports whether a sample is worth a line of the log: the first of each server, and one that
// is not what the one before led to expect.
func (t *describer) news(o *sim.Observation[Msg]) bool {
	last := &t.heard(o.Node)[o.Msg.server()-1]
	before, at := *last, o.Msg.at()
	*last = told{true, at, o.Msg.offset() + t.clock(o.Node).Correction(at), o.Msg.delay()}
	expected := 10*time.Millisecond + clock.Drift(at.Sub(before.at), t.Drift)
	return !before.any || (last.offset-before.offset).Abs() > expected || (last.delay-before.delay).Abs() > expected
}

// describe returns "" for what is not worth a line of the log: of slews those that are short.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if !t.begun {
		t.begun = true
		t.Truth.Reset()
		t.Truth.begin(v)
	}
	if o.Event == sim.Ended {
		return ""
	}
	t.Truth.observe(v, o)
	if o.Event != sim.Noted {
		return ""
	}
	news := true
	switch o.Msg.Kind {
	case Sampled:
		news = t.news(o)
	case Chosen:
		t.undecided[t.number(o.Node)] = false
	case Undecided:
		news = t.lost(o.Node)
	case Slewed:
		news = o.Msg.by() >= 10*time.Millisecond
	}
	if !news {
		return ""
	}
	return description.Log(v, o)
}
