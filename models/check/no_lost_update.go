package check

import (
	"slices"

	"fencepost/internal/text"
	"fencepost/models/fact"
	"fencepost/sim"
)

// NoLostUpdate holds if the store's counter is the number of increments that it
// applied. An increment is lost when a later write, computed from a value read
// before it, overwrites it.
//
// Source: Berenson et al., "A Critique of ANSI SQL Isolation Levels", SIGMOD 1995, P4.
type NoLostUpdate struct{ Ledger *LockLedger }

// Level implements the part of [sim.Leveled] that is the checker's.
func (*NoLostUpdate) Level() sim.Level {
	return sim.Level{Text: "by how much a write is applied after the lease that it was made under has run out", Unit: sim.Duration}
}

// Hears implements [fact.Checker].
func (*NoLostUpdate) Hears() []fact.Kind {
	return []fact.Kind{fact.Written}
}

// Check implements [fact.Checker].
func (c *NoLostUpdate) Check(r *fact.Report) {
	r.Saw()
	by := r.By.Node
	if held := c.Ledger.Beliefs().Held[by]; held == none || held == r.By { // it has not acquired again
		c.Ledger.Entitled.outstays(r, by)
	}
	news := c.Ledger.News()
	if before := news.Over.Node; news.Lost > 0 && r.Violated(by, before) {
		r.Why("%s wrote a counter that it had read before %s's write: %s lost", r.Name(by), r.Name(before), text.Count(news.Lost, "increment"))
	}
}

// symbolicUpdates is [NoLostUpdate] with what it knows of the store in an order that is the same for
// the same increments.
type symbolicUpdates struct {
	Counter int64
	Wrote   []write // each increment once, however often it arrived
}

// Symbolic is the form for a search with symbolic time.
func (c *NoLostUpdate) Symbolic() fact.Checker { return &symbolicUpdates{} }

// Hears implements [fact.Checker].
func (*symbolicUpdates) Hears() []fact.Kind { return []fact.Kind{fact.Written} }

// Check implements [fact.Checker].
func (c *symbolicUpdates) Check(r *fact.Report) {
	r.Saw()
	before := c.missing()
	if w := (write{r.By, r.N}); !slices.Contains(c.Wrote, w) {
		c.Wrote = append(c.Wrote, w)
		c.sort()
	}
	if c.Counter = r.Value; c.missing() > before {
		r.Violated(r.By.Node)
	}
}

// missing is how many increments the counter lacks.
func (c *symbolicUpdates) missing() int64 { return int64(len(c.Wrote)) - c.Counter }

func (c *symbolicUpdates) sort() { slices.SortFunc(c.Wrote, write.compare) }

// Rename implements [sim.Renamer].
func (c *symbolicUpdates) Rename(to sim.Renaming) {
	for i := range c.Wrote {
		c.Wrote[i].by = c.Wrote[i].by.Renamed(to)
	}
	c.sort()
}
