package explore

import (
	"context"
	"math"
	"slices"
	"sort"
	"time"

	"fencepost/sim"
)

// An exhaustive search runs every schedule within the budget. A schedule is a list of
// faults at choices of a fault-free run, each at a later choice than the one before; so every
// schedule comes from exactly one shorter one by a fault more. They are run level by
// level: first none, then those with one fault, then with two. The first violation
// found is therefore one with the fewest faults.
//
// A run is broken off when it comes, after its last fault, into a state that another
// run has been in with as much of the budget left: what can follow is the same.

// tree is the schedules of an exhaustive search.
type tree struct {
	search  *Search
	choices []sim.FaultChoice // at Stepping and Leaving, and then those at Sending
	sends   int               // of faults: the first at Sending
	count   int               // of schedules, numbered in the order in which they are run; 0 is the one without a fault
	kin     []kin             // the others
	seen    states
	limit   int64 // of kin and seen, and a quarter of it of the runs under way: bytes
	blind   bool  // states have no fingerprint
}

// kin are schedules that are another one and a fault more, at choices in a row, at each of them each
// of the faults that are left.
type kin struct {
	first  int32 // of the schedules, by number
	parent int32
	stretch
}

// stretch is choices of a run, all of them at Sending or none.
type stretch struct {
	choice  int32 // the first
	count   int32
	choices int16 // at each of them
	sending bool
}

const (
	kinSize     = 20
	stretchSize = 12
)

// step is a fault at a choice: what a schedule has more than its parent.
type step struct {
	choice int32 // of the run, among those at which there may be a fault
	fault  int16 // of tree.faults
}

// visit is a run of a branch, on its way.
type visit struct {
	limit
	tree    *tree
	path    []step               // faults still to do, the first at the end
	choices int32                // so far
	left    [sim.MaxActions]int8 // of the budget, by kind

	looked sim.Time  // the instant of the last look at the state
	share  int64     // of the memory for made and prints: bytes
	made   []stretch // where schedules with one fault more have it
	prints []sim.Print
	piece  states // those of the runs of the same piece so far
	may    []int16
	faults []sim.Fault
}

// Choose implements [sim.Adversary].
func (v *visit) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	if v.ends(c) {
		return sim.FaultChoice{}, false
	}
	if len(v.path) > 0 {
		return v.follow(c)
	}
	if c.Point == sim.Stepping && c.At > v.looked {
		if v.looked = c.At; v.crowded() || v.known() {
			v.world.Stop()
			return sim.FaultChoice{}, false
		}
	}
	if v.counts(c) && !v.crowded() {
		v.branch(v.choices-1, c.Point == sim.Sending)
	}
	return sim.FaultChoice{}, false
}

// counts numbers a choice, if there may be a fault at it.
func (v *visit) counts(c sim.Choice) bool {
	t := v.tree
	if c.Point == sim.Sending && t.sends == len(t.choices) || c.Point != sim.Sending && t.sends == 0 || !t.search.Budget.MayAny(c.Node) {
		return false
	}
	v.choices++
	return true
}

// follow does the next fault of the schedule, if this is its choice.
func (v *visit) follow(c sim.Choice) (sim.FaultChoice, bool) {
	next := v.path[len(v.path)-1]
	if !v.counts(c) || v.choices-1 != next.choice {
		return sim.FaultChoice{}, false
	}
	d := v.tree.choices[next.fault]
	v.path = v.path[:len(v.path)-1]
	v.faults = append(v.faults, c.Fault(d))
	return d, true
}

// branch makes schedules with a fault more at a choice.
func (v *visit) branch(choice int32, sending bool) {
	if n := len(v.made); n > 0 {
		if last := &v.made[n-1]; last.sending == sending && last.choice+last.count == choice {
			last.count++
			return
		}
	}
	if n := len(v.allowed(sending)); n > 0 {
		v.made = append(v.made, stretch{choice, 1, int16(n), sending})
	}
}

// allowed are the faults, by number, for which there is budget left.
func (v *visit) allowed(sending bool) []int16 {
	from, to := 0, v.tree.sends
	if sending {
		from, to = to, len(v.tree.choices)
	}
	v.may = v.may[:0]
	for i := from; i < to; i++ {
		if v.left[v.tree.choices[i].Do] > 0 {
			v.may = append(v.may, int16(i))
		}
	}
	return v.may
}

// crowded reports whether the run has more to keep than its share. Then nothing of it
// counts.
func (v *visit) crowded() bool {
	return int64(len(v.made))*stretchSize+int64(len(v.prints))*printSize > v.share
}

// known reports whether another run has been in this state with this budget left.
func (v *visit) known() bool {
	if v.tree.blind {
		return false
	}
	p := v.world.Fingerprint()
	for i, n := range v.left {
		p[i%2] += uint64(n) << (8 * uint(i/2))
	}
	if v.tree.seen.has(p) || !v.piece.add(p) {
		return true
	}
	v.prints = append(v.prints, p)
	return false
}

// begin prepares for the run of a branch.
func (v *visit) begin(b int32) {
	t := v.tree
	v.path, v.made, v.prints, v.faults = v.path[:0], v.made[:0], v.prints[:0], v.faults[:0]
	v.choices, v.looked = 0, -1
	for _, a := range t.search.Budget.verbs() {
		v.left[a.do] = int8(a.count)
	}
	v.descend(b)
	slices.Reverse(v.path)
}

// descend adds the faults of a schedule to the path, the first one first.
func (v *visit) descend(b int32) {
	if b == 0 {
		return
	}
	t := v.tree
	k := &t.kin[sort.Search(len(t.kin), func(i int) bool { return t.kin[i].first > b })-1]
	v.descend(k.parent)
	n, faults := b-k.first, v.allowed(k.sending)
	s := step{k.choice + n/int32(k.choices), faults[n%int32(k.choices)]}
	v.path = append(v.path, s)
	v.left[t.choices[s.fault].Do]--
}

// explored is the result of a run.
type explored struct {
	done    bool // it was run
	crowded bool // it had more to keep than its share of the memory
	outcome outcome
	made    []stretch
	prints  []sim.Print
}

// An exhaustive search does grain after grain, and of each grain piece after piece. A run knows
// the states of all runs of earlier grains and of those before it in its piece: what it
// knows does not depend on how many goroutines do the pieces. Neighbours differ in one fault
// by one choice or by its length, so most of what they have in common is within a piece.
const (
	piece      = 32
	leastGrain = 4 * piece
	mostGrain  = 128 * piece
)

// grainAt is how many runs the grain has that begins with a run. The later it is, the less
// do its runs find that is new, and the more pieces may know nothing of each other.
func grainAt(run int) int { return min(max(leastGrain, run/16/piece*piece), mostGrain) }

func exhaust(ctx context.Context, s *Search, r *Report) error {
	t, err := newTree(ctx, s)
	if err != nil {
		return err
	}
	k := &workerPool{tree: t}
	if err := k.start(ctx, s.Jobs); err != nil {
		return err
	}
	targets, told := s.targets(), time.Now()
	for next, most := 0, mostGrain; next < t.count; {
		n := min(grainAt(next), most, t.count-next)
		if s.Runs > 0 {
			n = min(n, s.Runs-r.Runs)
		}
		if n == 0 {
			r.Bound = "runs"
			return nil
		}
		if err := k.do(ctx, next, n, t.limit/4/int64(n)); err != nil {
			return err
		}
		if n > 1 && slices.ContainsFunc(k.runs[:n], func(x explored) bool { return x.crowded }) {
			most = n / 2 // from here on that many runs have more to keep than there is memory
			clear(k.runs)
			continue
		}
		bound, found := t.merge(r, k.runs[:n], next, targets)
		if r.Bound = bound; bound == "found" {
			return t.again(r, found)
		} else if bound != "" {
			return nil
		}
		next += n
		if now := time.Now(); s.Progress != nil && now.Sub(told) > tellEvery {
			told = now
			s.Progress(r)
		}
	}
	r.Exhausted = true
	return nil
}

// merge takes in the runs of branches from first on, up to one that ends the search. It
// says how that ends it, "" if none does, and which branch it is.
func (t *tree) merge(r *Report, runs []explored, first int, targets uint64) (bound string, branch int32) {
	for i := range runs {
		x := &runs[i]
		branch = int32(first + i)
		switch {
		case !x.done:
			return "time", branch
		case r.add(&x.outcome, targets):
			return "found", branch
		case x.crowded || t.count+x.branches() > math.MaxInt32 || t.full(x):
			return "memory", branch
		}
		t.take(branch, x)
		r.States = t.seen.count
	}
	return "", 0
}

func newTree(ctx context.Context, s *Search) (*tree, error) {
	t := &tree{search: s, count: 1, limit: s.Memory}
	if t.limit == 0 {
		t.limit = 1 << 30
	}
	b, until := &s.Budget, s.Config.Until
	t.choices = b.faultChoices(until)
	t.sends = len(t.choices)
	t.choices = append(t.choices, b.sendings(until)...)
	w, err := s.Program.NewWorld(s.Config)
	if err == nil {
		t.blind = !printable(ctx, w, s.Seed)
	}
	return t, err
}

// sendings is what may be done to a message, each with each of its lengths.
func (b *Budget) sendings(until sim.Time) (list []sim.FaultChoice) {
	for _, late := range b.LateBy.finite(until) {
		if b.Late > 0 {
			list = append(list, sim.FaultChoice{Do: sim.Delay, For: late})
		}
		if b.Duplicated > 0 {
			list = append(list, sim.FaultChoice{Do: sim.Duplicate, For: late})
		}
	}
	if b.Lost > 0 {
		list = append(list, sim.FaultChoice{Do: sim.Lose})
	}
	return list
}

// printable reports whether the states of a world have fingerprints.
func printable(ctx context.Context, w sim.Runner, seed uint64) (ok bool) {
	defer func() { ok = recover() == nil }()
	w.SetAdversary(&printer{limit{ctx: ctx, world: w}})
	w.Run(seed)
	return
}

// printer is an adversary that does nothing but look at the state.
type printer struct{ limit }

// Choose implements [sim.Adversary].
func (p *printer) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	if !p.ends(c) && c.Point == sim.Stepping {
		p.world.Fingerprint()
	}
	return sim.FaultChoice{}, false
}

// branches is how many schedules with one fault more there are.
func (x *explored) branches() (n int) {
	for _, s := range x.made {
		n += int(s.count) * int(s.choices)
	}
	return n
}

// take adds what a run has shown.
func (t *tree) take(parent int32, x *explored) {
	for _, s := range x.made {
		t.kin = append(t.kin, kin{int32(t.count), parent, s})
		t.count += int(s.count) * int(s.choices)
	}
	for _, p := range x.prints {
		t.seen.add(p)
	}
}

// full reports whether what a run has shown does not fit into the memory any more. Of
// what grows, the old and the new stand side by side for a moment.
func (t *tree) full(x *explored) bool {
	kin, seen := int64(cap(t.kin))*kinSize, t.seen.bytes()
	if len(t.kin)+len(x.made) > cap(t.kin) {
		kin *= 3
	}
	if t.seen.grows(len(x.prints)) {
		seen *= 3
	}
	return kin+seen > t.limit
}

// again does the run of a branch once more, to know its schedule.
func (t *tree) again(r *Report, b int32) error {
	s := t.search
	v, err := t.visitor(context.Background())
	if err != nil {
		return err
	}
	t.seen, v.share = states{}, math.MaxInt64 // nothing is known: the run goes to its end
	v.begin(b)
	v.world.Run(s.Seed)
	r.Found, err = s.failure(v.world, Schedule{Seed: s.Seed, Minimal: true, Overrides: s.Config.Overrides,
		Faults: slices.Concat(s.Config.Faults, v.faults)}, r.Runs)
	return err
}

// visitor makes a world that runs branches.
func (t *tree) visitor(ctx context.Context) (*visit, error) {
	s := t.search
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	v := &visit{limit: limit{ctx: ctx, world: w}, tree: t}
	w.SetAdversary(v)
	return v, w.Vary(sim.Variation{Faults: s.Config.Faults, Overrides: s.Config.Overrides, Minimal: true})
}
