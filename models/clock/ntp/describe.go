package ntp

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
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

// describe returns "" for what is not worth a line of the log.
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
	m, name := &o.Msg, v.Name(o.Node)
	switch m.Kind {
	case Missed:
		return fmt.Sprintf("%s has no answer from %s", name, v.Name(m.server()))
	case Sampled:
		if !t.news(o) {
			return ""
		}
		return fmt.Sprintf("%s takes its clock to be %s by %s, give or take %v", name, aside(m.offset()), v.Name(m.server()), (m.delay()+1)/2)
	case Chosen:
		t.undecided[t.number(o.Node)] = false
	case Undecided:
		if t.lost(o.Node) {
			return fmt.Sprintf("%s believes none of its servers: too few agree", name)
		}
	case Stepped:
		by := m.to() - m.from()
		if by < 0 {
			return fmt.Sprintf("%s sets its clock back by %v", name, -by)
		}
		return fmt.Sprintf("%s sets its clock forward by %v", name, by)
	case Slewed:
		switch by := m.to() - m.from(); {
		case by.Abs() < 10*time.Millisecond:
			return ""
		case by < 0:
			return fmt.Sprintf("%s lets its clock run slower, until %v are gone", name, -by)
		default:
			return fmt.Sprintf("%s lets its clock run faster, until %v are made up", name, by)
		}
	case Exited:
		return fmt.Sprintf("%s gives up: its clock is %s, and that cannot be", name, aside(m.offset()))
	}
	return ""
}
