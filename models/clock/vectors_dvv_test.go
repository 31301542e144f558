package clock

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors of section E: version vectors and dotted version vector sets, in the
// notation {id,n,[newest ... oldest]}.

type set = DVVSet[string, string]

func vv(text string) VersionVector[string] { return must(ParseSparse[string](text)) }

// put is a write with a context, at a replica.
func put(s set, context, v, replica string) set {
	return s.Update(NewDVVSet(vv(context), v), replica)
}

// dots are n writes at a replica that are gone but for these.
func dots(id string, n uint64, values ...string) Dots[string, string] {
	return Dots[string, string]{id, n, values}
}

func setOf(entries ...Dots[string, string]) set { return set{Entries: entries} }

func vectorD01(t *testing.T) {
	v1 := NewDVVSet[string](nil, "v1")
	assert.Equal(t, "{}", v1.Join().String())
	a := set{}.Update(v1, "a")
	assert.Equal(t, "{a:1}", a.Join().String())
	assert.Equal(t, "{a:1,b:1}", put(a, "{a:1}", "v2", "b").Join().String())
}

func vectorD02(t *testing.T) {
	a0 := put(set{}, "{}", "v1", "a")
	a1 := put(a0, a0.Join().String(), "v2", "a")
	for id, v := range map[string]struct {
		got  set
		want string
	}{
		"D-02a": {a0, "{a,1,[v1]}"},
		"D-02b": {a1, "{a,2,[v2]}"},
		"D-02c": {put(a1, "{a:2}", "v3", "b"), "{a,2,[]}{b,1,[v3]}"},
		"D-02d": {put(a1, "{a:1}", "v4", "b"), "{a,2,[v2]}{b,1,[v4]}"},
		"D-02e": {put(a1, "{a:1}", "v5", "a"), "{a,3,[v5 v2]}"},
	} {
		t.Run(id, func(t *testing.T) { assert.Equal(t, v.want, v.got.String()) })
	}
}

func vectorD03(t *testing.T) {
	old, both := setOf(dots("a", 1)), setOf(dots("a", 2, "v2", "v1"))
	x, a, b := setOf(dots("x", 1)), setOf(dots("a", 1, "v1")), setOf(dots("b", 1, "v2"))
	for id, v := range map[string]struct {
		s, t set
		want string
	}{
		"D-03a": {old, both, "{a,2,[v2]}"},
		"D-03b": {both, old, "{a,2,[v2]}"},
		"D-03c": {x, a, "{a,1,[v1]}{x,1,[]}"},
		"D-03d": {a, b, "{a,1,[v1]}{b,1,[v2]}"},
	} {
		t.Run(id, func(t *testing.T) {
			assert.Equal(t, v.want, v.s.Sync(v.t).String())
			assert.Equal(t, v.want, v.t.Sync(v.s).String())
		})
	}
}

func vectorD04(t *testing.T) {
	s := put(put(put(set{}, "{}", "v1", "a"), "{}", "v2", "a"), "{a:1}", "v3", "a")
	assert.Equal(t, "{a,3,[v3 v2]}", s.String())
}

func vectorD05(t *testing.T) {
	a := put(set{}, "{}", "v1", "a")
	b := put(set{}, "{a:1}", "v2", "a")
	b2 := put(set{}, "{a:1}", "v2", "b")
	b3 := put(set{}, "{a:1}", "v2", "z")
	c := put(a, b.Join().String(), "v3", "c")
	d := put(b2, c.Join().String(), "v4", "d")
	for i, v := range []struct {
		s, t set
		less bool
	}{{a, b, true}, {a, c, true}, {b, c, true}, {b, d, true}, {b2, d, true}, {a, d, true},
		{b2, c, false}, {b, b2, false}, {b2, b, false}, {a, a, false}, {c, c, false}, {d, b2, false}, {b3, d, false}} {
		assert.Equal(t, v.less, v.s.Less(v.t), "%d: %v %v", i, v.s, v.t)
	}
}

// stores takes writes with contexts, as both kinds of siblings.
type stores struct {
	vnode  VnodeSet[string, int]
	dvvset DVVSet[string, int]
	dotted DottedSet[string, int]
	writes Writes
}

// client is what one has read last, of each store.
type client struct {
	vnode, dvvset, dotted VersionVector[string]
	read                  []WriteID
}

func (s *stores) put(c client, v int) {
	s.vnode.Put(c.vnode, v, "a")
	s.dvvset = s.dvvset.Update(NewDVVSet(c.dvvset, v), "a")
	s.dotted.Put(c.dotted, v, "a")
	must(s.writes.Add(c.read...))
}

// read is the context that a client gets now.
func (s *stores) get() (c client) {
	c = client{vnode: s.vnode.Clock.Clone(), dvvset: s.dvvset.Join(), dotted: s.dotted.Join()}
	for _, v := range s.dvvset.Values() {
		c.read = append(c.read, WriteID(v-1))
	}
	return c
}

// scenario1 of the README: C1 writes on odd steps with what it has read, and reads;
// another client writes blindly on even steps.
func scenario1(n int) *stores {
	s := &stores{}
	var c1 client
	for v := 1; v <= n; v++ {
		if v%2 == 1 {
			s.put(c1, v)
			c1 = s.get()
		} else {
			s.put(client{}, v)
		}
	}
	return s
}

// scenario2: two clients take turns to write with what they have read last, and read.
func scenario2(n int) *stores {
	s := &stores{}
	var c [2]client
	for v := 1; v <= n; v++ {
		s.put(c[v%2], v)
		c[v%2] = s.get()
	}
	return s
}

func vectorD06(t *testing.T) {
	s := scenario1(101)
	assert.Len(t, s.vnode.Values, 101)
	assert.Equal(t, "{a,101,[101 100]}", s.dvvset.String())
	assert.Len(t, s.dotted, 2)
	kept := func(values []int) (ids []WriteID) {
		for _, v := range values {
			ids = append(ids, WriteID(v-1))
		}
		return ids
	}
	var all []WriteID
	for id := range WriteID(101) {
		all = append(all, id)
	}
	assert.NoError(t, s.writes.NoFalseSiblings(kept(s.dvvset.Values())))
	assert.NoError(t, s.writes.NoLostValue(all, kept(s.dvvset.Values())))
	assert.Error(t, s.writes.NoFalseSiblings(kept(s.vnode.Values)), "the explosion is of false siblings")
	assert.NoError(t, s.writes.NoLostValue(all, kept(s.vnode.Values)))
}

func vectorD07(t *testing.T) {
	s := scenario2(101)
	assert.Len(t, s.vnode.Values, 101)
	assert.Equal(t, 2, s.dvvset.Size())
	assert.Len(t, s.dotted, 2)
}

func vectorD08(t *testing.T) {
	var vnode, dvvset []int
	for n := 1; n <= 6; n++ {
		s := scenario1(n)
		vnode, dvvset = append(vnode, len(s.vnode.Values)), append(dvvset, s.dvvset.Size())
	}
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, vnode)
	assert.Equal(t, []int{1, 2, 2, 3, 2, 3}, dvvset)
}

func vectorD09(t *testing.T) {
	var s VnodeSet[string, string]
	s.Put(nil, "A", "a")
	s.Put(nil, "B", "a")
	s.Put(vv("{a:1}"), "C", "a")
	assert.Equal(t, "{a:3}", s.Clock.String())
	assert.Equal(t, []string{"A", "B", "C"}, s.Values)
	d := put(put(put(set{}, "{}", "A", "a"), "{}", "B", "a"), "{a:1}", "C", "a")
	assert.Equal(t, "{a,3,[C B]}", d.String())
}

func vectorD10(t *testing.T) {
	d1 := Put("Sx", nil)
	d2 := Put("Sx", d1, d1)
	d3 := Put("Sy", nil, d2)
	d4 := Put("Sz", nil, d2)
	d5 := Put("Sx", d2, d3, d4)
	assert.Equal(t, "{Sx:1} {Sx:2} {Sx:2,Sy:1} {Sx:2,Sz:1} {Sx:3,Sy:1,Sz:1}",
		strings.Join([]string{d1.String(), d2.String(), d3.String(), d4.String(), d5.String()}, " "))
	assert.Equal(t, []Relation{Concurrent, After, After, Before}, []Relation{d3.Compare(d4), d5.Compare(d3), d5.Compare(d4), d2.Compare(d3)})
}

func vectorD11(t *testing.T) {
	a, b := vv("{node1:2}"), vv("{node2:1}")
	assert.Equal(t, Concurrent, a.Compare(b))
	merged := a.Clone()
	merged.Merge(b)
	assert.Equal(t, "{node1:2,node2:1}", merged.String())
	assert.Equal(t, "{node1:3,node2:1}", Put("node1", a, a, b).String())
}

func vectorD12(t *testing.T) {
	merge := func() VersionVector[string] {
		m := vv("{a:1}")
		m.Merge(vv("{b:1}"))
		return m
	}
	first, second := merge(), merge() // of two clients, for two values
	assert.Equal(t, Equal, first.Compare(second))
	assert.Equal(t, Concurrent, Put("a", vv("{a:1}"), first).Compare(Put("b", vv("{b:1}"), second)))
}

func vectorD13(t *testing.T) {
	survivor := setOf(dots("a", 5, "v5"))
	wiped := put(set{}, "{}", "v6", "a")
	assert.Equal(t, "{a,1,[v6]}", wiped.String())
	both := survivor.Sync(wiped)
	assert.Equal(t, "{a,5,[v5]}", both.String(), "v6 is lost")

	var w Writes
	v5, v6 := must(w.Add()), must(w.Add())
	assert.Error(t, w.NoLostValue([]WriteID{v5, v6}, []WriteID{v5}))
}

func vectorD14(t *testing.T) {
	assert.Equal(t, "{a,5,[v5]}{a',1,[v6]}", setOf(dots("a", 5, "v5")).Sync(put(set{}, "{}", "v6", "a'")).String())
	a := NewActor(1, 0)
	old := DVVSet[Actor, string]{Entries: []Dots[Actor, string]{{a, 5, []string{"v5"}}}}
	fresh := DVVSet[Actor, string]{}.Update(NewDVVSet[Actor](nil, "v6"), a.Next())
	assert.Equal(t, "{1.0,5,[v5]}{1.1,1,[v6]}", old.Sync(fresh).String())
}

func vectorD15(t *testing.T) {
	old := TimedVector[string]{{"n1", 1, 1}, {"n2", 1, 2}, {"n3", 1, 3}}
	next := TimedVector[string]{{"n1", 1, 1}, {"n2", 1, 2}, {"n3", 1, 3}, {"n4", 1, 4}}
	assert.Equal(t, Before, old.Clock().Compare(next.Clock()))
	next.Prune(4, PruneLimits{Small: 3, Big: 3, Old: 1e9})
	assert.Equal(t, "{n2:1,n3:1,n4:1}", next.Clock().String())
	assert.Equal(t, Concurrent, old.Clock().Compare(next.Clock()))
}

func vectorD16(t *testing.T) {
	a := put(set{}, "{}", "x1", "a")
	b := set{}.Sync(a)
	context := a.Join().String()
	a, b = put(a, context, "x2", "a"), put(b, context, "x3", "b")
	t.Run("D-16", func(t *testing.T) {
		assert.Equal(t, "{a,2,[x2]}{b,1,[x3]}", a.Sync(b).String())
		assert.Equal(t, "{a,2,[x2]}{b,1,[x3]}", b.Sync(a).String())
	})
	t.Run("D-17", func(t *testing.T) {
		a = a.Sync(b)
		assert.Equal(t, "{a,3,[x4]}{b,1,[]}", put(a, a.Join().String(), "x4", "a").String())
	})
}

func vectorD18(t *testing.T) {
	for _, v := range []struct {
		a, b string
		want Relation
	}{{"{a:1}", "{}", After}, {"{}", "{}", Equal}, {"{a:1}", "{b:1}", Concurrent}, {"{a:2,b:1}", "{a:1,b:1}", After}, {"{a:1,b:0}", "{a:1}", Equal}} {
		assert.Equal(t, v.want, vv(v.a).Compare(vv(v.b)), "%s ? %s", v.a, v.b)
		assert.Equal(t, v.want.Reverse(), vv(v.b).Compare(vv(v.a)), "%s ? %s", v.b, v.a)
	}
	assert.Equal(t, Equal, Sparse[string]{{"a", 1}, {"b", 0}}.Compare(Sparse[string]{{"a", 1}}), "a zero that was not left out")
	assert.Equal(t, Equal, Sparse[string]{{"a", 1}}.Compare(Sparse[string]{{"", 0}, {"a", 1}, {"b", 0}}))
}

// randomReplicas is a history of three replicas and two clients: writes with contexts
// of some read, and syncs. It returns the states on the way, and what was written.
func randomReplicas(r *rand.Rand) []DVVSet[string, int] {
	var replicas [3]DVVSet[string, int]
	contexts := []VersionVector[string]{nil}
	states := []DVVSet[string, int]{{}}
	for v := range 12 {
		at := r.IntN(3)
		switch r.IntN(3) {
		case 0:
			replicas[at] = replicas[at].Sync(replicas[r.IntN(3)])
		case 1:
			contexts = append(contexts, replicas[at].Join())
		default:
			replicas[at] = replicas[at].Update(NewDVVSet(contexts[r.IntN(len(contexts))], v), string(rune('a'+at)))
		}
		states = append(states, replicas[at])
	}
	return states
}

// same is whether two sets are the same, whatever slices they are in.
func same(s, t DVVSet[string, int]) bool { return s.String() == t.String() }

func vectorD19(t *testing.T) {
	require.NoError(t, syncLaws(DVVSet[string, int].Sync))
}

func vectorD20(t *testing.T) {
	sum := func(all []int) (n int) {
		for _, v := range all {
			n += v
		}
		return n
	}
	s := DVVSet[string, int]{Entries: []Dots[string, int]{{"a", 4, []int{5, 2}}, {"b", 1, nil}}, Anonymous: []int{10, 1}}
	assert.Equal(t, "{a,4,[]}{b,1,[]}[18]", s.Reconcile(sum).String())

	type at struct{ value, ts int }
	l := DVVSet[string, at]{Entries: []Dots[string, at]{{"a", 4, []at{{5, 1002345}, {7, 1002340}}}, {"b", 1, []at{{4, 1001340}}}}, Anonymous: []at{{2, 1001140}}}
	assert.Equal(t, "{a,4,[{5 1002345}]}{b,1,[]}", l.LastWriter(func(a, b at) bool { return a.ts > b.ts }).String())
	assert.Equal(t, "", DVVSet[string, at]{}.LastWriter(func(a, b at) bool { return true }).String())
}
