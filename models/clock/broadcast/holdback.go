package broadcast

import (
	"cmp"
	"slices"
)

// holdBack is what has come to a process and cannot be delivered yet: a queue for each
// sender. Only the first of a queue can be the sender's next message, so that no one looks at
// those behind it: after a loss they are ever more.
//
// Source: Coulouris, Dollimore, Kindberg and Blair, "Distributed Systems", the hold-back
// queue of ordered multicast.
type holdBack struct {
	queues []queue // by sender, from 1
	count  int     // messages in all of them
	came   uint64  // how many have come since all were empty
}

// queue is the messages of one sender in the order of their numbers. Of one number there
// can be several: copies, or stamps that a restarted sender used again. These are in the
// order in which they came.
type queue struct {
	list   []waiting
	memory []waiting // of length 0: list is the rest of it, or a part
}

// waiting is a message that waits.
type waiting struct {
	Msg
	number uint64 // by which its sender orders its messages
	came   uint64 // 0: before all others
}

func newHoldBack(processes int) holdBack { return holdBack{queues: make([]queue, processes+1)} }

// add takes in a message of which the process has delivered neither the number nor a later
// one.
func (h *holdBack) add(m Msg, number uint64) {
	h.came++
	h.insert(waiting{m, number, h.came})
}

// addFirst is add, as if the message had come before all others.
func (h *holdBack) addFirst(m Msg, number uint64) { h.insert(waiting{m, number, 0}) }

func (h *holdBack) insert(m waiting) {
	h.count++
	h.queues[m.Sender].insert(m)
}

func (q *queue) insert(m waiting) {
	if len(q.list) == cap(q.list) {
		q.makeRoom()
	}
	if n := len(q.list); n == 0 || q.list[n-1].number <= m.number {
		q.list = append(q.list, m)
		return
	}
	behind, _ := slices.BinarySearchFunc(q.list, m.number+1, func(other waiting, number uint64) int { return cmp.Compare(other.number, number) })
	q.list = slices.Insert(q.list, behind, m)
}

// makeRoom makes room for a message: in front, where others were, if that is more than half.
func (q *queue) makeRoom() {
	n := len(q.list)
	if cap(q.memory) <= 2*n {
		q.list = slices.Grow(q.list, 1)
		q.memory = q.list[:0]
		return
	}
	copy(q.memory[:n], q.list)
	clear(q.list)
	q.list = q.memory[:n]
}

// first is the message that came first of those that are at the head of a queue, and
// ready; nil if there is none.
func (h *holdBack) first(ready func(*waiting) bool) (first *waiting) {
	if h.count == 0 {
		return nil
	}
	for s := range h.queues {
		if len(h.queues[s].list) == 0 {
			continue
		}
		if m := h.queues[s].ready(ready); m != nil && (first == nil || m.came < first.came) {
			first = m
		}
	}
	return first
}

// take takes out what is the first, and with it those of the same number.
func (h *holdBack) take(first *waiting) Msg {
	m := first.Msg
	if h.count -= h.queues[m.Sender].drop(first.number); h.count == 0 {
		h.came = 0 // processes in which nothing waits are alike
	}
	return m
}

// ready is the message that came first of those with the smallest number, and ready.
func (q *queue) ready(ready func(*waiting) bool) *waiting {
	for i := range q.list {
		if m := &q.list[i]; m.number != q.list[0].number {
			break
		} else if ready(m) {
			return m
		}
	}
	return nil
}

// drop forgets the messages of a number, which are the first, and returns how many they were.
func (q *queue) drop(number uint64) (n int) {
	for n < len(q.list) && q.list[n].number == number {
		n++
	}
	clear(q.list[:n])
	if q.list = q.list[n:]; len(q.list) == 0 {
		q.list = q.memory
	}
	return n
}

// reset makes h equal to initial.
func (h *holdBack) reset(initial *holdBack) {
	h.queues = append(h.queues, make([]queue, len(initial.queues)-len(h.queues))...)
	for s := range h.queues {
		q := &h.queues[s]
		q.list = append(q.memory, initial.queues[s].list...)
		q.memory = q.list[:0]
	}
	h.count, h.came = initial.count, initial.came
}
