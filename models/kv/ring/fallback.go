package ring

// Assigned is a partition and the node that answers for it.
type Assigned struct {
	Partition int
	Node      NodeIndex
	Fallback  bool // the owner is down
}

// Assign appends to list the nodes that answer for the n partitions from first on, where some
// nodes are down. Owners that are up come first, in the order of the ring; then each partition
// whose owner is down goes to the owner of the next partition of the walk that is up. A node
// may appear several times, a partition of the walk once: fewer than n result where the walk
// has no more nodes that are up.
//
// Unlike a walk over distinct nodes, a failure does not shift the partitions behind it.
//
// Source: riak_core, src/riak_core_apl.erl, get_apl_ann.
func (c Circle) Assign(list []Assigned, first, n int, down func(NodeIndex) bool) []Assigned {
	n = min(n, len(c))
	at := func(i int) int { return (first + i) % len(c) }
	for i := range n {
		if p := at(i); !down(c[p].Node) {
			list = append(list, Assigned{Partition: p, Node: c[p].Node})
		}
	}
	next := n
	for i := range n {
		p := at(i)
		if !down(c[p].Node) {
			continue
		}
		for next < len(c) && down(c[at(next)].Node) {
			next++
		}
		if next == len(c) {
			return list
		}
		list = append(list, Assigned{Partition: p, Node: c[at(next)].Node, Fallback: true})
		next++
	}
	return list
}
