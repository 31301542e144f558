package proving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/internal/splitmix"
	"fencepost/reports/searches"
	"fencepost/sim"
)

// Map is over which two durations of a scenario to draw where a property holds: x is any that the file writes, or
// the longer end of a range, and y is a pause.
type Map struct {
	X, Y    ranges.Value
	Columns int // values of x, from one end to the other
}

// The bounds of a map, and what it samples besides.
const (
	fewColumns, someColumns, mostColumns = 2, 9, 100

	samples = 40 // pauses of a column with which runs are tried
	runs    = 20 // with each
)

const mapExample = "x=PATH:A..B/N,y=PATH:A..B, as in x=params.ttl:1s..10s/9,y=faults.0.for:0..10s"

// ParseMap reads --map. Its error has all mistakes.
func ParseMap(text string) (*Map, error) {
	m := &Map{Columns: someColumns}
	parts := strings.Split(text, ",")
	if len(parts) != 2 {
		return nil, fmt.Errorf("--map: want %s, got %q", mapExample, text)
	}
	var errs []error
	for i, axis := range []struct {
		name string
		to   *ranges.Value
	}{{"x", &m.X}, {"y", &m.Y}} {
		name, value, found := strings.Cut(parts[i], "=")
		path, span, colon := strings.Cut(value, ":")
		if !found || !colon || name != axis.name || path == "" {
			errs = append(errs, fmt.Errorf("--map: want %s, got %q", mapExample, parts[i]))
			continue
		}
		span, columns, divided := strings.Cut(span, "/")
		n, err := strconv.Atoi(columns)
		switch {
		case divided && name == "y":
			errs = append(errs, errors.New("--map: y: the edge is found to the nanosecond: want no /N"))
		case divided && (err != nil || n < fewColumns || n > mostColumns):
			errs = append(errs, fmt.Errorf("--map: x: want %d to %d points behind the /, got %q", fewColumns, mostColumns, columns))
		case divided:
			m.Columns = n
		}
		axis.to.Path, axis.to.Map = path, name
		switch axis.to.Span, err = amount.ParseSpan(span); {
		case err != nil:
			errs = append(errs, fmt.Errorf("--map: %s: %w", name, err))
		case axis.to.Least == axis.to.Most:
			errs = append(errs, fmt.Errorf("--map: %s: want a range, as in 0..%v, got %v", name, axis.to.Most, axis.to.Most))
		}
	}
	if len(errs) == 0 && !strings.HasPrefix(m.Y.Path, "faults.") {
		errs = append(errs, fmt.Errorf("--map: y: want the duration of a pause of the file, such as faults.0.for, got %s", m.Y.Path))
	}
	if len(errs) == 0 && m.X.Path == m.Y.Path {
		errs = append(errs, fmt.Errorf("--map: x and y are both %s: want two paths", m.X.Path))
	}
	return m, errors.Join(errs...)
}

// at is the ith value of x: in whole milliseconds where the ends are and the values lie as far apart, for some
// parameters take no others.
func (m *Map) at(i int) time.Duration {
	steps, unit := time.Duration(m.Columns-1), time.Microsecond
	if m.X.Least%time.Millisecond == 0 && m.X.Most%time.Millisecond == 0 && m.X.Most-m.X.Least >= steps*time.Millisecond {
		unit = time.Millisecond
	}
	return (m.X.Least + (m.X.Most-m.X.Least)*time.Duration(i)/steps).Round(unit)
}

// column is the request with a value of x.
func (m *Map) column(r *Request, x time.Duration) *Request {
	c := *r
	if i := slices.IndexFunc(r.Over, func(v ranges.Value) bool { return v.Path == m.X.Path }); i >= 0 {
		c.end(i, true, x)
		c.Over[i].Map = m.X.Map
	} else {
		c.set(m.X.Path, amount.Span{Least: x, Most: x}.String())
	}
	return &c
}

// proven is the request with a value of x, and the range of y.
func (m *Map) proven(r *Request, x time.Duration) *Request {
	return m.with(m.column(r, x), m.Y)
}

// with is the request with a range of y.
func (m *Map) with(r *Request, y ranges.Value) *Request {
	c := *r
	c.Over = append(slices.Clip(c.Over), y)
	return &c
}

// located says of a mistake that a value of x makes where that was given.
func (m *Map) located(err error) error { return ranges.Located([]ranges.Value{m.X}, err) }

// Begin is the map before anything is proven. Its error says what is wrong with the request.
func (m *Map) Begin(r *Request, a *cli.App) (*searches.Map, error) {
	for _, v := range r.Over {
		switch {
		case v.Path == m.Y.Path:
			return nil, cli.Usage(fmt.Errorf("certify: --map: y: %s has a range by --%s already: want one of the two", v.Path, v.Flag()))
		case v.Path == m.X.Path && v.Least > m.X.Least:
			return nil, cli.Usage(fmt.Errorf("certify: --map: x: %s is %v at least, by --%s: want no less, got %v", v.Path, v.Least, v.Flag(), m.X.Least))
		}
	}
	if err := m.ofDrawn(r, a); err != nil {
		return nil, err
	}
	for i := range m.Columns { // before anything is searched
		if _, err := m.proven(r, m.at(i)).Load(a); err != nil {
			return nil, m.located(err)
		}
	}
	q := m.proven(r, m.X.Least)
	c, err := q.Load(a)
	if err != nil {
		return nil, m.located(err)
	}
	p, err := q.Proof(c)
	if err != nil {
		return nil, err
	}
	if err := p.Prepare(); err != nil {
		return nil, NotCovered(c, err)
	}
	if !p.IsOf(m.Y.Path) {
		return nil, cli.Usage(fmt.Errorf("certify: --map: y: %s is not the one range of pauses there is: want a scenario with one pause, and no pauses by --budget", m.Y.Path))
	}
	d := &searches.Map{Schema: searches.MapSchema, Scenario: c.Name, About: c.About, Source: c.Source, Model: c.Model, Settings: r.Sets, Seed: c.Seed,
		Property: c.Program.Properties[p.Property], Over: []searches.Ranged{}, X: m.X.Ranged(), Y: m.Y.Ranged(), Assumptions: p.Assumptions(), Columns: []searches.Column{}}
	for i := range r.Over {
		v := &r.Over[i]
		if v.Path == m.X.Path {
			d.From = &searches.Ranged{Path: v.Path, LeastNS: int64(v.Least), MostNS: int64(v.Least)}
			continue
		}
		d.Over = append(d.Over, v.Ranged())
	}
	return d, nil
}

// ofDrawn refuses an x that would be the one value of what the file draws from a range.
func (m *Map) ofDrawn(r *Request, a *cli.App) error {
	s, err := m.with(r, m.Y).Load(a)
	if err != nil {
		return err
	}
	d := ranges.DrawnAt(s, m.X.Path)
	if d == nil || d.Least() == d.Most() || slices.ContainsFunc(r.Over, func(v ranges.Value) bool { return v.Path == m.X.Path }) {
		return nil
	}
	return cli.Usage(fmt.Errorf("certify: --map: x: the file draws %s from %v to %v, and x would be one value for all: want --over %s=%v..%v as well, of which x is the longer end, or --set %s=%v for one value",
		m.X.Path, d.Least(), d.Most(), m.X.Path, d.Least(), d.Most(), m.X.Path, d.Most()))
}

// Draw finds the edge at each x, and plays runs with pauses on both sides of it. If ctx ends before that, the map
// has what is done.
func (m *Map) Draw(ctx context.Context, r *Request, a *cli.App, d *searches.Map, progress func(doing string)) error {
	random := splitmix.Stream(d.Seed)
	for i := range m.Columns {
		x := m.at(i)
		progress(fmt.Sprintf("%s = %v, %d of %d", m.X.Path, x, i+1, m.Columns))
		q := m.column(r, x)
		p, err := m.proven(r, x).prepared(a)
		if err != nil {
			return m.located(err)
		}
		e, err := p.Region(ctx)
		if err != nil || ctx.Err() != nil {
			return err
		}
		c := searches.Column{XNS: int64(x), Edge: *e}
		if err := m.sample(ctx, q, a, p, &c, &random); err != nil || ctx.Err() != nil {
			return err
		}
		d.Add(&c)
	}
	d.Complete = true
	return nil
}

// sample plays runs with pauses of a column: half of them anywhere, and half near the edge.
func (m *Map) sample(ctx context.Context, r *Request, a *cli.App, p *execute.Proof, c *searches.Column, random *splitmix.Stream) error {
	all := int64(m.Y.Most - m.Y.Least)
	for k := range samples {
		y := int64(m.Y.Least) + int64(random.Below(uint64(all)+1))
		if near := all / 10; k%2 == 1 && c.HoldsNS >= 0 && near > 0 {
			y = min(max(c.HoldsNS+int64(random.Below(uint64(near)))-near/2, int64(m.Y.Least)), int64(m.Y.Most))
		}
		y = max(y-y%int64(time.Microsecond), int64(time.Microsecond)) // no pause is of length 0
		s, err := m.with(r, ranges.Value{Path: m.Y.Path, Span: amount.Span{Least: time.Duration(y), Most: time.Duration(y)}}).Load(a)
		if err != nil {
			return err
		}
		config := s.Config
		config.Until = p.Until()
		w, err := s.Program.NewWorld(config)
		if err != nil {
			return err
		}
		violated := 0
		for n := range uint64(runs) {
			if ctx.Err() != nil {
				return nil
			}
			if w.Run(s.Seed + n).Properties[p.Property].Verdict == sim.Violated {
				violated++
			}
		}
		c.Samples = append(c.Samples, searches.Sample{YNS: y, Runs: runs, Violated: violated})
	}
	return nil
}
