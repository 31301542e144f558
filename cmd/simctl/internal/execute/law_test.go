package execute

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/internal/splitmix"
	"fencepost/reports/searches"
)

// A slope is the simplest quotient that differences of edges, rounded down to nanoseconds, allow.
func TestFractionOf(t *testing.T) {
	for _, c := range []struct {
		difference, step int64
		of, over         int64
	}{
		{1_000_000, 1_000_000, 1, 1}, {-3_000_000, 1_000_000, -3, 1}, {3_000_000, -1_000_000, -3, 1}, {0, 1_000_000, 0, 1},
		{500_000, 1_000_000, 1, 2}, {499_999, 1_000_000, 1, 2}, {-1_500_000, 1_000_000, -3, 2}, {333_333, 1_000_000, 1, 3}, {-666_667, 1_000_000, -2, 3},
		{1_000_001, 1_000_000, 1, 1}, {-999_999, 1_000_000, -1, 1}, {833_333, 1_000_000, 5, 6},
	} {
		f, ok := fractionOf(c.difference, c.step)
		assert.True(t, ok, c)
		assert.Equal(t, fraction{c.of, c.over}, f, c)
	}
	for _, difference := range []int64{142_857, 912_345, -77_777} {
		_, ok := fractionOf(difference, 1_000_000)
		assert.False(t, ok, difference)
	}
}

func TestRoundest(t *testing.T) {
	assert.EqualValues(t, 0, roundest(-1, 0))
	assert.EqualValues(t, 5_000_000, roundest(4_999_999, 5_000_001))
	assert.EqualValues(t, -10_000_000_000, roundest(-10_000_000_001, -10_000_000_000))
	assert.EqualValues(t, 7, roundest(7, 7))
	assert.EqualValues(t, -2, floor(-3, 2))
	assert.EqualValues(t, 1, floor(3, 2))
}

// The laws of an edge are that each says when it is violated: the least counts.
func TestPredicted(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "ttl", Is: time.Second, Above: -1}, {Name: "work", Is: 200 * time.Millisecond, Above: -1}}}
	r := &searches.Laws{Laws: []searches.Law{
		{Pauses: 1, Terms: []searches.Valued{{Path: "ttl", IsNS: 1}, {Path: "work", IsNS: -1}}, ConstantNS: -5},
		{Pauses: 2, Terms: []searches.Valued{{Path: "ttl", IsNS: 1}, {Path: "work", IsNS: 0}}, ConstantNS: 1},
	}}
	assert.EqualValues(t, 500_000_000, l.predicted(r, []time.Duration{time.Second, 200 * time.Millisecond}))
	assert.EqualValues(t, 99_999_995, l.predicted(r, []time.Duration{time.Second, 900 * time.Millisecond}))
}

// Random scenarios are within the box, and no range of them is upside down.
func TestDraw(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "delay.min", Above: 1}, {Name: "delay.max", Is: 5 * time.Millisecond, Above: -1}, {Name: "ttl", Is: 10 * time.Second, Above: -1}, {Name: "start", Above: -1}}}
	random := splitmix.Stream(1)
	different := map[time.Duration]bool{}
	for range 200 {
		values := l.draw(&random)
		assert.LessOrEqual(t, values[0], values[1])
		for i := range values {
			least, most := l.box(i)
			assert.GreaterOrEqual(t, values[i], least)
			assert.LessOrEqual(t, values[i], most)
		}
		assert.Zero(t, values[2]%time.Millisecond)
		different[values[2]] = true
	}
	assert.Greater(t, len(different), 150)
}

// A side condition is the quantity that tells the points at which a law is wrong from the others.
func TestSide(t *testing.T) {
	l := &Laws{Terms: []Term{{Name: "delay.min", Above: 1}, {Name: "delay.max", Above: -1}, {Name: "retry", Above: -1}}}
	point := func(least, most, retry time.Duration) []time.Duration { return []time.Duration{least, most, retry} }
	right := [][]time.Duration{point(0, 5, 1), point(1, 6, 9), point(2, 7, 3), point(3, 9, 5), point(4, 6, 7)}
	assert.Empty(t, l.side(right, nil))
	assert.Equal(t, "each has a delay.max - delay.min of at most 2ns, as 1 of the 5 others have", l.side(right, [][]time.Duration{point(3, 5, 2), point(1, 2, 8)}))
	assert.Equal(t, "each has a retry of at least 10ns, as 0 of the 5 others have", l.side(right, [][]time.Duration{point(0, 9, 10), point(0, 5, 12)}))
	assert.Empty(t, l.side(right, [][]time.Duration{point(0, 7, 1), point(4, 9, 9)}), "nothing tells them apart")
}
