package chain

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
	"fencepost/sim/model"
)

// sheds reports whether the limiter looks at classes.
func (p *LimiterParams) sheds() bool { return p.Kind == "shed-fleet" || p.Kind == "shed-worker" }

// classed reports whether there are classes to tell apart.
func (p *Params) classed() bool { return len(p.Class) > 0 || p.Limiter.sheds() }

// shedding finds what is wrong with how classes are shed.
func (p *Params) shedding(found *model.Errors) {
	if p.Limiter.Kind != "shed-worker" {
		return
	}
	w, workers := p.worker(), int64(p.Database.Workers)
	if most := max(1, workers); w.Low < 0 || w.Low > most {
		found.Add("limiter.shed.low", "want 0 to %d, got %d", most, w.Low)
	}
	if most := max(w.Low, workers); w.High < w.Low || w.High > most {
		found.Add("limiter.shed.high", "want %d to %d, got %d", w.Low, most, w.High)
	}
}

// letsIn is what a limiter lets in that sheds that many classes.
func letsIn(shedding int64) string {
	switch shedding {
	case 0:
		return "lets in every class"
	case shed.Classes:
		return "lets in nothing"
	}
	return fmt.Sprintf("lets in nothing less important than %v", shed.Class(shed.Classes-1-shedding))
}

// refusalStands is how long the refusal of a critical request is held against what is let
// in: later there may be room again, and no critical one has asked.
const refusalStands = time.Second

// classOrder holds if nothing less important is let in after a critical request was
// refused, by the limiter or by the queue, until another critical one is let in: where
// there is no room for it there is none for the others. A refusal counts for a second,
// unless the limiter changes what it sheds.
//
// Source: Stripe, "Scaling your API with rate limiters", 2017, the load shedders.
type classOrder struct {
	Refused uint64 // the operation of the last critical request that was, 0 for none
	At      sim.Time
}

// Check implements [model.Checker].
func (p *classOrder) Check(r *model.Report[Msg]) {
	critical := r.Msg.Class == shed.Critical
	switch {
	case r.Event == sim.Crashed:
		p.Refused = 0
	case r.Event != sim.Noted:
	case r.Msg.Kind == Shedding:
		p.Refused = 0
	case r.Msg.Kind == Rejected && critical:
		p.Refused, p.At = r.Msg.ID, r.Now()
	case r.Msg.Kind == Admitted && critical:
		p.Refused = 0
	case r.Msg.Kind == Admitted:
		r.Saw()
		if whose := caller(p.Refused); p.Refused != 0 && r.Now().Sub(p.At) <= refusalStands && r.Violated(r.Node, whose) {
			r.Why("the %s lets in a request of the class %v after a critical one of %s was refused", r.Name(r.Node), r.Msg.Class, r.Name(whose))
		}
	}
}
