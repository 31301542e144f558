package chain

import (
	"time"

	"fencepost/sim"
)

// Drop is which requests the queue throws away when their turn comes.
type Drop uint8

// Expired is too late to be of use: what is taken a moment before its deadline is done a
// moment after it. In an overload the head of the queue is always such a request.
const (
	DropNone     Drop = iota
	DropExpired       // its caller has gone
	DropHopeless      // its caller will have left when it is done
)

// Queue keeps requests until a worker of the database is free: it hands over as many as
// it has credits for, so nothing waits in the database. It is durable, as a broker's is, and after a restart
// asks who is free. A credit that the network loses is lost until then.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 22, queue management.
type Queue struct {
	Database sim.NodeID
	Limiter  sim.NodeID // that it grants credits; None: they are not counted
	Size     int        // that may wait
	Newest   bool       // goes first
	Drop     Drop
	Expected time.Duration // that a worker takes
	Refusal  Refusal
	Workers  int64 // of the database

	free  int64  // workers that it knows of
	busy  int64  // with what it has handed over
	other int64  // of that, not critical
	asks  bool   // it has restarted
	items []item // a ring: its length is a power of two, or 0
	head  int
	count int
}

// item is a request that waits.
type item struct {
	msg     Msg
	arrived sim.Mono
}

// Reset implements [sim.Resetter].
func (q *Queue) Reset(initial *Queue) {
	items := append(q.items[:0], initial.items...)
	*q = *initial
	q.items = notNil(items)
}

// Recover implements [sim.Recoverer].
func (q *Queue) Recover(before *Queue) {
	q.Reset(before)
	q.free, q.asks = 0, true
}

// Step implements [sim.Node].
func (q *Queue) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start: // else the database says when it has a free worker
		if q.asks {
			out.Send(q.Database, Msg{Kind: Credit})
		}
	case Request:
		q.arrive(in, out)
	case Credit:
		q.credit(out, m)
		q.hand(in, out)
	default:
		panic("chain: the queue got " + m.String())
	}
}

// credit is that workers have become free, or how many of all are: what the others had is lost.
func (q *Queue) credit(out *sim.Out[Msg], m Msg) {
	free, others, all := m.Workers()
	gone := free
	if all {
		gone, others = q.busy-(q.Workers-free), q.other-others
		q.free = free
	} else {
		q.free += free
	}
	q.busy, q.other = q.busy-gone, q.other-others
	q.grant(out, gone, others)
}

func (q *Queue) arrive(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	if q.free == 0 && q.count >= q.Size {
		q.Refusal.refuse(out, m, 503, q.Expected)
		q.grant(out, 1, m.others())
		return
	}
	q.push(item{m, in.Mono})
	if q.free == 0 {
		out.Note(newQueued(m, q.count))
	}
	q.hand(in, out)
}

// hand gives the database as much as it has workers for.
func (q *Queue) hand(in sim.In[Msg], out *sim.Out[Msg]) {
	for q.free > 0 && q.count > 0 {
		i := q.pop()
		waited := in.Mono.Sub(i.arrived)
		patience := i.msg.patience()
		left := patience - waited
		note := i.msg.about(Taken).with(int64(waited))
		if patience > 0 && (q.Drop == DropExpired && left <= 0 || q.Drop == DropHopeless && left <= q.Expected) {
			out.Note(note.as(Dropped))
			q.grant(out, 1, note.others())
			continue
		}
		q.free, q.busy, q.other = q.free-1, q.busy+1, q.other+note.others()
		out.Note(note)
		if patience > 0 {
			i.msg = i.msg.with(int64(max(1, left)))
		}
		out.Send(q.Database, i.msg)
	}
}

// grant returns credits to the limiter, of which others were not for critical requests.
func (q *Queue) grant(out *sim.Out[Msg], n, others int64) {
	if q.Limiter != sim.None && n > 0 {
		out.Send(q.Limiter, newGrant(n, min(n, max(0, others))))
	}
}

func (q *Queue) push(i item) {
	if q.count == len(q.items) {
		q.grow()
	}
	q.items[(q.head+q.count)&(len(q.items)-1)] = i
	q.count++
}

// grow doubles the ring and puts its head at 0.
func (q *Queue) grow() {
	n := len(q.items)
	q.items = append(q.items, make([]item, max(8, n))...)
	copy(q.items[n:], q.items[:q.head]) // what had wrapped around follows the rest
}

// pop takes the oldest, or the newest.
func (q *Queue) pop() item {
	q.count--
	if q.Newest {
		return q.items[(q.head+q.count)&(len(q.items)-1)]
	}
	i := q.items[q.head]
	q.head = (q.head + 1) & (len(q.items) - 1)
	return i
}
