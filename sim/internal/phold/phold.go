// Package phold is the workload PHOLD outside of package sim, as models are: the compiler makes its world here, of what
// package sim hands on (see sim/inline.go). A benchmark in sim itself has all of it.
package phold

import (
	"fmt"
	"math/bits"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// Hop is the message, of 24 bytes.
type Hop struct {
	kind sim.Kind
	from sim.NodeID
	arg  uint64
	_    int64
}

// Label implements [sim.Message].
func (h Hop) Label() sim.Kind { return h.kind }

// Fold implements [sim.Message].
func (h Hop) Fold(d sim.Digest) sim.Digest {
	return d.Fold(uint64(h.kind)<<32|uint64(h.from), h.arg)
}

// String implements [sim.Message].
func (h Hop) String() string { return fmt.Sprintf("hop %d", h.arg) }

// player sends each message on to a random player.
type player struct {
	seed, among uint64

	count uint64
	last  sim.Mono
}

// Step implements [sim.Node].
func (p *player) Step(in sim.In[Hop], out *sim.Out[Hop]) {
	p.count++
	p.last = in.Mono
	p.seed += splitmix.Gamma
	to, _ := bits.Mul64(splitmix.Mix(p.seed), p.among)
	out.Send(sim.NodeID(to)+1, Hop{kind: 1, from: in.Self, arg: in.Msg.arg + 1})
}

// System is PHOLD: each of this many players has one message on its way, to a random one.
//
// Source: Fujimoto, "Performance of Time Warp Under Synthetic Workloads", SCS 1990.
func System(players int) sim.System[Hop] {
	s := sim.System[Hop]{Kinds: []string{"start", "hop"}}
	for i := range players {
		s.Nodes = append(s.Nodes, sim.Place[Hop](fmt.Sprintf("player-%d", i+1), player{seed: splitmix.Mix(uint64(i)), among: uint64(players)}))
	}
	return s
}

// NewWorld is a world of that system whose messages take 1 ms on average.
func NewWorld(players int, until sim.Time) (*sim.World[Hop], error) {
	network := sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Exponential(1e6)}}
	return sim.NewWorld(System(players), sim.Config{Until: until, Network: network})
}
