package gclog

import (
	"fmt"
	"slices"
	"time"
)

// A Summary is a series of pauses in figures.
type Summary struct {
	Count                int
	P50, P99, Max, Total time.Duration
}

// String returns the figures on one line.
func (s Summary) String() string {
	noun := "pauses"
	if s.Count == 1 {
		noun = "pause"
	}
	return fmt.Sprintf("%d %s, p50 %v, p99 %v, max %v, total %v", s.Count, noun, s.P50, s.P99, s.Max, s.Total)
}

// Summary returns the figures of the log's pauses.
func (l *Log) Summary() Summary {
	sorted := l.sorted()
	s := Summary{
		Count: len(sorted),
		P50:   nearestRank(sorted, 500),
		P99:   nearestRank(sorted, 990),
		Max:   nearestRank(sorted, 1000),
	}
	for _, d := range sorted {
		s.Total += d
	}
	return s
}

// Quantile returns the nearest-rank quantile of the pause lengths: the smallest
// length that at least perMille thousandths of all pauses do not exceed. It is
// one of the pauses, never a mean of two (shared/data/SOURCES.md uses the same
// definition). perMille is 0 to 1000 and is clamped
// to that; without pauses the answer is 0.
func (l *Log) Quantile(perMille int) time.Duration {
	return nearestRank(l.sorted(), perMille)
}

func (l *Log) sorted() []time.Duration {
	lengths := make([]time.Duration, len(l.Pauses))
	for i, p := range l.Pauses {
		lengths[i] = p.For
	}
	slices.Sort(lengths)
	return lengths
}

func nearestRank(sorted []time.Duration, perMille int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	perMille = min(max(perMille, 0), 1000)
	rank := (int64(len(sorted))*int64(perMille) + 999) / 1000
	return sorted[max(rank, 1)-1]
}
