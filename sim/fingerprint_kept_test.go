package sim

import (
	"fencepost/sim/internal/queue"
	"slices"
	"testing"

	"fencepost/internal/splitmix"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recounter is an adversary that compares each fingerprint with that of a world that has kept
// no prints.
type recounter struct {
	gremlin
	t      *testing.T
	looked int
}

func (k *recounter) Choose(c Choice) (FaultChoice, bool) {
	if w := k.rig.w; c.Point == Stepping {
		k.looked++
		print, kept := w.Fingerprint(), w.kept
		w.kept = keptPrints{heard: ^uint64(0)}
		require.Equal(k.t, w.Fingerprint(), print, "at %v", c.At)
		w.kept = kept
	}
	return k.gremlin.Choose(c)
}

// stepCounter is a node whose state is how many steps it has done.
type stepCounter struct {
	do does
	n  int
}

func (c *stepCounter) Step(in In[tm], out *Out[tm]) {
	c.n++
	c.do(in, out)
}

// TestKeptPrintsAreThoseOfTheWorld: what is kept of nodes, events and properties is what
// would be found now: in storms of faults and clocks, run after run of one world.
func TestKeptPrintsAreThoseOfTheWorld(t *testing.T) {
	looked := 0
	for world := range uint64(40) {
		d := dice(splitmix.Mix(world + 1))
		c, nodes := storm(&d)
		c.Until = at(140)
		r := newRig(t, c, nodes...)
		for id, do := range nodes {
			r.sys.Nodes[id] = Place[tm](nodeName(NodeID(id+1)), stepCounter{do: do})
		}
		r.sys.Ledgers, r.sys.Properties = []Observer[tm]{&ear{}}, []Property[tm]{&ear{}}
		var err error
		r.w, err = NewWorld(r.sys, c)
		require.NoError(t, err)
		for seed := range uint64(5) {
			k := &recounter{gremlin: gremlin{rig: r, dice: dice(splitmix.Mix(seed)), rarely: 8, most: d.below(3)}, t: t}
			r.w.SetAdversary(k)
			require.Nil(t, r.w.Run(seed).Panic)
			looked += k.looked
		}
	}
	require.Greater(t, looked, 10_000)
}

// Of two events at one instant it matters which comes first, and of others it does not.
func TestFingerprintOfTheOrderAtAnInstant(t *testing.T) {
	r := busyWorld(t, Config{})
	w := r.w
	done := false
	spyOn(w, 1, inTheMidst(w), func(Choice) {
		done = true
		later := slices.DeleteFunc(slices.Clone(w.q.Snapshot()), func(k queue.Key) bool { return k.At == int64(w.now) })
		a, b := w.q.Entry(later[0].Slot()), w.q.Entry(later[1].Slot())
		print := func() Print { w.kept.forgetEvents(); return w.Fingerprint() }
		before := print()
		a.Seq, b.Seq = b.Seq, a.Seq
		assert.Equal(t, before, print(), "they are due at %v and %v", a.At, b.At)
		a.At = b.At
		there := print()
		a.Seq, b.Seq = b.Seq, a.Seq
		assert.NotEqual(t, there, print())
	})
	require.True(t, done)
}
