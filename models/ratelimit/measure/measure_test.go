package measure

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// "windows are half-open (t-W, t]": what is exactly W old is out.
func TestWindowIsHalfOpen(t *testing.T) {
	w := NewWindow(time.Minute)
	at := func(d time.Duration) sim.Time { return sim.Time(0).Add(d) }
	assert.EqualValues(t, 100, w.Admit(at(30*time.Second), 100))
	assert.EqualValues(t, 100, w.Admit(at(90*time.Second), 100))
	w.Clear()
	assert.EqualValues(t, 100, w.Admit(at(31*time.Second), 100))
	assert.EqualValues(t, 200, w.Admit(at(90*time.Second), 100))
	sum, worst := w.Worst()
	assert.EqualValues(t, 200, sum)
	assert.Equal(t, at(90*time.Second), worst)
}

func TestWindowEqualsPlainSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const length = 50
		w := NewWindow(length)
		var at []sim.Time
		now := sim.Time(0)
		for range 100 {
			now += sim.Time(r.Int64N(20))
			at = append(at, now)
			plain := int64(0)
			for _, a := range at {
				if a > now-length {
					plain++
				}
			}
			require.Equal(t, plain, w.Admit(now, 1))
		}
	}
}

func TestJain(t *testing.T) {
	for _, v := range []struct {
		id     string
		shares []int64
		want   float64
	}{
		{"MT-01", []int64{10, 10, 10, 10}, 1},
		{"MT-02", []int64{40, 0, 0, 0}, 0.25},
		{"MT-03", []int64{4, 3, 2, 1}, 100.0 / 120},
		{"nobody", []int64{0, 0}, 1},
	} {
		t.Run(v.id, func(t *testing.T) { assert.InDelta(t, v.want, Jain(v.shares), 1e-15) })
	}
}
