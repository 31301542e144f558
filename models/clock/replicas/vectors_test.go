package replicas

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// The test vectors D-06 to D-17, by replicas and clients: what the library does
// with single values is in package clock.

var one = []string{"a"}

// explode is scenario 1 of the library's README: a client writes and reads on odd steps,
// another writes blindly on even ones.
func explode(versioning string, n int) Params {
	p := params(versioning, one, often("c1", 0, (n+1)/2, "write a", "read a"))
	if n > 1 {
		p.Clients = append(p.Clients, often("blind", 10*ms, n/2, "blind-write a"))
	}
	return p
}

// alternate is scenario 2: two clients take turns, each with what it has read last.
func alternate(versioning string, n int) Params {
	return params(versioning, one, often("c1", 0, (n+1)/2, "write a", "read a"), often("c2", 10*ms, n/2, "write a", "read a"))
}

// long is the length of 101 writes.
var long = simtest.Until(at(1020))

// TestVectors are the vectors of the specification by their ids:
//
//	go test -run TestVectors/D-06
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		id   string
		test func(*testing.T)
	}{
		{"D-06", vectorD06}, {"D-07", vectorD07}, {"D-08", vectorD08}, {"D-09", vectorD09}, {"D-10", vectorD10},
		{"D-11", vectorD11}, {"D-12", vectorD12}, {"D-13", vectorD13}, {"D-14", vectorD14}, {"D-15", vectorD15},
		{"D-16", vectorD16}, {"D-17", vectorD17},
	} {
		t.Run(v.id, v.test)
	}
}

func vectorD06(t *testing.T) {
	r := play(t, explode("vnode", 101), long)
	assert.EqualValues(t, 101, r.Measure("writes"))
	assert.EqualValues(t, 101, r.Measure("siblings-at-end"), r)
	r.Violated("no-false-siblings", at(20)) // the second write of c1, which had read its first
	r.OnlyViolates("no-false-siblings")
	p := explode("dvvset", 101)
	p.Final = []Final{{"a", "{a,101,[v101 v100]}"}}
	r = play(t, p, long)
	assert.EqualValues(t, 2, r.Measure("siblings-at-end"), r)
	r.Holds("as-written", "no-false-siblings", "no-lost-value", "no-equal-versions")
	assert.EqualValues(t, 2, play(t, explode("dvv", 101), long).Measure("siblings-at-end"), "a clock per value keeps the same")
}

func vectorD07(t *testing.T) {
	r := play(t, alternate("vnode", 101), long)
	assert.EqualValues(t, 101, r.Measure("siblings-at-end"), r)
	r.OnlyViolates("no-false-siblings")
	r = play(t, alternate("dvvset", 101), long)
	assert.EqualValues(t, 2, r.Measure("siblings-at-end"), r)
	r.OnlyViolates()
	assert.EqualValues(t, 2, play(t, alternate("dvv", 101), long).Measure("siblings-at-end"))
}

func vectorD08(t *testing.T) {
	for versioning, want := range map[string][]int64{"vnode": {1, 2, 3, 4, 5, 6}, "dvvset": {1, 2, 2, 3, 2, 3}, "dvv": {1, 2, 2, 3, 2, 3}} {
		t.Run(versioning, func(t *testing.T) {
			var got []int64
			for n := 1; n <= 6; n++ {
				got = append(got, play(t, explode(versioning, n)).Measure("siblings-at-end"))
			}
			assert.Equal(t, want, got)
		})
	}
}

func vectorD09(t *testing.T) {
	// A client that has read after A writes C: the context is {a:1}.
	minimal := func(versioning string) Params {
		return params(versioning, one, script("c1", "write a A", "read a", "at 20ms", "write a C"), script("c2", "at 10ms", "write a B"))
	}
	r := keeps(t, minimal("vnode"), "a", "{a:3} [A B C]")
	r.Violated("no-false-siblings", at(20))
	keeps(t, minimal("dvvset"), "a", "{a,3,[C B]}").OnlyViolates()
	keeps(t, minimal("dvv"), "a", "C (a,3){a:1} || B (a,2){}").OnlyViolates()
}

// figure3 is figure 3 of the paper of Dynamo, with the clocks that it gives.
func figure3() Params {
	p := params("server-vectors", []string{"Sx", "Sy", "Sz"},
		script("writer", "write Sx D1", "read Sx", "write Sx D2", "sync Sx Sy", "sync Sx Sz",
			"at 20ms", "sync Sy Sx", "sync Sz Sx", "read Sx", "write Sx D5"),
		script("left", "at 10ms", "read Sy", "write Sy D3"),
		script("right", "at 10ms", "read Sz", "write Sz D4"))
	p.Clocks = []ClockOf{{"D1", "{Sx:1}"}, {"D2", "{Sx:2}"}, {"D3", "{Sx:2,Sy:1}"}, {"D4", "{Sx:2,Sz:1}"}, {"D5", "{Sx:3,Sy:1,Sz:1}"}}
	return p
}

func vectorD10(t *testing.T) {
	r := keeps(t, figure3(), "Sx", "D5 {Sx:3,Sy:1,Sz:1}", "Sy", "D3 {Sx:2,Sy:1}", "Sz", "D4 {Sx:2,Sz:1}")
	r.Logs("writer has read D3 and D4")
	r.OnlyViolates()
	assert.EqualValues(t, 1, r.Measure("reads-with-siblings"))
}

// cart is the shopping cart of S4, 10.3. Its writers do not know of each other.
func cart() Params {
	return params("server-vectors", []string{"node1", "node2"},
		script("c1", "add node1 A", "read node1", "add node1 B", "at 20ms", "read node1", "read node2", "write node1"),
		script("c2", "at 10ms", "add node2 A C"))
}

func vectorD11(t *testing.T) {
	p := cart()
	p.Clocks = []ClockOf{{"v2", "{node1:2}"}, {"v3", "{node2:1}"}, {"v4", "{node1:3,node2:1}"}}
	r := keeps(t, p, "node1", "A+B+C {node1:3,node2:1}", "node2", "A+C {node2:1}")
	r.Logs("c1 has read A+B and A+C", "c1 writes the cart A+B+C at node1, having read A+B and A+C")
	r.OnlyViolates()
}

// reconciled is two clients that both reconcile the same two siblings, one at each replica.
func reconciled() Params {
	return params("server-vectors", []string{"a", "b"},
		script("c1", "write a x", "at 10ms", "read a", "read b", "at 20ms", "write a m1", "at 30ms", "sync a b", "sync b a"),
		script("c2", "write b y", "at 10ms", "read b", "read a", "at 20ms", "write b m2"))
}

func vectorD12(t *testing.T) {
	p := reconciled()
	p.Merges = "uncounted"
	p.Clocks = []ClockOf{{"m1", "{a:1,b:1}"}, {"m2", "{a:1,b:1}"}}
	r := keeps(t, p, "a", "m1 {a:1,b:1}", "b", "m2 {a:1,b:1}")
	r.Violated("no-equal-versions", at(20))
	r.Violated("no-lost-value", at(30)) // each replica takes what it is told for what it has
	p = reconciled()
	p.Clocks = []ClockOf{{"m1", "{a:2,b:1}"}, {"m2", "{a:1,b:2}"}}
	keeps(t, p, "a", "m1 {a:2,b:1} || m2 {a:1,b:2}", "b", "m1 {a:2,b:1} || m2 {a:1,b:2}").OnlyViolates()
}

// wiped is a replica that loses its disk after five writes, and takes a blind write.
func wiped(actor string) Params {
	p := params("dvvset", []string{"a", "b"},
		script("c1", "write a v1", "read a", "write a v2", "read a", "write a v3", "read a", "write a v4", "read a", "write a v5", "sync a b"),
		script("c2", "at 30ms", "blind-write a v6", "at 40ms", "sync a b"),
		script("c3", "at 50ms", "sync b a"))
	p.Disk, p.Actor = "lost", actor
	return p
}

var wipe = simtest.Inject("a", sim.Fault{Do: sim.Crash, When: sim.When{At: at(10)}, For: sim.Constant(10 * ms)})

func vectorD13(t *testing.T) {
	p := wiped("node")
	r := play(t, p, wipe, simtest.Until(at(35)))
	r.Violated("no-equal-versions", at(30)) // v6 has the dot of v1
	p.Final = []Final{{"a", "{a,5,[v5]}"}, {"b", "{a,5,[v5]}"}}
	r = play(t, p, wipe)
	r.Holds("as-written")
	r.Violated("no-lost-value", at(40))
	assert.Equal(t, "b drops v6 of c2, and nothing that it keeps replaces it: it keeps {a,5,[v5]}", why(r, "no-lost-value"))
	assert.EqualValues(t, 1, r.Measure("lost-values"))
}

func vectorD14(t *testing.T) {
	p := wiped("epoch")
	p.Final = []Final{{"a", "{a,5,[v5]}{a',1,[v6]}"}, {"b", "{a,5,[v5]}{a',1,[v6]}"}}
	r := play(t, p, wipe)
	r.Holds("as-written", "no-lost-value", "no-equal-versions")
	r.OnlyViolates()
}

// chain is a value that is written at n replicas, one after the other, each time having
// been read at the one before; the last but one then hears of the last write.
func chain(n int, prune *Prune) Params {
	var names, lines []string
	for i := 1; i <= n; i++ {
		names = append(names, fmt.Sprintf("n%d", i))
		if i > 1 {
			lines = append(lines, "read "+names[i-2])
		}
		lines = append(lines, fmt.Sprintf("write %s w%d", names[i-1], i), "wait 1ms")
	}
	lines = append(lines, fmt.Sprintf("sync n%d n%d", n, n-1))
	p := params("server-vectors", names, script("c", lines...))
	p.Prune = prune
	return p
}

func vectorD15(t *testing.T) {
	p := chain(4, &Prune{Small: 3, Big: 3})
	p.Clocks = []ClockOf{{"w3", "{n1:1,n2:1,n3:1}"}, {"w4", "{n2:1,n3:1,n4:1}"}}
	r := keeps(t, p, "n3", "w3 {n1:1,n2:1,n3:1} || w4 {n2:1,n3:1,n4:1}")
	r.Violated("no-false-siblings", at(4))
	r.OnlyViolates("no-false-siblings")
	keeps(t, chain(4, nil), "n3", "w4 {n1:1,n2:1,n3:1,n4:1}").OnlyViolates()
	t.Run("Dynamo keeps 10 pairs", func(t *testing.T) {
		assert.EqualValues(t, 1, play(t, chain(10, &Prune{Small: 10, Big: 10})).Measure("siblings-at-end"))
		r := play(t, chain(11, &Prune{Small: 10, Big: 10}))
		assert.EqualValues(t, 2, r.Measure("siblings-at-end"))
		r.OnlyViolates("no-false-siblings")
	})
}

// concurrent is two writes with one context at two replicas, which then tell each other.
func concurrent(versioning string, more ...string) Params {
	lines := append([]string{"write a x1", "sync a b", "read a", "at 10ms", "write a x2", "at 20ms", "sync a b", "sync b a"}, more...)
	return params(versioning, []string{"a", "b"}, script("c1", lines...), script("c2", "at 5ms", "read b", "at 10ms", "write b x3"))
}

func vectorD16(t *testing.T) {
	keeps(t, concurrent("dvvset"), "a", "{a,2,[x2]}{b,1,[x3]}", "b", "{a,2,[x2]}{b,1,[x3]}").OnlyViolates()
}

func vectorD17(t *testing.T) {
	keeps(t, concurrent("dvvset", "read a", "write a x4"), "a", "{a,3,[x4]}{b,1,[]}").OnlyViolates()
}

// why is what happened at the first violation of a property.
func why(r *simtest.Played, property string) string {
	for i, name := range r.Program.Properties {
		if name == property {
			return r.Why[i]
		}
	}
	return ""
}

// TestClientIDs: "the same client at two replicas without read-your-writes can create two
// different writes with one vector" (section 9.3).
func TestClientIDs(t *testing.T) {
	p := params("client-vectors", []string{"a", "b"}, script("c", "write a x", "write b y", "sync a b", "sync b a"))
	p.Clocks = []ClockOf{{"x", "{c:1}"}, {"y", "{c:1}"}}
	r := keeps(t, p, "a", "x {c:1}", "b", "y {c:1}")
	r.Violated("no-equal-versions", 0)
	r.Violated("no-lost-value", 0)
	p.Counter = "own"
	p.Clocks[1].Version = "{c:2}"
	r = keeps(t, p, "a", "y {c:2}", "b", "y {c:2}")
	r.Holds("no-equal-versions")
	r.OnlyViolates("no-lost-value") // the vector says that y replaces x, which its writer had not read
	p = params("client-vectors", []string{"a", "b"}, script("c", "write a x", "read a", "write b y", "sync a b", "sync b a"))
	keeps(t, p, "a", "y {c:2}", "b", "y {c:2}").OnlyViolates()
}

// TestServerIDs: "server ids - bounded, but one vector per key cannot describe siblings":
// with a vector per value, the second blind write at a replica replaces the first.
func TestServerIDs(t *testing.T) {
	r := keeps(t, params("server-vectors", one, script("c1", "blind-write a x", "blind-write a y")), "a", "y {a:2}")
	r.Violated("no-lost-value", 0)
	r.OnlyViolates("no-lost-value")
}

// TestLastWriteWins: a replica whose clock is five seconds ahead.
func TestLastWriteWins(t *testing.T) {
	p := params("last-write-wins", []string{"a", "b"},
		script("c1", "write a x", "sync a b", "at 1ms", "read b", "write b y", "sync b a"))
	ahead := func(c *sim.Config, _ *sim.Program) { c.Clocks = []sim.Clock{{Offset: 5e9}} }
	p.Final = []Final{{"a", "x @5.000s"}, {"b", "x @5.000s"}}
	r := play(t, p, ahead)
	r.Holds("as-written")
	r.Violated("no-lost-value", at(1)) // y, whose writer had read x
	p.Stamps = "hybrid"
	p.Final = []Final{{"a", "y @5.000s,1"}, {"b", "y @5.000s,1"}}
	r = play(t, p, ahead)
	require.Equal(t, sim.Holds, r.Finding("as-written").Verdict, r)
	r.OnlyViolates()
	t.Run("concurrent writes", func(t *testing.T) {
		r := play(t, concurrent("last-write-wins"))
		r.OnlyViolates("no-lost-value")
		assert.EqualValues(t, 1, r.Measure("lost-values"), "whatever the clocks: that is what it is")
	})
}

// resurrect is a cart from which one client takes an item while another adds one.
func resurrect(how string) Params {
	p := params("dvvset", []string{"a", "b"},
		script("c1", "add a milk bread", "sync a b", "at 10ms", "read a", "remove a milk", "at 20ms", "sync a b", "sync b a", "read a", "write a", "read a"),
		script("c2", "at 10ms", "read b", "add b eggs"))
	p.Cart = how
	return p
}

func TestRemovedItemReturns(t *testing.T) {
	r := keeps(t, resurrect("union"), "a", "{a,3,[bread+eggs+milk]}{b,1,[]}")
	r.Violated("no-resurrection", at(20))
	r.OnlyViolates("no-resurrection")
	assert.Equal(t, "c1 finds milk in the cart, which had been taken out", why(r, "no-resurrection"))
	r = keeps(t, resurrect("tombstones"), "a", "{a,3,[bread+eggs]}{b,1,[]}")
	r.Holds("no-resurrection")
	r.OnlyViolates()
	t.Run("added again", func(t *testing.T) {
		p := resurrect("tombstones")
		p.Clients[1] = script("c2", "at 10ms", "read b", "add b milk")
		keeps(t, p, "a", "{a,3,[bread+milk]}{b,1,[]}").OnlyViolates()
	})
}

// TestMetadata: "bytes of metadata per value vs n" (section 9.7), for a value that has been
// written at 1, 3 and 10 replicas: an entry is an id of 5 or 6 bytes and a counter.
func TestMetadata(t *testing.T) {
	grown := func(versioning string, n int) int64 {
		p := params(versioning, one, script("c", "write a"))
		if n > 1 {
			p = chain(n, nil)
			p.Versioning = versioning
		}
		return play(t, p).Measure("metadata-bytes-at-end")
	}
	for versioning, want := range map[string][]int64{
		"server-vectors":  {7, 19, 64},
		"vnode":           {7, 19, 64},
		"dvv":             {7, 19, 64},
		"dvvset":          {8, 22, 74},
		"last-write-wins": {20, 20, 20},
	} {
		assert.Equal(t, want, []int64{grown(versioning, 1), grown(versioning, 3), grown(versioning, 10)}, versioning)
	}
	t.Run("siblings", func(t *testing.T) { // ten blind writes: a dot each, or one vector for all
		blind := func(versioning string) int64 {
			return play(t, params(versioning, one, often("c", 0, 10, "blind-write a"))).Measure("metadata-bytes-at-end")
		}
		assert.Equal(t, []int64{70, 8}, []int64{blind("dvv"), blind("dvvset")})
	})
}

// TestOneValueIsCounted: a write that merges is one of several values; that of one counts,
// whatever the rule for the others.
func TestOneValueIsCounted(t *testing.T) {
	p := params("server-vectors", one, script("c", "write a x", "read a", "write a y"))
	p.Merges = "uncounted"
	keeps(t, p, "a", "y {a:2}").OnlyViolates()
}

// TestAtOnce: a write goes to all other replicas, the last one too; and one replica alone
// has nobody to tell.
func TestAtOnce(t *testing.T) {
	p := params("dvvset", []string{"a", "b", "c"}, script("c1", "write b x"))
	p.Replicate = "at-once"
	keeps(t, p, "a", "{b,1,[x]}", "b", "{b,1,[x]}", "c", "{b,1,[x]}").OnlyViolates()
	p = params("dvvset", one, script("c1", "write a x"))
	p.Sync = 10 * ms
	assert.NotContains(t, play(t, p).Trace(), "sync")
}
