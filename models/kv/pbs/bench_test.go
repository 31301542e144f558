package pbs

import "testing"

// BenchmarkTrial is a trial of each fit with N=3, R=W=1, that of the paper; a million of
// them may take 2 s: 2000 ns each.
func BenchmarkTrial(b *testing.B) {
	for _, f := range fits[1:] {
		b.Run(f.name, func(b *testing.B) {
			d, _ := Fit(f.name)
			t := NewTrials(d, Quorums{3, 1, 1}, 1)
			var last Outcome
			b.ReportAllocs()
			for i := range b.N {
				last = t.Trial(uint64(i))
			}
			_ = last
		})
	}
}

// BenchmarkRun is a million trials of LNKD-DISK with all that is measured of them.
func BenchmarkRun(b *testing.B) {
	p := DefaultParams()
	p.Trials = 1_000_000
	w := newRunner(&p, 1<<40)
	b.ReportAllocs()
	for i := range b.N {
		w.Run(uint64(i))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/trial")
}
