package ring

import (
	"strconv"

	"fencepost/internal/splitmix"
)

// Strategy names how the circle is divided among nodes.
type Strategy string

// The strategies.
const (
	Hashed     Strategy = "hashed"     // tokens are hashes of node-<i>#<k>
	Random     Strategy = "random"     // tokens are drawn: the paper's strategy 1
	Partitions Strategy = "partitions" // equal partitions, Q/S of each node: strategy 3, and Riak
	Ordered    Strategy = "ordered"    // key k at node k mod nodes, then the next by index: for scenarios
	Explicit   Strategy = "explicit"   // tokens and positions as given
	Modulo     Strategy = "modulo"     // hash mod number of nodes: no ring; see [Moves]
)

// Known reports whether s is one of the strategies.
func (s Strategy) Known() bool {
	switch s {
	case Hashed, Random, Partitions, Ordered, Explicit, Modulo:
		return true
	}
	return false
}

// label is prefix and number, and # and a second number unless it is negative; it uses
// the memory of buffer.
func label(buffer []byte, prefix string, number, second int) []byte {
	b := strconv.AppendInt(append(buffer[:0], prefix...), int64(number), 10)
	if second >= 0 {
		b = strconv.AppendInt(append(b, '#'), int64(second), 10)
	}
	return b
}

// longLabel has room for every label.
const longLabel = 32

// NodeToken is the hashed token k of a node: the hash of node-<node>#<k>.
func (h Hash) NodeToken(node NodeIndex, k int) uint64 {
	return h.Sum(label(make([]byte, 0, longLabel), "node-", int(node), k))
}

// KeyPosition is the position of a key: the hash of key-<key>.
func (h Hash) KeyPosition(key int) uint64 { return h.keyPosition(key, make([]byte, 0, longLabel)) }

func (h Hash) keyPosition(key int, buffer []byte) uint64 {
	if h == Number {
		return uint64(key)
	}
	return h.Sum(label(buffer, "key-", key, -1))
}

// between is the distance of two neighbours in an ordered ring.
const between = 1 << 32

// orderedToken is the token of a node in an ordered ring that started with a number of
// nodes. A node that joins is placed before one of those, after the keys that are at it: the
// first before node 0, the second before node 1, and so on.
func orderedToken(node NodeIndex, nodes int) uint64 {
	if int(node) < nodes {
		return (uint64(node) + 1) * between
	}
	joined := uint64(int(node) - nodes)
	before := (joined%uint64(nodes) + 1) * between
	return before - between/4 + joined/uint64(nodes)
}

// orderedPosition is the position of a key in an ordered ring: before node key mod nodes.
func orderedPosition(key, nodes int) uint64 {
	return uint64(key%nodes+1)*between - between/2
}

// drawn is the k-th random token of a node: a number of the splitmix64 generator, as many
// steps from the seed as no other token is.
func drawn(seed uint64, node NodeIndex, k int) uint64 {
	return splitmix.Mix(seed + (uint64(node)<<32+uint64(k)+1)*splitmix.Gamma)
}

// tokens appends the tokens of a node: all strategies but Partitions and Modulo, whose
// circles depend on all members.
func (p *Params) tokens(all []Token, node NodeIndex) []Token {
	switch p.Strategy {
	case Hashed:
		buffer := make([]byte, 0, longLabel)
		for k := range p.VirtualNodes {
			all = append(all, Token{p.Hash.Sum(label(buffer, "node-", int(node), k)), node})
		}
	case Random:
		for k := range p.VirtualNodes {
			all = append(all, Token{drawn(p.Seed, node, k), node})
		}
	case Ordered:
		all = append(all, Token{orderedToken(node, p.Nodes), node})
	case Explicit:
		for _, at := range p.Tokens[node] {
			all = append(all, Token{at, node})
		}
	}
	return all
}
