package execute

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/certify/claim"
	"fencepost/sim/certify/nearest"
	"fencepost/sim/explore"
)

// Proof is a scenario of which a property is to be proven, for all values of what it draws.
type Proof struct {
	Scenario *format.Scenario
	Property int
	Budget   explore.Budget // of pauses besides
	Jobs     int            // states expanded at the same time, 0 for one per processor
	Limits   certify.Limits
	For      time.Duration // for how long, 0 forever
	NoEdge   bool          // do not look for the longest pause
	Steps    []Step
	// Progress, if not nil, is told what is done, how many states are kept and how many wait.
	Progress func(doing string, states, waiting int)

	search  *certify.Search
	waiting int
}

// Step is a range of a step of a clock, of which a file has a single amount.
type Step struct {
	Path        string
	Least, Most time.Duration
}

// Prepare makes the search. Its error says what of the scenario is not covered.
func (p *Proof) Prepare() (err error) {
	s := p.Scenario
	if err := uncovered(s); err != nil {
		return err
	}
	if p.search, err = claim.Of(s.Program, s.Config, p.Budget, p.Property); err != nil {
		return err
	}
	for _, step := range p.Steps {
		k := slices.IndexFunc(p.search.Faults, func(f certify.Fault) bool { return f.Path == step.Path })
		if k < 0 {
			return fmt.Errorf("%s: there is no step of a clock: want the path of one", step.Path)
		}
		p.search.Faults[k].Stepped(step.Least, step.Most)
	}
	p.search.Seed, p.search.Limits, p.search.Jobs = s.Seed, p.Limits, p.Jobs
	p.search.Config.Until = p.Until()
	return nil
}

// Provable are the properties that can be proven, by their index.
func Provable(p *sim.Program) (list []int, err error) {
	stage, err := p.NewStage()
	if err != nil {
		return nil, err
	}
	for i := range p.Properties {
		if stage.RefusesProperty(i) == "" {
			list = append(list, i)
		}
	}
	return list, nil
}

// Until is when a run that shows a violation ends: later than the file says, by all that its faults last.
func (p *Proof) Until() sim.Time {
	end := p.Scenario.Config.Until
	for i := range p.search.Faults {
		if f := &p.search.Faults[i]; f.Do != sim.StepClock {
			end = end.Add(time.Duration(f.Count) * f.Most)
		}
	}
	return end
}

// Ranges is how many ranges of pauses there are, each of which has an edge.
func (p *Proof) Ranges() int { return len(p.search.Faults) }

// Longest is the longest pause that is looked at for an edge.
func (p *Proof) Longest() time.Duration { return widest(p.search.Faults[0].Most) }

// Fixed is the one pause that there is, if the file gives it a single duration: 0 if not.
func (p *Proof) Fixed() (path string, is time.Duration) {
	if f := &p.search.Faults[0]; len(p.search.Faults) == 1 && f.Do == sim.Pause && f.Least == f.Most && strings.HasPrefix(f.Path, "faults.") {
		return f.Path, f.Most
	}
	return "", 0
}

// Drawn are the delays that are drawn and the pauses, from none on, whose edge a law is of.
func (p *Proof) Drawn() (list []searches.Ranged) {
	if d := &p.search.Config.Network.Default.Delay; d.Least() < d.Most() {
		list = append(list, searches.Ranged{Path: "network.delay", LeastNS: int64(d.Least()), MostNS: int64(d.Most())})
	}
	for i := range p.search.Faults {
		if f := &p.search.Faults[i]; f.Do == sim.Pause {
			list = append(list, searches.Ranged{Path: f.Path, MostNS: int64(f.Most)})
		}
	}
	return list
}

// headroom is what a proof needs of memory besides its states, in bytes.
const headroom = 64 << 20

// Refused is that a search came upon something that is not covered, which only its steps show.
type Refused struct{ error }

// Do looks for a violation in all runs, and then for the edge of each range of pauses. If ctx ends
// before that, what is known is returned, which is no error.
func (p *Proof) Do(ctx context.Context, c *searches.Certification) (*explore.Failure, error) {
	if m := p.Limits.Memory; m > 0 { // garbage is not to take a multiple of what is kept
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(m, math.MaxInt64-headroom) + headroom))
	}
	limited, cancel := Timed(ctx, p.For)
	defer cancel()
	c.Schema, c.Edges, c.Assumptions = searches.CertifySchema, []searches.Edge{}, p.Assumptions()
	p.doing("searching")
	r, err := p.search.Run(limited)
	if err != nil {
		return nil, Refused{err}
	}
	outcome := p.report(ctx, c, &r)
	if outcome, err = p.exercised(c, outcome); err != nil {
		return nil, err
	}
	c.Decide(outcome, ctx.Err() != nil)
	if p.NoEdge || c.Word == verdict.NotExercised || c.Word == verdict.Interrupted || r.Verdict == certify.Unknown && limited.Err() != nil {
		return r.Failure, nil
	}
	for k := range p.search.Faults {
		if err := p.edge(limited, c, k, r); err != nil {
			return nil, err
		}
		last := &c.Edges[len(c.Edges)-1]
		last.Stopped = !last.Known && ctx.Err() != nil
	}
	return r.Failure, nil
}

// doing tells the progress of the search what is done from now on.
func (p *Proof) doing(what string) {
	p.search.Progress = func(states, waiting int) {
		p.waiting = waiting
		if p.Progress != nil {
			p.Progress(what, states, waiting)
		}
	}
}

// report puts what the search found into the document.
func (p *Proof) report(ctx context.Context, c *searches.Certification, r *certify.Result) (outcome string) {
	c.Explored = searches.Explored{States: r.States, Events: r.Fired, Deepest: r.Deepest, Bytes: r.Memory}
	switch r.Verdict {
	case certify.Certified:
		return searches.Proven
	case certify.Violated:
		c.Case = Case(&p.Scenario.Program, r.Failure)
		return searches.Refuted
	}
	c.Explored.Waiting = p.waiting
	if c.Bound = "Ctrl-C"; ctx.Err() == nil {
		c.Bound, c.Remedy = p.limit(r.Bound)
	}
	return searches.Open
}

// plainRuns is in how many runs what is certified is to be exercised once.
const plainRuns = 20

// exercised is the outcome of a proof: vacuous where no run of the scenario has anything that the property could check.
func (p *Proof) exercised(c *searches.Certification, outcome string) (string, error) {
	if outcome != searches.Proven {
		return outcome, nil
	}
	s := p.Scenario
	exercised, err := explore.Exercised(&s.Program, s.Config, p.Property, s.Seed, plainRuns)
	if err != nil || exercised {
		return outcome, err
	}
	c.Bound = fmt.Sprintf("no run of %d exercised it", plainRuns)
	c.Remedy = "want a longer until, or parameters with which the property has something to check"
	if needs := s.Program.Bound(p.Property).Needs; needs != "" {
		c.Remedy = needs
	}
	return searches.Vacuous, nil
}

// wider is by how much the edge may lie beyond the range of the pauses.
const wider = 4

// widest is the longest pause of which the edge is looked for.
func widest(most time.Duration) time.Duration { return min(wider*most, certify.Longest) }

// edge looks for the longest pause up to which the property holds: beyond the range, where it holds
// in all of it.
func (p *Proof) edge(ctx context.Context, c *searches.Certification, k int, r certify.Result) error {
	wide := *p.search
	wide.Faults = append([]certify.Fault(nil), wide.Faults...)
	pause := &wide.Faults[k]
	if r.Verdict == certify.Certified {
		pause.Most = widest(pause.Most)
		wide.Config.Until = p.Scenario.Config.Until.Add(time.Duration(pause.Count) * pause.Most)
		p.doing("edge of " + pause.Path)
		wide.Progress = p.search.Progress
		var err error
		if r, err = wide.Run(ctx); err != nil {
			return Refused{err}
		}
	}
	e, err := wide.Edge(ctx, k, r)
	if err == nil {
		err = nearest.Find(ctx, &wide, k, &r, &e)
	}
	if err != nil {
		return Refused{err}
	}
	c.Edges = append(c.Edges, *p.edgeOf(pause, &e))
	return nil
}

// Assumptions are what a verdict rests on, in words.
func (p *Proof) Assumptions() (list []string) {
	n := &p.search.Config.Network
	how := "messages of one link arrive in their order"
	if n.Order == sim.Free {
		how = "messages may overtake one another"
	}
	list = append(list, fmt.Sprintf("each message takes %s; %s; %s", between("any time", n.Default.Delay.Least(), n.Default.Delay.Most()), how, p.messages()))
	for i := range n.Rules {
		d := &n.Rules[i].Link.Delay
		list = append(list, fmt.Sprintf("but on the links of network.links.%d %s", i, between("any time", d.Least(), d.Most())))
	}
	for i := range p.search.Faults {
		list = append(list, p.fault(&p.search.Faults[i]))
	}
	has := func(do sim.Action) bool {
		return slices.ContainsFunc(p.search.Faults, func(f certify.Fault) bool { return f.Do == do })
	}
	if !has(sim.Pause) {
		list = append(list, "no node is paused")
	}
	clocks, crashes := "clocks are perfect", "no node crashes"
	if has(sim.StepClock) {
		clocks = "clocks are perfect but for that"
	}
	if has(sim.Crash) {
		crashes = "no node crashes but for that"
	}
	if rate := p.search.Rate; rate > 0 {
		clocks = fmt.Sprintf("each clock runs at any rate from %v to %v at any moment", -rate, rate)
	}
	return append(list,
		"timers that are drawn take any time in the range of their distribution",
		clocks+", "+p.costs()+", and "+crashes,
		"what happens at one instant happens in any order",
		"runs have no end before nothing more can happen: until is no bound of the proof")
}

// costs is how long steps take.
func (p *Proof) costs() string {
	var words []string
	for i := range p.search.Config.Costs {
		if c := &p.search.Config.Costs[i]; c.Most() > 0 {
			words = append(words, fmt.Sprintf("one of %s %v", p.search.Program.Nodes[i], c.Most()))
		}
	}
	if len(words) == 0 {
		return "a step takes no time"
	}
	return "a step takes no time but " + strings.Join(words, ", ")
}

// messages is what may become of messages besides.
func (p *Proof) messages() string {
	lost, copies := p.search.Losses, p.search.Copies
	of, apart := "", ", the copy at any moment after it was sent"
	if len(p.search.Senders) > 0 {
		of = " of " + p.nodes(p.search.Senders, "and")
	}
	if within := p.search.CopyWithin; within > 0 {
		apart = ", the copy within " + within.String() + " of when it was sent"
	}
	switch {
	case lost == 0 && copies == 0:
		return "none is lost or arrives twice"
	case copies == 0:
		return fmt.Sprintf("any %d%s at most may be lost, and none arrives twice", lost, of)
	case lost == 0:
		return fmt.Sprintf("none is lost, and any %d%s at most may arrive twice%s", copies, of, apart)
	}
	return fmt.Sprintf("any %d%s at most may be lost, and any %d at most arrive twice%s", lost, of, copies, apart)
}

// nodes are the names of some nodes, with a word before the last.
func (p *Proof) nodes(ids []sim.NodeID, word string) string {
	var names []string
	for _, id := range ids {
		names = append(names, p.Scenario.Program.Nodes[id-1])
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
	}
	return names[0]
}

// faultWord is what an edge calls a fault, "" a pause.
func faultWord(f *certify.Fault) string {
	switch {
	case f.Do == sim.Crash:
		return "crash"
	case f.Do == sim.StepClock && f.Back:
		return "step back"
	case f.Do == sim.StepClock:
		return "step"
	}
	return ""
}

func (p *Proof) fault(k *certify.Fault) string {
	of := p.nodes(k.Nodes, "or")
	if len(k.Nodes) > 1 && k.Count > 1 {
		of = "each of " + of
	}
	switch {
	case k.Do == sim.Crash && k.Forever:
		return fmt.Sprintf("at most %s, of %s, at any moment, without a restart", times(k.Count, "crash", "crashes"), of)
	case k.Do == sim.Crash:
		return fmt.Sprintf("at most %s, of %s, at any moment, down for %s", times(k.Count, "crash", "crashes"), of, between("any time", k.Least, k.Most))
	case k.Do == sim.StepClock && k.Back:
		return fmt.Sprintf("at most %s back, of %s, at any moment, by %s", times(k.Count, "step of the wall clock", "steps of the wall clock"), of, between("any amount", k.Least, k.Most))
	case k.Do == sim.StepClock:
		return fmt.Sprintf("at most %s, of %s, at any moment, by %s", times(k.Count, "step of the wall clock", "steps of the wall clock"), of, between("any amount", k.Least, k.Most))
	}
	return fmt.Sprintf("at most %s, of %s, at any moment: before a step, or between two effects of one, for %s",
		units.Plural(k.Count, "pause"), of, between("any time", k.Least, k.Most))
}

// times is a number of what there is one of, or several.
func times(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", several)
}

// between is a range in words, or its one value.
func between(what string, least, most time.Duration) string {
	if least == most {
		return least.String()
	}
	return what + " from " + least.String() + " to " + most.String()
}
