package lock

import (
	"slices"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Symbolic implements [sim.Symbolic].
func (w *Worker[A, P]) Symbolic() string {
	a, ok := any(P(&w.Lock)).(core.Symbolic)
	switch {
	case !ok:
		return sim.SaysNothing
	case w.Beat > 0 || w.Period > 0:
		return "only clients that write once for each acquisition can"
	}
	return a.Unsupported()
}

// Forget implements [sim.Symbolic].
func (w *Worker[A, P]) Forget() {
	a := P(&w.Lock).Shared()
	a.Sent = 0 // only the note of the next grant says it
	if w.Rounds == 0 {
		w.round = 0
	}
	if w.written {
		w.hold.Until = 0 // the lease was checked
	}
	any(P(&w.Lock)).(core.Symbolic).Forget()
}

// Ignores implements [sim.Symbolic]. No attempt is granted twice, so that what belongs to one that
// is over never has an effect again.
func (w *Worker[A, P]) Ignores(e *sim.Arrival[Msg]) bool {
	switch m := &e.Msg; {
	case m.Kind == core.Start || m.Kind == core.Begin || m.Kind == core.Retry:
		return false
	case ofJob(m):
		return !w.inside || m.Try != w.hold.Try || m.Kind == core.Timeout && w.written && !w.awaits
	}
	return any(P(&w.Lock)).(core.Symbolic).Ignores(e)
}

// Rename implements [sim.Renamer].
func (w *Worker[A, P]) Rename(to sim.Renaming) {
	w.hold.Renumber(to)
	if l, ok := any(P(&w.Lock)).(sim.Renamer); ok {
		l.Rename(to)
	}
}

// Symbolic implements [sim.Symbolic].
func (s *Store) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (s *Store) Forget() {}

// Ignores implements [sim.Symbolic].
func (s *Store) Ignores(*sim.Arrival[Msg]) bool { return false }

// Rename implements [sim.Renamer].
func (s *Store) Rename(to sim.Renaming) { s.fence.value = core.RenamedGrant(s.fence.value, to) }

// Symbolic implements [sim.Symbolic].
func (c *Counter) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (c *Counter) Forget() {}

// Ignores implements [sim.Symbolic].
func (c *Counter) Ignores(*sim.Arrival[Msg]) bool { return false }

// symbolicExclusion is [mutualExclusion] with no more than it takes.
type symbolicExclusion struct {
	Inside  table[bool] // by client: it believes to hold the lock
	Overlap bool        // several do, since
	Since   sim.Time
}

// Symbolic is the form for a search with symbolic time: see package model.
func (c *mutualExclusion) Symbolic() (model.Checker[Msg], []sim.Kind) {
	return &symbolicExclusion{Inside: byClient[bool](&c.Ledger.Layout)}, believing
}

// Check implements [model.Checker].
func (c *symbolicExclusion) Check(r *model.Report[Msg]) {
	c.End(r)
	switch {
	case r.Event == sim.Noted && r.Msg.Kind == core.Acquired:
		r.Saw()
		c.Inside[r.Node] = true
	case leaves(r.Observation) && int(r.Node) < len(c.Inside):
		c.Inside[r.Node] = false
	}
	if several := c.count() > 1; several != c.Overlap {
		c.Overlap, c.Since = several, 0
		if several {
			c.Since = r.Now()
		}
	}
}

// count is how many clients believe to hold the lock.
func (c *symbolicExclusion) count() (n int) {
	for _, inside := range c.Inside {
		if inside {
			n++
		}
	}
	return n
}

// End checks the time up to now.
func (c *symbolicExclusion) End(r *model.Report[Msg]) {
	if c.Overlap && c.Since.Before(r.Now()) {
		r.ViolatedAt(c.Since, r.Node)
	}
}

// Rename implements [sim.Renamer].
func (c *symbolicExclusion) Rename(to sim.Renaming) {
	before := slices.Clone(c.Inside)
	clear(c.Inside)
	for i, inside := range before {
		c.Inside[to.Node(sim.NodeID(i))] = c.Inside[to.Node(sim.NodeID(i))] || inside
	}
}

// symbolicUpdates is [noLostUpdate] with what it knows of the store in an order that is the same for
// the same increments.
type symbolicUpdates struct {
	Counter int64
	Wrote   []write // each increment once, however often it arrived
}

// Symbolic is the form for a search with symbolic time: see package model.
func (c *noLostUpdate) Symbolic() (model.Checker[Msg], []sim.Kind) {
	return &symbolicUpdates{}, []sim.Kind{core.Applied}
}

// Check implements [model.Checker].
func (c *symbolicUpdates) Check(r *model.Report[Msg]) {
	r.Saw()
	before := c.missing()
	if w := (write{r.Msg.Grant(), r.Msg.Before()}); !slices.Contains(c.Wrote, w) {
		c.Wrote = append(c.Wrote, w)
		c.sort()
	}
	if c.Counter = r.Msg.Counter(); c.missing() > before {
		r.Violated(core.Client(r.Msg.Grant()))
	}
}

// missing is how many increments the counter lacks.
func (c *symbolicUpdates) missing() int64 { return int64(len(c.Wrote)) - c.Counter }

func (c *symbolicUpdates) sort() {
	slices.SortFunc(c.Wrote, write.compare)
}

// Rename implements [sim.Renamer].
func (c *symbolicUpdates) Rename(to sim.Renaming) {
	for i := range c.Wrote {
		c.Wrote[i].grant = core.RenamedGrant(c.Wrote[i].grant, to)
	}
	c.sort()
}

// symbolicOwners is [ownerRelease] with owners of its own.
type symbolicOwners struct{ Owners owners }

// Symbolic is the form for a search with symbolic time: see package model.
func (c *ownerRelease) Symbolic() (model.Checker[Msg], []sim.Kind) {
	return &symbolicOwners{newOwners(c.Ledger.Layout)}, owning
}

// Check implements [model.Checker].
func (c *symbolicOwners) Check(r *model.Report[Msg]) {
	changed, before := c.Owners.observe(r.Observation)
	deleter, deleted := r.Msg.Deleted()
	if changed < 0 || r.Msg.Kind != core.Freed || !deleted {
		return
	}
	r.Saw()
	if by, owner := core.Client(deleter), core.Client(before); by != owner {
		r.Violated(by, owner)
	}
}

// Rename implements [sim.Renamer].
func (c *symbolicOwners) Rename(to sim.Renaming) {
	w := &c.Owners
	before := slices.Clone(w.Grant)
	clear(w.Grant)
	for i, server := range w.Layout.servers() {
		at := &w.Grant[to.Node(server)-w.Layout.FirstServer]
		*at = max(*at, core.RenamedGrant(before[i], to))
	}
}

// Symbolic is the form for a search with symbolic time: see package model. The property looks at no instant.
func (c *fencedOrder) Symbolic() (model.Checker[Msg], []sim.Kind) {
	return &fencedOrder{}, []sim.Kind{core.Applied, core.Fenced}
}

// Rename implements [sim.Renamer].
func (c *fencedOrder) Rename(to sim.Renaming) { c.By = core.RenamedGrant(c.By, to) }
