package chain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// "reserve 20 % for critical methods: noncritical inflight > 80 % of fleet -> 503": all
// that is critical is served at once, and of the rest what eight of ten workers do.
func TestFleetReserves(t *testing.T) {
	p := usual()
	classes("shed-fleet")(&p)
	p.Rate = []traffic.Rate{perSecond(20), perSecond(130)}
	r := play(t, p, at(60_001), twice)
	r.Holds("class-order", "queue-wait")
	assert.EqualValues(t, 0, r.Measure("critical-rejected"), r)
	assert.EqualValues(t, 1_199, r.Measure("critical-useful"), "of 1201, two are under way")
	assert.EqualValues(t, 0, r.Measure("queue-length"), "8 and 2 are 10")
	assert.InDelta(t, 80*60, r.Measure("test-useful"), 80*60/10, r)
	assert.EqualValues(t, 0, r.Measure("shed-changes"))

	p.Limiter.Shed.Reserved = ptr(int64(0))
	assert.Greater(t, play(t, p, at(60_001)).Measure("queue-length"), int64(0), "nothing is kept")
}

// "shed from the bottom when free workers < x, restore slowly (both directions with
// hysteresis, 1 class per 10 s)".
func TestWorkerShedsFromTheBottom(t *testing.T) {
	p := usual()
	classes("shed-worker")(&p)
	p.Clients, p.Class = 4, []shed.Class{shed.Critical, shed.Post, shed.Get, shed.Test}
	p.Rate[0] = perSecond(50)
	p.Operations = []int{0, 1_000, 1_000, 1_000} // 20 s
	p.Limiter.Shed = ShedParams{Low: ptr(int64(2)), High: ptr(int64(5))}
	r := play(t, p, at(60_001), twice)
	var changes []string
	for _, m := range r.Moments {
		if strings.Contains(m.Text, "lets in") {
			changes = append(changes, fmt.Sprintf("%v %s", time.Duration(m.At).Truncate(time.Second), m.Text))
		}
	}
	assert.Equal(t, []string{
		"0s the limiter lets in nothing less important than get",
		"10s the limiter lets in nothing less important than post",
		"20s the limiter lets in nothing less important than critical",
		"30s the limiter lets in nothing less important than post",
		"40s the limiter lets in nothing less important than get",
		"50s the limiter lets in every class",
	}, changes)
	r.Holds("class-order")
}

// A class in a scenario is one of four words.
func TestClassText(t *testing.T) {
	var c shed.Class
	for want := shed.Critical; want <= shed.Test; want++ {
		require.NoError(t, c.UnmarshalText([]byte(want.String())))
		assert.Equal(t, want, c)
	}
	assert.EqualError(t, c.UnmarshalText([]byte("put")), `want critical, post, get or test, got "put"`)
	assert.Equal(t, shed.Test, c, "it stays as it was")
}

// What a crash of the database loses leaves the fleet: of its eight places for what is not
// critical, none stays taken.
func TestFleetAfterACrash(t *testing.T) {
	p := usual()
	classes("shed-fleet")(&p)
	p.Rate = []traffic.Rate{perSecond(20), perSecond(130)}
	crash := simtest.Inject("db", sim.Fault{Do: sim.Crash, When: sim.When{At: at(5_000)}, For: sim.Constant(time.Second)})
	r := play(t, p, at(60_001), crash)
	r.Holds("class-order")
	calm := play(t, p, at(60_001)).Measure("test-useful")
	assert.InDelta(t, calm*59/60, r.Measure("test-useful"), 50, "a second of %d is missing\n%v", calm, r)
}

// With classes, too, a world forgets one run before the next.
func TestSheddersForgetEverything(t *testing.T) {
	for _, kind := range []string{"shed-fleet", "shed-worker"} {
		p := busy()
		p.Limiter = DefaultParams().Limiter
		p.Limiter.Kind, p.Clients, p.Class = kind, 2, []shed.Class{shed.Critical, shed.Get}
		require.Empty(t, p.Problems())
		simtest.Forgets(t, p.System, sim.Config{}, storm)
	}
}
