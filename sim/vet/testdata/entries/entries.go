package entries

import (
	"time"

	"example/fencepost/sim"
	"example/msg"
)

type Msg struct{ at int64 }

func (m Msg) Label() sim.Kind { return sim.Kind(time.Now().Unix()) } // want `^time.Now`
func (m Msg) Fold(d sim.Digest) sim.Digest {
	return d.Fold(uint64(now()))
}
func (m Msg) String() string { return time.Unix(0, now()).UTC().String() }

func now() int64 { return time.Now().UnixNano() } // want `^Msg.Fold calls now: time.Now`

type Node struct{ at int64 }

func (n *Node) Step(in msg.In, out *msg.Out) {}

func (n *Node) Recover(before *Node) { n.at = time.Now().UnixNano() } // want `^time.Now`
func (n *Node) Reset(initial *Node)  { n.at = time.Now().UnixNano() } // want `^time.Now`

// Reset of what is no node is the business of its caller.
func (t *tool) Reset(initial *tool) { t.at = time.Now() }

type tool struct{ at time.Time }

// Step of what is no node neither.
func (t *tool) Step(n int) { t.at = time.Now() }

// grant takes out, so a step calls it, wherever that step is.
func grant(out *msg.Out) {
	_ = time.Now() // want `^time.Now`
}
