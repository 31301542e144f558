package proving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/ranges"
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

func (r *Request) terms(c *format.Scenario) *lawTerms {
	t := &lawTerms{}
	add := func(term execute.Term, over int, most bool) {
		t.terms, t.over, t.most = append(t.terms, term), append(t.over, over), append(t.most, most)
	}
	for _, l := range c.Lengths() {
		if !slices.ContainsFunc(r.Over, func(v ranges.Value) bool { return v.Path == l.Path || strings.HasPrefix(l.Path, v.Path+".") }) {
			add(execute.Term{Name: shortPath(l.Path), Path: l.Path, Is: l.Is, Above: -1}, -1, false)
		}
	}
	for i := range r.Over {
		v := &r.Over[i]
		if isPause(v.Path) {
			continue
		}
		name := shortPath(v.Path)
		add(execute.Term{Name: name + ".min", Path: v.Path, Is: v.Least, Above: len(t.terms) + 1}, i, false)
		add(execute.Term{Name: name + ".max", Path: v.Path, Is: v.Most, Above: -1}, i, true)
	}
	return t
}

// movable are the terms without those that cannot be a little more, such as a TTL of etcd, which is in whole seconds: a
// law has them as numbers.
func (t *lawTerms) movable(r *Request, a *cli.App) *lawTerms {
	kept := &lawTerms{}
	for i := range t.terms {
		one := &lawTerms{t.terms[i : i+1], t.over[i : i+1], t.most[i : i+1]}
		if t.over[i] < 0 {
			if _, err := r.with(one, []time.Duration{t.terms[i].Is + execute.Grain}).Load(a); err != nil {
				continue
			}
		}
		kept.terms, kept.over, kept.most = append(kept.terms, one.terms...), append(kept.over, one.over...), append(kept.most, one.most...)
	}
	return kept
}

// isPause reports whether a path is the duration of pauses, which have the edge.
func isPause(path string) bool {
	return strings.HasPrefix(path, "faults.") || strings.HasPrefix(path, "budget.")
}

// shortPath is a path without the block that says what kind of value it is.
func shortPath(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "params."), "network.")
}

// with is the request with other values of the terms.
func (r *Request) with(t *lawTerms, values []time.Duration) *Request {
	c := *r
	for i, v := range values {
		if j := t.over[i]; j >= 0 {
			c.end(j, t.most[i], v)
		} else {
			c.set(t.terms[i].Path, amount.Span{Least: v, Most: v}.String())
		}
	}
	return &c
}

// end gives a range another end.
func (r *Request) end(i int, most bool, is time.Duration) {
	r.Over = slices.Clone(r.Over)
	v := &r.Over[i]
	if v.Cap = false; most {
		v.Most = is
	} else {
		v.Least = is
	}
}

// set gives a value of the file in place of what it says, and of what was set before.
func (r *Request) set(path, value string) {
	r.Sets = slices.DeleteFunc(slices.Clone(r.Sets), func(s result.Setting) bool { return s.Path == path })
	r.Sets = append(r.Sets, result.Setting{Path: path, Value: value})
}

// FromNone is a proof of pauses from none on where the file has one pause of a single duration, which has no edge and so no law.
func (r *Request) FromNone(a *cli.App, p *execute.Proof) (*execute.Proof, error) {
	path, is := p.Fixed()
	if is == 0 || len(r.Over) == ranges.Max {
		return p, nil
	}
	r.cover([]searches.Ranged{{Path: path, MostNS: int64(is)}})
	r.fixed = is
	return r.prepared(a)
}

// Laws finds the laws of the edge of a proof, at some random points besides. What is known when ctx ends, as after [Request.For],
// is returned.
func (r *Request) Laws(ctx context.Context, a *cli.App, p *execute.Proof, points int, progress func(doing string)) (*searches.Laws, error) {
	t := r.terms(p.Scenario).movable(r, a)
	l := &execute.Laws{Terms: t.terms, Most: p.Longest(), Points: points, Seed: p.Scenario.Seed, States: r.LawStates, For: r.For, Progress: progress}
	l.Load = func(values []time.Duration) (*execute.Proof, error) {
		p, err := r.with(t, values).prepared(a)
		if err != nil {
			err = fmt.Errorf("%w: %s", errRefused, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		return p, err
	}
	laws, err := l.Find(ctx)
	if slices.ContainsFunc(noLaw, func(why error) bool { return errors.Is(err, why) }) {
		laws.None, err = "none: "+err.Error(), nil
	}
	laws.FixedNS = int64(r.fixed)
	return laws, err
}

// errRefused is that a scenario is refused whose durations were drawn.
var errRefused = errors.New("a scenario with other durations is refused")

// noLaw are why there may be none.
var noLaw = []error{execute.ErrNoEdge, execute.ErrNoPath, execute.ErrLimit, errRefused}

// prepared is the proof that is asked for.
func (r *Request) prepared(a *cli.App) (*execute.Proof, error) {
	c, err := r.Load(a)
	if err != nil {
		return nil, err
	}
	p, err := r.Proof(c)
	if err != nil {
		return nil, err
	}
	return p, p.Prepare()
}
