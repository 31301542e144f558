package ring

import "slices"

// Range is the positions after From and up to To. It may wrap; where both are equal it is
// the whole circle.
type Range struct{ From, To uint64 }

// Width is the number of positions of a range, 0 for the whole circle, which has 2^64.
func (g Range) Width() uint64 { return g.To - g.From }

// Has reports whether a position is in the range.
func (g Range) Has(position uint64) bool {
	return g.From == g.To || position-g.From-1 < g.To-g.From
}

// Move is a range whose preference list differs between two rings.
type Move struct {
	Range
	Old, New []NodeIndex // the first n nodes
}

// Gains reports whether the node stores the range in the new ring and not in the old one:
// the range is streamed to it, from nodes of Old.
func (m *Move) Gains(node NodeIndex) bool {
	return slices.Contains(m.New, node) && !slices.Contains(m.Old, node)
}

// SameNodes reports whether the two lists differ in order only: nothing is streamed.
func (m *Move) SameNodes() bool { return gained(m.Old, m.New) == 0 }

// gained counts the nodes of after that are not in before.
func gained(before, after []NodeIndex) (count int) {
	for _, n := range after {
		if !slices.Contains(before, n) {
			count++
		}
	}
	return count
}

// Moves are the ranges whose first n nodes differ between two rings of the same parameters,
// in order of position from 0 on. The range that wraps comes first, if it differs. A ring of
// strategy Modulo has no ranges, as the position of a key depends on the number of nodes:
// for it see [CountMoves].
func Moves(before, after *Ring, n int) []Move {
	cuts := make([]uint64, 0, len(before.circle)+len(after.circle))
	for _, c := range []Circle{before.circle, after.circle} {
		for _, t := range c {
			cuts = append(cuts, t.At)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var moves []Move
	from := cuts[len(cuts)-1]
	for _, to := range cuts {
		moved := Move{Range: Range{from, to}, Old: before.preferenceAt(to, n), New: after.preferenceAt(to, n)}
		from = to
		if slices.Equal(moved.Old, moved.New) {
			continue
		}
		if last := len(moves) - 1; last >= 0 && moves[last].To == moved.From &&
			slices.Equal(moves[last].Old, moved.Old) && slices.Equal(moves[last].New, moved.New) {
			moves[last].To = moved.To
			continue
		}
		moves = append(moves, moved)
	}
	return moves
}

func (r *Ring) preferenceAt(position uint64, n int) []NodeIndex {
	list := make([]NodeIndex, 0, n)
	walk := r.circle.Walk(r.circle.First(position))
	for range n {
		node, _ := walk.Next()
		list = append(list, node)
	}
	return list
}

// Moved counts what a change moves among the keys of a ring.
type Moved struct {
	Keys      int // of the ring
	Primaries int // keys that have another owner
	Sets      int // keys with at least one new replica
	Copies    int // replicas of keys that a node has to receive
}

// CountMoves counts what moves from one ring to another with n replicas of each key.
func CountMoves(before, after *Ring, n int) Moved {
	m := Moved{Keys: before.Keys()}
	for k := range m.Keys {
		old, now := before.Preference(k, n), after.Preference(k, n)
		if old[0] != now[0] {
			m.Primaries++
		}
		if g := gained(old, now); g > 0 {
			m.Sets++
			m.Copies += g
		}
	}
	return m
}
