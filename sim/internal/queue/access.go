package queue

// What package sim asks beside [Queue.Push] and [Queue.Pop]. All of it is small enough for the compiler
// to put it where it is called.

// Len is how many events are pending.
func (q *Queue[E]) Len() int { return q.pending }

// Seq is the sequence of the event that was pushed last.
func (q *Queue[E]) Seq() uint64 { return q.seq }

// Few reports whether all keys are in the tournament or the heap, so that [Queue.PopFew] is Pop, and
// the queue is never dry.
func (q *Queue[E]) Few() bool { return q.many > 0 }

// Popped is the event that was popped last, until it is freed.
func (q *Queue[E]) Popped() *Entry[E] { return &q.events[q.popped] }

// PoppedSlot is its slot.
func (q *Queue[E]) PoppedSlot() uint32 { return q.popped }

// Entry is the event in a slot.
func (q *Queue[E]) Entry(slot uint32) *Entry[E] { return &q.events[slot] }

// Near is the keys that come next after [Queue.Refill], sorted. They lie in the memory of the queue.
func (q *Queue[E]) Near() []Key { return q.near[q.head:] }

// Coming is the keys that follow those, if there is time to have their events in the cache before
// that: of a large queue. Only their slots are known.
func (q *Queue[E]) Coming() []Key { return q.coming }

// Empty forgets all events.
func (q *Queue[E]) Empty() {
	q.clear()
	q.pending = 0
}
