package ring

import (
	"fmt"
	"slices"
)

// Params are what a ring is made of besides its members.
type Params struct {
	Strategy     Strategy
	Hash         Hash       // of Hashed tokens, and of the keys of all but Ordered and Explicit
	VirtualNodes int        // tokens of a node: Hashed and Random
	Partitions   int        // Q: Partitions
	Seed         uint64     // Random
	Tokens       [][]uint64 // of node i, also of nodes that may join: Explicit
	Positions    []uint64   // of key k: Explicit; without, its number
	Keys         int        // the ring knows the preference lists of key-0 to key-<Keys-1>
	Replicas     int        // N: the shortest length of these lists
	Nodes        int        // the number of nodes at the start, which New sets
}

// wholeWalks is the number of entries up to which a ring stores the whole walk of each key.
const wholeWalks = 1 << 16

// Ring says which nodes store a key. It never changes.
type Ring struct {
	params    *Params
	members   []NodeIndex // in the order in which they joined
	circle    Circle
	positions []uint64    // of keys
	first     []int32     // of keys: where their walk starts
	depth     int         // how much of each walk is in lists
	lists     []NodeIndex // of key k: from k*depth on
}

// Immutable says that a ring may be shared.
func (*Ring) Immutable() {}

// New is the ring of some members. It fails without members, with a member twice, and with
// more replicas than members; and where parameters are out of range.
func New(p Params, members []NodeIndex) (*Ring, error) {
	p.Nodes = len(members)
	if err := p.Check(members); err != nil {
		return nil, err
	}
	r := &Ring{params: &p, members: slices.Clone(members)}
	if p.Strategy == Partitions {
		r.circle = deal(p.Partitions, members)
	}
	r.build()
	return r, nil
}

// Check is what is wrong with the parameters of a ring of some members.
func (p *Params) Check(members []NodeIndex) error {
	switch {
	case !p.Strategy.Known():
		return fmt.Errorf("ring: no strategy named %q", p.Strategy)
	case !p.Hash.Known() && p.Strategy != Ordered && p.Strategy != Explicit:
		return fmt.Errorf("ring: no hash named %q", p.Hash)
	case (p.Strategy == Hashed || p.Strategy == Random) && p.VirtualNodes < 1:
		return fmt.Errorf("ring: want at least 1 virtual node of each node, got %d", p.VirtualNodes)
	case p.Strategy == Partitions && p.Partitions < len(members):
		return fmt.Errorf("ring: %d partitions are too few for %d nodes: each node owns at least one", p.Partitions, len(members))
	case p.Strategy == Hashed && p.Hash == Number:
		return fmt.Errorf("ring: tokens need a hash of labels, got %q", p.Hash)
	case p.Strategy == Explicit && len(p.Positions) > 0 && p.Keys > len(p.Positions):
		return fmt.Errorf("ring: %d keys, but the positions of %d", p.Keys, len(p.Positions))
	}
	if err := p.checkTokens(); err != nil {
		return err
	}
	return p.checkMembers(members)
}

// checkTokens is whether two nodes have the same explicit token, members or not.
func (p *Params) checkTokens() error {
	if p.Strategy != Explicit {
		return nil
	}
	var all []Token
	for node, of := range p.Tokens {
		for _, at := range of {
			all = append(all, Token{at, NodeIndex(node)})
		}
	}
	all = NewCircle(all)
	for i := 1; i < len(all); i++ {
		if a, b := all[i-1], all[i]; a.At == b.At {
			return fmt.Errorf("ring: two tokens are %d: one of node-%d and one of node-%d", a.At, a.Node, b.Node)
		}
	}
	return nil
}

func (p *Params) checkMembers(members []NodeIndex) error {
	if len(members) == 0 {
		return fmt.Errorf("ring: it is empty: want at least one node")
	}
	var seen [MaxNodes]bool
	for _, m := range members {
		switch {
		case m >= MaxNodes:
			return fmt.Errorf("ring: node-%d: the greatest index is %d", m, MaxNodes-1)
		case seen[m]:
			return fmt.Errorf("ring: node-%d is a member twice: want one node of each name", m)
		case p.Strategy == Explicit && (int(m) >= len(p.Tokens) || len(p.Tokens[m]) == 0):
			return fmt.Errorf("ring: node-%d has no token", m)
		}
		seen[m] = true
	}
	if p.Replicas > len(members) {
		return fmt.Errorf("ring: %d replicas of a key, but %d nodes", p.Replicas, len(members))
	}
	return nil
}

// Join is the ring with one more member. A node that is a member already is an error.
func (r *Ring) Join(node NodeIndex) (*Ring, error) {
	next := &Ring{params: r.params, members: append(slices.Clone(r.members), node), positions: r.positions}
	if err := r.params.Check(next.members); err != nil {
		return nil, err
	}
	if r.params.Strategy == Partitions {
		next.circle = take(r.circle, r.members, node)
	}
	next.build()
	return next, nil
}

// Leave is the ring without a member. It fails for a node that is not a member, and where
// fewer nodes than replicas remain.
func (r *Ring) Leave(node NodeIndex) (*Ring, error) {
	at := slices.Index(r.members, node)
	if at < 0 {
		return nil, fmt.Errorf("ring: node-%d is not a member", node)
	}
	next := &Ring{params: r.params, members: slices.Delete(slices.Clone(r.members), at, at+1), positions: r.positions}
	if err := r.params.Check(next.members); err != nil {
		return nil, err
	}
	if r.params.Strategy == Partitions {
		next.circle = give(r.circle, next.members, node)
	}
	next.build()
	return next, nil
}

// build makes the circle and the preference lists.
func (r *Ring) build() {
	p := r.params
	switch p.Strategy {
	case Partitions:
	case Modulo:
		for i, m := range r.members {
			r.circle = append(r.circle, Token{uint64(i), m})
		}
		r.positions = nil // they depend on the number of members
	default:
		each := 1
		if p.Strategy == Hashed || p.Strategy == Random {
			each = p.VirtualNodes
		}
		all := make([]Token, 0, each*len(r.members))
		for _, m := range r.members {
			all = p.tokens(all, m)
		}
		r.circle = NewCircle(all)
	}
	r.place()
}

// place finds the preference lists of all keys.
func (r *Ring) place() {
	keys := r.params.Keys
	if r.positions == nil {
		r.positions = make([]uint64, keys)
		buffer := make([]byte, 0, longLabel)
		for k := range r.positions {
			r.positions[k] = r.positionOf(k, buffer)
		}
	}
	if r.depth = len(r.members); r.depth > wholeWalks/max(keys, 1) {
		r.depth = r.params.Replicas
	}
	r.first = make([]int32, keys)
	r.lists = make([]NodeIndex, 0, keys*r.depth)
	for k, position := range r.positions {
		first := r.circle.First(position)
		r.first[k] = int32(first)
		walk := r.circle.Walk(first)
		for range r.depth {
			n, _ := walk.Next() // there are at least this many members
			r.lists = append(r.lists, n)
		}
	}
}

func (r *Ring) positionOf(key int, buffer []byte) uint64 {
	switch p := r.params; p.Strategy {
	case Ordered:
		return orderedPosition(key, p.Nodes)
	case Explicit:
		if len(p.Positions) > 0 {
			return p.Positions[key]
		}
		return uint64(key)
	case Modulo:
		return p.Hash.keyPosition(key, buffer) % uint64(len(r.members))
	default:
		return p.Hash.keyPosition(key, buffer)
	}
}

// Members are the nodes of the ring in the order in which they joined. They must not be changed.
func (r *Ring) Members() []NodeIndex { return r.members }

// Has reports whether a node is a member.
func (r *Ring) Has(node NodeIndex) bool { return slices.Contains(r.members, node) }

// Keys is the number of keys whose preference lists the ring knows.
func (r *Ring) Keys() int { return len(r.first) }

// Circle is the tokens of the ring. They must not be changed.
func (r *Ring) Circle() Circle { return r.circle }

// Position is where a key is on the circle.
func (r *Ring) Position(key int) uint64 { return r.positions[key] }

// Preference is the preference list of a key: the next n nodes of its walk, each once, the
// owner first. n is at most the number of replicas. The list must not be changed.
func (r *Ring) Preference(key, n int) []NodeIndex {
	from := key * r.depth
	return r.lists[from : from+n : from+n]
}

// Walk yields all nodes from the owner of a key on, each once.
func (r *Ring) Walk(key int) Walk { return r.circle.Walk(int(r.first[key])) }

// At is the i-th node of the walk of a key, from 0 to the number of members - 1. Where the
// ring stores whole walks this is a look-up, else a walk for i from the number of replicas on.
func (r *Ring) At(key, i int) NodeIndex {
	if i < r.depth {
		return r.lists[key*r.depth+i]
	}
	walk := r.Walk(key)
	n, _ := walk.Next()
	for range i {
		n, _ = walk.Next()
	}
	return n
}

// Replica reports whether a node is among the first n of the preference list of a key.
func (r *Ring) Replica(key, n int, node NodeIndex) bool {
	return slices.Contains(r.Preference(key, n), node)
}
