package reports

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/sim"
)

// Decide gives the run its verdict: a grid has the word of its worst point. Call it last.
func (r *Run) Decide() {
	if len(r.Variants) == 0 {
		r.Outcome.Decide(r.Changed, r.Runs, r.missing())
		return
	}
	var points []verdict.Verdict
	var names []string
	for i := range r.Variants {
		v := &r.Variants[i]
		points, names = append(points, v.Verdict), append(names, settingsText(v.Settings))
	}
	r.Verdict = verdict.Worst("points", points, names)
	if missing := r.missing(); missing != "" && !r.Word.Bad() {
		r.Verdict = verdict.Of(verdict.Interrupted, missing+": no violation so far that the scenario does not predict")
	}
	r.OK = r.Exit == 0
}

// Decide gives the outcome of some runs its verdict. Changed is what the command changed in the scenario, and missing says
// what an interrupted run lacks.
func (o *Outcome) Decide(changed []string, runs int, missing string) {
	e := verdict.Evidence{Changed: changed, Sampled: slices.ContainsFunc(changed, sampling), Interrupted: missing}
	if o.Panic != nil {
		e.Panic = strings.TrimPrefix(o.Panic.What(runs), "panic: ")
	}
	least := 0 // runs in which a property that held was checked
	for i := range o.Properties {
		p := &o.Properties[i]
		if p.Class == sim.Written.String() && len(changed) > 0 {
			continue
		}
		e.Properties = append(e.Properties, p.evidence(runs))
		if p.Verdict == Holds && (least == 0 || p.Runs < least) {
			least = p.Runs
		}
	}
	switch {
	case runs <= 1 || least == 0:
	case least <= 3:
		e.Sample = "in " + units.Plural(least, "run")
	default:
		e.Sample = fmt.Sprintf("in %s (each %s at 95%%)", units.Plural(least, "run"), Bound(least))
	}
	for i := range o.Expectations {
		o.Expectations[i].wanted(&e)
	}
	inFile := func(p verdict.Property) int {
		return slices.IndexFunc(o.Expectations, func(e Expectation) bool { return e.Name == p.Name })
	}
	slices.SortStableFunc(e.Properties, func(a, b verdict.Property) int { // those that the file names come first, in its order
		x, y := uint(inFile(a)), uint(inFile(b)) // a property that it does not name is far behind
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for i := range o.Faults {
		if f := &o.Faults[i]; f.Runs == 0 && !f.Drawn {
			e.Unfired = append(e.Unfired, f.Fault)
		}
	}
	o.Verdict = verdict.Decide(&e)
	o.OK = o.Exit == 0
}

// sampling reports whether a change is of the runs that are looked at: another seed, fewer runs or shorter ones are no fix.
func sampling(change string) bool {
	key, _, set := strings.Cut(change, "=")
	if set {
		return key == "until" || key == "seed" || key == "runs"
	}
	return strings.HasPrefix(change, "seed ") || strings.HasSuffix(change, " run") || strings.HasSuffix(change, " runs")
}

// evidence is what was found about a property, over a number of runs.
func (p *Property) evidence(runs int) verdict.Property {
	e := verdict.Property{Name: p.Name, Checked: p.Runs, Violated: p.Violated, Said: p.Name + p.loose(), Needs: p.Needs,
		Data: p.Class == sim.Data.String(), Liveness: p.Class == sim.Liveness.String()}
	if p.Idle != "" {
		e.Needs = p.Idle
	}
	if p.Violated > 0 {
		e.Said = p.violation(runs)
	}
	return e
}

// wanted adds what the file expects to the evidence.
func (x *Expectation) wanted(e *verdict.Evidence) {
	if x.Implied {
		return // which the verdict knows itself
	}
	number := verdict.Number{Name: x.Name, Want: x.Want, Got: x.Got, Met: x.Met, Commanded: x.Commanded}
	i := slices.IndexFunc(e.Properties, func(p verdict.Property) bool { return p.Name == x.Name })
	if i < 0 {
		e.Numbers = append(e.Numbers, number)
		return
	}
	p := &e.Properties[i]
	p.Met, p.Expected, p.Commanded = x.Met, x.Want, x.Commanded
	switch x.Kind {
	case Violated:
		p.Want = verdict.WantViolated
	case NotExercised:
		p.Want = verdict.WantIdle
	case Certified:
		x.certified(p, e)
	default:
		p.Want = verdict.WantHolds
	}
}

// certified adds a proof that the file expects. A violation that the proof shows counts as one of the runs.
func (x *Expectation) certified(p *verdict.Property, e *verdict.Evidence) {
	p.Want = verdict.WantHolds
	switch {
	case x.Met || p.Violated > 0 || p.Checked == 0:
	case strings.HasPrefix(x.Got, Refuted):
		p.Violated, p.Said = 1, p.Name+" is "+x.Got
	default:
		e.Numbers = append(e.Numbers, verdict.Number{Name: x.Name, Want: x.Want, Got: x.Got})
		if e.Limit == "" && len(e.Changed) > 0 {
			e.Limit = x.Name + " is " + x.Got
		}
	}
}

// Refuted begins what is got where a proof that the file expects finds a violation.
const Refuted = "not certified: a run violates it"
