package reach_test

import (
	"context"
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/reach"
)

// note is a message between a worker and its store.
type note struct{ Kind sim.Kind }

const (
	look sim.Kind = iota + 1 // worker to itself
	save                     // worker to store
)

func (n note) Label() sim.Kind              { return n.Kind }
func (n note) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(n.Kind), 0) }
func (n note) String() string               { return [...]string{"start", "look", "save"}[n.Kind] }

// The nodes, in the order of the space.
const (
	theWorker sim.NodeID = iota + 1
	theStore
)

// lease is what both sides keep of it: a reading of their own clock.
type lease struct{ expires sim.Mono }

func (l *lease) Age(tick time.Duration) { l.expires = max(l.expires.Add(-tick), 0) }

// worker saves once, if its lease still runs when it looks.
type worker struct{ lease }

func (w *worker) Step(in sim.In[note], out *sim.Out[note]) {
	switch {
	case in.Msg.Kind == 0:
		w.expires = in.Mono.Add(2 * time.Second)
		out.After(time.Second, note{look})
	case in.Mono < w.expires:
		out.Send(theStore, note{save})
	}
}

// keeper is the store. It trusts the worker to have looked.
type keeper struct {
	lease
	late bool
}

func (k *keeper) Step(in sim.In[note], out *sim.Out[note]) {
	switch in.Msg.Kind {
	case 0:
		k.expires = in.Mono.Add(2 * time.Second)
	case save:
		k.late = in.Mono >= k.expires
	}
}

// A worker looks at its lease before it saves. That does not help, since what it saves
// may be on the way for any time.
func Example() {
	r, err := reach.Visit(context.Background(), reach.Space[note]{
		Nodes: []reach.Spec[note]{
			reach.Place[note]("worker", worker{}),
			reach.Place[note]("store", keeper{}),
		},
		Links: []reach.Link{
			{From: theWorker, To: theWorker, Capacity: 1},
			{From: theWorker, To: theStore, Capacity: 1},
		},
		Tick: time.Second,
		Invariant: func(v *reach.View[note]) string {
			if v.Node(theStore).(*keeper).late {
				return "saved after the lease"
			}
			return ""
		},
	}, reach.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(r.Violation)
	// Output:
	//   1  worker handles look of its own, sends save to store
	//   2  a tick passes
	//   3  a tick passes
	//   4  store handles save from worker
	//      violated: saved after the lease
}
