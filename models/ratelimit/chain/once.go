package chain

import (
	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
	"fencepost/sim/model"
)

// carriedOutOnce holds if no operation that must not be done twice is: one with a key, or
// one that is neither idempotent nor has one. Nothing is said of idempotent ones.
//
// Source: Helland, "Idempotence Is Not a Medical Condition", ACM Queue 2012.
type carriedOutOnce struct {
	Operation retry.Operation

	Done map[uint64]sim.Time // operations that have been carried out, and when
}

// Check implements [model.Checker].
func (p *carriedOutOnce) Check(r *model.Report[Msg]) {
	if p.Operation == retry.Idempotent {
		return
	}
	r.Saw()
	root := r.Msg.Root
	if before, again := p.Done[root]; again && r.Violated(r.Node, caller(root)) {
		r.Why("the %s carries out operation %d of %s at %v, which it did at %v already", r.Name(r.Node), uint32(root), r.Name(caller(root)), r.Now(), before)
	}
	p.Done[root] = r.Now()
}
