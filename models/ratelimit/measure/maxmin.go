package measure

import (
	"fmt"
	"math/bits"
)

// MaxMin divides a capacity among clients so that no client that got less than it wants could get
// more without taking it from one that has no more: a client that wants less than an equal
// share gets what it wants, and the rest is divided among the others, again and again.
//
// A client counts as many times as its weight says (clients behind it); weights that are
// missing are 1. What cannot be divided goes to the first clients that want more.
// It panics if a number is negative.
//
// Source: Bertsekas and Gallager, "Data Networks", section 6.5.2; youtube/doorman,
// FAIR_SHARE.
func MaxMin(capacity int64, wants, weights []int64) []int64 {
	weight := func(i int) int64 {
		if i < len(weights) {
			return weights[i]
		}
		return 1
	}
	got := make([]int64, len(wants))
	left, total := capacity, int64(0) // of those that are not served yet
	for i, want := range wants {
		if want < 0 || weight(i) < 0 || capacity < 0 {
			panic(fmt.Sprintf("measure: capacity %d, client %d wants %d with weight %d", capacity, i, want, weight(i)))
		}
		total += weight(i)
	}
	served := make([]bool, len(wants))
	for again := true; again; {
		again = false
		share, clients := left, total
		for i, want := range wants {
			if served[i] || clients == 0 || want > mulDiv(share, weight(i), clients) {
				continue
			}
			got[i], served[i], again = want, true, true
			left -= want
			total -= weight(i)
		}
	}
	return spread(got, wants, served, left, total, weight)
}

// spread divides what is left among those who want more than their share.
func spread(got, wants []int64, served []bool, left, total int64, weight func(int) int64) []int64 {
	rest := left
	for i := range got {
		if !served[i] && total > 0 {
			got[i] = mulDiv(left, weight(i), total)
			rest -= got[i]
		}
	}
	for i := 0; i < len(got) && rest > 0; i++ {
		if got[i] < wants[i] && weight(i) > 0 {
			got[i]++
			rest--
		}
	}
	return got
}

// mulDiv is a*b/c rounded down; none is negative, b is at most c.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}
