package replicas

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestStory: a cart, a lost disk and an explosion, as they are told.
func TestStory(t *testing.T) {
	assert.Equal(t, `0.000s c1 writes the cart bread+milk at a, having read nothing
0.000s a keeps {a,1,[bread+milk]}
0.000s b, which is told of bread+milk, keeps {a,1,[bread+milk]}
0.010s c2 writes the cart bread+eggs+milk at b, having read bread+milk
0.010s c1 writes the cart bread at a, having read bread+milk
0.010s b keeps {a,1,[]}{b,1,[bread+eggs+milk]}
0.010s a keeps {a,2,[bread]}
0.020s b, which is told of bread, keeps {a,2,[bread]}{b,1,[bread+eggs+milk]}
0.020s a, which is told of bread and bread+eggs+milk, keeps {a,2,[bread]}{b,1,[bread+eggs+milk]}
0.020s c1 finds milk in the cart again, which had been taken out
0.020s c1 writes the cart bread+eggs+milk at a, having read bread and bread+eggs+milk
0.020s a keeps {a,3,[bread+eggs+milk]}{b,1,[]}
0.020s c1 finds milk in the cart again, which had been taken out`, strings.TrimSpace(play(t, resurrect("union")).Log()))
	play(t, wiped("node"), wipe).Logs(
		"a starts with an empty disk",
		"c2 writes v6 at a, having read nothing",
		"a keeps {a,1,[v6]}; v6 has the version of v1",
		"b is told of v6, and drops it: it continues with {a,5,[v5]}",
		"a, which is told of v5, keeps {a,5,[v5]}, and drops v6, which nothing replaces")
	play(t, explode("vnode", 101), long).Logs(
		"0.020s a keeps {a:3} [v1 v2 v3], though v3 replaces v1",
		"0.100s c1 writes v11 at a, having read 9 siblings",
		"1.000s a keeps 101 siblings, though v101 replaces v99")
}

// TestDetail is what is too small for the log.
func TestDetail(t *testing.T) {
	p := concurrent("dvvset")
	w, err := sim.NewWorld(p.System(), sim.Config{Until: at(100)})
	require.NoError(t, err)
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	w.Run(1)
	var all []string
	for _, e := range j.Entries {
		all = append(all, e.Detail...)
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"writes x1, having read nothing", "takes x1, and keeps {a,1,[x1]}", "reads x1 at b",
		"is told of x1, and keeps {a,1,[x1]}"} {
		assert.Contains(t, text, want)
	}
}

// TestTrace: what travels, in words.
func TestTrace(t *testing.T) {
	trace := play(t, concurrent("dvvset"), simtest.Until(at(100))).Trace()
	for _, want := range []string{"put 3.1", "get", "got, 1 kept", "put-reply", "push", "sync, 1 kept", "synced of 1, 1 kept", "stored 4.1, 1 kept"} {
		assert.Contains(t, trace, want)
	}
}

// TestNothing: replicas of a key that nobody writes.
func TestNothing(t *testing.T) {
	for _, versioning := range []string{"client-vectors", "server-vectors", "vnode", "dvv", "dvvset", "last-write-wins"} {
		p := params(versioning, []string{"a", "b"}, script("c", "read a", "sync a b", "wait 1ms"))
		p.Sync = 50 * ms
		r := play(t, p)
		r.OnlyViolates()
		assert.EqualValues(t, 1, r.Measure("reads"))
		assert.Zero(t, r.Measure("siblings-at-end"))
		assert.Zero(t, r.Measure("lost-values"))
	}
}
