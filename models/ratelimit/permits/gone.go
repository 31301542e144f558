package permits

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// noStartAfterDrain holds if no handler starts once the limiter has been shut down.
type noStartAfterDrain struct{ Draining map[sim.NodeID]bool }

// Check implements [model.Checker].
func (p *noStartAfterDrain) Check(r *model.Report[Msg]) {
	switch {
	case r.Event == sim.Crashed: // what starts again is another process
		delete(p.Draining, r.Node)
	case r.Event != sim.Noted:
	case r.Msg.Kind == Draining:
		p.Draining[r.Node] = true
		r.Saw()
	case p.Draining[r.Node]:
		if who := client(r.Msg.Rid); r.Violated(r.Node, who) {
			r.Why("%s started the request of %s after it had been shut down", r.Name(r.Node), r.Name(who))
		}
	}
}

// noStartForGone holds if no handler starts for a client of which the limiter knows that
// it is gone, or for a request that has been answered.
type noStartForGone struct{ Book *book }

// Check implements [model.Checker].
func (p *noStartForGone) Check(r *model.Report[Msg]) {
	switch r.Msg.Kind {
	case Cancelled:
		r.Saw()
	case Answered:
		if !p.Book.was.started {
			r.Saw()
		}
	case Started:
		if who := client(r.Msg.Rid); (!p.Book.known || p.Book.was.cancelled) && r.Violated(r.Node, who) {
			r.Why("%s started the request of %s, whose client had gone", r.Name(r.Node), r.Name(who))
		}
	}
}
