package chain

import "fencepost/sim"

// Database carries requests out, as many at a time as it has workers, and tells the queue
// whenever one is free. It does not know which of them nobody waits for any more.
//
// Source: spec, rate limiting and idempotency, section C9: it serves mu per second, here
// workers divided by the length of a service.
type Database struct {
	Queue   sim.NodeID
	Workers int64
	Service sim.Dist
	Fails   int // its first so many answers are errors

	busy   int64
	others int64 // of those, not critical
	failed int
}

// Step implements [sim.Node].
func (d *Database) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start, Credit: // it has restarted, or the queue has, and asks
		out.Send(d.Queue, Msg{Kind: Credit, Status: 1, X: d.Workers - d.busy, Slot: uint32(d.others)})
	case Request:
		d.busy, d.others = d.busy+1, d.others+m.others()
		out.AfterDraw(d.Service, m.about(finish))
	case finish:
		answer := m.about(Reply)
		answer.Status = 200
		if d.failed < d.Fails {
			d.failed++
			answer.Status = 500
			out.Note(m.about(Failed))
		} else {
			out.Note(m.about(Served))
		}
		out.Send(caller(m.ID), answer)
		d.busy, d.others = d.busy-1, d.others-m.others()
		out.Send(d.Queue, Msg{Kind: Credit, X: 1, Slot: uint32(m.others())})
	default:
		panic("chain: the database got " + m.String())
	}
}
