package check

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/fact"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// WindowLimit holds if no more than the bound of one key is admitted in any half-open window
// (t-W, t] of true time.
type WindowLimit struct {
	Keys        int   // are numbered 1 and up
	Most, Limit int64 // what is checked, and what the limit says
	Window      time.Duration
	Dimensions  bool // several limits for a request: the property checks nothing

	Windows measure.Windows
}

// Allowed is a bound of the admissions in a window in words, and the limit if that is another.
func Allowed(in string, bound, limit int64, window time.Duration) string {
	text := fmt.Sprintf("at most %d %s %s", bound, in, values.Length(window))
	if bound != limit {
		text += fmt.Sprintf("; the limit is %d", limit)
	}
	return text
}

// Bound implements [sim.Bounded].
func (c *WindowLimit) Bound() sim.Bound {
	if c.Dimensions {
		return sim.Bound{}
	}
	return sim.Bound{Text: Allowed("in any", c.Most, c.Limit, c.Window), Loose: c.Most > c.Limit, Worst: "worst-window"}
}

// Level implements the part of [sim.Leveled] that is the checker's.
func (c *WindowLimit) Level() sim.Level {
	if c.Dimensions {
		return sim.Level{}
	}
	return sim.Level{Text: "by how much the bound is exceeded in a window", Unit: sim.Count}
}

// Hears implements [fact.Checker].
func (*WindowLimit) Hears() []fact.Kind { return []fact.Kind{fact.Admitted} }

// Begin implements [fact.Checker].
func (c *WindowLimit) Begin(*fact.Report) { c.Windows.Grow(c.Keys, c.Window) }

// Check implements [fact.Checker].
func (c *WindowLimit) Check(r *fact.Report) {
	if c.Dimensions {
		return
	}
	r.Saw()
	sum := c.Windows[r.ID].Admit(r.At, r.Value)
	r.Near(sum - c.Most)
	if sum > c.Most && r.Violated(r.Node) {
		r.Why("with what %s admitted at %v, %d of key %d in %s; the bound is %d", r.Name(r.Node), r.At, sum, r.ID, values.Length(c.Window), c.Most)
	}
}

// windowForm is [WindowLimit] by Before alone. It keeps the newest admissions of a key, one more than the bound: they must not
// all lie in one window.
type windowForm struct {
	Most   int
	Window time.Duration
	Newest [][]sim.Time // by key less 1: the oldest first, at most Most
}

// The largest bound and the most keys whose admissions a proof can remember.
const mostBound, mostKeys = 16, 16

// Symbolic has the form that a proof checks.
func (c *WindowLimit) Symbolic() fact.Checker {
	if c.Refusal() != "" {
		return nil
	}
	return &windowForm{Most: int(c.Most), Window: c.Window, Newest: make([][]sim.Time, c.Keys)}
}

// Refusal says why a proof does not check it, "" if one does.
func (c *WindowLimit) Refusal() string {
	switch {
	case c.Dimensions:
		return "requests of several dimensions are not covered: want none"
	case c.Most > mostBound:
		return fmt.Sprintf("a proof remembers as many admissions as the bound says: want a bound of at most %d, got %d", mostBound, c.Most)
	case c.Keys > mostKeys:
		return fmt.Sprintf("a proof remembers the admissions of each key: want at most %d keys, got %d", mostKeys, c.Keys)
	}
	return ""
}

// Hears implements [fact.Checker].
func (*windowForm) Hears() []fact.Kind { return []fact.Kind{fact.Admitted} }

// Check implements [fact.Checker].
func (c *windowForm) Check(r *fact.Report) {
	r.Saw()
	list := &c.Newest[r.ID-1]
	for range min(int(r.Value), c.Most+1) {
		*list = append(*list, r.At)
		if len(*list) <= c.Most {
			continue
		}
		if r.At.Before((*list)[0].Add(c.Window)) {
			r.Violated(r.Node)
		}
		*list = slices.Delete(*list, 0, 1)
	}
}
