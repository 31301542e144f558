package pbs

import (
	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// replicas is a set of at most [MaxReplicas].
type replicas [2]uint64

// some draws k of n replicas, each set of k with the same probability.
//
// Source: Floyd, in Bentley, "Programming Pearls: a sample of brilliance", CACM 1987.
func (d *draws) some(k, n int) (s replicas) {
	for last := n - k; last < n; last++ {
		i := d.replica(last + 1)
		if s.has(i) {
			i = last
		}
		s.add(i)
	}
	return s
}

func (s *replicas) add(i int) { s[i>>6&1] |= 1 << (i & 63) }

func (s *replicas) has(i int) bool { return s[i>>6&1]>>(i&63)&1 != 0 }

func (s replicas) meets(other replicas) bool { return s[0]&other[0]|s[1]&other[1] != 0 }

// Versions draws reads that take no account of time: each version stays at the W random
// replicas that acknowledged it, and a read asks R random replicas. It is not safe for
// concurrent use.
type Versions struct {
	quorums Quorums
	last    int
	words   uint64 // of each trial, at most
	base    uint64
}

// NewVersions are reads of a seed that accept one of the last k versions.
func NewVersions(q Quorums, k int, seed uint64) *Versions {
	q.valid()
	return &Versions{q, k, uint64(q.R + k*q.W), splitmix.Mix(seed ^ sim.Hash("versions"))}
}

// Trial reports whether the n-th read returns one of the last k versions.
func (v *Versions) Trial(n uint64) bool {
	words := draws{splitmix.Stream(v.base + n*v.words*splitmix.Gamma)}
	read := words.some(v.quorums.R, v.quorums.N)
	for range v.last {
		if words.some(v.quorums.W, v.quorums.N).meets(read) {
			return true
		}
	}
	return false
}
