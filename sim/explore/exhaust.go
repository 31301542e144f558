package explore

import (
	"context"
	"math"
	"slices"
	"time"

	"fencepost/sim"
)

// An exhaustive search runs every schedule within the budget. A schedule is a list of
// deeds at choices of a calm run, each at a later choice than the one before; so every
// schedule comes from exactly one shorter one by a deed more. They are run level by
// level: first none, then those with one deed, then with two. The first violation
// found is therefore one with the fewest deeds.
//
// A run is broken off when it comes, after its last deed, into a state that another
// run has been in with as much of the budget left: what can follow is the same.

// tree is the schedules of an exhaustive search.
type tree struct {
	search *Search
	deeds  []sim.Deed // at Stepping and Leaving, and then those at Sending
	sends  int        // of deeds: the first at Sending
	nodes  []branch   // in the order in which they are run; 0 is the run without a deed
	seen   states
	limit  int64 // of nodes and seen, and a quarter of it of the runs under way: bytes
	blind  bool  // states have no fingerprint
}

// branch is a schedule: another one and a deed more.
type branch struct {
	parent int32
	choice int32 // of the run: where the deed is done
	deed   int16 // of tree.deeds
}

const branchSize = 12

// visit is a run of a branch, on its way.
type visit struct {
	limit
	tree    *tree
	path    []branch                // deeds still to do, the first at the end
	choices int32                   // so far
	left    [sim.Duplicate + 1]int8 // of the budget, by kind

	looked sim.Time // the instant of the last look at the state
	share  int64    // of the memory for made and prints: bytes
	made   []branch // schedules with one deed more
	prints []sim.Print
	faults []sim.Fault
}

// Choose implements [sim.Adversary].
func (v *visit) Choose(c sim.Choice) (sim.Deed, bool) {
	if v.ends(c) {
		return sim.Deed{}, false
	}
	n := v.choices
	v.choices++
	if k := len(v.path); k > 0 {
		if v.path[k-1].choice != n {
			return sim.Deed{}, false
		}
		d := v.tree.deeds[v.path[k-1].deed]
		v.path = v.path[:k-1]
		v.faults = append(v.faults, c.Fault(d))
		return d, true
	}
	t := v.tree
	if c.Point == sim.Stepping && c.At > v.looked {
		if v.looked = c.At; v.crowded() || v.known() {
			v.world.Stop()
			return sim.Deed{}, false
		}
	}
	if !t.search.Budget.may(c.Node) || v.crowded() {
		return sim.Deed{}, false
	}
	from, to := 0, t.sends
	if c.Point == sim.Sending {
		from, to = t.sends, len(t.deeds)
	}
	for i := from; i < to; i++ {
		if v.left[t.deeds[i].Do] > 0 {
			v.made = append(v.made, branch{choice: n, deed: int16(i)})
		}
	}
	return sim.Deed{}, false
}

// crowded reports whether the run has more to keep than its share. Then nothing of it
// counts.
func (v *visit) crowded() bool {
	return int64(len(v.made))*branchSize+int64(len(v.prints))*printSize > v.share
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
	if v.tree.seen.has(p) {
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
	for ; b > 0; b = t.nodes[b].parent {
		n := t.nodes[b]
		v.path = append(v.path, n)
		v.left[t.deeds[n.deed].Do]--
	}
}

// explored is what a run came to.
type explored struct {
	done    bool // it was run
	crowded bool // it had more to keep than its share of the memory
	outcome outcome
	made    []branch
	prints  []sim.Print
}

// grain is how many runs of an exhaustive search know the same of each other's states:
// fixed, so that the answer does not depend on how many goroutines there are. From where
// on so many runs have more to keep than there is memory, it is less.
const grain = 512

func exhaust(ctx context.Context, s *Search, r *Report) error {
	t, err := newTree(ctx, s)
	if err != nil {
		return err
	}
	k := &crew{tree: t, runs: make([]explored, grain)}
	if err := k.hire(ctx, s.Jobs); err != nil {
		return err
	}
	targets, told := s.targets(), time.Now()
	for next, size := 0, grain; next < len(t.nodes); {
		n := min(size, len(t.nodes)-next)
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
			size = n / 2
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
		case x.crowded || len(t.nodes)+len(x.made) > math.MaxInt32 || t.full(x):
			return "memory", branch
		}
		t.take(branch, x)
		r.States = t.seen.count
	}
	return "", 0
}

func newTree(ctx context.Context, s *Search) (*tree, error) {
	t := &tree{search: s, nodes: []branch{{}}, limit: s.Memory}
	if t.limit == 0 {
		t.limit = 1 << 30
	}
	b, until := &s.Budget, s.Config.Until
	t.deeds = b.deeds(until)
	t.sends = len(t.deeds)
	t.deeds = append(t.deeds, b.sendings(until)...)
	w, err := s.Program.NewWorld(s.Config)
	if err == nil {
		t.blind = !printable(ctx, w, s.Seed)
	}
	return t, err
}

// sendings is what may be done to a message, each with each of its lengths.
func (b *Budget) sendings(until sim.Time) (list []sim.Deed) {
	for _, late := range b.LateBy.finite(until) {
		if b.Late > 0 {
			list = append(list, sim.Deed{Do: sim.Delay, For: late})
		}
		if b.Duplicated > 0 {
			list = append(list, sim.Deed{Do: sim.Duplicate, For: late})
		}
	}
	if b.Lost > 0 {
		list = append(list, sim.Deed{Do: sim.Lose})
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
func (p *printer) Choose(c sim.Choice) (sim.Deed, bool) {
	if !p.ends(c) && c.Point == sim.Stepping {
		p.world.Fingerprint()
	}
	return sim.Deed{}, false
}

// take adds what a run has shown.
func (t *tree) take(parent int32, x *explored) {
	for _, b := range x.made {
		b.parent = parent
		t.nodes = append(t.nodes, b)
	}
	for _, p := range x.prints {
		t.seen.add(p)
	}
}

// full reports whether what a run has shown does not fit into the memory any more. Of
// what grows, the old and the new stand side by side for a moment.
func (t *tree) full(x *explored) bool {
	nodes, seen := int64(cap(t.nodes))*branchSize, t.seen.bytes()
	if len(t.nodes)+len(x.made) > cap(t.nodes) {
		nodes *= 3
	}
	if t.seen.grows(len(x.prints)) {
		seen *= 3
	}
	return nodes+seen > t.limit
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
	r.Found, err = s.failure(v.world, Schedule{Seed: s.Seed, Calm: true, Overrides: s.Config.Overrides,
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
	return v, w.Vary(sim.Variation{Faults: s.Config.Faults, Overrides: s.Config.Overrides, Calm: true})
}
