package ntp

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/clock"
	"fencepost/sim"
)

// intervals are estimates with ends, in hundredths.
func intervals(ends ...float64) (list []Estimate) {
	for i := 0; i < len(ends); i += 2 {
		low, high := time.Duration(ends[i]*100), time.Duration(ends[i+1]*100)
		list = append(list, Estimate{low + (high-low)/2, high - (low + (high-low)/2)})
	}
	return list
}

func TestMarzullo(t *testing.T) {
	for _, v := range []struct {
		name      string
		sources   []Estimate
		n, faulty int
		want      []Estimate // none: there is no such interval
	}{
		{"10 +- 2, 12 +- 1 and 11 +- 1: all agree on [11, 12]", intervals(8, 12, 11, 13, 10, 12), 3, 0, intervals(11, 12)},
		{"[8,12], [11,13] and [14,15]: not all agree", intervals(8, 12, 11, 13, 14, 15), 3, 0, nil},
		{"two of them do, on [11, 12]", intervals(8, 12, 11, 13, 14, 15), 3, 1, intervals(11, 12)},
		{"[8,9], [8,12] and [10,12]: [8,9] and [10,12] are equally good", intervals(8, 9, 8, 12, 10, 12), 3, 1, intervals(8, 12)},
		{"[10,12], [11,13], [11.99,13]: optimistic", intervals(10, 12, 11, 13, 11.99, 13), 3, 0, intervals(11.99, 12)},
		{"if one may be wrong: [11, 13]", intervals(10, 12, 11, 13, 11.99, 13), 3, 1, intervals(11, 13)},
		{"one", intervals(1, 3), 1, 0, intervals(1, 3)},
		{"they touch", intervals(1, 3, 3, 5), 2, 0, intervals(3, 3)},
		{"a point", intervals(3, 3, 3, 3, 1, 5), 3, 0, intervals(3, 3)},
		{"of four, one has no answer", intervals(1, 3, 2, 4, 2, 5), 4, 1, intervals(2, 3)},
		{"of four, two have none", intervals(1, 3, 2, 4), 4, 1, nil},
		{"none", nil, 1, 0, nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			got, ok := Marzullo(v.sources, v.n, v.faulty)
			if assert.Equal(t, v.want != nil, ok) && ok {
				assert.Equal(t, v.want[0].Offset+v.want[0].Error, got.Offset+got.Error)
				assert.InDelta(t, v.want[0].Offset-v.want[0].Error, got.Offset-got.Error, 1)
			}
		})
	}
}

// "As long as no more than that many are wrong it holds the truth"; and the smallest
// number for which there is an interval, which is more precise, does not keep that.
func TestMarzulloHoldsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	fooled := 0
	for range 20_000 {
		n := 1 + r.IntN(9)
		faulty := r.IntN((n + 1) / 2)
		truth := time.Duration(r.IntN(100))
		var sources []Estimate
		for i := range n {
			e := Estimate{Error: time.Duration(r.IntN(20))}
			e.Offset = truth + time.Duration(r.IntN(2*int(e.Error)+1)) - e.Error
			if i < faulty {
				e.Offset = truth + time.Duration(r.IntN(60)) - 30
			}
			sources = append(sources, e)
		}
		holds := func(e Estimate) bool { return (e.Offset - truth).Abs() <= e.Error }
		e, ok := Marzullo(sources, n, faulty)
		assert.True(t, ok)
		assert.True(t, holds(e), "%v of %v, %d wrong, truth %d", e, sources, faulty, truth)
		for f := range n {
			if e, ok := Marzullo(sources, n, f); ok {
				if !holds(e) {
					fooled++
				}
				break
			}
		}
	}
	assert.NotZero(t, fooled)
	t.Logf("the optimistic interval misses the truth %d times of 20 000", fooled)
}

func TestFilter(t *testing.T) {
	var f Filter
	assert.False(t, f.Best().Taken)
	for n, delay := range []time.Duration{50, 20, 30, 20, 40} {
		*f.slot(uint32(n)) = Sample{Taken: true, Delay: delay, At: sim.Mono(n)}
	}
	assert.EqualValues(t, 3, f.Best().At, "of equal ones the newest")
	for n := range uint32(Depth) {
		*f.slot(3 + n) = Sample{Taken: true, Delay: 100, At: sim.Mono(3 + n)}
	}
	assert.EqualValues(t, 100, f.Best().Delay, "what is older than eight polls is forgotten")
	*f.slot(12) = Sample{}
	assert.EqualValues(t, 10, f.Best().At)
}

func TestSelections(t *testing.T) {
	sample := func(offset, delay time.Duration, at sim.Mono) Sample {
		return Sample{Taken: true, Offset: offset, Delay: delay, Error: delay / 2, At: at}
	}
	servers := make([]Filter, 3)
	_, ok := LeastDelay(servers, 0, 0)
	assert.False(t, ok)
	servers[0][1] = sample(7, 20, 1)
	servers[1][1] = sample(9, 10, 2)
	servers[2][1] = sample(500, 12, 3)
	e, ok := LeastDelay(servers, 2, 0)
	assert.True(t, ok)
	assert.Equal(t, Estimate{9, 5}, e)
	e, ok = MajorityOf(servers, 1, 3, 0)
	assert.True(t, ok)
	assert.Equal(t, Estimate{9, 5}, e, "what [-3,17] and [4,14] have in common")
	servers[2][2] = sample(8, 10, 4)
	e, _ = LeastDelay(servers, 4, 0)
	assert.Equal(t, Estimate{8, 5}, e, "of equal ones the newest, of whichever server")
	servers[2][2] = Sample{}
	_, ok = MajorityOf(servers, 0, 3, 0)
	assert.False(t, ok)
	e, ok = Latest(&servers[2][1], 1_000_003, 100_000)
	assert.True(t, ok)
	assert.Equal(t, Estimate{500, 106}, e, "a sample is worth less with its age")
	_, ok = Latest(&Sample{}, 0, 0)
	assert.False(t, ok)
}

func TestNewSample(t *testing.T) {
	s := newSample(clock.NTPSample{T0: 1000, T1: 1100, T2: 1102, T3: 1122}, time.Second, 9, 100_000)
	assert.Equal(t, Sample{Taken: true, Offset: 40, Delay: 120, Error: 60 + 100_000 + rounding, At: 9}, s)
}

// Of two samples with the same delay the newer counts, and of two of the same instant that
// of the server that comes first.
func TestLeastDelayOfEqualOnes(t *testing.T) {
	sample := func(offset time.Duration, at sim.Mono) (f Filter) {
		*f.slot(1) = Sample{Taken: true, Offset: offset, Delay: ms, At: at}
		return f
	}
	for _, v := range []struct {
		servers []Filter
		want    time.Duration
	}{
		{[]Filter{sample(1, 5), sample(2, 5)}, 1},
		{[]Filter{sample(1, 5), sample(2, 6)}, 2},
		{[]Filter{sample(1, 6), sample(2, 5)}, 1},
	} {
		got, ok := LeastDelay(v.servers, 10, 0)
		assert.True(t, ok)
		assert.Equal(t, v.want, got.Offset)
	}
}
