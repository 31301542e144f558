package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/reports/searches"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// lawTerms are the durations of a scenario that a law may have, and where each stands: the single
// ones that the file and --set write, and the ends of the ranges, but for those of pauses.
type lawTerms struct {
	terms []execute.Term
	over  []int  // by term: the range whose end it is, -1 if none
	most  []bool // it is the longer end
}

func (o *certifyOptions) terms(c *format.Scenario) *lawTerms {
	t := &lawTerms{}
	add := func(term execute.Term, over int, most bool) {
		t.terms, t.over, t.most = append(t.terms, term), append(t.over, over), append(t.most, most)
	}
	for _, l := range c.Lengths() {
		if !slices.ContainsFunc(o.Over, func(r ranges.Value) bool { return r.Path == l.Path || strings.HasPrefix(l.Path, r.Path+".") }) {
			add(execute.Term{Name: shortPath(l.Path), Path: l.Path, Is: l.Is, Above: -1}, -1, false)
		}
	}
	for i := range o.Over {
		r := &o.Over[i]
		if strings.HasPrefix(r.Path, "faults.") || strings.HasPrefix(r.Path, "budget.") {
			continue
		}
		name := shortPath(r.Path)
		add(execute.Term{Name: name + ".min", Path: r.Path, Is: r.Least, Above: len(t.terms) + 1}, i, false)
		add(execute.Term{Name: name + ".max", Path: r.Path, Is: r.Most, Above: -1}, i, true)
	}
	return t
}

// shortPath is a path without the block that says what kind of value it is.
func shortPath(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "params."), "network.")
}

// with are the options with other values of the terms.
func (o *certifyOptions) with(t *lawTerms, values []time.Duration) *certifyOptions {
	c := *o
	c.Sets, c.Over = slices.Clone(o.Sets), slices.Clone(o.Over)
	for i, v := range values {
		switch r := t.over[i]; {
		case r < 0:
			c.Sets = slices.DeleteFunc(c.Sets, func(s result.Setting) bool { return s.Path == t.terms[i].Path })
			c.Sets = append(c.Sets, result.Setting{Path: t.terms[i].Path, Value: amount.Span{Least: v, Most: v}.String()})
		case t.most[i]:
			c.Over[r].Most, c.Over[r].Cap = v, false
		default:
			c.Over[r].Least, c.Over[r].Cap = v, false
		}
	}
	return &c
}

// laws finds the laws of the edge, and puts them into the document.
func (a *app) laws(ctx context.Context, o *certifyOptions, p *execute.Proof, d *searches.Certification, m *terminal.Meter) error {
	t := o.terms(p.Scenario)
	l := &execute.Laws{Terms: t.terms, Most: p.Longest(), Points: o.Points, Seed: p.Scenario.Seed, Progress: m.Show}
	l.Load = func(values []time.Duration) (*execute.Proof, error) {
		at := o.with(t, values)
		c, err := a.loadOver(at)
		if err != nil {
			return nil, err
		}
		q, err := at.proof(c)
		if err != nil {
			return nil, err
		}
		return q, q.Prepare()
	}
	laws, err := l.Find(ctx)
	if errors.Is(err, execute.ErrNoEdge) || errors.Is(err, execute.ErrKink) {
		laws.None, err = "none: "+err.Error(), nil
	}
	d.Law = laws
	return err
}
