package searches

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/layout"
)

// TestRarityVerdict: what is said of an estimate, and that an interval is shown only where there is one.
func TestRarityVerdict(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *Rarity)
		want   string
	}{
		{"interval", func(*Rarity) {}, "ESTIMATED: a run violates no-lost-update with a probability of 2e-08, 95% interval 1e-08 to 3e-08, of 20 repetitions\n" +
			"  1,000 runs; as narrow an interval takes 1e+08 plain runs\n"},
		{"one prevails", func(r *Rarity) { r.Largest = 0.6 }, "ESTIMATED: a run violates no-lost-update with a probability of 2e-08, 95% interval 1e-08 to 3e-08, of 20 repetitions\n" +
			"  60% of the sum is of one repetition: the interval is rough, more of --population makes it better\n" +
			"  1,000 runs; as narrow an interval takes 1e+08 plain runs\n"},
		{"few", func(r *Rarity) { r.Repetitions, r.RepetitionsWanted, r.Plain, r.Largest = 4, 4, 0, 0.6 },
			"ESTIMATED: a run violates no-lost-update with a probability of 2e-08, of 4 repetitions; an interval takes 5\n"},
		{"interrupted", func(r *Rarity) { r.Repetitions, r.Interrupted, r.Plain = 1, true, 0 },
			"INTERRUPTED: a run violates no-lost-update with a probability of 2e-08, of 1 repetition; an interval takes 5\n  1 of 20 repetitions were done\n"},
		{"some are 0", func(r *Rarity) { r.Zero, r.Plain = 3, 0 }, "ESTIMATED: a run violates no-lost-update with a probability of 2e-08, of 20 repetitions; there is no interval, since 3 of them found no violation\n" +
			"  the estimate is rough: more of --population makes it better\n"},
		{"all are 0", func(r *Rarity) { r.Share, r.Zero, r.Plain = &reports.Share{High: 0.001}, 20, 0 },
			"ESTIMATED: no-lost-update was violated in no repetition; at 95% the probability is below 0.001, as the independent runs at their beginnings say\n" +
				"  more of --population, or a level that rises in smaller steps, may find one\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Rarity{Property: "no-lost-update", OK: true, Share: &reports.Share{Value: 2e-8, Low: 1e-8, High: 3e-8},
				Repetitions: 20, RepetitionsWanted: 20, LeastRepetitions: 5, Largest: 0.1, Runs: 1000, Plain: 1e8}
			c.change(r)
			var out bytes.Buffer
			require.NoError(t, r.WriteVerdict(&out, layout.Style{}))
			require.Equal(t, c.want, out.String())
		})
	}
}
