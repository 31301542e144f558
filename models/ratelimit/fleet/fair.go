package fleet

import (
	"fmt"

	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// shares are what each of several got over a whole run, and the least index of Jain, in
// parts per thousand, that they may have; 0: they are not checked.
//
// Source: Jain, Chiu and Hawe, DEC TR-301, 1984.
type shares struct {
	sim.Check
	of    []int64
	least int64
}

func (s *shares) reset(n int, least int64) {
	s.Clear()
	s.of, s.least = resized(s.of, n), least
}

// index is Jain's, in parts per thousand.
func (s *shares) index() int64 { return int64(1000 * judge.Jain(s.of)) }

// End implements [sim.Observer].
func (s *shares) End(v *sim.View[Msg]) {
	if s.least == 0 {
		return
	}
	s.Saw()
	if s.index() < s.least {
		s.Violate(v.Now())
	}
}

// why says what of whom is uneven.
func (s *shares) why(what, whose string) string {
	return fmt.Sprintf("%s has an index of %d, less than %d; by %s: %v", what, s.index(), s.least, whose, s.of)
}

// leastIndex is the bound of an index that the measure of a name has.
func leastIndex(least int64, measure string) sim.Bound {
	if least == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("Jain's index at least %d of 1000", least), Least: measure}
}

// Fair holds if Jain's index of what the clients were admitted, over the whole run, is
// not below Fair parts per thousand. With Fair 0 it says nothing.
type Fair struct {
	Layout Layout

	shares
}

// Name implements [sim.Property].
func (p *Fair) Name() string { return "fair" }

// Bound implements [sim.Bounded].
func (p *Fair) Bound() sim.Bound { return leastIndex(p.Layout.Fair, "jain-index") }

// Reset implements [sim.Observer].
func (p *Fair) Reset(*sim.View[Msg]) { p.reset(p.Layout.Clients, p.Layout.Fair) }

// Observe implements [sim.Observer].
func (p *Fair) Observe(_ *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted && o.Msg.Kind == Admitted {
		p.of[clientOf(o.Msg.ID)-1] += int64(o.Msg.Cost)
	}
}

// Why implements [sim.Property].
func (p *Fair) Why(*sim.View[Msg]) string { return p.why("what the clients were admitted", "client") }

// ShardsEven holds if Jain's index of what the shards were asked, over the whole run, is
// not below Even parts per thousand. With Even 0 it says nothing.
type ShardsEven struct {
	Layout Layout

	shares
}

// Name implements [sim.Property].
func (p *ShardsEven) Name() string { return "shards-even" }

// Bound implements [sim.Bounded].
func (p *ShardsEven) Bound() sim.Bound { return leastIndex(p.Layout.Even, "store-jain-index") }

// Reset implements [sim.Observer].
func (p *ShardsEven) Reset(*sim.View[Msg]) { p.reset(p.Layout.Shards, p.Layout.Even) }

// Observe implements [sim.Observer].
func (p *ShardsEven) Observe(_ *sim.View[Msg], o *sim.Observation[Msg]) {
	if p.Layout.Even > 0 && o.Event == sim.Noted && o.Msg.Kind == ShardOp {
		p.of[p.Layout.shard(o.Node)]++
	}
}

// Why implements [sim.Property].
func (p *ShardsEven) Why(*sim.View[Msg]) string { return p.why("what the shards were asked", "shard") }
