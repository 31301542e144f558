package kv

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
	"fencepost/models/kv/core"
	"fencepost/models/kv/ring"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// RingParams say which nodes store a key.
type RingParams struct {
	Strategy     string  `yaml:"strategy,oneof=ordered|hashed|random|partitions|explicit|modulo"` // ordered: key k is at node k mod nodes and the next ones; hashed, random: tokens by hash, or drawn; partitions: of equal size; explicit: tokens as given; modulo: no ring, hash mod nodes: ordered
	Hash         string  `yaml:"hash,oneof=md5|sha-1|fnv-1a|fnv-1|crc32|number"`                  // of node-<i>#<k>, i from 0, and of key-<k>; number: a key is at the position of its number: md5, with explicit tokens number
	VirtualNodes *int    `yaml:"virtual-nodes" range:"1..1024"`                                   // tokens of a node: 100
	Partitions   *int    `yaml:"partitions" range:"1..65536"`                                     // in all: 1024
	Seed         int     `yaml:"seed" range:"0..1000000"`                                         // of random tokens: 0
	Tokens       []Token `yaml:"tokens"`                                                          // explicit ones, of nodes that may join too, as in "node-1 90"
	Positions    []int   `yaml:"positions" range:"0..1000000000"`                                 // of keys in the order of scripts, with explicit tokens: their numbers
}

// Token is a token of a node in a scenario, as "node-1 90".
type Token struct {
	Node string
	At   uint64
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Token) UnmarshalText(b []byte) (err error) {
	words := strings.Fields(string(b))
	if len(words) == 2 {
		t.Node = words[0]
		t.At, err = strconv.ParseUint(words[1], 10, 63)
	}
	if len(words) != 2 || err != nil {
		return fmt.Errorf("want a node and its token, as in \"node-1 90\", got %q", text.Excerpt(string(b), maxWord))
	}
	return nil
}

// String is the token as a scenario has it.
func (t Token) String() string { return fmt.Sprintf("%s %d", t.Node, t.At) }

// maxTokens bounds the explicit ones.
const maxTokens = 1000

// ring is the ring block for the package ring.
func (p *Params) ring(found *model.Errors) ring.Params {
	r := &p.Ring
	out := ring.Params{
		Strategy: ring.Strategy(r.Strategy), Hash: ring.Hash(r.Hash), VirtualNodes: values.Or(r.VirtualNodes, 100),
		Partitions: values.Or(r.Partitions, 1024), Seed: uint64(r.Seed), Keys: p.keyCount(), Replicas: p.n(),
	}
	if out.Strategy == "" {
		out.Strategy = ring.Ordered
	}
	if out.Hash == "" {
		out.Hash = ring.MD5
		if out.Strategy == ring.Explicit {
			out.Hash = ring.Number
		}
	}
	if out.Strategy == ring.Explicit {
		out.Tokens = p.tokens(found)
	}
	for _, at := range r.Positions {
		out.Positions = append(out.Positions, uint64(at))
	}
	return out
}

// tokens are the explicit ones by node.
func (p *Params) tokens(found *model.Errors) [][]uint64 {
	tokens := make([][]uint64, p.all())
	if len(p.Ring.Tokens) > maxTokens {
		found.Add("ring.tokens", "want at most %d, got %d", maxTokens, len(p.Ring.Tokens))
		return tokens
	}
	owner := map[uint64]string{}
	for i, t := range p.Ring.Tokens {
		id := p.node(t.Node)
		if id == sim.None {
			found.Add(fmt.Sprintf("ring.tokens.%d", i), "no node %q: want node-1 to node-%d", text.Excerpt(t.Node, maxWord), p.all())
			continue
		}
		if other, ok := owner[t.At]; ok {
			found.Add(fmt.Sprintf("ring.tokens.%d", i), "%s has the token %d, too: want different ones", other, t.At)
		}
		owner[t.At] = t.Node
		tokens[id-1] = append(tokens[id-1], t.At)
	}
	return tokens
}

// keyCount is how many keys a ring has to know: those of scripts and of the workload, at least one.
func (p *Params) keyCount() int {
	var w names
	for _, c := range p.Clients {
		for i := range c.Steps {
			w.action(&c.Steps[i], p.node)
		}
	}
	count := len(w.keys.list)
	if p.Workload != nil {
		count = max(count, values.Or(p.Workload.Keys, 1))
	}
	return max(count, 1)
}

// members are the indices of the nodes that are members at the start.
func (p *Params) members() []ring.NodeIndex {
	list := make([]ring.NodeIndex, p.Nodes)
	for i := range list {
		list[i] = ring.NodeIndex(i)
	}
	return list
}

// ringProblems are errors in the ring block.
func (p *Params) ringProblems(found *model.Errors) {
	r := &p.Ring
	if len(r.Tokens) > 0 && r.Strategy != string(ring.Explicit) {
		found.Add("ring.tokens", "only strategy explicit has tokens of its own, the strategy is %q", cmp.Or(r.Strategy, "ordered"))
		return
	}
	if len(r.Positions) > 0 && r.Strategy != string(ring.Explicit) {
		found.Add("ring.positions", "only strategy explicit has positions of its own, the strategy is %q", cmp.Or(r.Strategy, "ordered"))
		return
	}
	if len(r.Positions) > 0 && len(r.Positions) < p.keyCount() {
		found.Add("ring.positions", "want one of each key, of which there are %d, got %d", p.keyCount(), len(r.Positions))
		return
	}
	params := p.ring(found)
	found.If(params.Strategy == ring.Partitions && params.Partitions < p.all(), "ring.partitions", "each node owns at least one: want at least nodes and spare-nodes, which are %d, got %d", p.all(), params.Partitions)
	found.If(params.Strategy == ring.Hashed && params.Hash == ring.Number, "ring.hash", "tokens need a hash of labels, got %q", params.Hash)
	if len(*found) > 0 {
		return
	}
	if slices.ContainsFunc(params.Tokens, func(of []uint64) bool { return len(of) == 0 }) {
		found.Add("ring.tokens", "each of %d nodes needs a token, node-%d has none", len(params.Tokens),
			slices.IndexFunc(params.Tokens, func(of []uint64) bool { return len(of) == 0 })+1)
		return
	}
	if err := params.Check(p.members()); err != nil {
		found.Add("ring", "%s", strings.TrimPrefix(err.Error(), "ring: "))
	}
}

// firstRing is the ring at the start.
func (p *Params) firstRing() *core.Ring {
	tokens, err := ring.New(p.ring(&model.Errors{}), p.members())
	if err != nil {
		panic("kv: parameters that were checked make no ring: " + err.Error())
	}
	return core.NewRing(tokens, p.all(), 0)
}
