package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// recounter is an adversary that compares each fingerprint with that of a world that has kept
// no prints.
type recounter struct {
	gremlin
	t      *testing.T
	looked int
}

func (k *recounter) Choose(c Choice) (Deed, bool) {
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
		d := dice(mix(world + 1))
		c, nodes := storm(&d)
		c.Until = at(140)
		r := newRig(t, c, nodes...)
		for id, do := range nodes {
			r.sys.Nodes[id] = Place[tm](nodeName(NodeID(id+1)), stepCounter{do: do})
		}
		r.sys.Properties = []Property[tm]{&ear{}}
		var err error
		r.w, err = NewWorld(r.sys, c)
		require.NoError(t, err)
		for seed := range uint64(5) {
			k := &recounter{gremlin: gremlin{rig: r, dice: dice(mix(seed)), rarely: 8, most: d.below(3)}, t: t}
			r.w.SetAdversary(k)
			require.Nil(t, r.w.Run(seed).Panic)
			looked += k.looked
		}
	}
	require.Greater(t, looked, 10_000)
}
