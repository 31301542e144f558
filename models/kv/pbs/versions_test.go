package pbs

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// B-01 and B-03 once more, as draws: within six standard errors of the closed form.
func TestVersionsAgreeWithTheClosedForm(t *testing.T) {
	const n = 100_000
	for _, q := range []Quorums{{3, 1, 1}, {3, 1, 2}, {3, 2, 2}, {5, 2, 2}, {100, 10, 10}} {
		for k := 1; k <= 5; k++ {
			versions, within := NewVersions(q, k, 1), 0.0
			for i := range uint64(n) {
				if versions.Trial(i) {
					within++
				}
			}
			want, _ := WithinVersions(q, k).Float64()
			assert.InDelta(t, want, within/n, 6*math.Sqrt(want*(1-want)/n), "%v within %d", q, k)
		}
	}
}

// Every set is drawn, and each about as often.
func TestSomeReplicas(t *testing.T) {
	count, words := map[replicas]int{}, draws{7}
	for range 20_000 {
		count[words.some(3, 6)]++
	}
	require.Len(t, count, 20)
	for set, n := range count {
		require.InDelta(t, 1000, n, 6*math.Sqrt(1000), "%v", set)
	}
	require.Equal(t, replicas{math.MaxUint64, 1<<36 - 1}, words.some(100, 100))
}

// The quantile is the least value that enough of all do not exceed.
func TestQuantile(t *testing.T) {
	words := draws{9}
	for n := 1; n <= 60; n++ {
		list, all := []time.Duration{}, []time.Duration{}
		for range n {
			list = append(list, time.Duration(words.replica(20)))
		}
		all = append(all, list...)
		for _, perMille := range []int{999, 990, 500, 1} {
			var q time.Duration
			q, list = quantile(list, n, perMille)
			upTo, below := 0, 0
			for _, v := range all {
				if v <= q {
					upTo++
				}
				if v < q {
					below++
				}
			}
			require.GreaterOrEqual(t, 1000*upTo, perMille*n)
			require.Less(t, 1000*below, perMille*n)
		}
	}
}
