package proving

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/scenarios/format"
)

// Advise finds up to which pause a property of a scenario holds, and the law of that: of the ranges that are asked for, of
// every delay that the file draws and of pauses from none on. Where there is no law the document says why not.
func (r *Request) Advise(ctx context.Context, a *cli.App, c *format.Scenario, points int, progress func(doing string)) (*searches.LawAdvice, error) {
	d := &searches.LawAdvice{Schema: searches.LawAdviceSchema, Scenario: c.Name, About: c.About, Source: c.Source, Model: c.Model, Mode: r.Mode(), Settings: r.Sets,
		Over: []searches.Ranged{}, Edges: []searches.Edge{}}
	p, err := r.Proof(c)
	if err != nil {
		return nil, err
	}
	d.Property = c.Program.Properties[p.Property]
	if err := p.Prepare(); err != nil {
		first, more, _ := strings.Cut(err.Error(), "\n")
		if more != "" {
			first += fmt.Sprintf(", and %s more", units.Plural(1+strings.Count(more, "\n"), "reason"))
		}
		d.Law = none("not covered: " + first)
		return d, nil
	}
	r.cover(p.Drawn())
	for i := range r.Over {
		d.Over = append(d.Over, r.Over[i].Ranged())
	}
	if p, err = r.prepared(a); err != nil {
		return nil, err
	}
	if n := p.Ranges(); n != 1 {
		d.Law = none(fmt.Sprintf("a law is of one range of pauses, and the scenario has %d: want a file with one pause", n))
		return d, nil
	}
	proof := &searches.Certification{}
	if _, err := p.Do(ctx, proof); err != nil {
		return nil, err
	}
	d.Edges = proof.Edges
	switch proof.Word {
	case verdict.NotExercised, verdict.Unknown:
		d.Law = none(proof.Bound + "; " + proof.Remedy)
		return d, nil
	}
	d.Law, err = r.Laws(ctx, a, p, points, progress)
	return d, err
}

// none is that there is no law.
func none(why string) *searches.Laws {
	return &searches.Laws{Laws: []searches.Law{}, Within: []searches.Ranged{}, Wrong: []searches.WrongLaw{}, None: "none: " + why}
}

// cover adds the ranges of values that have none.
func (r *Request) cover(list []searches.Ranged) {
	r.Over = slices.Clone(r.Over)
	for _, v := range list {
		asked := slices.ContainsFunc(r.Over, func(o ranges.Value) bool { return o.Path == v.Path })
		if !asked && len(r.Over) < ranges.Max {
			r.Over = append(r.Over, ranges.Value{Path: v.Path, Span: amount.Span{Least: time.Duration(v.LeastNS), Most: time.Duration(v.MostNS)}})
		}
	}
}
