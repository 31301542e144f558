package ring

import (
	"math/bits"
	"slices"
)

// Fixed partitions: the circle is divided into Q of equal size, and a node owns about Q/S of
// them. A join or a leave changes owners and never the bounds of a partition, so that what
// moves is whole partitions.
//
// Source: Dynamo, section 6.2, strategy 3; Riak has the same, Q a power of two.

// endOf is the last position of a partition of Q, from 0.
func endOf(partition, q int) uint64 {
	if partition+1 == q {
		return ^uint64(0)
	}
	end, _ := bits.Div64(uint64(partition+1), 0, uint64(q))
	return end - 1
}

// deal gives Q partitions to nodes in turn.
func deal(q int, nodes []NodeIndex) Circle {
	c := make(Circle, q)
	for i := range c {
		c[i] = Token{endOf(i, q), nodes[i%len(nodes)]}
	}
	return c
}

// take is the circle after a node has joined: it takes Q/(S+1) partitions, each of the node
// that owns most at that moment; of equals the one that joined first gives its last.
func take(c Circle, members []NodeIndex, node NodeIndex) Circle {
	c = slices.Clone(c)
	count := owned(c)
	for range len(c) / (len(members) + 1) {
		from := slices.MaxFunc(members, func(a, b NodeIndex) int { return count[a] - count[b] })
		for i := len(c) - 1; i >= 0; i-- {
			if c[i].Node == from {
				c[i].Node = node
				count[from]--
				break
			}
		}
	}
	return c
}

// give is the circle after a node has left: each of its partitions goes to the member that
// owns fewest at that moment, of equals to the one that joined first.
func give(c Circle, members []NodeIndex, node NodeIndex) Circle {
	c = slices.Clone(c)
	count := owned(c)
	for i := range c {
		if c[i].Node == node {
			to := slices.MinFunc(members, func(a, b NodeIndex) int { return count[a] - count[b] })
			c[i].Node = to
			count[to]++
		}
	}
	return c
}

// owned is how many tokens each node has.
func owned(c Circle) *[MaxNodes]int {
	var count [MaxNodes]int
	for _, t := range c {
		count[t.Node]++
	}
	return &count
}
