package permits

import "slices"

// AsWritten is the Go middleware of S3 as a state machine, its bugs included: a
// semaphore that is a buffered channel, a queue that is another, a dispatcher that moves
// requests from the queue to the semaphore, and handlers that wait in a select.
//
// A goroutine runs from one place where it may block to the next within one call. What
// the runtime of Go decides there is explicit:
//
//   - a value sent to a channel with a receiver that is parked goes to that receiver,
//     and a slot that a receiver frees goes to the sender that is parked: no one
//     overtakes a goroutine that is parked;
//   - a select that is parked takes what becomes ready first. One that is reached with
//     several cases ready picks one at random: the caller is asked to, and calls PickHandler or PickItem;
//   - to send on a closed channel panics, even in a select with a default.
//
// Source: S3 middleware, of docs/sources.md; "selectgo" in the Go runtime.
type AsWritten struct {
	Permits int // maxConcurrency, 1 and up
	Queue   int // maxQueue, 0 and up

	semaphore  int      // slots of the channel that are taken
	queue      []uint32 // the channel's buffer; with Queue 0 only a receiver takes a value
	cancelled  bool     // the context
	closed     bool     // the queue
	dispatcher dispatcher
	hand       uint32    // the item that the dispatcher holds
	handlers   []handler // those in the second select, by arrival
	events     []Event
}

// dispatcher is where processQueue is.
type dispatcher uint8

const (
	created dispatcher = iota // it has not run yet
	parked                    // in its select
	picking                   // in its select, reached with both cases ready
	sending                   // blocked in cl.semaphore <-
	logging                   // it has closed notify and writes its line
	stopped
)

// handler is a request that has sent its item to the queue.
type handler struct {
	rid      uint32
	reached  bool // its select; until then it is kept from running
	notified bool // notify is closed
	expired  bool // the timer has fired
}

// Event is what came of a call.
type Event struct {
	What What
	Rid  uint32
}

// What came of a call.
type What uint8

// The events.
const (
	Grants         What = iota // the dispatcher, or the handler itself, took a permit for the request, which may be gone
	Served                     // the handler continues with c.Next; call Release when that is over
	TimedOut                   // the handler answers 504 and returns
	Enqueued                   // the item is in the queue, or in the dispatcher's hand
	Blocked                    // the queue is full: 429
	Panics                     // send on closed channel, in the handler's goroutine
	PanicsStopping             // close of closed channel, in the goroutine that shuts down
	LogWrite                   // the dispatcher writes a line: call Dispatch when that is over
	Choose                     // both cases of a handler's select are ready: call PickHandler
	ChooseItem                 // both cases of the dispatcher's select are ready: call PickItem
	Returned                   // the dispatcher is gone
)

// Reset makes the middleware one that has seen nothing, with the parameters of another.
func (m *AsWritten) Reset(params *AsWritten) {
	queue, handlers, events := m.queue, m.handlers, m.events
	*m = *params
	m.queue, m.handlers, m.events = refill(queue, params.queue), refill(handlers, params.handlers), refill(events, params.events)
}

// Events are what came of the calls since it was last called, in order. They are good
// until the next call of another method.
func (m *AsWritten) Events() []Event {
	e := m.events
	m.events = m.events[:0]
	return e
}

func (m *AsWritten) happens(what What, rid uint32) { m.events = append(m.events, Event{what, rid}) }

// Arrive is a request: the two selects of Handle, each with a default.
func (m *AsWritten) Arrive(rid uint32) {
	switch {
	case m.semaphore < m.Permits: // the dispatcher is never parked in its send while a slot is free
		m.semaphore++
		m.happens(Grants, rid)
		m.happens(Served, rid)
	case m.closed:
		m.happens(Panics, rid)
	case m.dispatcher == parked: // the value goes from hand to hand
		m.handlers = append(m.handlers, handler{rid: rid})
		m.happens(Enqueued, rid)
		m.take(rid)
	case len(m.queue) < m.Queue:
		m.queue = append(m.queue, rid)
		m.handlers = append(m.handlers, handler{rid: rid})
		m.happens(Enqueued, rid)
	default:
		m.happens(Blocked, rid)
	}
}

// Reach is a handler that gets to its select{notify, time.After}.
func (m *AsWritten) Reach(rid uint32) {
	h := m.handler(rid)
	if h == nil {
		return
	}
	h.reached = true
	switch {
	case h.notified && h.expired:
		m.happens(Choose, rid)
	case h.notified:
		m.leave(rid, Served)
	case h.expired:
		m.leave(rid, TimedOut)
	}
}

// PickHandler is the runtime's choice among the cases of a handler's select.
func (m *AsWritten) PickHandler(rid uint32, notify bool) {
	if m.handler(rid) == nil {
		return // it has been picked
	}
	what := TimedOut
	if notify {
		what = Served
	}
	m.leave(rid, what)
}

// Expire is the timer of a handler. The item stays in the queue.
func (m *AsWritten) Expire(rid uint32) {
	h := m.handler(rid)
	if h == nil {
		return
	}
	if h.expired = true; h.reached && !h.notified {
		m.leave(rid, TimedOut)
	}
}

// Release is <-cl.semaphore, in the deferred function of a handler.
func (m *AsWritten) Release() {
	m.semaphore--
	if m.dispatcher == sending {
		m.grant()
	}
}

// Shutdown is cancel and close, in this order.
func (m *AsWritten) Shutdown() {
	m.cancelled = true
	if m.dispatcher == parked {
		m.stop()
	}
	if m.closed {
		m.happens(PanicsStopping, 0)
		return
	}
	m.closed = true
}

// Dispatch is the loop of processQueue, from its beginning to where it blocks: when the
// goroutine first runs, and when the line that it writes after a grant is written.
func (m *AsWritten) Dispatch() {
	item := len(m.queue) > 0 || m.closed
	switch {
	case m.cancelled && item:
		m.dispatcher = picking
		m.happens(ChooseItem, 0)
	case m.cancelled:
		m.stop()
	case item:
		m.receive()
	default:
		m.dispatcher = parked
	}
}

// PickItem is the runtime's choice among the cases of the dispatcher's select.
func (m *AsWritten) PickItem(item bool) {
	switch {
	case m.dispatcher != picking: // it has been picked
	case item:
		m.receive()
	default:
		m.stop()
	}
}

// receive is the case of an item, or of the queue that is closed and empty.
func (m *AsWritten) receive() {
	if len(m.queue) == 0 {
		m.stop()
		return
	}
	rid := m.queue[0]
	m.queue = slices.Delete(m.queue, 0, 1)
	m.take(rid)
}

// take is cl.semaphore <- with an item in hand: ctx.Done is not looked at.
func (m *AsWritten) take(rid uint32) {
	m.hand = rid
	m.dispatcher = sending
	if m.semaphore < m.Permits {
		m.grant()
	}
}

// grant is the send that succeeds, close(item.notify), and the line that is written.
func (m *AsWritten) grant() {
	rid := m.hand
	m.semaphore++
	m.hand, m.dispatcher = 0, logging
	m.happens(Grants, rid)
	if h := m.handler(rid); h != nil { // else no one receives from notify, and no one ever will
		if h.notified = true; h.reached {
			m.leave(rid, Served)
		}
	}
	m.happens(LogWrite, rid)
}

func (m *AsWritten) stop() {
	m.dispatcher = stopped
	m.happens(Returned, 0)
}

// leave is a handler that leaves its select.
func (m *AsWritten) leave(rid uint32, what What) {
	m.handlers = slices.DeleteFunc(m.handlers, func(h handler) bool { return h.rid == rid })
	m.happens(what, rid)
}

func (m *AsWritten) handler(rid uint32) *handler {
	for i := range m.handlers {
		if m.handlers[i].rid == rid {
			return &m.handlers[i]
		}
	}
	return nil
}

// InUse is how many slots of the semaphore are taken.
func (m *AsWritten) InUse() int { return m.semaphore }

// Dead is how many items in the queue belong to handlers that are gone, and whether that
// in the dispatcher's hand does.
func (m *AsWritten) Dead() (queued int, inHand bool) {
	for _, rid := range m.queue {
		if m.handler(rid) == nil {
			queued++
		}
	}
	return queued, m.dispatcher == sending && m.handler(m.hand) == nil
}

// DispatcherAlive reports whether processQueue has not returned.
func (m *AsWritten) DispatcherAlive() bool { return m.dispatcher != stopped }
