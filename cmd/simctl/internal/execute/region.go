package execute

import (
	"context"

	"fencepost/reports/searches"
	"fencepost/sim/certify"
)

// IsOf reports whether the proof has one range of pauses, that of a path.
func (p *Proof) IsOf(path string) bool {
	return len(p.search.Faults) == 1 && p.search.Faults[0].Path == path
}

// Region is up to which pause of their only range the property holds.
func (p *Proof) Region(ctx context.Context) (*searches.Edge, error) {
	r, err := p.search.Run(ctx)
	if err != nil {
		return nil, err
	}
	e, err := p.search.Edge(ctx, 0, r)
	if err != nil {
		return nil, err
	}
	return p.edgeOf(&p.search.Faults[0], &e), nil
}

// edgeOf is an edge as the document has it. That it is not beyond the longest pause is no news.
func (p *Proof) edgeOf(f *certify.Fault, e *certify.Edge) *searches.Edge {
	d := &searches.Edge{Path: f.Path, HoldsNS: int64(e.Holds), FromNS: int64(e.From), EndNS: int64(f.Most), States: e.Result.States,
		Fault: faultWord(f), Known: e.Holds < 0 || e.Result.Verdict == certify.Certified}
	if !d.Known {
		if d.HoldsNS = -1; e.Holds < f.Most {
			d.AtMostNS = int64(e.Holds)
		}
	}
	return d
}
