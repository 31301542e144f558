package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder records what it is told to at the end of a run.
type recorder struct {
	counting
	records []Sample
}

func (r *recorder) Observe(*View[tm], *Observation[tm]) {}
func (r *recorder) End(v *View[tm]) {
	for _, s := range r.records {
		v.Record(s.Measure, s.Value)
	}
}

// Of a measure that is summed a run keeps its total, however often it is recorded; of the
// others each value. Who watches is told each value.
func TestRecord(t *testing.T) {
	r := &recorder{}
	s := walkers(1)
	s.Meters = []Observer[tm]{r}
	s.Properties = nil
	s.Measures = []Measure{{Name: "values"}, {Name: "total", Total: true}, {Name: "ratio", Per: "total"}, {Name: "never", Total: true}}
	w, err := NewWorld(s, Config{Until: at(1000)})
	require.NoError(t, err)
	var watched []Sample
	for _, v := range []struct{ records, want []Sample }{
		{nil, nil},
		{[]Sample{{2, 4}, {0, 7}, {1, 1}, {0, 7}, {1, 2}, {2, -6}, {1, 0}}, []Sample{{2, -2}, {0, 7}, {1, 3}, {0, 7}}},
		{[]Sample{{1, 0}, {1, 5}, {2, 1}}, []Sample{{1, 5}, {2, 1}}}, // nothing is left of the run before
		{[]Sample{{1, math.MaxInt64}, {1, 1}, {1, -1}}, []Sample{{1, math.MaxInt64 - 1}}},
		{[]Sample{{1, math.MinInt64}, {1, -1}}, []Sample{{1, math.MinInt64}}},
	} {
		r.records = v.records
		for _, watch := range []func(Time, Sample){nil, func(_ Time, s Sample) { watched = append(watched, s) }} {
			watched = nil
			w.Watch(Watch{Samples: watch})
			assert.Equal(t, v.want, append([]Sample(nil), w.Run(1).Samples...))
		}
		assert.Equal(t, v.records, watched)
	}
	r.records = []Sample{{4, 1}}
	assert.Panics(t, func() { w.Run(1) }, "nobody declared it")
}
