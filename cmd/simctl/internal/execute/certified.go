package execute

import (
	"context"
	"slices"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/searches"
	"fencepost/reports/verdict"
	"fencepost/scenarios/format"
	"fencepost/sim/certify"
)

// mostExpected bounds the proof of an expectation: by its states, so that it is the same everywhere.
const mostExpected = 2_000_000

// certifyExpected proves what a scenario expects to be certified, besides that it holds in the runs
// that were done: expectations are those of the scenario, in its order.
func certifyExpected(ctx context.Context, s *format.Scenario, expectations []reports.Expectation) error {
	for i := range s.Expect {
		e := &s.Expect[i]
		if !e.Certified {
			continue
		}
		r := &expectations[i]
		r.Want, r.Kind = reports.Certified, reports.Certified
		p := &Proof{Scenario: s, Property: slices.Index(s.Program.Properties, e.Property), Budget: s.BudgetOrNone(), Limits: certify.Limits{States: mostExpected}, NoEdge: true}
		if err := p.Prepare(); err != nil {
			return err
		}
		d := &searches.Certification{Property: e.Property}
		if _, err := p.Do(ctx, d); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		switch d.Word {
		case verdict.Certified:
			if r.Met { // and it holds in the runs, which exercise it
				r.Got = reports.Certified
			}
		case verdict.Violated:
			r.Met, r.Got = false, reports.Refuted+", which "+program.Name()+" certify shows"
		default:
			r.Met, r.Got = false, "not certified: "+d.Bound
		}
	}
	return nil
}
