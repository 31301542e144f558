package ring

import (
	"math/big"
	"slices"
)

// Load is how many keys each member stores with n replicas of each key, in the order of
// Members. With n = 1 it counts the keys that a node owns.
func (r *Ring) Load(n int) []int {
	var count [MaxNodes]int
	for k := range r.Keys() {
		for _, node := range r.Preference(k, n) {
			count[node]++
		}
	}
	load := make([]int, len(r.members))
	for i, m := range r.members {
		load[i] = count[m]
	}
	return load
}

// Balance is how even some loads are, in thousandths of their mean, rounded to nearest.
type Balance struct {
	Max, Min  int
	Deviation int // the standard deviation of all nodes
}

// BalanceOf compares loads with their mean. Without any load it is zero.
func BalanceOf(loads []int) Balance {
	sum, squares := new(big.Int), new(big.Int)
	for _, l := range loads {
		load := big.NewInt(int64(l))
		sum.Add(sum, load)
		squares.Add(squares, load.Mul(load, load))
	}
	if sum.Sign() == 0 {
		return Balance{}
	}
	n := big.NewInt(int64(len(loads)))
	// n·squares - sum² is (n·deviation)²: its root over the sum is deviation over mean.
	variance := new(big.Int).Mul(n, squares)
	variance.Sub(variance, new(big.Int).Mul(sum, sum))
	of := func(l int) int { return nearest(new(big.Int).Mul(n, big.NewInt(1000*int64(l))), sum) }
	return Balance{
		Max:       of(slices.Max(loads)),
		Min:       of(slices.Min(loads)),
		Deviation: nearest(variance.Sqrt(variance.Mul(variance, big.NewInt(1_000_000))), sum),
	}
}

// nearest is x/y rounded to nearest.
func nearest(x, y *big.Int) int {
	x.Lsh(x, 1)
	x.Add(x, y)
	return int(x.Div(x, new(big.Int).Lsh(y, 1)).Int64())
}
