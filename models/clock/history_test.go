package clock

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
)

// search is what happened before each event by the definition: a search backwards
// along the arrows of the graph, from scratch for each event, into sets of bits.
func search(h *History) []bitset {
	arrows := make([][]Event, h.Len())
	h.each(func(e, last Event) bool {
		for _, from := range []Event{last, h.events[e].from} {
			if from != none {
				arrows[e] = append(arrows[e], from)
			}
		}
		return true
	})
	sets := make([]bitset, h.Len())
	for e := range sets {
		sets[e] = make(bitset, (h.Len()+63)/64)
		for todo := arrows[e]; len(todo) > 0; {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !sets[e].has(WriteID(next)) {
				sets[e][next>>6] |= 1 << (next & 63)
				todo = append(todo[:len(todo):len(todo)], arrows[next]...)
			}
		}
	}
	return sets
}

// TestHistory: the oracle is the transitive closure of the arrows, for every pair of
// many runs, and counts its pairs right.
func TestHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for run := range whole.Of(60, 200) {
		processes, events := 1+r.IntN(9), 1+r.IntN(150)
		h := randomHistory(r, processes, events)
		sets := search(h)
		var ordered, concurrent uint64
		for b := range Event(events) {
			past := 0
			for a := range Event(events) {
				is := sets[b].has(WriteID(a))
				require.Equal(t, is, h.Before(a, b), "run %d: %d before %d", run, a, b)
				if is {
					require.Equal(t, []Relation{Before, After}, []Relation{h.Relation(a, b), h.Relation(b, a)})
				}
				switch {
				case is:
					past++
				case a < b:
					require.Equal(t, Concurrent, h.Relation(a, b))
					concurrent++
				}
			}
			require.Equal(t, past, h.Past(b))
			require.Equal(t, Equal, h.Relation(b, b))
			require.Equal(t, b, h.chains[h.Process(b)][h.Index(b)-1])
			ordered += uint64(past)
		}
		o, c := h.Pairs()
		require.Equal(t, []uint64{ordered, concurrent}, []uint64{o, c})
		n := uint64(0)
		for range h.ConcurrentPairs() {
			n++
		}
		require.Equal(t, concurrent, n)
		stamps := lamportsOf(h)
		different := uint64(0)
		for a, b := range h.ConcurrentPairs() {
			if stamps[a] != stamps[b] {
				different++
			}
		}
		require.Equal(t, different, h.ConcurrentOrdered(func(e Event) uint64 { return stamps[e] }))
	}
}

func TestHistoryErrors(t *testing.T) {
	for _, n := range []int{-1, 0, MaxProcesses + 1} {
		_, err := NewHistory(n)
		assert.ErrorContains(t, err, "must be 1 to 65536, got")
	}
	h := must(NewHistory(2))
	_, err := h.Local(2)
	assert.EqualError(t, err, "history: process 2: there are 0 to 1")
	_, err = h.Local(-1)
	assert.Error(t, err)
	_, err = h.Receive(0, 0)
	assert.EqualError(t, err, "history: event 0 is received and was not sent: there are 0 events")
	_, err = h.Receive(0, -1)
	assert.Error(t, err)
	assert.Zero(t, h.Len(), "what is refused leaves nothing")
	send := must(h.Local(0))
	h.limit = 2
	must(h.Receive(1, send))
	_, err = h.Receive(1, send)
	assert.EqualError(t, err, "history: too many receipts: 2 events of 2 processes take more than 8 bytes")
	assert.Equal(t, 2, h.Len())
	h.events = make([]event, MaxEvents)
	_, err = h.Local(0)
	assert.EqualError(t, err, "history: more than 16777216 events")
	h = must(NewHistory(2))
	_, c := h.Pairs()
	assert.Zero(t, c)
}

// TestHistoryLarge: a million events are recorded, and a hundred thousand checked.
func TestHistoryLarge(t *testing.T) {
	many, checked := 1_000_000, 100_000
	if testing.Short() { // the race detector takes twenty times as long
		many, checked = 100_000, 10_000
	}
	h := randomHistory(rand.New(rand.NewPCG(2, 3)), 8, many)
	assert.Equal(t, many, h.Len())
	ordered, concurrent := h.Pairs()
	assert.Equal(t, uint64(many)*uint64(many-1)/2, ordered+concurrent)
	assert.Less(t, h.Bytes(), int64(100e6))

	h = randomHistory(rand.New(rand.NewPCG(2, 3)), 16, checked)
	v, c := vectorsOf(h), lamportsOf(h)
	assert.NoError(t, h.DetectsConcurrency(func(a, b Event) Relation { return must(v[a].Compare(v[b])) }))
	assert.NoError(t, h.TotalOrder(byStamp(h, c)))
}

// TestReset: nothing is left of the run before, in the memory of which the next one is
// recorded.
func TestReset(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	used, usedWrites := must(NewHistory(4)), &Writes{}
	for range 50 {
		fresh := randomHistory(r, 4, 1+r.IntN(60))
		used.Reset()
		for _, e := range fresh.events {
			if e.from == none {
				must(used.Local(int(e.process)))
			} else {
				must(used.Receive(int(e.process), e.from))
			}
		}
		writes := &Writes{}
		usedWrites.Reset()
		for e := range Event(fresh.Len()) {
			var read []WriteID
			if from := fresh.events[e].from; from != none {
				read = []WriteID{WriteID(from)}
			}
			require.Equal(t, must(writes.Add(read...)), must(usedWrites.Add(read...)))
		}
		for a := range Event(fresh.Len()) {
			for b := range Event(fresh.Len()) {
				require.Equal(t, fresh.Relation(a, b), used.Relation(a, b))
				require.Equal(t, writes.Before(WriteID(a), WriteID(b)), usedWrites.Before(WriteID(a), WriteID(b)))
			}
		}
		o1, c1 := fresh.Pairs()
		o2, c2 := used.Pairs()
		require.Equal(t, []uint64{o1, c1}, []uint64{o2, c2})
	}
}
