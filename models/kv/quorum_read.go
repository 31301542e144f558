package kv

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// quorumRead holds if a read that starts after a write was acknowledged returns a version that
// includes it. It is checked where R + W > N, which is what is said to promise that. A sloppy
// quorum and a change of the ring break the promise, and are checked all the same.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.5; Vogels, "Eventually Consistent",
// Communications of the ACM 52, 2009.
type quorumRead struct {
	*Layout
	Acked []acked // by key: what is acknowledged
	Since []acked // by client: what was acknowledged of the key when its request started
}

// acked is what is acknowledged of a key.
type acked struct {
	all   *version.Object // what is left of all acknowledged writes
	last  *version.Object // the latest of them
	write *version.Write
	at    sim.Time
	asked sim.Time // when the client asked
}

// Bound implements [sim.Bounded].
func (p *quorumRead) Bound() sim.Bound {
	if p.R+p.W <= p.N {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("R + W = %d is more than N = %d", p.R+p.W, p.N)}
}

// Check implements [kit.Checker].
func (p *quorumRead) Check(r *kit.Report[Msg]) {
	m := &r.Msg
	if p.R+p.W <= p.N {
		return
	}
	known := kit.At(&p.Acked, m.Key)
	switch {
	case m.Kind == Asked:
		since := kit.At(&p.Since, r.Node)
		*since = *known
		since.asked = r.Now()
	case m.Write != nil:
		known.all = p.Policy.Merge(known.all, m.Obj)
		known.last, known.write, known.at = m.Obj, m.Write, r.Now()
	case p.Since[r.Node].all != nil:
		p.read(r, &p.Since[r.Node])
	}
}

// read checks what a read returns against what was acknowledged when it started.
func (p *quorumRead) read(r *kit.Report[Msg], since *acked) {
	m := &r.Msg
	r.Saw()
	if _, deleted := since.all.Deleted(); deleted && len(m.Obj.Values()) == 0 { // its tombstone is collected
		return
	}
	if p.Policy.Covers(m.Obj, since.all) || !r.Violated(r.Node) {
		return
	}
	missing := fmt.Sprintf("the write of %s was acknowledged at %v", p.written(since.write), since.at)
	if p.Policy.Covers(m.Obj, since.last) {
		missing = fmt.Sprintf("%s was acknowledged by %v", p.siblings(since.all), since.at)
	}
	r.Why("%s reads %s from %s, which it asked for at %v, after %s", r.Name(r.Node), p.siblings(m.Obj), p.key(m.Key), since.asked, missing)
}
