package permits

import (
	"time"

	"fencepost/sim"
)

// Middleware is the node around [AsWritten]: one process that serves HTTP.
//
// A handler that panics takes its connection with it and nothing else, since net/http
// recovers there: the client has no answer. A panic of the goroutine that shuts down is
// the end of the process.
type Middleware struct {
	Limit   AsWritten
	Timeout time.Duration // of time.After, 60 minutes in the source
	Begin   time.Duration // until the dispatcher first runs
	Log     sim.Dist      // how long the dispatcher writes its line after a grant
	Kept    []sim.Dist    // how long a handler is kept from running between time.After and its select, by client; shared, never written

	executor
	dead bool
}

// Reset implements [sim.Resetter].
func (m *Middleware) Reset(initial *Middleware) {
	limit, d := m.Limit, m.executor
	*m = *initial
	m.Limit, m.executor = limit, d
	m.Limit.Reset(&initial.Limit)
	m.executor.reset(&initial.executor)
}

// coin lands on 0 or 1 ns, each half the time.
var coin = sim.Uniform(0, 2)

// Step implements [sim.Node].
func (m *Middleware) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if m.dead {
		return
	}
	rid := in.Msg.Rid
	switch in.Msg.Kind {
	case start:
		out.After(m.Begin, Msg{Kind: dispatch})
	case Req:
		if m.isCopy(rid) {
			return
		}
		out.Note(Msg{Kind: Arrived, Rid: rid, Wait: m.Timeout})
		m.Limit.Arrive(rid)
	case Cancel: // the request's context is not checked
		out.Note(Msg{Kind: Cancelled, Rid: rid})
	case finish:
		if m.finished(out, rid) {
			freed(out, rid, m.Limit.InUse()-1)
			m.Limit.Release()
		}
	case toSelect:
		m.Limit.Reach(rid)
	case expire:
		m.Limit.Expire(rid)
	case pickNotify, pickTimer:
		m.Limit.PickHandler(rid, in.Msg.Kind == pickNotify)
	case pickItem, pickDone:
		m.Limit.PickItem(in.Msg.Kind == pickItem)
	case dispatch:
		m.Limit.Dispatch()
	case Shutdown:
		out.Note(Msg{Kind: Draining})
		m.Limit.Shutdown()
	default:
		panic("permits: the middleware got " + in.Msg.String())
	}
	for _, e := range m.Limit.Events() {
		m.happened(out, e)
	}
}

// happened carries out what came of a call.
func (m *Middleware) happened(out *sim.Out[Msg], e Event) {
	switch e.What {
	case Grants:
		granted(out, e.Rid, m.Limit.InUse())
	case Served:
		m.run(out, e.Rid)
	case TimedOut:
		answer(out, e.Rid, GatewayTimeout)
	case Blocked:
		answer(out, e.Rid, TooManyRequests)
	case Enqueued:
		out.Note(Msg{Kind: Queued, Rid: e.Rid})
		out.After(m.Timeout, Msg{Kind: expire, Rid: e.Rid})
		out.AfterDraw(m.Kept[client(e.Rid)-1], Msg{Kind: toSelect, Rid: e.Rid})
	case Panics:
		out.Note(panicked(e.Rid, sendOnClosed))
		out.Send(client(e.Rid), Msg{Kind: Resp, Rid: e.Rid})
	case PanicsStopping:
		m.dead = true
		out.Note(panicked(0, closeOfClosed))
	case LogWrite:
		out.AfterDraw(m.Log, Msg{Kind: dispatch})
	case Choose:
		flip(out, e.Rid, pickNotify, pickTimer)
	case ChooseItem:
		flip(out, e.Rid, pickItem, pickDone)
	case Returned:
		out.Note(Msg{Kind: Stopped})
	}
}

// flip draws which of two timers is handled first. They are in this order if both are due
// at once: a node that is paused or busy meanwhile changes nothing.
func flip(out *sim.Out[Msg], rid uint32, calm, other sim.Kind) {
	out.AfterDraw(coin, Msg{Kind: calm, Rid: rid})
	out.After(0, Msg{Kind: other, Rid: rid})
}
