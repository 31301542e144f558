package idempotency

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// progress holds if each intent has a final answer within Within of the first time that its
// client asks, not counting time in which a node is paused, or every node of a role is down. A client that has given up by then has no answer.
type progress struct {
	Within   time.Duration
	Downtime downtime

	Intents table[asked]
	Open    []Value // intents without an answer, in the order in which they were asked
}

// asked is an intent that a client has asked for.
type asked struct {
	Client sim.NodeID
	At     sim.Time
	Lost   time.Duration // until then
	Done   bool
	Known  bool
	GaveUp bool
	// Silent: the client has crashed and has not asked again. It asks again for what has no
	// final answer, so it had one, and crashed before it noted
	// that.
	Silent bool
}

// Check implements [model.Checker].
func (p *progress) Check(r *model.Report[Msg]) {
	p.due(r)
	if r.Event != sim.Noted {
		p.Downtime.observe(r)
		if r.Event == sim.Crashed {
			p.crashed(r.Node)
		}
		return
	}
	switch a := p.Intents.at(r.Msg.intent()); {
	case r.Msg.Kind == Asked && !a.Known:
		*a = asked{Client: r.Node, At: r.Now(), Lost: p.Downtime.lost(r.Now()), Known: true}
		p.Open = append(p.Open, r.Msg.intent())
	case r.Msg.Kind == Asked && r.Node == a.Client:
		a.Silent = false
	case r.Msg.Kind == GaveUp && r.Node == a.Client:
		a.GaveUp = true
	case r.Msg.Kind == Answered:
		p.answered(r, a)
	}
}

func (p *progress) answered(r *model.Report[Msg], a *asked) {
	if !a.Done {
		a.Done = true
		r.Saw()
	}
	for len(p.Open) > 0 && p.Intents.at(p.Open[0]).Done {
		p.Open = append(p.Open[:0], p.Open[1:]...)
	}
}

// crashed marks what a client has asked for and has not given up.
func (p *progress) crashed(client sim.NodeID) {
	for _, intent := range p.Open {
		if a := p.Intents.at(intent); a.Client == client && !a.GaveUp {
			a.Silent = true
		}
	}
}

// due reports the intents whose time is over. It ends only while the system can answer.
func (p *progress) due(r *model.Report[Msg]) {
	for len(p.Open) > 0 {
		a := p.Intents.at(p.Open[0])
		limit := a.At.Add(p.Within + p.Downtime.lost(r.Now()) - a.Lost)
		if limit >= r.Now() {
			return
		}
		if !a.Done && !a.Silent && r.ViolatedAt(limit, a.Client) {
			r.Why("%s asked for intent %d at %v and has no answer %v later", r.Name(a.Client), p.Open[0], a.At, limit.Sub(a.At))
		}
		a.Done = true
		p.Open = append(p.Open[:0], p.Open[1:]...)
	}
}

// End is called when the run is over.
func (p *progress) End(r *model.Report[Msg]) { p.due(r) }

// Bound implements [sim.Bounded].
func (p *progress) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an answer within %v, and the time in which the system cannot answer", p.Within), Worst: "time-to-answer"}
}

func (p *progress) property() sim.Property[Msg] {
	return model.NewProperty("progress", p, Asked, Answered, GaveUp).Also(sim.Paused, sim.Resumed, sim.Crashed, sim.Restarted).
		Loses(sim.Liveness).Needs("a client gets its final answer, or `until` is later than the bound")
}
