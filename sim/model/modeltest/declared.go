package modeltest

import (
	"fmt"
	"testing"

	"fencepost/sim"
)

// Declaring is a node that says what a search with symbolic time may leave out of it.
type Declaring[M sim.Message, N any] interface {
	*N
	sim.Node[M]
	sim.Resetter[N]
	sim.Symbolic[M]
}

// Declared puts a node in a place of the system that checks at each step what the node declares, and fails the
// test where it is wrong: a step from the state that has forgotten does what a step from the whole state does,
// but for what notes say, and leads to the same state; a message that is ignored does nothing; and from then on it is
// always ignored, be it on its way or over, after a crash too.
func Declared[M sim.Message, N any, P Declaring[M, N]](t testing.TB, s *sim.System[M], id sim.NodeID, initial P) {
	name := s.Nodes[id-1].Name
	d := declared[M, N, P]{trial: sim.NewTrial[M](len(s.Nodes)), wrong: func(format string, args ...any) { t.Errorf(name+": "+format, args...) }}
	P(&d.node).Reset(initial)
	sim.Put(s, id, d)
}

type declared[M sim.Message, N any, P Declaring[M, N]] struct {
	node  N
	trial *sim.Trial[M]
	wrong func(format string, args ...any)
	known []knownMessage[M]
}

// knownMessage is one that the node has got, or a timer that it has armed.
type knownMessage[M sim.Message] struct {
	sim.Arrival[M]
	ignored bool
}

// mostKnown is how many messages are looked at after each step.
const mostKnown = 100

// Reset implements [sim.Resetter].
func (d *declared[M, N, P]) Reset(initial *declared[M, N, P]) {
	P(&d.node).Reset(&initial.node)
	d.trial, d.wrong, d.known = initial.trial, initial.wrong, nil
}

// Recover implements [sim.Recoverer]: timers are gone.
func (d *declared[M, N, P]) Recover(before *declared[M, N, P]) {
	if r, ok := any(P(&d.node)).(sim.Recoverer[N]); ok {
		r.Recover(&before.node)
	}
	for _, k := range before.known {
		if k.From != sim.None {
			d.known = append(d.known, k)
		}
	}
}

// Step implements [sim.Node].
func (d *declared[M, N, P]) Step(in sim.In[M], out *sim.Out[M]) {
	var whole, forgotten, before N
	for _, n := range []*N{&whole, &forgotten, &before} {
		P(n).Reset(&d.node)
	}
	P(&forgotten).Forget()
	P(&before).Forget()
	k := knownMessage[M]{Arrival: sim.Arrival[M]{From: in.From, Msg: in.Msg}}
	k.ignored = P(&whole).Ignores(&k.Arrival)
	does := fmt.Sprint(effects(d.trial.Step(P(&whole), in)))
	if other := fmt.Sprint(effects(d.trial.Step(P(&forgotten), in))); other != does {
		d.wrong("%v: where it has forgotten a step does %s, and else %s", in.Msg, other, does)
	}
	P(&whole).Forget()
	P(&forgotten).Forget()
	if a, b := fmt.Sprintf("%+v", whole), fmt.Sprintf("%+v", forgotten); a != b {
		d.wrong("%v: where it has forgotten a step leads to\n%s\nand else to\n%s", in.Msg, b, a)
	}
	if a := fmt.Sprintf("%+v", whole); k.ignored && (does != "[]" || a != fmt.Sprintf("%+v", before)) {
		d.wrong("%v is ignored, and does %s and leads from\n%+v\nto\n%s", in.Msg, does, before, a)
	}
	timers := d.trial.Step(P(&before), in)
	P(&d.node).Step(in, out)
	d.know(k)
	for i := range timers {
		if timers[i].Kind == sim.Arms {
			d.know(knownMessage[M]{Arrival: sim.Arrival[M]{Msg: timers[i].Msg}})
		}
	}
	for i := range d.known {
		k, from := &d.known[i], d.known[i].Arrival
		if from.From == sim.None {
			from.From = in.Self
		}
		ignores := P(&d.node).Ignores(&from)
		if k.ignored && !ignores {
			d.wrong("%v was ignored, and is not after %v", k.Msg, in.Msg)
		}
		k.ignored = ignores
	}
}

func (d *declared[M, N, P]) know(k knownMessage[M]) {
	if d.known = append(d.known, k); len(d.known) > mostKnown {
		d.known = d.known[1:]
	}
}

// effects are what a step asks for, of notes the kind alone.
func effects[M sim.Message](list []sim.Effect[M]) (said []string) {
	for i := range list {
		e := &list[i]
		if e.Kind == sim.Notes {
			said = append(said, fmt.Sprint("note ", e.Msg.Label()))
			continue
		}
		said = append(said, fmt.Sprintf("%d to %d for %v at %v: %+v", e.Kind, e.To, e.For, e.At, e.Msg))
	}
	return said
}
