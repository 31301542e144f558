package searches

import (
	"fmt"

	"fencepost/reports/units"
	"fencepost/reports/verdict"
)

// Goal is what a search wants a run to reach, in place of a violation.
type Goal struct {
	Text    string `json:"goal"` // "overlap >= 9s"
	Measure string `json:"measure"`
	Unit    string `json:"unit"`
	Reached bool   `json:"reached"`
	Value   *int64 `json:"value,omitempty"` // of the run that reached it, in Unit
	Fewer   *Fewer `json:"fewer,omitempty"`
	Said    string `json:"-"` // the value in words
}

// Fewer is a search with fewer faults that did not reach the goal.
type Fewer struct {
	Most int `json:"most"` // faults of a run
	Runs int `json:"runs"`
}

// aim gives the verdict what was found of the goal.
func (e *Exploration) aim(x *verdict.Evidence) {
	if e.Goal == nil {
		return
	}
	x.Goal = &verdict.Goal{Missed: e.Goal.Text + " in " + units.Plural(e.Runs, "run")}
	switch {
	case e.Exhausted:
		x.Goal.Missed = e.Goal.Text + " in any schedule of the budget: " + e.looked()
	case e.Search == "exhaustive":
		x.Limit = fmt.Sprintf("stopped by %s after %s, %s not reached so far", e.bound(), e.looked(), e.Goal.Text)
	}
	if e.Goal.Reached {
		x.Goal.Reached = with(e.Settings, "") + e.Goal.Text + ": " + e.Goal.Said + ", reached" + e.where(units.Instant(e.Found.Case.AtNS))
	}
}

// where is the instant of what was found, the run, and what became of it.
func (e *Exploration) where(at string) string { return " at " + at + e.run() }

// minimal says in which sense a schedule that reaches the goal is the smallest.
func (e *Exploration) minimal() string {
	f := e.Found
	switch n := len(f.Case.Faults); {
	case f.Shrunk == nil || !f.Shrunk.Whole || n == 0:
		return ""
	case e.Search == "exhaustive" && e.Scripted == 0:
		return "  no schedule of this budget with fewer faults reaches the goal: those were tried first\n"
	case n == 1:
		return "  it cannot be removed: without it the goal is not reached\n"
	case e.Goal.Fewer == nil:
		return "  none of these can be removed; fewer faults of another kind may reach the goal as well\n"
	default:
		return fmt.Sprintf("  none of these can be removed; %s with at most %s did not reach the goal, which does not prove that fewer cannot\n",
			units.Plural(e.Goal.Fewer.Runs, "run"), units.Plural(e.Goal.Fewer.Most, "fault"))
	}
}
