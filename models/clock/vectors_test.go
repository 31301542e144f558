package clock

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors of section B of the specification of locks, clocks and the key-value
// store: happens-before, Lamport and vector clocks. C-06, the messages of mutual
// exclusion, is about nodes.

// script is a history with names for its events.
type script struct {
	t      *testing.T
	h      *History
	events map[string]Event
	names  []string
}

func newScript(t *testing.T, processes int) *script {
	return &script{t, must(NewHistory(processes)), map[string]Event{}, nil}
}

func (s *script) add(name string, e Event, err error) {
	require.NoError(s.t, err)
	s.events[name], s.names = e, append(s.names, name)
}

func (s *script) local(process int, names ...string) {
	for _, name := range names {
		e, err := s.h.Local(process)
		s.add(name, e, err)
	}
}

func (s *script) receive(process int, name, send string) {
	e, err := s.h.Receive(process, s.events[send])
	s.add(name, e, err)
}

// related are the pairs that stand so, in the order recorded.
func (s *script) related(want ...Relation) (pairs []string) {
	for i, a := range s.names {
		for _, b := range s.names[i+1:] {
			for _, r := range want {
				if s.h.Relation(s.events[a], s.events[b]) == r {
					pairs = append(pairs, a+b)
				}
			}
		}
	}
	return pairs
}

// TestVectors are the vectors of the specification by their ids:
//
//	go test -run TestVectors/C-01
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		id   string
		test func(*testing.T)
	}{
		{"C-01", vectorC01}, {"C-02", vectorC02}, {"C-03", vectorC03}, {"C-04", vectorC04}, {"C-05", vectorC05},
		{"D-01", vectorD01}, {"D-02", vectorD02}, {"D-03", vectorD03}, {"D-04", vectorD04}, {"D-05", vectorD05},
		{"D-06", vectorD06}, {"D-07", vectorD07}, {"D-08", vectorD08}, {"D-09", vectorD09}, {"D-10", vectorD10},
		{"D-11", vectorD11}, {"D-12", vectorD12}, {"D-13", vectorD13}, {"D-14", vectorD14}, {"D-15", vectorD15},
		{"D-16", vectorD16}, {"D-18", vectorD18}, {"D-19", vectorD19}, {"D-20", vectorD20}, {"H-12", vectorH12},
		{"H-13", vectorH13}, {"H-14", vectorH14}, {"H-15", vectorH15}, {"H-16", vectorH16}, {"H-17", vectorH17},
		{"H-18", vectorH18}, {"H-19", vectorH19}, {"H-20", vectorH20}, {"H-21", vectorH21}, {"H-22", vectorH22},
		{"H-23", vectorH23}, {"P-01", vectorP01}, {"P-02", vectorP02}, {"P-03", vectorP03}, {"P-04", vectorP04},
		{"P-05", vectorP05}, {"P-06", vectorP06}, {"P-07", vectorP07},
	} {
		t.Run(v.id, v.test)
	}
}

func vectorC01(t *testing.T) {
	s := newScript(t, 2)
	s.local(0, "a", "b", "c")
	s.local(1, "d")
	s.receive(1, "e", "b")
	s.local(1, "f")
	assert.ElementsMatch(t, []string{"ab", "ac", "ae", "af", "bc", "be", "bf", "de", "df", "ef"}, s.related(Before, After))
	// S4, section 9.2, has four: b || d is missing there.
	assert.ElementsMatch(t, []string{"ad", "bd", "cd", "ce", "cf"}, s.related(Concurrent))
	ordered, concurrent := s.h.Pairs()
	assert.EqualValues(t, 10, ordered)
	assert.EqualValues(t, 5, concurrent)
	var pairs []string
	for a, b := range s.h.ConcurrentPairs() {
		pairs = append(pairs, s.names[a]+s.names[b])
	}
	assert.ElementsMatch(t, []string{"ad", "bd", "cd", "ce", "cf"}, pairs)
}

// example is the run of S4, section 9.3: A: a1, send m1, a3, receive m3; B:
// b1, b2, receive m1, receive m2, send m3; C: c1, send m2, c3. Or with m2 before m1.
func example(t *testing.T, swapped bool) *script {
	s := newScript(t, 3)
	s.local(0, "a1", "a2", "a3")
	s.local(1, "b1", "b2")
	s.local(2, "c1", "c2", "c3")
	if swapped {
		s.receive(1, "b3", "c2")
		s.receive(1, "b4", "a2")
	} else {
		s.receive(1, "b3", "a2")
		s.receive(1, "b4", "c2")
	}
	s.local(1, "b5")
	s.receive(0, "a4", "b5")
	return s
}

// of are the stamps of the events with these names.
func of[S any](s *script, stamps []S, names ...string) (all []S) {
	for _, name := range names {
		all = append(all, stamps[s.events[name]])
	}
	return all
}

func vectorC02(t *testing.T) {
	t.Run("C-02a", func(t *testing.T) {
		s := example(t, false)
		c := lamportsOf(s.h)
		assert.Equal(t, []uint64{1, 2, 3, 6}, of(s, c, "a1", "a2", "a3", "a4"))
		// The message of C carries 2: max(3,2)+1 is 4.
		assert.Equal(t, []uint64{1, 2, 3, 4, 5}, of(s, c, "b1", "b2", "b3", "b4", "b5"))
		assert.Equal(t, []uint64{1, 2, 3}, of(s, c, "c1", "c2", "c3"))
	})
	t.Run("C-02b", func(t *testing.T) {
		s := example(t, false)
		var order []string
		for _, e := range s.h.Sorted(byStamp(s.h, lamportsOf(s.h))) {
			order = append(order, s.names[e])
		}
		assert.Equal(t, []string{"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "b4", "b5", "a4"}, order)
	})
	t.Run("C-02c", func(t *testing.T) {
		s := example(t, true)
		assert.Equal(t, []uint64{3, 4, 5, 6}, of(s, lamportsOf(s.h), "b3", "b4", "b5", "a4"))
	})
	// "one local event then send, Rules 1+2 literally: 3 (wrong); correct 2".
	t.Run("C-02d", func(t *testing.T) {
		var c, literal Lamport
		c.Tick()
		assert.EqualValues(t, 2, c.Tick())
		literal.Tick()
		literal.Tick() // Rule 1: before each event, C := C+1
		assert.EqualValues(t, 3, literal.Tick(), "Rule 2: a send does C := C+1, and attaches C")
	})
}

// byStamp is the total order (C, pid).
func byStamp(h *History, c []uint64) func(a, b Event) int {
	return func(a, b Event) int {
		return Stamp[int]{c[a], h.Process(a)}.Compare(Stamp[int]{c[b], h.Process(b)})
	}
}

func vectorC03(t *testing.T) {
	s := newScript(t, 3)
	s.local(0, "a1", "a2")
	s.local(1, "b1")
	s.receive(1, "b2", "a2")
	s.local(2, "c1", "c2")
	s.receive(1, "b3", "c2")
	s.local(1, "b4")
	s.receive(0, "a3", "b4")
	v := vectorsOf(s.h)
	t.Run("C-03a", func(t *testing.T) {
		var got []string
		for _, x := range v {
			got = append(got, x.String())
		}
		assert.Equal(t, []string{"[1,0,0]", "[2,0,0]", "[0,1,0]", "[2,2,0]", "[0,0,1]", "[0,0,2]", "[2,3,2]", "[2,4,2]", "[3,4,2]"}, got)
	})
	t.Run("C-03b", func(t *testing.T) { assert.Equal(t, Concurrent, must(Vector{2, 2, 0}.Compare(Vector{0, 0, 2}))) })
	t.Run("C-03c", func(t *testing.T) { assert.Equal(t, Before, must(Vector{2, 0, 0}.Compare(Vector{2, 2, 0}))) })
}

func vectorC04(t *testing.T) {
	s := example(t, false)
	c, v := lamportsOf(s.h), vectorsOf(s.h)
	t.Run("C-04a", func(t *testing.T) {
		ordered, concurrent := s.h.Pairs()
		assert.EqualValues(t, 66, ordered+concurrent)
		assert.EqualValues(t, 30, concurrent)
		assert.EqualValues(t, 21, s.h.ConcurrentOrdered(func(e Event) uint64 { return c[e] }))
		byVectors, different := 0, 0
		for i := range v {
			for j := range i {
				if must(v[i].Compare(v[j])) == Concurrent {
					byVectors++
					if c[i] != c[j] {
						different++
					}
				}
			}
		}
		assert.Equal(t, []int{30, 21}, []int{byVectors, different})
	})
	t.Run("C-04b", func(t *testing.T) {
		c3, a4 := s.events["c3"], s.events["a4"]
		assert.Equal(t, []Vector{{0, 0, 3}, {4, 5, 2}}, of(s, v, "c3", "a4"))
		assert.Equal(t, []uint64{3, 6}, of(s, c, "c3", "a4"))
		assert.Equal(t, Concurrent, s.h.Relation(c3, a4))
		assert.Equal(t, Concurrent, must(v[c3].Compare(v[a4])))
	})
}

// vectorC05: 300 random executions, 18 events, 3 processes: VC <=> HB violations 0; HB =>
// L< violations 0. Each pair is looked at, against a search of the graph.
func vectorC05(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	pairs, ordered := 0, 0
	for range 300 {
		h := randomHistory(r, 3, 18)
		reach := search(h)
		c, v := lamportsOf(h), vectorsOf(h)
		for a := range Event(18) {
			for b := range Event(18) {
				if a == b {
					continue
				}
				pairs++
				hb := reach[b].has(WriteID(a))
				require.Equal(t, hb, must(v[a].Compare(v[b])) == Before)
				require.Equal(t, hb, v[a].Precedes(h.Process(a), v[b]))
				if hb {
					ordered++
					require.Less(t, c[a], c[b])
				}
			}
		}
	}
	assert.Equal(t, 300*18*17, pairs)
	assert.Greater(t, ordered, 300*18, "executions in which nothing happens before anything show nothing")
}
