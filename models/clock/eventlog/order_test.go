package eventlog

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
)

// names are pairs of events by name, as "ad bd".
func names(l *Log, pairs [][2]int) string {
	var list []string
	for _, p := range pairs {
		list = append(list, l.Name(p[0])+l.Name(p[1]))
	}
	return strings.Join(list, " ")
}

// S4, section 9.2, leaves bd out, and says 4.
func TestScript(t *testing.T) {
	t.Run("C-01", func(t *testing.T) {
		l := readFile(t, "source-004.script")
		o := l.Order(10)
		pairs, all := l.Concurrents(o, 100)
		assert.Equal(t, "ad bd cd ce cf", names(l, pairs))
		assert.True(t, all)
		assert.Equal(t, [2]uint64{10, 5}, [2]uint64{o.Ordered, o.Concurrent})
		var ordered [][2]int
		for a := range l.Events {
			for b := range l.Events {
				if l.Relation(a, b) == clock.Before {
					ordered = append(ordered, [2]int{a, b})
				}
			}
		}
		assert.Equal(t, "ab ac ae af bc be bf de df ef", names(l, ordered))
		assert.Equal(t, []uint32{1, 2, 3, 1, 3, 4}, o.Stamps)
		assert.Equal(t, []int32{0, 1, 2, 3, 4, 5}, o.Sequence)
		assert.Equal(t, []Message{{1, 4}}, o.Messages)
		assert.Equal(t, "{P:2,Q:2}", l.Clock(4, 10))
		assert.Equal(t, "{P:2,...}", l.Clock(4, 1))
		assert.Equal(t, Script, l.Format)
	})
	t.Run("C-04a", func(t *testing.T) { // with the stamps of C-02a
		l, err := Read(strings.NewReader("A: a1 a2 a3 a4\nB: b1 b2 b3 b4 b5\nC: c1 c2 c3\na2 -> b3\nc2 -> b4\nb5 -> a4\n"), Options{})
		require.NoError(t, err)
		o := l.Order(10)
		assert.Equal(t, []uint32{1, 2, 3, 6, 1, 2, 3, 4, 5, 1, 2, 3}, o.Stamps)
		assert.Equal(t, []uint64{66, 30, 21}, []uint64{o.Ordered + o.Concurrent, o.Concurrent, o.Told})
	})
	t.Run("backwards in the file", func(t *testing.T) {
		l, err := Read(strings.NewReader("b -> e\nQ: d e\nP: b\n"), Options{Format: Script})
		require.NoError(t, err)
		o := l.Order(10)
		assert.Equal(t, []int32{0, 2, 1}, o.Sequence)
		assert.Equal(t, []string{"Q{Q:1}", "Q{Q:2,P:1}", "P{P:1}"}, l.lines())
		assert.True(t, o.Consistent())
	})
	t.Run("two messages", func(t *testing.T) {
		l, err := Read(strings.NewReader("P: a b\nQ: c d e\nR: f\nS: g\na -> c\nb -> d\nf -> e\nd -> g\n"), Options{})
		require.NoError(t, err)
		assert.Equal(t, []string{"P{P:1}", "P{P:2}", "Q{P:1,Q:1}", "Q{P:2,Q:2}", "Q{P:2,Q:3,R:1}", "R{R:1}", "S{P:2,Q:2,S:1}"}, l.lines())
		l, err = Read(strings.NewReader("P: a\nQ: b\nb -> a\n"), Options{})
		require.NoError(t, err)
		assert.Equal(t, []string{"P{P:1,Q:1}", "Q{Q:1}"}, l.lines())
		assert.Equal(t, []int32{1, 0}, l.Order(0).Sequence)
	})
	for text, want := range map[string]string{
		"P: a\nQ: b\na -> b\nb -> a\n": "the events go round in a circle: b -> a -> b",
		"P: a\nQ: b\na -> c\n":         `3:6: there is no event "c"`,
		"# nothing\n":                  "there is no event in it",
		"":                             "there is no event in it",
	} {
		_, err := Read(strings.NewReader(text), Options{})
		assert.ErrorContains(t, err, want)
	}
}

// What Order says is what the definitions say, of runs at random whose events are
// written down host by host, one after the other, or as they happened.
func TestOrderAgainstDefinition(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := randomRun(t, r, 2+int(seed%4), 40)
		l, err := Read(strings.NewReader(x.log), Options{})
		require.NoError(t, err)
		history := identity(len(l.Events)) // the event in the history of each in the log
		if seed%2 == 0 {
			l, history = byHost(t, l)
		}
		o := l.Order(10)
		require.True(t, o.Consistent(), o.String())
		ordered, concurrent := x.history.Pairs()
		require.Equal(t, []uint64{ordered, concurrent}, []uint64{o.Ordered, o.Concurrent})
		requireRelations(t, l, o, x.history, history)
		requireSequence(t, l, o)
		requireMessages(t, l, o)
	}
}

func identity(n int) []clock.Event {
	list := make([]clock.Event, n)
	for i := range list {
		list[i] = clock.Event(i)
	}
	return list
}

// byHost is the log with the events of each host together, the last host first, and
// where each event was.
func byHost(t *testing.T, l *Log) (*Log, []clock.Event) {
	var b strings.Builder
	var was []clock.Event
	for h := len(l.Hosts) - 1; h >= 0; h-- {
		for _, e := range l.chains[h] {
			was = append(was, clock.Event(e))
			quoted := strings.NewReplacer("{", `{"`, ":", `":`, ",", `,"`).Replace(l.Clock(int(e), 100))
			fmt.Fprintf(&b, "%s\n%s %s\n", l.Events[e].Text, l.Hosts[h], quoted)
		}
	}
	m, err := Read(strings.NewReader(b.String()), Options{})
	require.NoError(t, err, b.String())
	return m, was
}

func requireRelations(t *testing.T, l *Log, o *Order, h *clock.History, was []clock.Event) {
	var pairs [][2]int
	told := uint64(0)
	for a := range l.Events {
		for b := range l.Events {
			want := h.Relation(was[a], was[b])
			require.Equal(t, want, l.Relation(a, b))
			if want == clock.Concurrent && a < b {
				pairs = append(pairs, [2]int{a, b})
				if o.Stamps[a] != o.Stamps[b] {
					told++
				}
			}
			if want == clock.Before {
				require.Less(t, o.Stamps[a], o.Stamps[b])
			}
		}
	}
	require.Equal(t, told, o.Told)
	for _, limit := range []int{len(pairs), len(pairs) - 1, 3, 0} {
		got, all := l.Concurrents(o, limit)
		require.Equal(t, limit == len(pairs), all)
		require.Equal(t, pairs[:limit], append([][2]int{}, got...))
	}
}

// requireSequence: of all events that could be next, each is the first in the file.
func requireSequence(t *testing.T, l *Log, o *Order) {
	require.Len(t, o.Sequence, len(l.Events))
	done := map[int]bool{}
	for _, e := range o.Sequence {
		next := -1
		for f := 0; f < len(l.Events) && next < 0; f++ {
			free := !done[f]
			for b := 0; b < len(l.Events) && free; b++ {
				free = done[b] || l.Relation(b, f) != clock.Before
			}
			if free {
				next = f
			}
		}
		require.EqualValues(t, next, e)
		done[int(e)] = true
	}
}

// requireMessages: what an event knows and the one before it on its host did not, and
// nothing else that it knows is behind it.
func requireMessages(t *testing.T, l *Log, o *Order) {
	want := map[Message]bool{}
	for e, x := range l.Events {
		last := l.at(x.Host, x.Count-1)
		news := func(f int) bool {
			return l.Events[f].Host != x.Host && l.Relation(f, e) == clock.Before && (last == none || l.Relation(f, int(last)) != clock.Before)
		}
		for f := range l.Events {
			latest := news(f)
			for g := range l.Events {
				latest = latest && !(news(g) && l.Relation(f, g) == clock.Before)
			}
			if latest {
				want[Message{int32(f), int32(e)}] = true
			}
		}
	}
	got := map[Message]bool{}
	for _, m := range o.Messages {
		got[m] = true
	}
	require.Equal(t, want, got)
	require.Len(t, o.Messages, len(got))
}

// Events that are in no order in the file have one by their clocks.
func TestOutOfOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		x := randomRun(t, r, 3, 40)
		l, err := Read(strings.NewReader(x.log), Options{})
		require.NoError(t, err)
		was := identity(len(l.Events))
		r.Shuffle(len(was), func(i, j int) {
			was[i], was[j] = was[j], was[i]
			l.Events[i], l.Events[j] = l.Events[j], l.Events[i]
		})
		l.index()
		o := l.Order(0)
		require.True(t, o.Counted, o.String())
		require.Equal(t, counts{OutOfOrder: o.Found[OutOfOrder]}, o.Found)
		require.Positive(t, o.Found[OutOfOrder])
		ordered, concurrent := x.history.Pairs()
		require.Equal(t, []uint64{ordered, concurrent}, []uint64{o.Ordered, o.Concurrent})
		requireRelations(t, l, o, x.history, was)
		requireSequence(t, l, o)
		requireMessages(t, l, o)
	}
}

// Events that are not in a log take nothing from what is known of the others.
func TestMissingEventsDoNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		x := randomRun(t, r, 3, 60)
		l, err := Read(strings.NewReader(x.log), Options{})
		require.NoError(t, err)
		var kept []Event
		var was []clock.Event
		for i, e := range l.Events {
			if r.IntN(3) > 0 {
				kept, was = append(kept, e), append(was, clock.Event(i))
			}
		}
		l.Events = kept
		l.index()
		o := l.Order(0)
		require.True(t, o.Counted)
		require.Positive(t, o.Found[Missing]+o.Found[NotSent])
		requireRelations(t, l, o, x.history, was)
		requireSequence(t, l, o)
	}
}

func TestFind(t *testing.T) {
	l := readFile(t, "consistent.log")
	for i := range l.Events {
		e, ok := l.Find(l.Name(i))
		assert.True(t, ok)
		assert.Equal(t, i, e)
	}
	for _, name := range []string{"alice", "alice:", "alice:0", "alice:4", "alice:x", "dave:1", ":1", "alice:99999999999999999999"} {
		_, ok := l.Find(name)
		assert.False(t, ok, name)
	}
	l = readFile(t, "source-004.script")
	e, ok := l.Find("e")
	assert.Equal(t, 4, e)
	assert.True(t, ok)
	_, ok = l.Find("P:1")
	assert.False(t, ok)
	l = readFile(t, "not-counted.log")
	e, ok = l.Find("bob:0")
	assert.True(t, ok)
	assert.Equal(t, 1, e)
	l = readFile(t, "missing.log")
	e, ok = l.Find("alice:4")
	assert.True(t, ok)
	assert.Equal(t, 1, e)
	_, ok = l.Find("alice:2")
	assert.False(t, ok)
}
