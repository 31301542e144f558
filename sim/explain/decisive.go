package explain

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/stats"
)

// DecisiveOptions say how finely [Decisive] looks.
type DecisiveOptions struct {
	Runs   int    // for each point; 0 is 1,000
	Points int    // at most, but for those that are always taken; 0 is 32
	Seed   uint64 // of the first run for each point; the others have those that follow
	Jobs   int    // worlds at the same time; 0 is one per processor. The answer does not depend on it
	// Progress, if not nil, is called after each point with those so far; it must not
	// keep them.
	Progress func(*Curve)
}

// Curve is how sure a violation was along the run in which it happened.
type Curve struct {
	Property string  `json:"property"` // "" if a step panicked
	Runs     int     `json:"runs"`     // for each point
	Points   []Point `json:"points"`   // in the order of the run
	Decisive int     `json:"decisive"` // the point with the biggest change from the one before; 0 if nothing changes
	Whole    bool    `json:"whole"`    // it was not broken off
}

// Point is how often the property is violated if a run is as it was up to here, and
// everything after that is drawn anew.
type Point struct {
	Step     uint64   `json:"step"` // steps that stay; 0 is the start: nothing stays
	At       sim.Time `json:"at_ns"`
	Node     string   `json:"node,omitempty"`
	What     string   `json:"what"` // the last thing that stays, a sentence
	Fault    bool     `json:"fault,omitempty"`
	Violated int      `json:"violated"`
	Runs     int      `json:"runs"`
	P        float64  `json:"p"`
	Low      float64  `json:"low"` // of the 95% interval
	High     float64  `json:"high"`
}

// unit is a stretch of the run that is not divided: a step with all that is done in its
// midst, or an injection of a fault between two steps.
type unit struct {
	entry int    // of the journal: the injection, or else the step
	fork  uint64 // the step after it
	stand []bool // by fault: it has been injected by then
}

// rewinder computes a curve.
type rewinder struct {
	ctx     context.Context
	search  *explore.Search
	failure *explore.Failure
	options DecisiveOptions
	slice   *slice
	tell    narrator
	units   []unit // the first is the start
	points  map[int]Point
	curve   *Curve
}

// Decisive rewinds a failing run to points along it, and draws from there on everything
// anew: the draws, and those faults of the schedule that had not been injected yet, as many and
// of the same kinds. One that was injected at a message is injected at any of the rest; one that waited
// for an effect is injected before any effect of any node; any other, any node at any
// instant; each as likely, for as long as the budget of s says or else as long as it
// did. But partitions, faults that are injected again and again, and those of logs stay.
// The points are the start, each injection, what the nodes concerned have to tell, the end,
// and as many between two that differ as it takes to see which step makes the
// difference. When ctx is done the curve has the points so far.
func Decisive(ctx context.Context, s *explore.Search, f *explore.Failure, o DecisiveOptions) (*Curve, error) {
	if o.Runs < 0 || o.Points < 0 {
		return nil, errors.New("runs and points must not be negative")
	}
	if o.Runs == 0 {
		o.Runs = 1000
	}
	if o.Points == 0 {
		o.Points = 32
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	k, ok, err := newSlice(ctx, w, f)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errGone(f)
	}
	r := &rewinder{ctx: ctx, search: s, failure: f, options: o, slice: k, points: map[int]Point{}, curve: &Curve{Runs: o.Runs}}
	if f.Property != explore.NoProperty {
		r.curve.Property = s.Program.Properties[f.Property]
	}
	r.tell = narrator{slice: k, names: s.Program.Nodes, shown: make([]bool, len(k.entries))}
	for i := range r.tell.shown {
		r.tell.shown[i] = true
	}
	r.divide()
	return r.curve, r.look()
}

// divide divides the run up to the violation into units.
func (r *rewinder) divide() {
	stand := make([]bool, len(r.failure.Faults))
	for i := range stand {
		stand[i] = stays(&r.failure.Faults[i])
	}
	r.units = append(r.units, unit{entry: -1, stand: slices.Clone(stand)})
	step := -1 // the entry of the last one
	for i := range r.slice.entries {
		e := &r.slice.entries[i]
		last := &r.units[len(r.units)-1]
		injected := e.Step == 0 && e.Fault > 0 && !e.Ends && !stand[e.Fault-1]
		if injected {
			stand[e.Fault-1] = true
		}
		switch {
		case e.At > r.slice.first:
			return
		case e.Step > 0:
			step = i
			r.units = append(r.units, unit{i, e.Step + 1, slices.Clone(stand)})
		case injected && step >= 0 && e.Cause == step && r.slice.entries[step].At == e.At:
			last.entry, last.stand = i, slices.Clone(stand)
		case injected:
			r.units = append(r.units, unit{i, max(last.fork, 1), slices.Clone(stand)})
		}
	}
}

// stays reports whether a fault is never drawn anew.
func stays(f *sim.Fault) bool {
	return f.Do.Of() == sim.TwoSides || f.Do.Row().Budget.Count == "" || !f.When.Every.IsZero() || len(f.When.Replay) > 0
}

// look evaluates the points.
func (r *rewinder) look() error {
	for _, u := range r.landmarks() {
		if err := r.evaluate(u); err != nil {
			return err
		}
	}
	for r.ctx.Err() == nil && len(r.points) < r.options.Points {
		u := r.between()
		if u < 0 {
			break
		}
		if err := r.evaluate(u); err != nil {
			return err
		}
	}
	r.curve.Whole = r.ctx.Err() == nil
	return nil
}

// maxTold bounds how many tellings of the nodes concerned are points in any case.
const maxTold = 12

// landmarks are the units that are always points, in the order in which they are
// evaluated.
func (r *rewinder) landmarks() []int {
	last := len(r.units) - 1
	list := []int{0, last}
	var told []int
	for u := 1; u < last; u++ {
		e := &r.slice.entries[r.units[u].entry]
		if e.Step == 0 {
			list = append(list, u-1, u)
		} else if len(e.Description) > 0 && slices.Contains(r.failure.Finding.Nodes[:], e.Node) {
			told = append(told, u)
		}
	}
	list = append(list, told[max(len(told)-maxTold, 0):]...)
	slices.Sort(list)
	return slices.Compact(list)
}

// notable is how much P must differ between two points for those between to be looked at.
const notable = 0.05

// between is the unit in the middle of the two neighbouring points that differ most;
// -1 if none differ notably that have one between them.
func (r *rewinder) between() int {
	best, most, before := -1, notable, -1
	for u := range r.units {
		p, ok := r.points[u]
		if !ok {
			continue
		}
		if before >= 0 && u-before > 1 {
			if d := change(r.points[before], p); d > most {
				best, most = (before+u)/2, d
			}
		}
		before = u
	}
	return best
}

// change is how much two points differ.
func change(a, b Point) float64 { return max(a.P-b.P, b.P-a.P) }

// evaluate makes a unit a point.
func (r *rewinder) evaluate(u int) error {
	if _, ok := r.points[u]; ok || r.ctx.Err() != nil {
		return nil
	}
	p := Point{What: "the start", Runs: r.options.Runs}
	if i := r.units[u].entry; i >= 0 {
		e := &r.slice.entries[i]
		p.Step, p.At, p.What, p.Fault = r.units[u].fork-1, e.At, r.tell.tells(i), e.Step == 0
		if e.Node != sim.None {
			p.Node = r.tell.name(e.Node)
		}
		if u == len(r.units)-1 && r.curve.Property != "" {
			p.What = r.curve.Property + " is violated"
		}
	}
	n, err := r.again(u)
	if err != nil || r.ctx.Err() != nil {
		return err
	}
	at := stats.Wilson(n, p.Runs)
	p.Violated, p.P, p.Low, p.High = n, float64(n)/float64(p.Runs), at.Low, at.High
	r.points[u] = p
	r.collect()
	if r.options.Progress != nil {
		r.options.Progress(r.curve)
	}
	return nil
}

// collect puts the points in order, and finds the decisive one.
func (r *rewinder) collect() {
	c := r.curve
	c.Points, c.Decisive = c.Points[:0], 0
	most := 0.0
	for u := range r.units {
		p, ok := r.points[u]
		if !ok {
			continue
		}
		if n := len(c.Points); n > 0 && change(c.Points[n-1], p) > most {
			c.Decisive, most = n, change(c.Points[n-1], p)
		}
		c.Points = append(c.Points, p)
	}
}

// tells is an entry as a sentence.
func (n *narrator) tells(i int) string {
	e := &n.slice.entries[i]
	if act := n.act(i); act != "" && len(e.Description) == 0 {
		if e.Node == sim.None {
			return sentence(nil, act)
		}
		return sentence([]string{n.name(e.Node)}, act)
	}
	return e.Description[0]
}
