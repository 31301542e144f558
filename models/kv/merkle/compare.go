package merkle

import "fmt"

// Node is a node of a tree and its hash, as one replica sends it to another.
type Node struct {
	Index int
	Hash  uint64
}

// Result is the result of one comparison of hashes.
type Result uint8

// The results.
const (
	Same      Result = iota // both replicas store the same below the node
	Descend                 // an inner node differs: send the children
	Exchange                // a leaf differs: exchange what is stored of its keys
	Malformed               // the tree has no such node
)

// Compare compares the hash of a node of another replica's tree with that of the same node of this one: the one hash
// comparison of the protocol. Both trees have the same range and number of leaves.
func (t *Tree) Compare(n Node) Result {
	switch {
	case n.Index < Root || n.Index >= len(t.nodes):
		return Malformed
	case t.nodes[n.Index] == n.Hash:
		return Same
	case n.Index >= t.Leaves():
		return Exchange
	}
	return Descend
}

// Root is the root, with which a replica starts the protocol.
func (t *Tree) Root() Node { return Node{Root, t.nodes[Root]} }

// Children are the two children of an inner node: the answer of the replica for which [Tree.Compare] returned Descend.
// The replica that receives them compares both.
func (t *Tree) Children(index int) (left, right Node) {
	return Node{2 * index, t.nodes[2*index]}, Node{2*index + 1, t.nodes[2*index+1]}
}

// Differences appends to leaves the leaves in which a and b differ, in the order of their keys, and counts the hash
// comparisons: 1 if the trees are equal, 1 + 2 log2(leaves) if one leaf differs, and at most one for each node of a tree,
// 2 leaves - 1. First a sends its root; then the replica that compared last sends the children of each node that differed,
// level by level. It panics if the trees have different ranges or numbers of leaves.
func Differences(a, b *Tree, leaves []int) (found []int, comparisons int) {
	if a.first != b.first || a.last != b.last || len(a.nodes) != len(b.nodes) {
		panic(fmt.Sprintf("merkle: keys %d to %d with %d leaves compared with keys %d to %d with %d leaves",
			a.first, a.last, a.Leaves(), b.first, b.last, b.Leaves()))
	}
	sent, sender, receiver := []Node{a.Root()}, a, b
	for len(sent) > 0 {
		var answer []Node
		for _, n := range sent {
			comparisons++
			switch receiver.Compare(n) {
			case Descend:
				left, right := receiver.Children(n.Index)
				answer = append(answer, left, right)
			case Exchange:
				leaves = append(leaves, n.Index)
			}
		}
		sent, sender, receiver = answer, receiver, sender
	}
	return leaves, comparisons
}
