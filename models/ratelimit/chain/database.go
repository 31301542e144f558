package chain

import (
	"slices"

	"fencepost/sim"
)

// Database carries requests out, as many at a time as it has workers, and tells the queue
// whenever one is free. It does not know which of them no client waits for any more.
//
// It serves workers divided by the duration of a service.
//
// With Keyed each request has a key, that of the client's operation. What is done once is
// written down with its key in the same transaction, and a request with a key that is
// written down is answered from there and not carried out. Of two under way with one key
// the second finds the key when it commits.
type Database struct {
	Queue   sim.NodeID
	Workers int64
	Service sim.Dist
	Fails   int // this many of its first answers are errors
	Keyed   bool

	record []uint64 // keys of what has been carried out, in order: durable
	busy   int64
	others int64 // of those, not critical
	failed int
}

// Reset implements [sim.Resetter].
func (d *Database) Reset(initial *Database) {
	record := append(d.record[:0], initial.record...)
	*d = *initial
	d.record = notNil(record)
}

// Recover implements [sim.Recoverer]: the record is durable.
func (d *Database) Recover(before *Database) { d.record = append(d.record[:0], before.record...) }

// Step implements [sim.Node].
func (d *Database) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start, Credit: // it has restarted, or the queue has, and asks
		out.Send(d.Queue, newWorkers(d.Workers-d.busy, d.others))
	case Request:
		if d.recorded(m.Root) {
			d.replay(m, out)
			out.Send(d.Queue, newFree(m))
			return
		}
		d.busy, d.others = d.busy+1, d.others+m.others()
		out.AfterDraw(d.Service, m.about(finish))
	case finish:
		d.finish(m, out)
		d.busy, d.others = d.busy-1, d.others-m.others()
		out.Send(d.Queue, newFree(m))
	default:
		panic("chain: the database got " + m.String())
	}
}

// finish answers a request that a worker is done with.
func (d *Database) finish(m Msg, out *sim.Out[Msg]) {
	status := uint16(200)
	switch {
	case d.failed < d.Fails:
		d.failed++
		status = 500
		out.Note(m.about(Failed))
	case d.recorded(m.Root):
		d.replay(m, out)
		return
	default:
		if d.Keyed {
			i, _ := slices.BinarySearch(d.record, m.Root)
			d.record = slices.Insert(d.record, i, m.Root)
		}
		out.Note(m.about(Served))
	}
	out.Send(caller(m.ID), m.answer(status))
}

func (d *Database) recorded(key uint64) bool {
	_, found := slices.BinarySearch(d.record, key)
	return found
}

// replay answers from the record.
func (d *Database) replay(m Msg, out *sim.Out[Msg]) {
	out.Note(m.about(Replayed))
	out.Send(caller(m.ID), m.answer(200))
}
