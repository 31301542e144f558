package kv

import (
	"fmt"
	"slices"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// quorumRead holds if a read that starts after a write was acknowledged returns a version that
// includes it. It is checked where R + W > N, which is what is said to promise that. A sloppy
// quorum and a change of the ring break the promise, and are checked all the same.
//
// Each acknowledged version is compared by itself, not what is left of all of them: a merge of
// vnode-vectors depends on the order, and replicas with one vector may keep different siblings.
// A tombstone that a node has collected is no longer asked for, see [collected].
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.5; Vogels, "Eventually Consistent",
// Communications of the ACM 52, 2009.
type quorumRead struct {
	*Layout
	Acked     []acked // by key: what is acknowledged
	Since     []acked // by client: what was acknowledged of the key when its request started
	Collected collected
}

// acked is what is acknowledged of a key.
type acked struct {
	all   []*version.Object // what acknowledged writes made, but for what another one of them covers
	write *version.Write    // the latest
	last  *version.Object   // that it made
	at    sim.Time
	asked sim.Time // when the client asked
}

// Bound implements [sim.Bounded].
func (p *quorumRead) Bound() sim.Bound {
	if p.R+p.W <= p.N {
		return sim.Bound{Idle: fmt.Sprintf("R + W = %d is not more than N = %d, so a read may miss a write", p.R+p.W, p.N)}
	}
	return sim.Bound{Text: fmt.Sprintf("R + W = %d is more than N = %d", p.R+p.W, p.N)}
}

// Check implements [model.Checker].
func (p *quorumRead) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	if p.R+p.W <= p.N {
		return
	}
	switch known := model.At(&p.Acked, m.Key()); {
	case m.Kind == core.Collected:
		p.Collected.add(p.Policy, m)
	case m.Kind == core.Asked:
		since := model.At(&p.Since, r.Node)
		*since = *known
		since.asked = r.Now()
	case m.Write != nil:
		known.add(p.Policy, m.Obj)
		known.last, known.write, known.at = m.Obj, m.Write, r.Now()
	case len(p.Since[r.Node].all) > 0:
		p.read(r, &p.Since[r.Node])
	}
}

// add takes in what an acknowledged write made. The list is a new one: clients refer to the old.
func (a *acked) add(p *version.Policy, o *version.Object) {
	if slices.ContainsFunc(a.all, func(x *version.Object) bool { return p.Covers(x, o) }) {
		return
	}
	all := []*version.Object{o}
	for _, x := range a.all {
		if !p.Covers(o, x) {
			all = append(all, x)
		}
	}
	a.all = all
}

// read checks what a read returns against what was acknowledged when it started.
func (p *quorumRead) read(r *model.Report[core.Msg], since *acked) {
	m := &r.Msg
	r.Saw()
	i := slices.IndexFunc(since.all, func(o *version.Object) bool { return !p.Collected.includes(p.Policy, m.Key(), m.Obj, o) })
	if i < 0 || !r.Violated(r.Node) {
		return
	}
	missing := fmt.Sprintf("the write of %s was acknowledged at %v", p.written(since.write), since.at)
	if p.Policy.Covers(m.Obj, since.last) {
		missing = fmt.Sprintf("%s was acknowledged by %v", p.siblings(since.all[i]), since.at)
	}
	r.Why("%s reads %s from %s, which it asked for at %v, after %s", r.Name(r.Node), p.siblings(m.Obj), p.key(m.Key()), since.asked, missing)
}
