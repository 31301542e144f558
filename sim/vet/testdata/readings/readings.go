// Package readings asks for the rule.
//
//fencepost:readings
package readings

import (
	"time"

	"example/fencepost/sim"
	"example/msg"
)

type Node struct {
	boot    sim.Boot
	mono    sim.Mono
	due     sim.Wall
	ttl     time.Duration
	elapsed time.Duration
	half    time.Duration
	over    bool
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	now := sim.Wall(in.Wall)
	n.over = now >= n.due                // want `a reading of a clock is compared; keep the reading plus the duration and ask now.Before of it`
	n.over = sim.Mono(in.Mono) == n.mono // want `a reading of a clock is compared`
	n.over = n.boot != 0                 // want `a reading of a clock is compared`
	n.over = now.Sub(n.due) > n.ttl      // want `a difference of readings is compared`
	n.over = n.ttl <= 2*now.Sub(n.due)   // want `a difference of readings is compared`
	n.due = max(n.due, now)              // want `a reading of a clock is compared`
	n.due = now / 2                      // want `a reading of a clock is divided`
	n.due = now - now%1000               // want `a reading of a clock is divided`
	since := now.Sub(n.due)
	if since < n.ttl { // want `a difference of readings is compared`
		n.due = now
	}
	n.elapsed = since
	if late(n) || n.check(now) {
		return
	}

	n.over = now.Before(n.due) == sim.Mono(in.Mono).Before(n.mono)
	n.due = now.Add(n.ttl)
	n.over = n.ttl > time.Second
	n.half = since / 2
	n.over = now < n.due //fencepost:allow it is about a file, whose format says so
}

func late(n *Node) bool { return n.elapsed > n.ttl } // want `a difference of readings is compared`

func (n *Node) check(now sim.Wall) bool {
	return now > n.due // want `a reading of a clock is compared`
}

// Over is called by a step of another package, since it takes a reading.
func Over(a, b sim.Wall) bool { return a < b } // want `a reading of a clock is compared`

// Latest is called by no step: an observer has the readings that nodes have noted.
func Latest(list []sim.Wall) bool { return list[0] < list[1] }
