package queue

import "math"

// A tournament holds the keys of few pending events. Each is one word, and plays against
// the three others of its group: the least wins, and the winners play in groups of four
// again, until one is left.
//
// Source: Knuth, "The Art of Computer Programming", volume 3, section 5.2.3, tree selection.
type tournament struct {
	words [size]uint64 // word i is the least of 4i to 4i+3; from leaf on they are keys, by slot
	leaf  uint         // a power of four
	base  int64        // what words count instants from
	first uint64       // what words count sequences from
}

const (
	placeBits = 10
	places    = 1 << placeBits
	size      = 2 * places
	turnBits  = 14
	awayBits  = 64 - turnBits - placeBits      // of an instant: 18 minutes
	vacant    = math.MaxUint64 &^ (places - 1) // the word of no key
)

// clear takes all keys out and makes room for the given number of slots, as far as there is
// any. From then on words count from the given instant and sequence.
func (t *tournament) clear(slots int, base int64, first uint64) {
	for t.leaf = 4; int(t.leaf) < min(slots, places); t.leaf *= 4 {
	}
	for level := t.leaf; level > 0; level /= 4 {
		words := t.words[level : 2*level]
		for i := range words {
			words[i] = vacant
		}
	}
	t.base, t.first = base, first
}

// add takes in a key and reports whether it could: its slot, instant and sequence have to
// be near enough.
func (t *tournament) add(at int64, seq uint64, slot uint32) bool {
	away, turn, i := uint64(at-t.base), seq-t.first, uint(slot)
	if away>>awayBits|turn>>turnBits != 0 || i >= t.leaf {
		return false
	}
	w := away<<(turnBits+placeBits) | turn<<placeBits | uint64(slot)
	i += t.leaf
	t.words[i%size] = w
	for i /= 4; i > 1; i /= 4 {
		t.words[i%size] = min(t.words[i%size], w)
	}
	if w < t.words[1] { // a branch, since it is rare: the next pop need not wait for this instant
		t.words[1] = w
	}
	return true
}

// drop takes out the key of a slot. What won so far is kept in a register: a word that was just
// written is slow to read.
func (t *tournament) drop(slot uint32) {
	i, w := t.leaf+uint(slot), uint64(vacant)
	for i > 1 {
		t.words[i%size] = w
		w = min(w, min(t.words[(i^1)%size], t.words[(i^2)%size], t.words[(i^3)%size]))
		i /= 4
	}
	t.words[1] = w
}

// least is the slot of the first key, 0 if there is none.
func (t *tournament) least() uint32 { return uint32(t.words[1] % places) }

// Soon is the keys of all events that may be due at this instant, and others, in no
// particular order, in memory of its own until the next one.
func (q *Queue[E]) Soon() []Key {
	all := append(append(q.scratch[:0], q.near[q.head:]...), q.heap...)
	all = q.held(all)
	q.scratch = all
	return all
}

// held appends the keys in few to s.
func (q *Queue[E]) held(s []Key) []Key {
	for slot := range q.few.leaf {
		if q.few.words[q.few.leaf+slot] != vacant {
			s = append(s, q.keyOf(uint32(slot)))
		}
	}
	return s
}

// hold puts keys into few, which is empty, and what it cannot take into the heap.
func (q *Queue[E]) hold(keys []Key) {
	slots := int(q.few.leaf)
	for _, k := range keys {
		slots = max(slots, int(k.Slot())+1)
	}
	q.few.clear(slots, q.now, q.seq-1<<(turnBits-1))
	for _, k := range keys {
		if !q.few.add(k.At, k.Seq(), k.Slot()) {
			q.heap.push(k)
		}
	}
}

// squeeze puts a key, the newest, into few after all if that can be, else into the heap.
// It makes room for more slots and for later instants and sequences. What has been there for
// long has to go.
func (q *Queue[E]) squeeze(k Key) {
	if k.Slot() >= places || uint64(k.At-q.now)>>(awayBits-1) != 0 {
		q.heap.push(k)
		return
	}
	keys := append(q.held(q.scratch[:0]), k)
	q.scratch = keys
	q.work += len(keys)
	q.hold(keys)
}
