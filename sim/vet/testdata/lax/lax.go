// Package lax does not ask for the rule.
package lax

import (
	"time"

	"example/fencepost/sim"
	"example/msg"
)

type Node struct {
	due  sim.Wall
	ttl  time.Duration
	over bool
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	n.over = sim.Wall(in.Wall) >= n.due || sim.Wall(in.Wall).Sub(n.due) > n.ttl
}
