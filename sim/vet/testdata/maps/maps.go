package maps

import (
	"maps"
	"slices"
	"sort"

	"example/fencepost/sim"
	"example/msg"
)

type entry struct {
	until int64
	count int
}

type Node struct {
	peers map[sim.NodeID]int64
	table map[sim.NodeID]*entry
	other map[sim.NodeID]int64
	list  []sim.NodeID
	sum   float64
	last  sim.NodeID
}

func (n *Node) Step(in msg.In, out *msg.Out) {
	for id := range n.peers { // want `the order of a map reaches the call of out.Send: Go goes through a map in another order every time; range over slices.Sorted`
		out.Send(id, msg.Msg{})
	}
	for id, v := range n.peers { // want `reaches the assignment to n.last`
		if v > 3 {
			n.last = id
		}
	}
	for _, v := range n.peers { // want `reaches the assignment to n.sum`
		n.sum += float64(v)
	}
	for id := range n.peers { // want `reaches n.list, which is not sorted after the loop`
		n.list = append(n.list, id)
	}
	text := ""
	for _, e := range n.peers { // want `reaches the assignment to text`
		text += string(rune(e))
	}
	n.best()
	n.any()
	n.partly()
	n.sequences(out)
	n.harmless(in, out)
	n.early()
	_ = values(n.peers)
}

func (n *Node) best() {
	best, who := int64(0), sim.NodeID(0)
	for id, v := range n.peers { // want `^Node.Step calls Node.best: the order of a map reaches the assignment to best`
		if v > best {
			best, who = v, id
		}
	}
	_ = who
}

func (n *Node) any() sim.NodeID {
	for id := range n.peers { // want `reaches what is returned`
		return id
	}
	return 0
}

func (n *Node) partly() (total int64) {
	for _, v := range n.peers { // want `reaches where the loop ends`
		total += v
		if v < 0 {
			break
		}
	}
	for _, v := range n.peers { // want `reaches what the loop reads of total`
		if total < 10 {
			total += v
		}
	}
	x := int64(1)
	for _, v := range n.peers { // want `reaches the assignment to x`
		x *= v
		x += v
	}
	for _, v := range n.peers { // want `reaches the assignment to x`
		x = 1
		if v > 3 {
			x = 2
		}
	}
	for id, v := range n.peers { // want `reaches what the loop reads of n.peers`
		if n.peers[7] > v {
			delete(n.peers, id)
		}
	}
	return total
}

func values[M ~map[K]V, K comparable, V any](m M) (list []V) {
	for _, v := range m { // want `Node.Step calls values: the order of a map reaches list`
		list = append(list, v)
	}
	return list
}

func (n *Node) sequences(out *msg.Out) {
	for id := range maps.Keys(n.peers) { // want `reaches the call of out.Send`
		out.Send(id, msg.Msg{})
	}
	n.list = slices.Collect(maps.Keys(n.peers)) // want `the order of maps.Keys is not sorted away`
	_ = maps.Values(n.peers)                    // want `the order of maps.Values is not sorted away`

	for _, id := range slices.Sorted(maps.Keys(n.peers)) {
		out.Send(id, msg.Msg{})
	}
	list := slices.Collect(maps.Keys(n.peers))
	slices.Sort(list)
	for _, v := range maps.All(n.peers) {
		list[0] += sim.NodeID(v)
	}
	_ = maps.Collect(maps.All(n.peers))
}

// byID sorts.
type byID []sim.NodeID

func (b byID) Len() int           { return len(b) }
func (b byID) Less(i, j int) bool { return b[i] < b[j] }
func (b byID) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func (n *Node) harmless(in msg.In, out *msg.Out) (total int64, found bool) {
	var list []sim.NodeID
	for id := range n.peers {
		list = append(list, id)
	}
	sort.Sort(byID(list))
	n.list = n.list[:0]
	for id, v := range n.peers {
		if v > in.Mono {
			n.list = append(n.list, id)
		}
	}
	slices.Sort(n.list)
	for id, v := range n.peers {
		if v < in.Mono {
			delete(n.peers, id)
		}
	}
	var bits uint64
	most, least := int64(0), int64(9)
	count := 0
	all := true
	for id, v := range n.peers {
		later := v - in.Mono
		total += later
		count++
		bits |= 1 << uint(id)
		if v > most {
			most = v
		}
		least = min(least, v)
		if v == 3 {
			found = true
			continue
		}
		all = all && v > 0
		switch {
		case v > 100:
			n.other[id] = v * 2
			n.other[id] += 3
		}
	}
	for id, e := range n.table {
		e.count++
		e.until = max(e.until, n.peers[id])
		for i := 0; i < e.count; i++ {
			total += int64(i)
		}
	}
	for range n.peers {
		out.Send(1, msg.Msg{})
	}
	return total, found
}

func (n *Node) early() bool {
	found := false
	for _, v := range n.peers {
		if v == 3 {
			found = true
			break
		}
	}
	for id, v := range n.peers {
		if v == 3 && odd(id) {
			return true
		}
	}
	for _, v := range n.peers {
		if v < 0 {
			panic("negative")
		}
	}
	return found
}

func odd(id sim.NodeID) bool { return id%2 == 1 }
