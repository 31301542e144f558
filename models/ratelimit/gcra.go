package ratelimit

import (
	"fmt"
	"math/bits"
	"time"
)

// GCRAParams are the parameters of a [GCRA].
type GCRAParams struct {
	Burst int64 // b: requests at once after silence, 1 to MaxLimit; throttled's MaxBurst is one less
	Rate  Rate  // n requests per p
}

// Validate returns all mistakes.
func (p GCRAParams) Validate() error {
	var m mistakes
	m.bucket("burst", p.Burst, "rate", p.Rate)
	return m.join()
}

// GCRA is the generic cell rate algorithm: it remembers the theoretical arrival time
// of the next request, and refuses one that comes more than the burst too early. Same
// verdicts and answers as the [TokenBucket].
//
// It has no last reading to hold on to. A clock that goes back finds the arrival time
// further in the future, and requests are refused for the size of the step, beyond what the
// burst covers. The TokenBucket is milder: it only stands still.
//
// Source: ITU-T I.371, annex A, virtual scheduling; throttled/throttled, rate.go;
// brandur/redis-cell.
type GCRA struct {
	burst, n, p, full int64
	byN, byP          divisor
}

// GCRAState is what a [GCRA] remembers of a key. A key whose arrival time has passed
// is as good as one never heard of: a store may drop it after ResetAfter.
//
//  1. 0 <= part < n
type GCRAState struct {
	tat  Reading // theoretical arrival time, whole nanoseconds
	part int64   // and 1/n nanoseconds
}

// NewGCRA returns the rule, or all mistakes in its parameters.
func NewGCRA(p GCRAParams) (*GCRA, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	g := &GCRA{burst: p.Burst}
	g.n, g.p = p.Rate.reduced()
	g.full = g.burst * g.p
	g.byN, g.byP = divideBy(g.n), divideBy(g.p)
	return g, nil
}

// Limit implements [Rule]: the burst.
func (g *GCRA) Limit() int64 { return g.burst }

// Start implements [Rule]: the next request may come at once.
func (g *GCRA) Start(now Reading) GCRAState { return GCRAState{now, 0} }

// Take implements [Rule].
func (g *GCRA) Take(k *GCRAState, now Reading, cost int64) Decision {
	base := *k // max(TAT, now)
	if now > k.tat {
		base = GCRAState{now, 0}
	}
	ahead := int64(base.tat - now)
	hi, lo := bits.Mul64(uint64(ahead), uint64(g.n))
	debt, carry := bits.Add64(lo, uint64(base.part), 0) // base - now, in units of 1/p request
	hi += carry
	if uint64(cost) > uint64(g.burst) {
		return g.refusal(base, hi, debt, Decision{Wait: Never, ResetAfter: time.Duration(ahead)})
	}
	slack := g.full - cost*g.p // the debt with which this request is still in time
	if hi != 0 || debt > uint64(slack) {
		return g.refusal(base, hi, debt, Decision{Wait: g.excess(ahead, slack-base.part), ResetAfter: time.Duration(ahead)})
	}
	total := int64(debt) + cost*g.p
	wait := g.byN.floor(total)
	*k = GCRAState{now + Reading(wait), total - wait*g.n}
	if k.part > 0 {
		wait++
	}
	return Decision{Allowed: true, Remaining: g.byP.floor(g.full - total), ResetAfter: time.Duration(wait)}
}

// excess is ahead - slack/n rounded up: how much too early the request is.
func (g *GCRA) excess(ahead, slack int64) time.Duration {
	if slack < 0 {
		return time.Duration(ahead + 1) // it is more than -n
	}
	return time.Duration(ahead - g.byN.floor(slack))
}

func (g *GCRA) refusal(base GCRAState, hi, debt uint64, d Decision) Decision {
	if base.part > 0 {
		d.ResetAfter++
	}
	if hi == 0 && debt < uint64(g.full) {
		d.Remaining = g.byP.floor(g.full - int64(debt))
	}
	return d
}

// Check implements [Rule].
func (g *GCRA) Check(k *GCRAState) error {
	if k.part < 0 || k.part >= g.n {
		return fmt.Errorf("GCRA, 1: %d/%d ns", k.part, g.n)
	}
	return nil
}
