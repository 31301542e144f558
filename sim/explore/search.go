package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/batch"
)

// Mode is how a search goes about.
type Mode uint8

// The modes.
const (
	Random     Mode = iota // faults are drawn from the budget, everything else from the seed
	Exhaustive             // every schedule within the budget, in a fault-free network
	PCT                    // d-1 faults at random choice points
)

// String is the word that the command line uses.
func (m Mode) String() string { return [...]string{"random", "exhaustive", "pct"}[m] }

// Search says what to look for, and where.
type Search struct {
	Program sim.Program
	Config  sim.Config // its faults are injected in every run, besides those of the budget
	Budget  Budget
	// Targets are the properties whose violation ends the search, as indices of
	// [sim.Program].Properties; nil is all of them. A step that panics always ends it.
	Targets []int

	Mode   Mode
	Seed   uint64 // of the first run
	Runs   int    // at most; 0 is as many as there is time for, or as there are
	Jobs   int    // worlds at the same time; 0 is one per processor. The answer does not depend on it
	Depth  int    // of PCT: faults of a run plus 1; 0 is one more than the budget has
	Memory int64  // bytes that an exhaustive search may keep; 0 is 1 GiB

	// Progress, if not nil, is called now and then with what is known so far; it must
	// not keep it.
	Progress func(*Report)
}

// Schedule is everything about a run that a search decides.
type Schedule struct {
	Seed      uint64
	Minimal   bool
	Faults    []sim.Fault // all of them, those of the configuration included
	Overrides []sim.Override
}

// Play runs a schedule. The result holds until the world's next run.
func (s *Schedule) Play(w sim.Runner) (*sim.Result, error) {
	if err := w.Vary(s.Variation()); err != nil {
		return nil, err
	}
	return w.Run(s.Seed), nil
}

// Variation is the schedule as the engine runs it.
func (s *Schedule) Variation() sim.Variation {
	return sim.Variation{Faults: s.Faults, Overrides: s.Overrides, Minimal: s.Minimal}
}

// NoProperty stands for the property that no step panics.
const NoProperty = -1

// Failure is a schedule that violates a property.
type Failure struct {
	Schedule
	Run      int // in which it was found, from 1
	Property int // or [NoProperty]
	Finding  sim.Finding
	Panic    *sim.Panic
	Steps    uint64
	Digest   uint64
}

// Same reports whether a run fails in the same way: the same property, and between
// the same nodes.
func (f *Failure) Same(r *sim.Result) bool {
	if f.Property == NoProperty {
		return r.Panic != nil && r.Panic.Node == f.Panic.Node && r.Panic.Value == f.Panic.Value
	}
	g := &r.Properties[f.Property]
	return g.Verdict == sim.Violated && g.Nodes == f.Finding.Nodes
}

// saw takes down the result of a run of the schedule.
func (f *Failure) saw(r *sim.Result) {
	f.Steps, f.Digest, f.Panic = r.Steps, r.Digest, r.Panic
	if f.Property != NoProperty {
		f.Finding = r.Properties[f.Property]
	}
}

// Report is the result of a search.
type Report struct {
	Runs      int           // schedules that were run
	Steps     uint64        // of all runs together
	States    int           // of an exhaustive search: states in which a node was about to act, each once for each rest of the budget
	Pruned    int           // runs that it broke off, in a state that it had seen
	Faulty    int           // runs in which a fault of the budget was injected
	Together  int           // runs in which two were, or more
	Met       int           // runs in which two overlapped, or one began at most Window after another had ended
	Window    time.Duration // the longest timer of the fault-free run of up to a quarter of it; 0 for a budget of one fault, and of an exhaustive search
	Exercised []int         // by property: runs that checked it
	Violated  []int         // by property: runs that violated it

	Points  int // of the fault-free run and of runs with faults like those searched: places for a fault
	Choices int // the most choices of one run, seen before the search began

	Exhausted bool   // an exhaustive search has run every schedule
	Bound     string // what stopped it otherwise: "runs", "time", "memory", "found"
	Depth     int    // of PCT

	Found *Failure // the first; nil if there is none
}

// Vacuous reports whether not one run checked a property.
func (r *Report) Vacuous(property int) bool { return r.Exercised[property] == 0 }

func newReport(s *Search) *Report {
	n := len(s.Program.Properties)
	return &Report{Exercised: make([]int, n), Violated: make([]int, n)}
}

// maxProperties is how many properties fit into an outcome.
const maxProperties = 64

// Find searches. When ctx is done it returns what is known so far, which is no error:
// [Report].Bound says so. What it returns depends on nothing but s and, where time
// bounds it, on how far it came.
func Find(ctx context.Context, s Search) (*Report, error) {
	p, r, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	if s.Mode == Exhaustive {
		return r, exhaust(ctx, &s, r)
	}
	return r, sample(ctx, &s, p, r)
}

// begin checks a search, and surveys what it may do.
func (s *Search) begin(ctx context.Context) (p *profile, r *Report, err error) {
	if err := s.Check(); err != nil {
		return nil, nil, err
	}
	if s.Jobs <= 0 {
		s.Jobs = runtime.GOMAXPROCS(0)
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, nil, err
	}
	if err := batch.Guarded(func() (err error) { p, err = survey(ctx, s, w); return err }); err != nil {
		return nil, nil, err
	}
	r = newReport(s)
	r.Points, r.Choices = len(p.effects.all)+len(p.messages.all)+len(p.instants), p.choices
	if s.Mode != Exhaustive && s.Budget.Faults() > 1 {
		r.Window = p.timer
	}
	if s.Mode == PCT && s.Depth == 0 {
		s.Depth = s.Budget.Faults() + 1
	}
	return p, r, nil
}

// Check says all that is wrong with the search: what its program does not have, and
// what of its budget its mode cannot do.
func (s *Search) Check() error {
	if s.Program.NewWorld == nil {
		return errors.New("program: there is none: make one with sim.NewProgram")
	}
	errs := []error{s.Budget.Check()}
	n := len(s.Program.Properties)
	if n > maxProperties {
		errs = append(errs, fmt.Errorf("a search checks at most %d properties, the model has %d", maxProperties, n))
	}
	if slices.ContainsFunc(s.Targets, func(p int) bool { return p < 0 || p >= n }) {
		errs = append(errs, fmt.Errorf("targets: want properties 0 to %d, got %v", n-1, s.Targets))
	}
	if s.Runs < 0 || s.Depth < 0 || s.Memory < 0 {
		errs = append(errs, errors.New("runs, depth and memory must not be negative"))
	}
	if s.Mode != Random && s.Budget.Loss > 0 {
		errs = append(errs, errors.New("budget: loss is a chance, for random search: give lost, the most messages that are lost"))
	}
	if s.Mode != Random && s.Budget.Cuts > 0 {
		errs = append(errs, errors.New("budget: cuts are for random search: give lost, the most messages that are lost"))
	}
	if s.Mode != Random && s.Budget.Slews > 0 {
		errs = append(errs, errors.New("budget: slews are for random search: the others inject only in the middle of a run"))
	}
	for _, a := range s.Budget.Others {
		if k := a.Do.Row(); s.Mode != Random && k != nil {
			errs = append(errs, fmt.Errorf("budget: %s are for random search: the other modes inject pauses, suspends, crashes and clock steps into nodes, and no other kind", k.Budget.Count))
		}
	}
	if s.Mode == PCT && s.Budget.Late+s.Budget.Lost+s.Budget.Duplicated > 0 {
		errs = append(errs, errors.New("budget: pct injects faults into nodes and not messages: late, lost and duplicated are for the others"))
	}
	if most := s.Budget.Faults() + 1; s.Mode == PCT && s.Depth > most {
		errs = append(errs, fmt.Errorf("depth: want at most %d, one more than the faults of the budget, got %d", most, s.Depth))
	}
	if s.Mode > PCT {
		errs = append(errs, fmt.Errorf("mode: there is no mode %d", uint8(s.Mode)))
	}
	if n := len(s.Budget.faultChoices(s.Config.Until)) + len(s.Budget.sendings(s.Config.Until)); s.Mode == Exhaustive && n > math.MaxInt16 {
		errs = append(errs, fmt.Errorf("budget: an exhaustive search tries at most %d lengths in all, got %d", math.MaxInt16, n))
	}
	b := &s.Budget
	nodes := slices.Concat(b.Nodes, b.PauseNodes, b.CrashNodes, b.StepNodes, b.SlewNodes, b.CutNodes, b.MessageNodes)
	for i := range b.Others {
		nodes = append(nodes, b.Others[i].Nodes...)
	}
	for _, id := range nodes {
		if id <= sim.None || int(id) > len(s.Program.Nodes) {
			errs = append(errs, fmt.Errorf("budget: there is no node %d, only 1 to %d", id, len(s.Program.Nodes)))
		}
	}
	if s.Mode == Exhaustive && b.differ() {
		errs = append(errs, errors.New("budget: an exhaustive search has one list of nodes for all kinds of fault: want nodes, or --mode random"))
	}
	return errors.Join(errs...)
}

// outcome is the result of a run, in a few words of memory.
type outcome struct {
	checked, violated uint64 // by property
	steps             uint64
	panicked          bool
	faulty            bool
	together, met     bool
	stopped           bool
}

// outcomeOf sums up a result; its first scripted faults are those of the file, not of the budget.
func outcomeOf(r *sim.Result, scripted int) outcome {
	o := outcome{steps: r.Steps, panicked: r.Panic != nil, stopped: r.Stopped}
	if r.Stopped {
		return o
	}
	for i := range r.Properties {
		switch r.Properties[i].Verdict {
		case sim.Violated:
			o.violated |= 1 << i
			o.checked |= 1 << i
		case sim.Holds:
			o.checked |= 1 << i
		}
	}
	for i := scripted; i < len(r.Faults); i++ {
		o.faulty = o.faulty || r.Faults[i].Count > 0
	}
	return o
}

// add takes in a run's outcome and reports whether it is what is looked for.
func (r *Report) add(o *outcome, targets uint64) bool {
	r.Runs++
	r.Steps += o.steps
	if o.stopped {
		r.Pruned++
	}
	if o.faulty {
		r.Faulty++
	}
	if o.together {
		r.Together++
	}
	if o.met {
		r.Met++
	}
	for i := range r.Exercised {
		r.Exercised[i] += int(o.checked >> i & 1)
		r.Violated[i] += int(o.violated >> i & 1)
	}
	return o.panicked || o.violated&targets != 0
}

// targets is the properties looked for, as a set.
func (s *Search) targets() uint64 {
	if len(s.Targets) == 0 {
		return ^uint64(0)
	}
	set := uint64(0)
	for _, p := range s.Targets {
		set |= 1 << p
	}
	return set
}

// failure is a schedule that failed, run again without anything that searches.
func (s *Search) failure(w sim.Runner, sch Schedule, run int) (*Failure, error) {
	w.SetAdversary(nil)
	r, err := sch.Play(w)
	if err != nil {
		return nil, err
	}
	f := &Failure{Schedule: sch, Run: run, Property: NoProperty}
	if r.Panic == nil {
		f.Property = s.first(r)
		if f.Property == NoProperty {
			return nil, fmt.Errorf("seed %d: what the search found is not reproduced", sch.Seed)
		}
	}
	f.saw(r)
	return f, nil
}

// first is the target that is violated first.
func (s *Search) first(r *sim.Result) int {
	best := NoProperty
	for i := range r.Properties {
		f := &r.Properties[i]
		if s.targets()>>i&1 == 1 && f.Verdict == sim.Violated && (best < 0 || f.First < r.Properties[best].First) {
			best = i
		}
	}
	return best
}
