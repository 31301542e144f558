package pbs

import (
	"math/big"
)

// MissesQuorum is the probability that a read of R random replicas meets none of W random
// replicas that have the last write: C(N-W, R) / C(N, R).
//
// Source: section 3.1 of the paper, equation 1.
func MissesQuorum(q Quorums) *big.Rat {
	ways := func(n int) *big.Int { return new(big.Int).Binomial(int64(n), int64(q.R)) }
	if q.N-q.W < q.R {
		return new(big.Rat) // they overlap
	}
	return new(big.Rat).SetFrac(ways(q.N-q.W), ways(q.N))
}

// WithinVersions is the probability that such a read returns one of the last k versions,
// each of which is at W random replicas of its own: 1 - p^k.
//
// Source: section 3.1 of the paper, equation 2.
func WithinVersions(q Quorums, k int) *big.Rat {
	one, stale := big.NewRat(1, 1), big.NewRat(1, 1)
	for range k {
		stale.Mul(stale, MissesQuorum(q))
	}
	return one.Sub(one, stale)
}
