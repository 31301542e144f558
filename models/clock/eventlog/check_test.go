package eventlog

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
)

// counts are how many inconsistencies there are of each kind.
type counts = [kinds]int

func readFile(t *testing.T, name string) *Log {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	l, err := Read(strings.NewReader(string(text)), Options{})
	require.NoError(t, err)
	return l
}

// Each log contradicts itself in the way of its name, at a line, and in no other: a
// check that is missing, or that sees ghosts, fails here.
func TestInconsistencies(t *testing.T) {
	for name, want := range map[string]struct {
		found counts
		first Inconsistency
	}{
		"consistent": {},
		"not-counted": {counts{NotCounted: 1},
			Inconsistency{NotCounted, 1, 5, "the clock has no counter for bob itself"}},
		"backwards": {counts{Backwards: 1, EqualClocks: 1},
			Inconsistency{Backwards, 3, 9, "alice counts 1 after 2 in line 5; if another execution begins here, give the delimiter between executions"}},
		"out-of-order": {counts{OutOfOrder: 2},
			Inconsistency{OutOfOrder, 2, 7, "event 1 of bob stands behind event 2, in line 5"}},
		"repeated": {counts{Repeated: 1},
			Inconsistency{Repeated, 2, 7, "alice counts 1 again, as in line 3"}},
		"missing": {counts{Missing: 2},
			Inconsistency{Missing, 1, 5, "events 2 to 3 of alice are not in the log"}},
		"forgotten": {counts{Forgotten: 1},
			Inconsistency{Forgotten, 2, 7, "bob counted 1 of alice in line 5, and now counts 0"}},
		"unknown-host": {counts{UnknownHost: 1},
			Inconsistency{UnknownHost, 0, 3, "the clock counts 7 of dave, and the log has no event of it"}},
		"not-sent": {counts{NotSent: 1},
			Inconsistency{NotSent, 1, 5, "the clock has event 2 of alice, which is not in the log"}},
		"not-passed-on": {counts{NotPassedOn: 1},
			Inconsistency{NotPassedOn, 2, 7, "the clock has event 1 of bob, in line 5, which counts 1 of alice, and counts 0 of alice itself"}},
		"equal-clocks": {counts{EqualClocks: 1, Circle: 1},
			Inconsistency{EqualClocks, 1, 5, "the same clock as the event in line 3, of alice"}},
		"circle": {counts{NotPassedOn: 3, Circle: 1},
			Inconsistency{NotPassedOn, 1, 5, "the clock has event 1 of bob, in line 7, which counts 1 of carol, and counts 0 of carol itself"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := readFile(t, name+".log").Order(10)
			assert.Equal(t, want.found, o.Found)
			assert.Equal(t, want.found == counts{}, o.Consistent())
			assert.Equal(t, slices.Contains([]string{"consistent", "missing", "out-of-order", "unknown-host", "not-sent"}, name), o.Counted)
			if !o.Consistent() {
				require.NotEmpty(t, o.Inconsistencies)
				assert.Equal(t, want.first, o.Inconsistencies[0])
			}
		})
	}
}

// A circle is reported with its events, from the first in the file, and with how many
// have no place in the order; the others have Lamport stamps.
func TestCircle(t *testing.T) {
	o := readFile(t, "circle.log").Order(10)
	assert.Nil(t, o.Sequence)
	assert.False(t, o.Counted)
	assert.Equal(t, []int32{1, 3, 2}, o.Around, "alice:2 is before carol:1, that before bob:1, and that before alice:2")
	assert.Equal(t, 3, o.Stuck)
	assert.Equal(t, []uint32{1, 0, 0, 0}, o.Stamps)
	assert.Equal(t, "3 not-passed-on, 1 circle", o.String())
}

// The shortest circle is found where a longer one comes first.
func TestShortestCircle(t *testing.T) {
	l, err := Read(strings.NewReader(`a {"a":1,"d":1}
is on both circles
b {"a":1,"b":1}
is on the long one
c {"b":1,"c":1}
is on the long one
d {"a":1,"c":1,"d":1}
is on both
`), Options{})
	require.NoError(t, err)
	o := l.Order(0)
	assert.Equal(t, []int32{0, 3}, o.Around)
	assert.Empty(t, o.Inconsistencies)
	assert.Equal(t, 4, o.Stuck)
}

// mutants change a log that is consistent, and what they do is found. They return which
// kind it must be, or kinds if there is nothing to change.
var mutants = map[string]func(r *rand.Rand, l *Log) Kind{
	"an event is not written": func(r *rand.Rand, l *Log) Kind {
		i := r.IntN(len(l.Events))
		chain := l.chains[l.Events[i].Host]
		if chain[len(chain)-1] == int32(i) {
			return kinds // nobody may know
		}
		l.Events = slices.Delete(l.Events, i, i+1)
		return Missing
	},
	"a send is not written": func(r *rand.Rand, l *Log) Kind {
		for i := len(l.Events) - 1; i >= 0; i-- {
			for j := range l.Events {
				if x := l.Events[i]; l.Events[j].Host != x.Host && l.known(int32(j), x.Host) == x.Count {
					l.Events = slices.Delete(l.Events, i, i+1)
					return NotSent
				}
			}
		}
		return kinds
	},
	"an event is written twice": func(r *rand.Rand, l *Log) Kind {
		i := r.IntN(len(l.Events))
		l.Events = slices.Insert(l.Events, i+1, l.Events[i])
		return EqualClocks
	},
	"a receive is not counted": func(r *rand.Rand, l *Log) Kind {
		for i := range l.Events {
			x := &l.Events[i]
			last := l.at(x.Host, x.Count-1)
			if last == none || len(l.clock(int32(i))) <= len(l.clock(last)) {
				continue
			}
			l.set(i, x.Host, x.Count-1)
			x.Count--
			return Repeated
		}
		return kinds
	},
	"a clock has no counter of its own": func(r *rand.Rand, l *Log) Kind {
		i := r.IntN(len(l.Events))
		l.Events[i].Count = 0
		l.set(i, l.Events[i].Host, 0)
		return NotCounted
	},
	"a host loses its memory": func(r *rand.Rand, l *Log) Kind {
		i := r.IntN(len(l.Events))
		if l.Events[i].Count < 3 {
			return kinds
		}
		l.Events[i].Count = 1
		l.set(i, l.Events[i].Host, 1)
		return Backwards
	},
	"a clock forgets": func(r *rand.Rand, l *Log) Kind {
		for i := range l.Events {
			for _, c := range l.clock(int32(i)) {
				if x := l.Events[i]; c.host() != x.Host && x.Count > 1 && l.known(l.at(x.Host, x.Count-1), c.host()) == c.n() {
					l.set(i, c.host(), 0)
					return Forgotten
				}
			}
		}
		return kinds
	},
	"a message brings half of its clock": func(r *rand.Rand, l *Log) Kind {
		for i, x := range l.Events {
			last := l.at(x.Host, x.Count-1)
			if last == none {
				continue
			}
			for _, c := range l.clock(int32(i)) {
				sender := l.at(c.host(), c.n())
				if l.known(last, c.host()) >= c.n() || c.host() == x.Host {
					continue
				}
				for _, d := range l.clock(sender) {
					if h := d.host(); h != c.host() && h != x.Host && d.n() > l.known(last, h) && l.known(int32(i), h) == d.n() {
						l.set(i, h, l.known(last, h))
						return NotPassedOn
					}
				}
			}
		}
		return kinds
	},
	"a host has another name in clocks": func(r *rand.Rand, l *Log) Kind {
		for i, x := range l.Events {
			if len(l.clock(int32(i))) > 1 {
				l.Hosts = append(l.Hosts, "nobody")
				l.counters = append(l.counters, l.clock(int32(i))...)
				l.counters = append(l.counters, count(int32(len(l.Hosts)-1), 1))
				l.Events[i].at, l.Events[i].len = uint32(len(l.counters))-x.len-1, x.len+1
				return UnknownHost
			}
		}
		return kinds
	},
	"two events are written the other way round": func(r *rand.Rand, l *Log) Kind {
		chain := l.chains[r.IntN(len(l.Hosts))]
		if len(chain) < 2 {
			return kinds
		}
		i := r.IntN(len(chain) - 1)
		l.Events[chain[i]], l.Events[chain[i+1]] = l.Events[chain[i+1]], l.Events[chain[i]]
		return OutOfOrder
	},
	"a clock knows the future": func(r *rand.Rand, l *Log) Kind {
		for i := range l.Events {
			for j := len(l.Events) - 1; j > i; j-- {
				a, b := l.Events[i], l.Events[j]
				if a.Host != b.Host && l.known(int32(i), b.Host) > 0 && l.known(int32(j), a.Host) >= a.Count {
					l.set(i, b.Host, b.Count)
					return Circle
				}
			}
		}
		return kinds
	},
}

// at is the n-th event of a host.
func (l *Log) at(host int32, n uint64) int32 {
	if n == 0 || n > uint64(len(l.chains[host])) {
		return none
	}
	return l.chains[host][n-1]
}

// set changes a counter of a clock that has one; 0 takes it away.
func (l *Log) set(e int, host int32, n uint64) {
	v := slices.Clone(l.clock(int32(e)))
	i := slices.IndexFunc(v, func(c counter) bool { return c.host() == host })
	if v[i] = count(host, n); n == 0 {
		v = slices.Delete(v, i, i+1)
	}
	l.Events[e].at, l.Events[e].len = uint32(len(l.counters)), uint32(len(v))
	l.counters = append(l.counters, v...)
}

func TestMutants(t *testing.T) {
	for name, mutate := range mutants {
		t.Run(name, func(t *testing.T) {
			done := 0
			for seed := range uint64(40) {
				r := rand.New(rand.NewPCG(seed, 6))
				l, err := Read(strings.NewReader(randomRun(t, r, 4, 60).log), Options{})
				require.NoError(t, err)
				require.True(t, l.Order(0).Consistent())
				kind := mutate(r, l)
				if kind == kinds {
					continue
				}
				l.index()
				done++
				require.Positive(t, l.Order(0).Found[kind], "seed %d: %s", seed, l.Order(0))
			}
			require.GreaterOrEqual(t, done, 10)
		})
	}
}

// naive says by the definitions, pair by pair, whether a log is consistent: some run of
// processes with vector clocks, written down in an order of its own, gives it.
func naive(l *Log) bool {
	event := map[[2]uint64]int{}
	last := make([]clock.Vector, len(l.Hosts))
	for i, x := range l.Events {
		v := l.Vector(i)
		event[[2]uint64{uint64(x.Host), v[x.Host]}] = i
		if last[x.Host] == nil {
			last[x.Host] = make(clock.Vector, len(l.Hosts))
		}
		if r, _ := last[x.Host].Compare(v); r != clock.Before || v[x.Host] != last[x.Host][x.Host]+1 {
			return false
		}
		last[x.Host] = v
	}
	for i := range l.Events {
		for q, n := range l.Vector(i) {
			if n == 0 {
				continue
			}
			f, ok := event[[2]uint64{uint64(q), n}]
			if !ok {
				return false
			}
			// What it knows of is before it, or itself: no circle, and nothing equal.
			if r, _ := l.Vector(f).Compare(l.Vector(i)); f != i && r != clock.Before {
				return false
			}
		}
	}
	return true
}

// All clocks at random, and those of runs with one counter changed: the checks find
// something if and only if the definitions do not hold.
func TestAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	good, bad := 0, 0
	for range 60_000 {
		l := &Log{Hosts: []string{"a", "b", "c"}[:2+r.IntN(2)]}
		counted := make([]uint64, len(l.Hosts))
		for range 1 + r.IntN(5) {
			e := Event{Host: int32(r.IntN(len(l.Hosts)))}
			var v []counter
			for h := range l.Hosts {
				n := uint64(max(r.IntN(5)-2, 0))
				if int32(h) == e.Host && r.IntN(10) > 0 {
					n = counted[h] + 1
				}
				if n > 0 {
					v = append(v, count(int32(h), n))
				}
			}
			l.stamp(&e, v)
			counted[e.Host] = e.Count
			l.Events = append(l.Events, e)
		}
		l.index()
		o := l.Order(3)
		require.Equal(t, naive(l), o.Consistent(), "%s: %v", o, l.lines())
		if o.Consistent() {
			good++
		} else {
			bad++
		}
	}
	require.Greater(t, good, 1000)
	require.Greater(t, bad, 1000)
}

// lines are the events of a log, for a message.
func (l *Log) lines() (list []string) {
	for i := range l.Events {
		list = append(list, l.Hosts[l.Events[i].Host]+l.Clock(i, 100))
	}
	return list
}
