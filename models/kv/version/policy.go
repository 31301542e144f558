package version

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// PolicyParams are the parameters of a conflict policy in a scenario.
type PolicyParams struct {
	Conflict   string        `yaml:"policy,oneof=last-write-wins|last-write-wins-hlc|client-vectors|server-vectors|vnode-vectors|dvvset|counter|or-set|register"` // dvvset
	Stamps     string        `yaml:"stamps,oneof=coordinator|client"`                                                                                             // of last-write-wins, whose wall clock: coordinator
	Resolution time.Duration `yaml:"resolution" range:"1ns..1h"`                                                                                                  // of last-write-wins, what stamps are rounded down to: 1ns
	Moved      string        `yaml:"moved,oneof=context|messages"`                                                                                                // of last-write-wins-hlc, what moves the clock: context, what a writer has read
	MaxOffset  time.Duration `yaml:"max-offset" range:"0s..1h"`                                                                                                   // of last-write-wins-hlc, a stamp from further ahead is refused: 0s, none is
	Truncate   int           `yaml:"truncate" range:"0..1000"`                                                                                                    // of client-vectors and server-vectors, entries of a vector at most: 0, without a limit
	Actor      string        `yaml:"actor,oneof=epoch|node"`                                                                                                      // under which a node takes writes of a key that it has nothing of: epoch, a new id
	Cart       string        `yaml:"cart,oneof=union|tombstones"`                                                                                                 // how a client merges carts: union
	ValueBytes int           `yaml:"value-bytes" range:"1..10240"`                                                                                                // of a value: 100
}

// DefaultPolicyParams are the parameters of an empty block.
func DefaultPolicyParams() PolicyParams {
	return PolicyParams{Conflict: "dvvset", Stamps: "coordinator", Resolution: 1, Moved: "context", Actor: "epoch", Cart: "union", ValueBytes: 100}
}

// Elements is how many elements a cart or a set can have. With tombstones the upper half of its
// bits are the elements that were removed.
func (p *PolicyParams) Elements() int {
	if p.Cart == "tombstones" && p.Conflict != "or-set" {
		return halfBits
	}
	return 64
}

// Policy says which value replaces which. It is immutable, and all nodes share it.
type Policy struct {
	Name         string
	ClientStamps bool // a write carries the stamp that it gets
	ValueBytes   int  // of a value
	// Joins is true of the CRDTs: a write is applied to all that its coordinator stores. Else it
	// replaces what its writer has read.
	Joins bool

	rules  rules
	epochs bool // a node takes a new id for a key it has nothing of
	carts  carts
}

// rules are a policy. Objects that they are given are not nil, unless said otherwise.
type rules interface {
	// put is a write that a coordinator takes: local and context may be nil.
	put(t taking) *Object
	// merge is what is left of both, where neither covers the other.
	merge(a, b *Object) *Object
	// covers reports whether a contains all that b does.
	covers(a, b *Object) bool
}

// taking is a write that a coordinator takes.
type taking struct {
	*Policy
	Write
	replica *Replica
	wall    sim.Wall
	local   *Object // nil: the coordinator stores nothing of the key
	context *Object // nil: its writer has read nothing
}

// New is the policy with these parameters, which must be valid.
func New(p PolicyParams) *Policy {
	policy := &Policy{Name: p.Conflict, ValueBytes: p.ValueBytes, epochs: p.Actor == "epoch", carts: carts{p.Cart == "tombstones"}}
	switch p.Conflict {
	case "last-write-wins":
		policy.ClientStamps = p.Stamps == "client"
		policy.rules = &lastWriteWins{clientStamps: policy.ClientStamps, resolution: clock.Reading(p.Resolution)}
	case "last-write-wins-hlc":
		policy.rules = &lastWriteWins{hybrid: true, messages: p.Moved == "messages", maxOffset: p.MaxOffset}
	case "client-vectors", "server-vectors":
		policy.rules = &vectors{byClient: p.Conflict == "client-vectors", truncate: p.Truncate, valueBytes: p.ValueBytes}
	case "vnode-vectors":
		policy.rules = &vnodeVectors{valueBytes: p.ValueBytes}
	case "dvvset", "register":
		policy.Joins = p.Conflict == "register"
		policy.rules = &dvvset{register: policy.Joins, valueBytes: p.ValueBytes}
	case "counter":
		policy.Joins = true
		policy.rules = counter{}
	case "or-set":
		policy.Joins = true
		policy.rules = orSet{valueBytes: p.ValueBytes}
	default:
		panic(fmt.Sprintf("version: there is no policy %q", p.Conflict))
	}
	return policy
}

// Put is a write that a coordinator takes: what it stores then. context is what the writer has
// read of the key, nil for a blind write; local is what the coordinator stores. It is nil if the
// policy refuses the write, which only a guarded hybrid clock does.
//
// Where actors are nodes (all but last-write-wins and client-vectors), the coordinator must store
// what it is returned, also as a hint: from it the next write gets its dot.
func (p *Policy) Put(r *Replica, wall sim.Wall, local, context *Object, w Write) *Object {
	if !p.Takes(w.Op) {
		panic(fmt.Sprintf("version: %s takes no %v", p.Name, w.Op))
	}
	return p.rules.put(taking{p, w, r, wall, local, context})
}

// Takes reports whether a write can do this: a counter is added to, and an or-set is never set.
func (p *Policy) Takes(o Op) bool {
	switch p.Name {
	case "counter":
		return o == Add || o == Remove
	case "or-set":
		return o != Set
	}
	return o <= Remove
}

// Merge is what is left of both. It is a or b itself where one covers the other.
func (p *Policy) Merge(a, b *Object) *Object {
	switch {
	case p.Covers(a, b):
		return a
	case p.Covers(b, a):
		return b
	}
	return p.rules.merge(a, b)
}

// Covers reports whether a contains all that b does: Merge(a, b) is a.
func (p *Policy) Covers(a, b *Object) bool {
	switch {
	case a == b || b == nil:
		return true
	case a == nil:
		return false
	}
	return a.digest == b.digest || p.rules.covers(a, b)
}

// Learn is called with what a node receives. It reports whether the node may store it: a guarded
// hybrid clock refuses a stamp from too far ahead.
func (p *Policy) Learn(r *Replica, wall sim.Wall, o *Object) bool {
	l, ok := p.rules.(*lastWriteWins)
	return !ok || o == nil || l.learn(r, wall, o)
}

// Read is what a client makes of an object: of a cart or a set its elements, of a counter its
// value as a signed number, of any other the data of one sibling.
func (p *Policy) Read(o *Object) uint64 {
	switch vs := o.Values(); {
	case len(vs) == 0:
		return 0
	case p.Joins && p.Name != "register":
		return vs[0].Data
	default:
		return p.carts.present(p.carts.merge(vs))
	}
}

// Present is what a value holds: of a cart with tombstones what is not removed.
func (p *Policy) Present(v Value) uint64 {
	if p.Joins {
		return v.Data
	}
	return p.carts.present(v.Data)
}

// reading is a wall clock as the types of package clock take it.
func reading(w sim.Wall) clock.Reading { return clock.Reading(w) }
