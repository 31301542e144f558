// Package execute runs a scenario and puts its result into a report.
package execute

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"fencepost/reports"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/batch"
	"fencepost/sim/stats"
)

// Plan is a scenario and how it is to be run.
type Plan struct {
	Scenario *format.Scenario
	Mode     string // "", reports.Control or reports.NoFaults
	Settings []result.Setting
	// Changed is what the command changed in the scenario besides the mode: then its file's expectations excuse nothing.
	Changed []string
	Jobs    int
	Headers bool  // report what is answered in the first run
	Plain   bool  // without what only documents and figures have: series, a timeline, an order
	Memory  int64 // that a replay of requests may keep, in bytes; 0 is as it is
	// Command is the command that does that many runs again, from a seed, of the point
	// of the grid with the given settings.
	Command func(seed uint64, runs int, point []result.Setting) string
	// Progress, if not nil, is told now and then how far it has come.
	Progress func(Progress)
	// Kept are the first points of the grid, if they were run before.
	Kept []Point
	// Keep, if not nil, is told each further point when it is finished.
	Keep func(*Point) error

	// Tallied, if not nil, is told what the runs of each point add up to.
	Tallied func(*format.Scenario, *stats.Tally)

	joined []*stats.Tally // by point, of parts: nothing is run
}

// changed is all that the command changed.
func (p *Plan) changed() []string {
	switch p.Mode {
	case reports.NoFaults:
		return append(slices.Clip(p.Changed), "no faults")
	case reports.Control:
		return append(slices.Clip(p.Changed), "its control")
	}
	return p.Changed
}

// Progress is how far a plan has come.
type Progress struct {
	Done, Total int // runs
	Violated    int // of the runs done at this point, those of the property that is violated most
	// Point is the point of the grid, from 1, of Points; 0 of 0 without a grid. Kept is
	// how many of the runs done were done before.
	Point, Points, Kept int
	// Part is how much of a single run without nodes is done, of Whole: bytes
	// of a log, or else nanoseconds.
	Part, Whole int64
	Bytes       bool
}

// Run runs a scenario, or each point of its grid. If ctx ends before that, it
// returns what is done, of a grid the points that are finished, with the error of ctx,
// or nil if that is nothing; with [ErrNoEnd] if a run does not stop.
func Run(ctx context.Context, p *Plan) (*reports.Run, error) {
	return abandon(ctx, p.Scenario.Name, patience, func() (*reports.Run, error) { return run(ctx, p) })
}

func run(ctx context.Context, p *Plan) (*reports.Run, error) {
	s := p.Scenario
	r := &reports.Run{
		Schema: reports.RunSchema, Scenario: s.Name, About: s.About, Source: s.Source, Model: s.Model,
		Mode: p.Mode, Settings: p.Settings, Changed: p.changed(), Seed: s.Seed, Runs: s.Runs, UntilNS: int64(s.Until), Show: s.Show, Plots: s.Plots,
	}
	r.Inputs = slices.Clone(s.Inputs)
	if len(s.Variants) > 0 {
		r, err := runGrid(ctx, p, r)
		if r != nil {
			r.Decide()
		}
		return r, err
	}
	one := point{plan: p, scenario: s, progress: Progress{Total: s.Runs}}
	err := one.run(ctx)
	if one.runs == 0 {
		return nil, err
	}
	readInto(r, one.inputs, int64(one.span))
	r.BrokenOff = one.stopped
	r.Outcome, r.Logs = one.outcome, one.logs
	if p.Headers {
		if r.Sent, err = sentBy(s); err != nil {
			return r, err
		}
	}
	if one.runs < s.Runs {
		r.Runs, r.RunsWanted = one.runs, s.Runs
	}
	r.Decide()
	return r, err
}

// point is one scenario without a grid, and then its result.
type point struct {
	plan     *Plan
	index    int // of the grid
	scenario *format.Scenario
	settings []result.Setting
	progress Progress // at its start: what is done, of how much

	runs    int
	world   sim.Runner // of the only run, which it watched; nil if there are more
	moments []sim.Moment
	outcome reports.Outcome
	logs    []reports.Log
	inputs  []result.Input // that were read while it ran
	span    time.Duration  // of them
	stopped bool           // before their end
}

func (p *point) run(ctx context.Context) error {
	s := p.scenario
	var progress func(*stats.Tally)
	if p.plan.Progress != nil {
		progress = func(t *stats.Tally) {
			g := p.progress
			g.Done, g.Violated = g.Done+t.Runs, mostViolated(t)
			p.plan.Progress(g)
		}
	}
	requests := replays{ctx: ctx, memory: p.plan.Memory}
	if s.Runs == 1 && len(p.settings) == 0 {
		requests.progress = p.plan.Progress
	}
	t, err := p.tally(ctx, requests.watched(s.Program), progress)
	if err == nil {
		err = requests.err()
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if t == nil || t.Runs == 0 {
		return err
	}
	p.runs = t.Runs
	p.inputs, p.span = requests.inputs()
	p.stopped = requests.stopped
	if p.plan.Tallied != nil {
		p.plan.Tallied(s, t)
	}
	p.outcome = reports.Collect(&s.Program, &s.Config, t)
	p.outcome.Expectations = Evaluate(s, t)
	if err := certifyExpected(ctx, s, p.outcome.Expectations); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	p.outcome.Decide(p.plan.changed(), t.Runs, "")
	if p.outcome.Word.Bad() && p.plan.Command != nil {
		seed, runs := p.reproduction(t.Runs)
		p.outcome.Reproduce = p.plan.Command(seed, runs, p.settings)
	}
	if told := p.tell(t); told != nil {
		return told
	}
	if p.plan.Plain {
		return err
	}
	if bad := watch(s, &p.outcome); bad != nil {
		return bad
	}
	return err
}

// tally is the results of all runs: of the parts, if there are some.
func (p *point) tally(ctx context.Context, program sim.Program, progress func(*stats.Tally)) (*stats.Tally, error) {
	if p.plan.joined != nil {
		return p.plan.joined[p.index], nil
	}
	s := p.scenario
	if s.Runs == 1 && !s.Replays() {
		program = p.watched(program)
	}
	t, _, err := batch.Runs(ctx, batch.Options{Program: program, Config: s.Config, Seed: s.Seed, Runs: s.Runs, Jobs: p.plan.Jobs}, progress)
	return t, err
}

// watched is the program of a single run, whose world keeps what tell asks for: else it would be run twice.
func (p *point) watched(program sim.Program) sim.Program {
	build := program.NewWorld
	program.NewWorld = func(c sim.Config) (sim.Runner, error) {
		w, err := build(c)
		if err != nil {
			return nil, err
		}
		p.keepMoments(w)
		p.world = w
		return w, nil
	}
	return program
}

// keepMoments keeps the moments of the next run for the log, which a point of a grid has not.
func (p *point) keepMoments(w sim.Runner) {
	if len(p.settings) == 0 {
		w.Watch(sim.Watch{Moments: func(m sim.Moment) { p.moments = append(p.moments, m) }})
	}
}

func mostViolated(t *stats.Tally) int {
	n := 0
	for i := range t.Properties {
		n = max(n, t.Properties[i].Violated)
	}
	return n
}

// reproduction is the fewest runs that show again what is wrong: the one run with a violation that nothing excuses, or else
// all of them.
func (p *point) reproduction(runs int) (uint64, int) {
	s, o := p.scenario, &p.outcome
	if o.Panic != nil {
		return o.Panic.Seed, 1
	}
	for i := range o.Properties {
		q := &o.Properties[i]
		predicted := func(e reports.Expectation) bool { return e.Name == q.Name && e.Kind == reports.Violated }
		if q.First != nil && (len(p.plan.changed()) > 0 || !slices.ContainsFunc(o.Expectations, predicted)) {
			return q.First.Seed, 1
		}
	}
	return s.Seed, runs
}

// tell runs the first violations again, to say how they came about, and to tell
// the log of the first run that has one; that of a single run is told anyway, and it is not run again.
func (p *point) tell(t *stats.Tally) error {
	s := p.scenario
	told, seed := 0, s.Seed
	if t.Runs == 1 {
		told = 1
	}
	first := func(run int, at uint64) {
		if told == 0 || run < told {
			told, seed = run, at
		}
	}
	for i := range p.outcome.Properties {
		if f := p.outcome.Properties[i].First; f != nil {
			first(f.Run, f.Seed)
		}
	}
	if f := p.outcome.Panic; f != nil {
		first(f.Run, f.Seed)
	}
	if told == 0 || s.Replays() && mostViolated(t) == 0 { // a replay has no log
		return nil
	}
	world := p.world
	if world == nil {
		var err error
		if world, err = s.Program.NewWorld(s.Config); err != nil {
			return err
		}
		p.keepMoments(world)
	}
	log := reports.Log{Run: told, Seed: seed}
	for _, seed := range seeds(p.outcome.Properties, seed) {
		if p.world == nil {
			world.Run(seed)
			world.Watch(sim.Watch{})
		}
		for i := range p.outcome.Properties {
			if f := p.outcome.Properties[i].First; f != nil && f.Seed == seed {
				f.Why = world.Why(i)
				if f.Run == told {
					log.Decisive = append(log.Decisive, sim.Time(f.AtNS))
				}
			}
		}
	}
	if s.Program.Ordered && s.Runs == 1 && len(p.settings) == 0 { // the world has made the only run
		var err error
		if p.outcome.Order, err = orderOf(s.Program.Nodes, world.Order()); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	log.Moments = p.moments
	slices.SortStableFunc(log.Moments, func(a, b sim.Moment) int { return cmp.Compare(a.At, b.At) })
	if f := p.outcome.Panic; f != nil && f.Seed == seed {
		log.Decisive = append(log.Decisive, sim.Time(f.AtNS))
		log.Moments = append(log.Moments, sim.Moment{At: sim.Time(f.AtNS), Text: fmt.Sprintf("%s panics, handling %s: %s", f.Node, f.Message, f.Value)})
	}
	p.logs = []reports.Log{log}
	return nil
}

// seeds lists the seeds of the first violations once each, after the given one.
func seeds(properties []reports.Property, first uint64) []uint64 {
	list, seen := []uint64{first}, map[uint64]bool{first: true}
	for i := range properties {
		if f := properties[i].First; f != nil && !seen[f.Seed] {
			seen[f.Seed] = true
			list = append(list, f.Seed)
		}
	}
	return list
}

// Trace writes the full trace of a scenario's first run, and after it the stack if
// the model panics.
func Trace(s *format.Scenario, out io.Writer) error {
	world, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	w := &firstError{out: out}
	world.Watch(sim.Watch{Trace: w})
	if p := world.Run(s.Seed).Panic; p != nil && w.err == nil {
		_, w.err = fmt.Fprintf(out, "%12s  %s panicked, handling %s: %s\n%s", p.At, p.Name, p.Message, p.Value, p.Stack)
	}
	return w.err
}

// firstError keeps the error that a trace does not report.
type firstError struct {
	out io.Writer
	err error
}

func (w *firstError) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(b)
	w.err = err
	return n, err
}
