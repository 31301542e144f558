package message

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message between a balancer and its limiters: a digest has their numbers.
const (
	Ping    sim.Kind = 50 // balancer to limiter
	Alive   sim.Kind = 51 // limiter to balancer
	Members sim.Kind = 52 // balancer to limiter: N take part

	Health   sim.Kind = 63 // balancer timer: ask the limiters whether they live
	Scale    sim.Kind = 64 // balancer timer: change N of how many take part
	Announce sim.Kind = 65 // balancer timer: tell the limiters that N take part

	Moved sim.Kind = 73 // note of a balancer: X of Y keys have another limiter
)

var balancerKinds = kit.Kinds{
	Ping:     kit.Message("ping"),
	Alive:    kit.Message("alive"),
	Members:  kit.Message("members"),
	Health:   kit.Timer("health"),
	Scale:    kit.Timer("scale"),
	Announce: kit.Timer("announce"),
	Moved:    kit.Note("moved"),
}

// balancerWords is such a message in words, but for its kind.
func balancerWords(m Msg) string {
	switch m.Kind {
	case Members, Scale, Announce:
		return fmt.Sprintf(" %d", m.N)
	case Moved:
		return fmt.Sprintf(" %d of %d keys", m.X, m.Y)
	}
	return ""
}
