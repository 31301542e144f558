package process

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

// must is a result that has no error.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

var at = modeltest.At

// with are the default parameters with changes.
func with(change func(*Params)) Params {
	p := DefaultParams()
	change(&p)
	return p
}

// scripted is a clock, a script and the stamps that it is to give.
func scripted(clock, script, stamps string) Params {
	return with(func(p *Params) { p.Clock, p.Script, p.Stamps = clock, script, stamps })
}

// play runs processes for a minute over a network in which each message takes 5 ms.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	r, _ := playAll(t, p, change...)
	return r
}

// playAll returns besides what the observers know.
func playAll(t *testing.T, p Params, change ...simtest.Change) (*simtest.Played, *ledger) {
	t.Helper()
	require.Empty(t, p.Problems())
	var l *ledger
	r := modeltest.Play(t, func() sim.System[Msg] {
		s := p.System()
		l = ledgerOf(&s)
		return s
	}, change...)
	require.False(t, l.full)
	return r, l
}

// ledgerOf is what the observers of a system share.
func ledgerOf(s *sim.System[Msg]) *ledger { return s.Order(nil).(*order).ledger }

// offset lets the wall clock of a process be ahead from the start.
func offset(who string, by time.Duration) simtest.Change {
	return simtest.Clock(who, sim.Clock{Offset: by})
}

// when is when something strikes.
func when(ms int64) sim.When { return sim.When{At: at(ms)} }

// names are the events of a script by name, as they happened.
func (l *ledger) byName() map[string]clock.Event {
	m := map[string]clock.Event{}
	for i, e := range l.written {
		if e != none {
			m[l.script.Events[i].Name] = e
		}
	}
	return m
}

// pairs are the pairs of events that stand so, by name.
func (l *ledger) pairs(want clock.Relation) (pairs []string) {
	for a, b := range l.history.ConcurrentPairs() {
		if want == clock.Concurrent {
			pairs = append(pairs, l.short(a)+l.short(b))
		}
	}
	if want == clock.Concurrent {
		return pairs
	}
	for b := range clock.Event(len(l.events)) {
		for a := range b {
			if l.history.Before(a, b) {
				pairs = append(pairs, l.short(a)+l.short(b))
			}
		}
	}
	return pairs
}

// short is the name of an event of a script.
func (l *ledger) short(e clock.Event) string { return l.script.Events[l.events[e].number].Name }
