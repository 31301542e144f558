package clock

import "fmt"

// Event is an event of a [History], numbered from 0 in the order recorded.
type Event int32

// Limits of a [History]. Its rows are numbers of 4 bytes, a gigabyte of them.
const (
	MaxProcesses = 1 << 16
	MaxEvents    = 1 << 24
	maxRows      = 1 << 28
)

// History is the oracle: what happened before what in a run, exactly. It records the
// events as the run makes them, and looks at no clock.
//
// The history of an event is a set of events: itself, the history of the one before it
// on its process, and, if it is a receipt, the history of the send. Such a set holds of
// each process a number of its first events, for with an event it holds all before it on
// that process. So one number per process is the set itself, and the union of two sets
// is the larger of each number; no claim of any clock is needed for that.
// The test beside this file compares it with a search of the graph, pair by pair.
//
// An event that receives nothing adds itself to the set of the one before it, so only
// receipts store a row of numbers.
//
// A process that has lost its memory continues under a new number, or the oracle takes
// it for one that remembers.
//
// Source: Lamport 1978, the relation ->.
type History struct {
	events  []event
	chains  [][]Event // the events of each process
	rows    []uint32  // of receipts: how many events of each process are in the history
	limit   int       // of rows, in numbers
	ordered uint64    // pairs
}

// event is one event.
type event struct {
	process int32
	index   uint32 // on its process, from 1
	from    Event  // the send of a receipt, else none
	row     int32  // number of the row that holds, -1 before the first receipt
	known   uint32 // size of its history, itself included
}

const none Event = -1

// NewHistory is a run of the given number of processes, 1 to [MaxProcesses], with no event.
func NewHistory(processes int) (*History, error) {
	if processes < 1 || processes > MaxProcesses {
		return nil, fmt.Errorf("history: processes: must be 1 to %d, got %d", MaxProcesses, processes)
	}
	return &History{chains: make([][]Event, processes), limit: maxRows}, nil
}

// Reset forgets all events and keeps the memory.
func (h *History) Reset() {
	h.events, h.rows, h.ordered = h.events[:0], h.rows[:0], 0
	for p := range h.chains {
		h.chains[p] = h.chains[p][:0]
	}
}

// Len is how many events there are.
func (h *History) Len() int { return len(h.events) }

// Process is whose event it is.
func (h *History) Process(e Event) int { return int(h.events[e].process) }

// Index is its number on its process, from 1.
func (h *History) Index(e Event) int { return int(h.events[e].index) }

// Local records an event of a process that receives nothing: also a send.
func (h *History) Local(process int) (Event, error) { return h.record(process, none) }

// Receive records the receipt of a message by its send, which any number of processes
// may receive.
func (h *History) Receive(process int, send Event) (Event, error) {
	if send < 0 || int(send) >= len(h.events) {
		return none, fmt.Errorf("history: event %d is received and was not sent: there are %d events", send, len(h.events))
	}
	return h.record(process, send)
}

func (h *History) record(process int, send Event) (Event, error) {
	switch {
	case process < 0 || process >= len(h.chains):
		return none, fmt.Errorf("history: process %d: there are 0 to %d", process, len(h.chains)-1)
	case len(h.events) == MaxEvents:
		return none, fmt.Errorf("history: more than %d events", MaxEvents)
	}
	chain := h.chains[process]
	e := event{process: int32(process), index: uint32(len(chain) + 1), from: send, row: -1, known: 1}
	last := none
	if len(chain) > 0 {
		last = chain[len(chain)-1]
		e.row, e.known = h.events[last].row, h.events[last].known+1
	}
	if send != none {
		if len(h.rows)+len(h.chains) > h.limit {
			return none, fmt.Errorf("history: too many receipts: %d events of %d processes take more than %d bytes", len(h.events), len(h.chains), 4*h.limit)
		}
		e.row, e.known = h.union(process, e.index, last, send)
	}
	h.ordered += uint64(e.known - 1)
	h.chains[process] = append(chain, Event(len(h.events)))
	h.events = append(h.events, e)
	return Event(len(h.events) - 1), nil
}

// union stores the history of the index-th event of a process, which comes after two
// others, and returns its row and size.
func (h *History) union(process int, index uint32, last, send Event) (row int32, known uint32) {
	n, at := len(h.chains), len(h.rows)
	h.rows = append(h.rows, make([]uint32, n)...)
	set := h.rows[at:]
	h.addTo(set, send)
	if last != none {
		h.addTo(set, last)
	}
	set[process] = index
	for _, k := range set {
		known += k
	}
	return int32(at / n), known
}

// addTo adds the history of an event to a set.
func (h *History) addTo(set []uint32, e Event) {
	x := &h.events[e]
	if n := len(h.chains); x.row >= 0 {
		for q, k := range h.rows[int(x.row)*n:][:n] {
			set[q] = max(set[q], k)
		}
	}
	set[x.process] = max(set[x.process], x.index)
}

// past is how many events of a process are in the history of e, e included.
func (h *History) past(e Event, process int) uint32 {
	switch x := &h.events[e]; {
	case int(x.process) == process:
		return x.index
	case x.row < 0:
		return 0
	default:
		return h.rows[int(x.row)*len(h.chains)+process]
	}
}

// Before reports whether a happened before b.
func (h *History) Before(a, b Event) bool {
	return a != b && h.past(b, int(h.events[a].process)) >= h.events[a].index
}

// Relation is how a stands to b.
func (h *History) Relation(a, b Event) Relation {
	switch {
	case a == b:
		return Equal
	case h.Before(a, b):
		return Before
	case h.Before(b, a):
		return After
	}
	return Concurrent
}

// Past is the size of the history of e without e: how many events happened before it.
func (h *History) Past(e Event) int { return int(h.events[e].known - 1) }

// Pairs is how many pairs of events are ordered and how many are concurrent. It has
// been counted on the way.
func (h *History) Pairs() (ordered, concurrent uint64) {
	n := uint64(len(h.events))
	return h.ordered, (n*n-n)/2 - h.ordered
}

// Bytes is about how much memory the oracle holds.
func (h *History) Bytes() int64 {
	return int64(cap(h.events))*24 + int64(cap(h.rows))*4 + int64(len(h.events))*4
}

// each goes through the chains: yield gets each event and the one before it on its
// process, or none.
func (h *History) each(yield func(e, last Event) bool) {
	for e := range Event(len(h.events)) {
		last := none
		if i := h.events[e].index; i > 1 {
			last = h.chains[h.events[e].process][i-2]
		}
		if !yield(e, last) {
			return
		}
	}
}
