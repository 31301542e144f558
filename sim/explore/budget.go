package explore

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"fencepost/sim"
)

// Budget is what may go wrong in one run of a search: at most a number of faults of each
// kind, each of one of the given lengths. The search chooses which, where and how long.
type Budget struct {
	Pauses     int // processes that stop
	Suspends   int // machines that are suspended
	Crashes    int // nodes that crash, and restart
	ClockSteps int // steps of a wall clock
	Slews      int // clocks that run at another rate, from the start
	Cuts       int // partitions: a node is cut off from some others; random search only
	Late       int // single messages that are late
	Lost       int // single messages that are lost
	Duplicated int // single messages that arrive twice

	Loss sim.Chance // that any message is lost, besides; random search only

	PauseFor Lengths // of pauses and suspends
	DownFor  Lengths // from crash to restart
	CutFor   Lengths // of partitions; left to the search, half of them have no end
	LateBy   Lengths // of late messages and second copies: how long they travel
	StepBy   []time.Duration
	SlewTo   []sim.PPB

	CutForever bool // partitions may have no end: all of them, or half where CutFor says how long others last

	Most int // faults of a run in all, for random search and PCT; 0 is as many as the kinds allow

	Nodes []sim.NodeID // at which faults may be injected, or at whose messages; nil: all
	// These take the place of Nodes for one kind of fault each, nil where Nodes says it.
	PauseNodes   []sim.NodeID // pauses and suspends
	CrashNodes   []sim.NodeID
	StepNodes    []sim.NodeID // clock steps
	SlewNodes    []sim.NodeID
	CutNodes     []sim.NodeID // that are cut off
	MessageNodes []sim.NodeID // that send late, lost and duplicated messages

	Others []Allowance // faults of kinds that have no field above, for random search only: see [sim.FaultKind.AtChoice]
}

// Allowance is how many faults of one kind there may be, and what they are like.
type Allowance struct {
	Do      sim.Action
	Count   int
	For     Lengths      // how long each lasts
	Amounts []int64      // the amounts to choose from, as [sim.Amount.Of] has them; nil leaves them to the search
	Nodes   []sim.NodeID // in the place of Nodes
}

// Lengths is how long a fault may last: one of a list, or by a distribution. The zero
// Lengths leaves it to the search.
type Lengths struct {
	List []time.Duration // shortest first
	Dist *sim.Dist
}

// Fields are the parts of a budget that are about one kind of fault. Kinds may share a length and a list of nodes.
type Fields struct {
	Count *int
	For   *Lengths // nil: it has no length
	Nodes *[]sim.NodeID
}

// Fields are the parts that are about a kind of fault. They are all nil for one that the budget does not know, until it is
// allowed by [Budget.Allow].
func (b *Budget) Fields(do sim.Action) Fields {
	switch do {
	case sim.Pause:
		return Fields{&b.Pauses, &b.PauseFor, &b.PauseNodes}
	case sim.Suspend:
		return Fields{&b.Suspends, &b.PauseFor, &b.PauseNodes}
	case sim.Crash:
		return Fields{&b.Crashes, &b.DownFor, &b.CrashNodes}
	case sim.StepClock:
		return Fields{&b.ClockSteps, nil, &b.StepNodes}
	case sim.SetRate:
		return Fields{&b.Slews, nil, &b.SlewNodes}
	case sim.Cut:
		return Fields{&b.Cuts, &b.CutFor, &b.CutNodes}
	case sim.Delay:
		return Fields{&b.Late, &b.LateBy, &b.MessageNodes}
	case sim.Lose:
		return Fields{&b.Lost, nil, &b.MessageNodes}
	case sim.Duplicate:
		return Fields{&b.Duplicated, &b.LateBy, &b.MessageNodes}
	}
	if a := b.other(do); a != nil {
		return Fields{&a.Count, &a.For, &a.Nodes}
	}
	return Fields{}
}

// Allow is [Budget.Fields] of a kind of fault that is to be allowed.
func (b *Budget) Allow(do sim.Action) Fields {
	if f := b.Fields(do); f.Count != nil {
		return f
	}
	b.Others = append(b.Others, Allowance{Do: do})
	return b.Fields(do)
}

// SetAmounts gives faults of a kind the amounts to choose from, as [sim.Amount.Of] has them.
func (b *Budget) SetAmounts(do sim.Action, list []int64) {
	switch do {
	case sim.StepClock:
		b.StepBy = amounts[time.Duration](list)
	case sim.SetRate:
		b.SlewTo = amounts[sim.PPB](list)
	default:
		b.Allow(do)
		b.other(do).Amounts = list
	}
}

func amounts[T ~int64](list []int64) (typed []T) {
	for _, n := range list {
		typed = append(typed, T(n))
	}
	return typed
}

// verbs is what each kind of the budget does, in the order of choices.
func (b *Budget) verbs() []allowance {
	list := make([]allowance, 0, sim.MaxActions)
	for do := range sim.Action(sim.MaxActions) {
		if f := b.Fields(do); f.Count != nil {
			list = append(list, allowance{do, *f.Count})
		}
	}
	return list
}

// allowance is how many faults of a kind there may be.
type allowance struct {
	do    sim.Action
	count int
}

// count is how many faults of a kind there may be.
func (b *Budget) count(do sim.Action) int {
	if f := b.Fields(do); f.Count != nil {
		return *f.Count
	}
	return 0
}

// other is what there is about a kind that has no field of its own, nil if there is nothing.
func (b *Budget) other(do sim.Action) *Allowance {
	if i := slices.IndexFunc(b.Others, func(a Allowance) bool { return a.Do == do }); i >= 0 {
		return &b.Others[i]
	}
	return nil
}

// Lengths is how long faults of a kind may last, or how late messages are. It is nil for a kind that has no length, and for
// partitions, half of which have no end.
func (b *Budget) Lengths(do sim.Action) *Lengths {
	if do.Of() == sim.TwoSides {
		return nil
	}
	return b.Fields(do).For
}

// Amounts is how many amounts there are for faults of a kind to choose from, and Amount the i-th.
func (b *Budget) Amounts(do sim.Action) int {
	switch a := b.other(do); {
	case do == sim.StepClock:
		return len(b.StepBy)
	case do == sim.SetRate:
		return len(b.SlewTo)
	case a != nil:
		return len(a.Amounts)
	}
	return 0
}

// Amount is the i-th of the amounts of a kind, as [sim.Amount.Of] has it.
func (b *Budget) Amount(do sim.Action, i int) int64 {
	switch do {
	case sim.StepClock:
		return int64(b.StepBy[i])
	case sim.SetRate:
		return int64(b.SlewTo[i])
	}
	return b.other(do).Amounts[i]
}

// Faults is the most faults of a run, but for those by chance.
func (b *Budget) Faults() int {
	n := 0
	for _, a := range b.verbs() {
		n += a.count
	}
	if b.Most > 0 {
		return min(n, b.Most)
	}
	return n
}

// IsZero reports whether nothing may go wrong.
func (b *Budget) IsZero() bool { return b.Faults() == 0 && b.Loss == 0 }

// maxFaults bounds what a search adds to one run.
const maxFaults = 64

// Check says what is wrong with the budget: counts that are negative or too large,
// lengths that are not positive.
func (b *Budget) Check() error {
	var errs []error
	for _, a := range b.verbs() {
		if a.count < 0 || a.count > maxFaults {
			errs = append(errs, fmt.Errorf("budget: %v: want 0 to %d, got %d", a.do, maxFaults, a.count))
		}
	}
	if b.Faults() > maxFaults {
		errs = append(errs, fmt.Errorf("budget: want at most %d faults in all, got %d", maxFaults, b.Faults()))
	}
	if b.Loss < 0 || b.Loss > sim.Certain {
		errs = append(errs, fmt.Errorf("budget: loss: want 0 to %d parts per billion, got %d", sim.Certain, b.Loss))
	}
	for _, l := range []struct {
		what string
		is   Lengths
	}{{"pause-for", b.PauseFor}, {"down-for", b.DownFor}, {"cut-for", b.CutFor}, {"late-by", b.LateBy}} {
		if slices.ContainsFunc(l.is.List, func(d time.Duration) bool { return d <= 0 }) {
			errs = append(errs, fmt.Errorf("budget: %s: want lengths above 0, got %v", l.what, l.is.List))
		}
		if d := l.is.Dist; d != nil && d.Sample(math.MaxUint64) <= 0 {
			errs = append(errs, fmt.Errorf("budget: %s: the distribution is always 0", l.what))
		}
	}
	for _, a := range b.Others {
		if k := a.Do.Row(); k == nil || k.Budget.Count == "" {
			errs = append(errs, fmt.Errorf("budget: no search draws %v", a.Do))
		}
		if slices.ContainsFunc(a.For.List, func(d time.Duration) bool { return d <= 0 }) {
			errs = append(errs, fmt.Errorf("budget: %v: want lengths above 0, got %v", a.Do, a.For.List))
		}
	}
	if slices.ContainsFunc(b.SlewTo, func(r sim.PPB) bool { return r < -sim.MaxPPB || r > sim.MaxPPB }) {
		errs = append(errs, fmt.Errorf("budget: slew-to: want at most %v either way, got %v", sim.MaxPPB, b.SlewTo))
	}
	if slices.Contains(b.StepBy, 0) {
		errs = append(errs, errors.New("budget: step-by: a step of 0 does nothing"))
	}
	return errors.Join(errs...)
}

// Spell gives the budget the lengths and steps that it leaves open, and that a search
// which tries each of a few then tries, in runs that end at the given instant: a
// hundredth and a quarter of the run. Random search draws those that are open.
func (b *Budget) Spell(until sim.Time) {
	for _, l := range []*Lengths{&b.PauseFor, &b.DownFor, &b.LateBy} {
		if l.Dist == nil {
			l.List = l.finite(until)
		}
	}
	b.StepBy = b.steps(until)
}

// finite is the lengths that an exhaustive search tries: those of the list, or the
// median, the 99th percentile and the longest of the distribution, or a few that
// differ in order of magnitude.
func (l *Lengths) finite(until sim.Time) []time.Duration {
	switch {
	case len(l.List) > 0:
		return l.List
	case l.Dist != nil:
		list := []time.Duration{l.Dist.Sample(1 << 63), l.Dist.Sample(1<<64 - 1<<64/100), l.Dist.Most()}
		slices.Sort(list) // those of a mix are in no order
		list = slices.DeleteFunc(list, func(d time.Duration) bool { return d <= 0 })
		return slices.Compact(list)
	}
	u := time.Duration(until)
	return slices.Compact([]time.Duration{max(u/100, 1), max(u/4, 1)})
}

// steps is how far clocks may be stepped.
func (b *Budget) steps(until sim.Time) []time.Duration {
	if len(b.StepBy) > 0 {
		return b.StepBy
	}
	u := time.Duration(until)
	return []time.Duration{max(u/4, 1), -max(u/4, 1)}
}

// rates is at what rates clocks may run.
func (b *Budget) rates() []sim.PPB {
	if len(b.SlewTo) > 0 {
		return b.SlewTo
	}
	return []sim.PPB{100_000, -100_000, 50_000_000, -50_000_000}
}

// Of are the nodes at which a kind of fault may be injected, or at whose messages; nil: all.
func (b *Budget) Of(do sim.Action) []sim.NodeID {
	if own := b.Fields(do).Nodes; own != nil && len(*own) > 0 {
		return *own
	}
	return b.Nodes
}

// differ reports whether kinds of faults have nodes of their own.
func (b *Budget) differ() bool {
	if slices.ContainsFunc(b.Others, func(a Allowance) bool { return len(a.Nodes) > 0 }) {
		return true
	}
	return len(b.PauseNodes)+len(b.CrashNodes)+len(b.StepNodes)+len(b.SlewNodes)+len(b.CutNodes)+len(b.MessageNodes) > 0
}

// May reports whether a kind of fault may be injected at a node.
func (b *Budget) May(do sim.Action, id sim.NodeID) bool { return among(b.Of(do), id) }

// MayAny reports whether any fault may be injected at a node.
func (b *Budget) MayAny(id sim.NodeID) bool {
	if !b.differ() {
		return among(b.Nodes, id)
	}
	for _, a := range b.verbs() {
		if a.count > 0 && b.May(a.do, id) {
			return true
		}
	}
	return b.Loss > 0 && b.May(sim.Lose, id)
}

// among reports whether a node is one of some, nil for all.
func among(list []sim.NodeID, id sim.NodeID) bool { return len(list) == 0 || slices.Contains(list, id) }
