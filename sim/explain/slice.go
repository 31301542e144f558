package explain

import (
	"context"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// maxReplays bounds the runs that an explanation takes.
const maxReplays = 2000

// slice is the part of a run that leads to a violation. It begins with the backward
// closure of the violation over messages and the program order of each node, and
// loses what the violation occurs without: a step is left out, with all that it set
// off, if a run in which it is skipped violates the same property between the same
// nodes, and takes no step for it that the whole run did not take, or that was left
// out already. So a second attempt does not stand in for the first.
type slice struct {
	ctx     context.Context
	world   sim.Runner
	failure *explore.Failure
	vary    sim.Variation
	entries []sim.Entry // up to the violation
	first   sim.Time    // of the violation

	steps   []handling       // by entry: which step it is
	known   map[handling]int // its entry
	roots   []int            // the entries of the violation itself
	soft    []bool           // by entry: it is what a node concerned last did, or did before
	gone    []bool           // by entry: left out
	in      []bool           // by entry: in the closure of what is left
	spine   []bool           // by entry: a root, or what set one off
	needed  []bool           // by fault, from 1: without it there is no such violation
	replays int
	whole   bool // the bound did not end the cutting

	skip  []bool           // by entry: not taken
	count map[handling]int // by step, with nth 0: how many there were so far
	fresh sim.Time         // when the run under way took a step that it must not take
}

// handling names a step: the nth in which the node handles such a message.
type handling struct {
	node, from sim.NodeID
	msg        sim.Digest
	nth        int
}

// newSlice plays a failure with a journal and finds the entries of the violation.
func newSlice(ctx context.Context, w sim.Runner, f *explore.Failure) (*slice, bool, error) {
	s := &slice{ctx: ctx, world: w, failure: f, vary: f.Variation(), first: f.Finding.First,
		count: map[handling]int{}, known: map[handling]int{}, whole: true}
	if f.Property == explore.NoProperty {
		s.first = f.Panic.At
	}
	w.SetAdversary(nil)
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	defer w.Watch(sim.Watch{})
	// The violation may come later in a run with less in it.
	s.vary.Until = s.first.Add(max(time.Duration(s.first), time.Second))
	s.vary.Skip = s.number
	ok, err := s.play()
	if !ok && err == nil {
		s.vary.Until, s.steps = 0, nil
		clear(s.count)
		ok, err = s.play()
	}
	if err != nil || !ok {
		return nil, false, err
	}
	s.vary.Skip = nil
	s.join(j.Entries)
	turned := -1
	if f.Property != explore.NoProperty {
		turned = j.Turned[f.Property]
	}
	s.findRoots(turned)
	return s, true, nil
}

// play runs the schedule, as it is varied, and reports whether it fails in the same way.
func (s *slice) play() (bool, error) {
	if err := s.world.Vary(s.vary); err != nil {
		return false, err
	}
	return s.failure.Same(s.world.Run(s.failure.Seed)), nil
}

// name is the name of a step that is about to be taken.
func (s *slice) name(h sim.Handling) handling {
	k := handling{node: h.Node, from: h.From, msg: h.Msg}
	s.count[k]++
	k.nth = s.count[k]
	return k
}

// number takes down the names of the steps, in order, and skips none.
func (s *slice) number(h sim.Handling) bool {
	s.steps = append(s.steps, s.name(h))
	return false
}

// join puts the names of the steps beside their entries.
func (s *slice) join(entries []sim.Entry) {
	names := s.steps
	s.entries, s.steps, s.skip = entries, make([]handling, len(entries)), make([]bool, len(entries))
	for i := range entries {
		if n := entries[i].Step; n > 0 {
			s.steps[i] = names[n-1]
			s.known[names[n-1]] = i
		}
	}
}

// stop is the first pause of a node that is injected from one instant to another, both
// included, and the instant at which it ends; -1 if there is none.
func (s *slice) stop(id sim.NodeID, from, to sim.Time) (int, sim.Time) {
	for i := range s.entries {
		if e := &s.entries[i]; e.Node == id && e.At >= from && e.At <= to && s.stops(e) {
			return i, s.resumes(i)
		}
	}
	return -1, 0
}

// stops reports whether an entry is a pause.
func (s *slice) stops(e *sim.Entry) bool {
	return e.Step == 0 && e.Fault > 0 && e.To == sim.None && s.failure.Faults[e.Fault-1].Do.Row().Stops
}

// resumes is when a pause ends.
func (s *slice) resumes(pause int) sim.Time {
	for _, e := range s.entries[pause:] {
		if e.Node == s.entries[pause].Node && e.Ends && e.Fault == 0 {
			return e.At
		}
	}
	return sim.Never
}

// fold gives the notes that were buffered only for the cost of a step to the step, and returns
// where the given entry is then.
func (s *slice) fold(turned int) int {
	for i := range s.entries {
		e := &s.entries[i]
		if e.Step > 0 || !e.Noted || e.Cause < 0 {
			continue
		}
		c := &s.entries[e.Cause]
		if p, _ := s.stop(e.Node, c.At, e.At); p >= 0 && p < i {
			continue
		}
		c.Description, c.Detail, c.Noted = append(c.Description, e.Description...), append(c.Detail, e.Detail...), true
		e.Description, e.Detail, e.Noted = nil, nil, false
		if turned == i {
			turned = e.Cause
		}
	}
	return turned
}

// findRoots finds the entries of the violation: the step with which the verdict
// turned; or else what the first node concerned noted at that instant; or else, when
// what is wrong is that nothing happened, what each node concerned last did.
func (s *slice) findRoots(turned int) {
	end, _ := slices.BinarySearchFunc(s.entries, s.first+1, func(e sim.Entry, t sim.Time) int { return int(min(max(e.At-t, -1), 1)) })
	nodes := s.concerned()
	switch {
	case s.failure.Property == explore.NoProperty:
		end = len(s.entries)
		s.roots = []int{end - 1}
	case turned >= 0 && s.entries[turned].At == s.first:
		s.roots = []int{s.fold(turned)}
	default:
		s.fold(-1)
		if i := s.lastTold(s.failure.Finding.Nodes[0], end); i >= 0 && s.entries[i].At == s.first {
			s.roots = []int{i}
			break
		}
		for _, id := range nodes {
			if i := s.lastTold(id, end); i >= 0 {
				s.roots = append(s.roots, i)
			}
		}
	}
	s.soft = make([]bool, len(s.entries))
	for i := range end {
		e := &s.entries[i]
		s.soft[i] = e.Step > 0 && len(e.Description) > 0 && slices.Contains(nodes, e.Node)
	}
	s.gone = make([]bool, len(s.entries))
	s.in, s.spine = make([]bool, len(s.entries)), make([]bool, len(s.entries))
	for _, i := range s.roots {
		for ; i >= 0; i = s.entries[i].Cause {
			s.spine[i] = true
		}
	}
	s.close()
}

// concerned are the nodes of the finding; of one that names none, as a goal, all that did anything.
func (s *slice) concerned() []sim.NodeID {
	nodes := s.failure.Finding.Nodes[:]
	if s.failure.Property == explore.NoProperty || nodes[0] != sim.None {
		return nodes
	}
	var all []sim.NodeID
	for i := range s.entries {
		if e := &s.entries[i]; e.Step > 0 && !slices.Contains(all, e.Node) {
			all = append(all, e.Node)
		}
	}
	return all
}

// lastTold is the last entry of a node before end of which the model has something to
// tell, or else that is not idle; -1 if there is none.
func (s *slice) lastTold(id sim.NodeID, end int) int {
	last := -1
	for i := end - 1; i >= 0 && id != sim.None; i-- {
		e := &s.entries[i]
		if e.Node == id && len(e.Description) > 0 {
			return i
		}
		if e.Node == id && e.Step > 0 && !e.Idle && last < 0 {
			last = i
		}
	}
	return last
}

// close finds what leads to the violation, of what is not left out.
func (s *slice) close() {
	for i := range s.entries {
		if c := s.entries[i].Cause; c >= 0 && s.gone[c] {
			s.gone[i] = true
		}
		s.in[i] = (s.spine[i] || s.soft[i]) && !s.gone[i]
	}
	wanted := map[sim.NodeID]bool{}
	for i := len(s.entries) - 1; i >= 0; i-- {
		e := &s.entries[i]
		if e.Step > 0 && !e.Idle && !s.gone[i] && wanted[e.Node] {
			s.in[i] = true
		}
		if s.in[i] {
			wanted[e.Node] = true
			if e.Cause >= 0 {
				s.in[e.Cause] = true
			}
		}
	}
}

// cut leaves out what it can: halves, quarters, and in the end each step alone.
func (s *slice) cut() error {
	size := len(s.candidates())
	for size > 0 && s.whole {
		dropped := false
		list := s.candidates()
		for from := 0; from < len(list); {
			ok, err := s.drop(list[from:min(from+size, len(list))])
			if err != nil {
				return err
			}
			if !ok {
				from += size
				continue
			}
			dropped = true
			next := list[from]
			list = s.candidates()
			from, _ = slices.BinarySearch(list, next)
		}
		if size > 1 || !dropped {
			size /= 2
		}
	}
	return nil
}

// candidates are the steps that might be left out.
func (s *slice) candidates() []int {
	var list []int
	for i := range s.entries {
		if s.in[i] && !s.spine[i] && s.entries[i].Step > 0 {
			list = append(list, i)
		}
	}
	return list
}

// drop leaves steps out, if the violation occurs without them.
func (s *slice) drop(steps []int) (bool, error) {
	if s.replays >= maxReplays || s.ctx.Err() != nil {
		s.whole = false
		return false, nil
	}
	s.replays++
	before := slices.Clone(s.gone)
	for _, i := range steps {
		s.skip[i], s.gone[i] = true, true
	}
	s.close()
	s.vary.Skip = s.skipped
	ok, err := s.playPart()
	s.vary.Skip = nil
	if err != nil || !ok {
		for _, i := range steps {
			s.skip[i] = false
		}
		s.gone = before
		s.close()
		return false, err
	}
	return true, nil
}

// playPart runs with steps skipped, and reports whether it fails in the same way and
// takes no step for it that it must not take.
func (s *slice) playPart() (bool, error) {
	clear(s.count)
	s.fresh = sim.Never
	if err := s.world.Vary(s.vary); err != nil {
		return false, err
	}
	r := s.world.Run(s.failure.Seed)
	if !s.failure.Same(r) {
		return false, nil
	}
	first := r.End
	if s.failure.Property != explore.NoProperty {
		first = r.Properties[s.failure.Property].First
	}
	return s.fresh > first, nil
}

// skipped is asked before each step.
func (s *slice) skipped(h sim.Handling) bool {
	i, ok := s.known[s.name(h)]
	if ok && s.skip[i] {
		return true
	}
	if !ok || s.gone[i] {
		s.fresh = min(s.fresh, h.At)
	}
	return false
}

// checkFaults finds the faults without which there is no such violation.
func (s *slice) checkFaults() error {
	s.needed = make([]bool, len(s.failure.Faults)+1)
	injected := make([]bool, len(s.needed))
	for i := range s.entries {
		if e := &s.entries[i]; e.At <= s.first {
			injected[e.Fault] = true
		}
	}
	all := s.vary.Faults
	defer func() { s.vary.Faults = all }()
	for i := 1; i < len(s.needed) && s.ctx.Err() == nil; i++ {
		if !injected[i] {
			continue
		}
		s.replays++
		s.vary.Faults = slices.Concat(all[:i-1], all[i:])
		ok, err := s.play()
		if err != nil {
			return err
		}
		s.needed[i] = !ok
	}
	return nil
}
