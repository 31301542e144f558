package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// Limits of a budget.
const (
	MaxBudget  = 64 // faults of a run, as [explore.Budget.Check] has it
	maxChoices = 64 // lengths, steps or rates to choose among
)

// BudgetFormat is the block `budget:`.
type BudgetFormat struct {
	Pauses       *strict.Value   `yaml:"pauses" schema:"faults-of-a-kind"`             // of processes, in a run: 0
	Suspends     *strict.Value   `yaml:"suspends" schema:"faults-of-a-kind"`           // of machines: 0
	Crashes      *strict.Value   `yaml:"crashes" schema:"faults-of-a-kind"`            // with a restart: 0
	ClockSteps   *strict.Value   `yaml:"clock-steps" schema:"faults-of-a-kind"`        // of wall clocks: 0
	Slews        *strict.Value   `yaml:"slews" schema:"faults-of-a-kind"`              // clocks that run at another rate, from the start: 0
	Cuts         *strict.Value   `yaml:"cuts" schema:"faults-of-a-kind"`               // partitions of one node from some others, for random search only: 0
	Late         *strict.Value   `yaml:"late" schema:"faults-of-a-kind"`               // single messages: 0
	Lost         *strict.Value   `yaml:"lost" schema:"faults-of-a-kind"`               // single messages: 0
	Duplicated   *strict.Value   `yaml:"duplicated" schema:"faults-of-a-kind"`         // single messages: 0
	Loss         *strict.Value   `yaml:"loss" schema:"share"`                          // that any message is lost, besides, for random search only: 0
	PauseFor     *strict.Value   `yaml:"pause-for" schema:"lengths"`                   // of pauses and suspends: the search chooses
	DownFor      *strict.Value   `yaml:"down-for" schema:"lengths"`                    // from crash to restart: the search chooses
	CutFor       *strict.Value   `yaml:"cut-for" schema:"lengths-or-forever"`          // of partitions; forever is without an end: the search chooses, and half of them have no end
	LateBy       *strict.Value   `yaml:"late-by" schema:"lengths"`                     // how long late messages and second copies travel: the search chooses
	StepBy       []*strict.Value `yaml:"step-by,one-or-many" schema:"signed-duration"` // the search chooses
	SlewTo       []*strict.Value `yaml:"slew-to,one-or-many" schema:"clock-error"`     // the search chooses
	Nodes        *strict.Value   `yaml:"nodes" schema:"nodes"`                         // the nodes that all this may be injected into, or whose messages: all
	PauseNodes   *strict.Value   `yaml:"pause-nodes" schema:"nodes"`                   // the nodes of pauses and suspends: nodes
	CrashNodes   *strict.Value   `yaml:"crash-nodes" schema:"nodes"`                   // the nodes that crash: nodes
	StepNodes    *strict.Value   `yaml:"step-nodes" schema:"nodes"`                    // the nodes of clock-steps: nodes
	SlewNodes    *strict.Value   `yaml:"slew-nodes" schema:"nodes"`                    // the nodes of slews: nodes
	CutNodes     *strict.Value   `yaml:"cut-nodes" schema:"nodes"`                     // the nodes that are cut off: nodes
	MessageNodes *strict.Value   `yaml:"message-nodes" schema:"nodes"`                 // the senders of late, lost and duplicated messages, and of loss: nodes
}

// BudgetKeys are the keys of a budget, in the order in which they are shown.
var BudgetKeys = []string{"pauses", "suspends", "crashes", "clock-steps", "slews", "cuts", "late", "lost", "duplicated", "loss",
	"pause-for", "down-for", "cut-for", "late-by", "step-by", "slew-to",
	"nodes", "pause-nodes", "crash-nodes", "step-nodes", "slew-nodes", "cut-nodes", "message-nodes"}

// BudgetNeeds are, by key, the counts of which one must allow a fault: without, the
// key would say how something is that never happens.
var BudgetNeeds = map[string][]string{
	"pause-for": {"pauses", "suspends"}, "down-for": {"crashes"}, "cut-for": {"cuts"}, "late-by": {"late", "duplicated"},
	"step-by": {"clock-steps"}, "slew-to": {"slews"},
	"nodes":       {"pauses", "suspends", "crashes", "clock-steps", "slews", "cuts", "late", "lost", "duplicated", "loss"},
	"pause-nodes": {"pauses", "suspends"}, "crash-nodes": {"crashes"}, "step-nodes": {"clock-steps"}, "slew-nodes": {"slews"},
	"cut-nodes": {"cuts"}, "message-nodes": {"late", "lost", "duplicated", "loss"},
}

// budget reads the block `budget:`, nil if there is none or something is wrong. It is
// whole if no part of it has been left out because it could not be read.
func (d *decoding) budget(v *strict.Value, whole bool) *explore.Budget {
	var f BudgetFormat
	if v == nil {
		return nil
	}
	good := v.Decode(&f) && whole
	if v.Kind() != strict.Mapping {
		return nil
	}
	b := &explore.Budget{}
	r := budgetReader{decoding: d, whole: v, good: good, allowed: map[string]bool{}}
	r.counts(&f, b)
	r.lengths("pause-for", f.PauseFor, &b.PauseFor)
	r.lengths("down-for", f.DownFor, &b.DownFor)
	r.cuts(f.CutFor, b)
	r.lengths("late-by", f.LateBy, &b.LateBy)
	r.stepsAndRates(&f, b)
	for _, n := range []struct {
		v    *strict.Value
		into *[]sim.NodeID
	}{
		{f.Nodes, &b.Nodes}, {f.PauseNodes, &b.PauseNodes}, {f.CrashNodes, &b.CrashNodes}, {f.StepNodes, &b.StepNodes},
		{f.SlewNodes, &b.SlewNodes}, {f.CutNodes, &b.CutNodes}, {f.MessageNodes, &b.MessageNodes},
	} {
		if n.v != nil {
			*n.into = d.nodes(n.v)
			slices.Sort(*n.into)
		}
	}
	r.needs()
	if !r.good || len(r.allowed) == 0 {
		return nil
	}
	return b
}

// budgetReader is a budget while it is read.
type budgetReader struct {
	*decoding
	whole   *strict.Value
	good    bool            // all counts could be read
	allowed map[string]bool // the counts that are above 0
}

// counts reads how many faults of each kind there may be.
func (r *budgetReader) counts(f *BudgetFormat, b *explore.Budget) {
	total := 0
	for _, c := range []struct {
		key  string
		v    *strict.Value
		into *int
	}{
		{"pauses", f.Pauses, &b.Pauses}, {"suspends", f.Suspends, &b.Suspends}, {"crashes", f.Crashes, &b.Crashes},
		{"clock-steps", f.ClockSteps, &b.ClockSteps}, {"slews", f.Slews, &b.Slews}, {"cuts", f.Cuts, &b.Cuts},
		{"late", f.Late, &b.Late}, {"lost", f.Lost, &b.Lost}, {"duplicated", f.Duplicated, &b.Duplicated},
	} {
		n, ok := strict.Read[int64](c.v)
		switch {
		case c.v == nil:
		case !ok:
			r.good = false
		case n < 0 || n > MaxBudget:
			c.v.Errorf("%s is %d: want 0 to %d", c.key, n, MaxBudget)
			r.good = false
		case n > 0:
			*c.into, r.allowed[c.key] = int(n), true
			if total += int(n); total > MaxBudget {
				c.v.Errorf("with this there are %d faults in all: want at most %d", total, MaxBudget)
				r.good = false
			}
		}
	}
	if f.Loss == nil {
		return
	}
	loss, ok := strict.Scan(f.Loss, strict.Proportion)
	if r.good = r.good && ok; loss > 0 {
		b.Loss, r.allowed["loss"] = sim.Chance(loss), true
	}
}

// cuts reads how long partitions may last: as other lengths, or forever.
func (r *budgetReader) cuts(v *strict.Value, b *explore.Budget) {
	if v == nil || v.Kind() == strict.Mapping {
		r.lengths("cut-for", v, &b.CutFor)
		return
	}
	items := asList(v)
	lengths := slices.DeleteFunc(slices.Clone(items), func(v *strict.Value) bool { return v.Kind() == strict.Scalar && v.Scalar() == forever })
	switch b.CutForever = len(lengths) < len(items); {
	case len(items)-len(lengths) > 1:
		v.Errorf("%s is in the list already", forever)
	case len(lengths) > 0:
		r.list("cut-for", lengths, &b.CutFor)
	}
}

// forever is the length of what has no end.
const forever = "forever"

// lengths reads how long faults may last: a length, a list of them or a distribution.
func (r *budgetReader) lengths(key string, v *strict.Value, into *explore.Lengths) {
	switch {
	case v == nil:
	case v.Kind() == strict.Mapping:
		dist, log, ok := r.decoding.lengths(v)
		switch {
		case !ok, log != nil && !r.outlasts(v.Field("gclog"), log):
		case dist.Most() == 0:
			v.Errorf("%s is always 0: want lengths above 0", key)
		default:
			into.Dist = &dist
		}
	default:
		r.list(key, asList(v), into)
	}
}

// list reads some lengths, of which a fault has one.
func (r *budgetReader) list(key string, items []*strict.Value, into *explore.Lengths) {
	into.List = choices(key, items, func(v *strict.Value) (time.Duration, bool) {
		d, ok := strict.Scan(v, strict.Duration)
		if ok && d == 0 {
			v.Errorf("a length of 0 has no effect: want one above 0")
		}
		return d, ok && d > 0
	})
	slices.Sort(into.List)
}

// asList is the items of a list, or a value that stands for its only one.
func asList(v *strict.Value) []*strict.Value {
	if v.Kind() != strict.List {
		return []*strict.Value{v}
	}
	if v.Len() == 0 {
		v.Errorf("a list of no values: want at least one")
	}
	return v.Items()
}

// choices reads values of which each may be given once.
func choices[T cmp.Ordered](key string, items []*strict.Value, scan func(*strict.Value) (T, bool)) (list []T) {
	for i, v := range items {
		if i == maxChoices {
			v.Errorf("%s has %d values: want at most %d", key, len(items), maxChoices)
			return nil
		}
		x, ok := scan(v)
		switch {
		case !ok:
		case slices.Contains(list, x):
			v.Errorf("%s is in the list already", v.Scalar())
		default:
			list = append(list, x)
		}
	}
	return list
}

// stepsAndRates reads what may be done to clocks.
func (r *budgetReader) stepsAndRates(f *BudgetFormat, b *explore.Budget) {
	for _, key := range []string{"step-by", "slew-to"} {
		if v := r.whole.Field(key); v != nil && v.Kind() == strict.List {
			asList(v)
		}
	}
	b.StepBy = choices("step-by", f.StepBy, func(v *strict.Value) (time.Duration, bool) {
		d, ok := strict.Scan(v, strict.SignedDuration)
		if ok && d == 0 {
			v.Errorf("a step of 0 moves nothing")
		}
		return d, ok && d != 0
	})
	b.SlewTo = choices("slew-to", f.SlewTo, func(v *strict.Value) (sim.PPB, bool) {
		rate, ok := strict.Scan(v, strict.PartsPerBillion)
		if ok && rate == 0 {
			v.Errorf("a rate error of 0 is no slew")
		}
		return sim.PPB(rate), ok && rate != 0 && checkRate(v, sim.PPB(rate))
	})
}

// needs reports keys about faults that the budget does not allow, and a budget that
// allows nothing.
func (r *budgetReader) needs() {
	if !r.good {
		return
	}
	for _, key := range r.whole.Keys() {
		counts, ok := BudgetNeeds[key]
		if !ok || slices.ContainsFunc(counts, func(c string) bool { return r.allowed[c] }) {
			continue
		}
		r.good = false
		if key == "nodes" {
			r.doc.Add(r.whole.KeyPos(key), key, "nodes without any fault: want one count above 0, such as that of pauses")
			continue
		}
		r.doc.Add(r.whole.KeyPos(key), key, fmt.Sprintf("%s without %s: want a count above 0 there, or this left out",
			key, strings.Join(counts, " or ")))
	}
	if r.good && len(r.allowed) == 0 {
		r.whole.Errorf("the budget allows nothing: want one count above 0, such as that of pauses")
	}
}
