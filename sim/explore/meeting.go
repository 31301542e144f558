package explore

import (
	"math/bits"
	"slices"
	"time"

	"fencepost/sim"
)

// A failure that takes two faults mostly takes them close together: a pause just before a renewal, and an outage while
// the leader that woke up still tries. Faults that are drawn apart hardly ever meet. So half of the runs of a budget of two
// faults or more have all of them, and put each later one near the start or the end of an earlier one or of one of the file, as
// far as these can be told before the run. A length that the budget gives is then the longest.

// span is from when to when a fault lasts.
type span struct{ from, to sim.Time }

// mostTogether is how many faults are always all injected; of more, some are.
const mostTogether = 3

// together chooses faults that may meet.
func (g *generator) together(slots int, c Chooser) []sim.Fault {
	g.meeting = true
	defer func() { g.meeting = false }()
	if slots > mostTogether {
		slots = 2 + int(c.Below(uint64(slots-1)))
	}
	g.spans = append(g.spans[:0], g.profile.scripted...)
	for ; slots > 0 && len(g.left) > 0; slots-- {
		g.add(g.kind(c), c)
	}
	return g.made
}

// lasts takes down when a fault lasts that begins at an instant.
func (g *generator) lasts(f *sim.Fault, from sim.Time) {
	if g.meeting {
		g.spans = addSpan(g.spans, f, from)
	}
}

// addSpan adds the span of a fault that begins at an instant. One of a message, or of a clock's rate, has none.
func addSpan(list []span, f *sim.Fault, from sim.Time) []span {
	if f.Do.Of() == sim.OneMessage || f.Do == sim.FollowLog || f.Do == sim.SetRate {
		return list
	}
	s := span{from, from.Add(f.For.Most())}
	if f.Forever || !f.Do.Row().Lasting {
		s.to = from
	}
	return append(list, s)
}

// scripted is when the faults of a file last, the first time, as a run without a fault of the budget has it.
func scripted(faults []sim.Fault, r *sim.Result) (list []span) {
	for i := range faults {
		from := r.Faults[i].First
		if w := &faults[i].When; w.Note|w.Before == 0 && w.Every.IsZero() && len(w.Replay) == 0 && w.After == "" {
			from = w.At // a partition counts from the first message that it loses
		}
		if r.Faults[i].Count > 0 && from != sim.Never {
			list = addSpan(list, &faults[i], from)
		}
	}
	return list
}

// near chooses a node and an instant near an earlier fault of a run in which faults are to meet: mostly, if there is one.
func (g *generator) near(do sim.Action, c Chooser) (at sim.Choice, ok bool) {
	if !g.meeting || len(g.spans) == 0 || c.Below(12) == 11 {
		return at, false
	}
	s := g.spans[c.Below(uint64(len(g.spans)))]
	at = sim.Choice{Point: sim.Stepping, Node: g.node(do, c)}
	anchor := s.to
	if c.Below(3) == 0 {
		anchor = s.from
	}
	size := func() time.Duration { return magnitude(max(time.Duration(g.until)/4, 1), c) }
	switch c.Below(4) {
	case 0: // while it lasts
		at.At = s.from.Add(time.Duration(c.Below(uint64(s.to.Sub(s.from)) + 1)))
	case 1: // sooner than that after it
		at.At = anchor.Add(time.Duration(c.Below(uint64(size()) + 1)))
	case 2: // about that long after it
		at.At = anchor.Add(about(size(), c))
	default:
		d := size()
		if at.At = anchor.Add(d); c.Below(4) == 0 {
			at.At = max(anchor.Add(-d), 0)
		}
	}
	at.At = min(at.At, g.until-1)
	return at, true
}

// evenly chooses a place of a run in which faults are to meet, half of the time: a node, one of its kinds of effect, and one
// of these, each as often. Else the node with the most effects gets most of the faults.
func (g *generator) evenly(do sim.Action, c Chooser) (at sim.Choice, ok bool) {
	if !g.meeting || c.Below(2) == 0 {
		return at, false
	}
	node := g.node(do, c)
	of := func(list []sim.Choice) bool { return len(list) > 0 && list[0].Node == node }
	n := uint64(0)
	for _, list := range g.places(do).groups {
		if of(list) {
			n++
		}
	}
	if n == 0 {
		return at, false
	}
	n = c.Below(n)
	for _, list := range g.places(do).groups {
		if !of(list) {
			continue
		}
		if n == 0 {
			return list[c.Below(uint64(len(list)))], true
		}
		n--
	}
	return at, false
}

// upTo is a length of at most another: mostly that, or any shorter one, or one of any order of magnitude.
func upTo(most time.Duration, c Chooser) time.Duration {
	switch {
	case c.Below(3) < 2:
		return most
	case c.Below(2) == 0:
		return 1 + time.Duration(c.Below(uint64(most)))
	}
	return magnitude(most, c)
}

// about is a length near another: the same, or more or less by up to a quarter.
func about(d time.Duration, c Chooser) time.Duration {
	switch c.Below(3) {
	case 0:
		return d
	case 1:
		return d + magnitude(max(d/4, 1), c)
	}
	return max(d-magnitude(max(d/4, 1), c), 1)
}

// magnitude is a length of at most another, in each order of magnitude from a millisecond up as often.
func magnitude(most time.Duration, c Chooser) time.Duration {
	least := bits.Len64(uint64(min(most, time.Millisecond)))
	size := least + int(c.Below(uint64(bits.Len64(uint64(most))-least+1)))
	return min(time.Duration(1<<(size-1)|c.Below(1<<(size-1))), most)
}

// meetings tells of runs whether two faults of the budget were injected, and met: they overlapped, or one began at most the window
// after another had ended. A step of a clock, a lost message and a crash leave something behind that outlasts them; what is
// counted is how long they last.
type meetings struct {
	window   time.Duration
	injected []span
}

// of looks at the faults of a run from the first of the budget on, as the result has them, and at what an adversary did.
func (m *meetings) of(faults []sim.Fault, r *sim.Result, first int, did []sim.Fault, when []sim.Time) (together, met bool) {
	m.injected = m.injected[:0]
	for i := first; i < min(len(faults), len(r.Faults)); i++ {
		if r.Faults[i].Count > 0 {
			m.adds(&faults[i], r.Faults[i].First)
		}
	}
	for i := range did {
		m.adds(&did[i], when[i])
	}
	if len(m.injected) < 2 {
		return false, false
	}
	slices.SortFunc(m.injected, func(a, b span) int { return int(min(max(a.from-b.from, -1), 1)) })
	end := m.injected[0].to
	for _, s := range m.injected[1:] {
		if s.from <= end || s.from.Sub(end) <= m.window {
			return true, true
		}
		end = max(end, s.to)
	}
	return true, false
}

func (m *meetings) adds(f *sim.Fault, from sim.Time) {
	s := span{from, from}
	switch {
	case f.Do == sim.SetRate || f.Forever:
		s.to = sim.Never
	case f.Do.Row().Lasting:
		s.to = from.Add(f.For.Most())
	}
	m.injected = append(m.injected, s)
}
