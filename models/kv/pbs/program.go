package pbs

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/internal/nodeless"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// quorumRead is the property that a read returns the write. It is checked where R + W > N, so that the quorums of both
// always share a replica.
const quorumRead = "quorum-read"

// latencies are the quantiles that are measured of writes and reads, in thousandths.
var latencies = []struct {
	name     string
	perMille int
}{{"p99.9", 999}, {"p99", 990}, {"p50", 500}}

// visible is the quantile of t-visibility that is measured, in thousandths.
const visible = 999

// Program is the trials as what runs programs takes them: one without nodes. Of each run
// it measures quantiles, so that their intervals are those of independent runs, however
// heavy the tails.
func (p *Params) Program() sim.Program {
	return sim.Program{
		Properties: []string{quorumRead},
		Bounds:     []sim.Bound{p.bound()},
		Measures:   p.measures(),
		NewWorld: func(c sim.Config) (sim.Runner, error) {
			if err := values.Refuse("pbs", p.Problems()); err != nil {
				return nil, err
			}
			if len(c.Faults) > 0 {
				return nil, nodeless.ErrNoNodes
			}
			return newRunner(p, DefaultMemory), nil
		},
	}
}

// overlap reports whether the quorums of a read and a write always share a replica.
func (p *Params) overlap() bool {
	q := p.quorums()
	return q.R+q.W > q.N
}

// bound says what the property allows, or why it checks nothing.
func (p *Params) bound() sim.Bound {
	q := p.quorums()
	if !p.overlap() {
		return sim.Bound{Idle: fmt.Sprintf("R + W = %d is not more than N = %d, so a read may miss the write", q.R+q.W, q.N)}
	}
	return sim.Bound{Text: fmt.Sprintf("R + W = %d is more than N = %d", q.R+q.W, q.N)}
}

// measures are, in the order of [Runner.result], those of freshness, of the latencies, and
// of versions.
func (p *Params) measures() []sim.Measure {
	list := []sim.Measure{{Name: "trials", Total: true}}
	for i, t := range p.T {
		name := "fresh"
		if i > 0 {
			name += "/" + values.Length(t)
		}
		list = append(list, sim.Measure{Name: name, Total: true, Per: "trials", Independent: true})
	}
	list = append(list, sim.Measure{Name: "t-visibility-p99.9", Unit: sim.Duration, Total: true})
	for _, operation := range []string{"read", "write"} {
		for _, q := range latencies {
			list = append(list, sim.Measure{Name: operation + "-" + q.name, Unit: sim.Duration, Total: true})
		}
	}
	if p.Versions > 0 {
		list = append(list, sim.Measure{Name: "within-versions", Total: true, Per: "trials", Independent: true})
	}
	return list
}

// DefaultMemory is what the outcomes of a run may take, in bytes: 24 for each trial.
const DefaultMemory = 1 << 30

// Runner runs the trials of one seed after the other. It is a [sim.Runner] for what needs
// nothing but results.
type Runner struct {
	nodeless.Runner
	params               *Params
	memory               int64
	write, read, visible []time.Duration                // of each trial, in any order
	mutant               func(Outcome, *Trials) Outcome // of tests: what goes wrong
	why                  string
	err                  error
}

func newRunner(p *Params, memory int64) *Runner {
	return &Runner{params: p, memory: memory}
}

// Bound changes the bytes that a run may keep from [DefaultMemory].
func (r *Runner) Bound(memory int64) { r.memory = memory }

// Span says that no time passes in a run: a trial has no clock.
func (*Runner) Span() time.Duration { return -1 }

// Err is why the last run has no result, nil if it has one.
func (r *Runner) Err() error { return r.err }

// Why implements [sim.Runner].
func (r *Runner) Why(int) string { return r.why }

// pace is how many trials there are between two questions whether to continue.
const pace = 1 << 14

// Run implements [sim.Runner].
func (r *Runner) Run(seed uint64) *sim.Result {
	p, digest := r.params, sim.Digest(seed)
	result := &sim.Result{Seed: seed, Properties: []sim.Finding{{First: sim.Never}}}
	r.why, r.err = "", nil
	if need := 24 * int64(p.Trials); need > r.memory {
		r.err = fmt.Errorf("%d trials take %d MiB, and %d MiB are allowed: raise --memory, or have several runs of fewer", p.Trials, need>>20+1, r.memory>>20)
		return result
	}
	for _, list := range []*[]time.Duration{&r.write, &r.read, &r.visible} {
		*list = slices.Grow((*list)[:0], p.Trials)
	}
	trials, versions := NewTrials(p.delays(), p.quorums(), seed), NewVersions(p.quorums(), p.Versions, seed)
	fresh, within := make([]int64, len(p.T)), int64(0)
	for n := range uint64(p.Trials) {
		if n%pace == 0 && !r.Continue(int64(n), int64(p.Trials)) {
			break
		}
		o := trials.Trial(n)
		if r.mutant != nil {
			o = r.mutant(o, trials)
		}
		digest = digest.Fold(uint64(o.Write), uint64(o.Read)).Fold(uint64(o.Visible), 0)
		r.write, r.read, r.visible = append(r.write, o.Write), append(r.read, o.Read), append(r.visible, o.Visible)
		for i, t := range p.T {
			if o.Visible <= t {
				fresh[i]++
			}
		}
		r.check(n, &o, &result.Properties[0])
		if p.Versions > 0 && versions.Trial(n) {
			within++
		}
	}
	result.Steps, result.Digest = uint64(len(r.write)), digest.Sum()
	r.record(result, fresh, within)
	return result
}

// check is the property of one trial.
func (r *Runner) check(n uint64, o *Outcome, f *sim.Finding) {
	if !r.params.overlap() {
		return
	}
	if f.Verdict == sim.NotExercised {
		f.Verdict = sim.Holds
	}
	if o.Visible == 0 {
		return
	}
	if f.Violations == 0 {
		f.First = sim.Time(o.Write)
		r.why = fmt.Sprintf("in trial %d the quorums share a replica, and a read sent when the write is acknowledged misses it: it is visible %s later", n, values.Length(o.Visible))
	}
	f.Verdict = sim.Violated
	f.Violations++
}

// record adds the measures, in the order of [Params.measures].
func (r *Runner) record(to *sim.Result, fresh []int64, within int64) {
	if len(r.write) == 0 {
		return
	}
	add := func(v int64) { to.Samples = append(to.Samples, sim.Sample{Measure: len(to.Samples), Value: v}) }
	add(int64(len(r.write)))
	for _, n := range fresh {
		add(n)
	}
	v, _ := quantile(r.visible, len(r.visible), visible)
	add(int64(v))
	for _, list := range [][]time.Duration{r.read, r.write} {
		for _, q := range latencies {
			v, list = quantile(list, len(r.write), q.perMille)
			add(int64(v))
		}
	}
	if r.params.Versions > 0 {
		add(within)
	}
}
