package traffic

import (
	"math/big"
	"math/bits"
)

// zipf draws rank k of n, from 0, with a probability as 1/(k+1)^s. All of it is
// integers, the same on every processor: each weight is rounded to 1/2^38 of the first,
// which is 1/2^61 if there are few.
//
// Source: Walker, "An efficient method for generating discrete random variables with
// general distributions", 1977; Vose, "A linear algorithm for generating random numbers
// with a given distribution", 1991.
type zipf struct{ slots []slot }

// slot is one of n equal parts of the probability: up to share its own rank's, the rest
// another's.
type slot struct {
	share uint64 // of 2^64
	other uint32
}

func newZipf(n int64, s Exponent) *zipf {
	w := weights(n, s)
	sum := uint64(0)
	for i, x := range w {
		sum += x
		w[i] = x * uint64(n) // now sum is what fills a slot
	}
	z := &zipf{make([]slot, n)}
	var small, large []uint32
	for i := range z.slots {
		z.slots[i] = slot{1<<64 - 1, uint32(i)}
		if w[i] < sum {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		i, j := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		share, _ := bits.Div64(w[i], 0, sum)
		z.slots[i] = slot{share, j}
		if w[j] -= sum - w[i]; w[j] < sum {
			large = large[:len(large)-1]
			small = append(small, j)
		}
	}
	return z
}

// rank maps a draw to a rank.
func (z *zipf) rank(u uint64) uint64 {
	i, part := bits.Mul64(u, uint64(len(z.slots)))
	if s := &z.slots[i]; part >= s.share {
		return uint64(s.other)
	}
	return i
}

// weights are 1/k^s for k from 1 to n, the first as large as it can be: n times that fits
// 64 bits.
func weights(n int64, s Exponent) []uint64 {
	scale := 63 - bits.Len64(uint64(n))
	roots := rootsOfTwo()
	w := make([]uint64, n)
	for i := range w {
		w[i] = power(uint64(i)+1, s, scale, &roots)
	}
	return w
}

const logBits = 40 // after the point, of a logarithm

// power is 2^scale / k^s.
func power(k uint64, s Exponent, scale int, roots *[logBits]uint64) uint64 {
	l := log2(k) * uint64(s) / 1000
	whole, x := int(l>>logBits), uint64(1<<63)
	for i, r := range roots {
		if l>>(logBits-1-i)&1 != 0 {
			x, _ = bits.Mul64(x, r)
		}
	}
	if down := 63 - scale + whole; down < 64 {
		return x >> down
	}
	return 0
}

// log2 is the binary logarithm of k, at least 1, in 2^-logBits: squaring a number doubles
// its logarithm, whose next bit then stands before the point.
//
// Source: Knuth, "The Art of Computer Programming", volume 1, section 1.2.2, exercise 25.
func log2(k uint64) uint64 {
	whole := bits.Len64(k) - 1
	l, x := uint64(whole), k<<(63-whole) // x in [1, 2), 2^63 is 1
	for range logBits {
		hi, lo := bits.Mul64(x, x)
		l <<= 1
		if hi >= 1<<63 {
			l |= 1
			x = hi
		} else {
			x = hi<<1 | lo>>63
		}
	}
	return l
}

// rootsOfTwo are 2^(-1/2), 2^(-1/4), ... in 2^-64.
func rootsOfTwo() (roots [logBits]uint64) {
	x := new(big.Int).Lsh(big.NewInt(1), 127) // 1/2 in 2^-128
	for i := range roots {
		x.Sqrt(x) // in 2^-64
		roots[i] = x.Uint64()
		x.Lsh(x, 64)
	}
	return roots
}
