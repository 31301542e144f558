package version

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// PolicyParams are the parameters of a conflict policy in a scenario.
type PolicyParams struct {
	Conflict   string        `yaml:"policy,oneof=last-write-wins|last-write-wins-hlc"` // dvvset
	Stamps     string        `yaml:"stamps,oneof=coordinator|client"`                  // of last-write-wins, whose wall clock: coordinator
	MaxOffset  time.Duration `yaml:"max-offset" range:"0s..1h"`                        // of last-write-wins-hlc, a stamp from further ahead is refused: 0s, none is
	ValueBytes int           `yaml:"value-bytes" range:"1..10240"`                     // 100
}

// DefaultPolicyParams are the parameters of an empty block.
func DefaultPolicyParams() PolicyParams {
	return PolicyParams{Conflict: "last-write-wins", Stamps: "coordinator", ValueBytes: 100}
}

// Policy says which value replaces which. It is immutable, and all nodes share it.
type Policy struct {
	Name         string
	ClientStamps bool // a write carries the stamp that it gets
	ValueBytes   int  // of a value

	rules rules
}

// rules are a policy. Objects that they are given are not nil, unless said otherwise.
type rules interface {
	// put is a write that a coordinator takes: local and context may be nil.
	put(r *Replica, wall sim.Wall, local, context *Object, w Write) *Object
	// merge is what is left of both, where neither covers the other.
	merge(a, b *Object) *Object
	// covers reports whether a contains all that b does.
	covers(a, b *Object) bool
}

// New is the policy with these parameters, which must be valid.
func New(p PolicyParams) *Policy {
	policy := &Policy{Name: p.Conflict, ValueBytes: p.ValueBytes}
	switch p.Conflict {
	case "last-write-wins":
		policy.ClientStamps = p.Stamps == "client"
		policy.rules = &lastWriteWins{clientStamps: policy.ClientStamps, valueBytes: p.ValueBytes}
	case "last-write-wins-hlc":
		policy.rules = &lastWriteWins{hybrid: true, maxOffset: p.MaxOffset, valueBytes: p.ValueBytes}
	default:
		panic(fmt.Sprintf("version: there is no policy %q", p.Conflict))
	}
	return policy
}

// Put is a write that a coordinator takes: what it stores then. context is what the writer has
// read of the key, nil for a blind write; local is what the coordinator stores. It is nil if the
// policy refuses the write, which only a guarded hybrid clock does.
func (p *Policy) Put(r *Replica, wall sim.Wall, local, context *Object, w Write) *Object {
	return p.rules.put(r, wall, local, context, w)
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

// reading is a wall clock as the types of package clock take it.
func reading(w sim.Wall) clock.Reading { return clock.Reading(w) }
