package clock

import (
	"cmp"
	"math"
	"time"
)

// Reading is what a wall clock shows, in nanoseconds since its epoch, between -2^62
// and 2^62.
type Reading int64

// MaxReading is the largest reading that is taken from elsewhere.
const MaxReading Reading = 1 << 62

// Timestamp is a stamp of a hybrid clock: l is close to a wall clock, c orders what
// has the same l.
type Timestamp struct {
	L Reading
	C uint32
}

// Compare is negative, zero or positive: by l, then by c.
func (t Timestamp) Compare(u Timestamp) int {
	return cmp.Or(cmp.Compare(t.L, u.L), cmp.Compare(t.C, u.C))
}

// next is the stamp right above t. A counter that is full carries.
func (t Timestamp) next() Timestamp {
	if t.C == math.MaxUint32 {
		return Timestamp{L: t.L + 1}
	}
	return Timestamp{t.L, t.C + 1}
}

// HybridStamp is an event of a node in the total order: by timestamp, then by node.
type HybridStamp[I ID] struct {
	Timestamp
	Node I
}

// Compare is negative, zero or positive. Zero means the same event, if node ids are
// unique.
func (s HybridStamp[I]) Compare(t HybridStamp[I]) int {
	return cmp.Or(s.Timestamp.Compare(t.Timestamp), cmp.Compare(s.Node, t.Node))
}

// HLC is a hybrid logical clock: the rules of the paper and no protection, for which
// see [GuardedHLC]. Its zero value begins at (0,0), so the first stamp of a node
// whose wall clock shows 0 is (0,1).
//
//   - HL1: a -> b implies hlc(a) < hlc(b), as long as no state is lost.
//   - HL2: l >= pt.
//   - HL4: l - pt is at most e if and only if all wall clocks are within e of each other.
//   - HL5: c is at most N(e+1) if a node's clock ticks between any two of its events.
//
// It does not tell concurrency: two stamps are always ordered.
//
// Source: Kulkarni, Demirbas, Madappa, Avva, Leone, "Logical Physical Clocks", 2014,
// figure 5.
type HLC struct {
	Last Timestamp // of the last event here
}

// Tick is a local event or a send, whose message carries the result; pt is what the
// node's wall clock shows.
func (h *HLC) Tick(pt Reading) Timestamp {
	if pt > h.Last.L {
		h.Last = Timestamp{L: pt}
	} else {
		h.Last = h.Last.next()
	}
	return h.Last
}

// Receive is the receipt of a message that carries m.
func (h *HLC) Receive(m Timestamp, pt Reading) Timestamp {
	l := max(h.Last.L, m.L, pt)
	switch {
	case l == h.Last.L && l == m.L:
		h.Last = Timestamp{l, max(h.Last.C, m.C)}.next()
	case l == h.Last.L:
		h.Last = h.Last.next()
	case l == m.L:
		h.Last = m.next()
	default:
		h.Last = Timestamp{L: l}
	}
	return h.Last
}

// Update is CockroachDB's half of a receipt: the clock moves up to m, and nothing is
// stamped. Update and then [HLC.Tick] is [HLC.Receive].
//
// Source: cockroachdb/cockroach, pkg/util/hlc/hlc.go, Update.
func (h *HLC) Update(m Timestamp) {
	if m.Compare(h.Last) > 0 {
		h.Last = m
	}
}

// Ahead is l - pt: by how much the clock runs before its node's wall clock.
func (h *HLC) Ahead(pt Reading) time.Duration { return time.Duration(h.Last.L - pt) }

// RestartHLC is the clock of a node that comes back and had made durable that it would
// issue no stamp with an l above bound: every later stamp is above all that. It begins
// at bound+1, because stamps with l = bound, and any c, may have been issued.
//
// Source: cockroachdb/cockroach, pkg/util/hlc/hlc.go, the persisted upper bound.
func RestartHLC(bound Reading) HLC { return HLC{Timestamp{bound, math.MaxUint32}} }
