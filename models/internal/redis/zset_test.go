package redis

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A set does what a table of scores does that is looked through each time.
func TestZSetAgainstATable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var z ZSet
	table, added := map[uint64]float64{}, int64(0)
	for step := range 20_000 {
		switch r.IntN(8) {
		case 0:
			least := Bound{float64(r.IntN(60)), r.IntN(2) == 0}
			most := Bound{least.Score + float64(r.IntN(10)-2), r.IntN(2) == 0}
			if r.IntN(2) == 0 {
				least = Bound{Score: -1}
			}
			removed := 0
			for name, score := range table {
				if (score > least.Score || score == least.Score && !least.Open) && (score < most.Score || score == most.Score && !most.Open) {
					delete(table, name)
					removed++
				}
			}
			require.Equal(t, removed, z.RemoveByScore(least, most), "step %d", step)
		case 1:
			if r.IntN(200) == 0 {
				z.Clear()
				clear(table)
				added = 0
			}
			var other ZSet
			other.CopyFrom(&z)
			z.CopyFrom(&other)
		default:
			name, score := r.Uint64N(40), float64(r.IntN(60))
			_, known := table[name]
			if table[name] = score; !known {
				added++
			}
			require.Equal(t, !known, z.Add(score, name), "step %d", step)
		}
		require.Equal(t, len(table), z.Card(), "step %d", step)
		require.Equal(t, added, z.added, "step %d", step)
		for i := range z.Card() {
			require.Equal(t, table[z.live()[i].name], z.Lowest(i), "step %d", step)
			require.True(t, i == 0 || z.Lowest(i-1) <= z.Lowest(i), "step %d", step)
		}
	}
}
