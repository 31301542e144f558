package clients

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	locks "fencepost/models/lock"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// observed is when each client of a model led.
type observed struct{ led [3][]span }

func (o *observed) Reset(*sim.View[locks.Msg]) { o.led = [3][]span{} }

func (o *observed) Observe(v *sim.View[locks.Msg], e *sim.Observation[locks.Msg]) {
	if e.Node < 1 || e.Node > 2 {
		return
	}
	at := time.Duration(v.Now())
	switch led := &o.led[e.Node]; {
	case e.Event == sim.Crashed || e.Event == sim.Noted && (e.Msg.Kind == core.Released || e.Msg.Kind == core.LockLost):
		if n := len(*led); n > 0 && (*led)[n-1].to == 0 {
			(*led)[n-1].to = at
		}
	case e.Event == sim.Noted && e.Msg.Kind == core.Acquired:
		*led = append(*led, span{from: at})
	}
}

func (o *observed) End(v *sim.View[locks.Msg]) {
	for c := range o.led {
		for i := range o.led[c] {
			if o.led[c][i].to == 0 {
				o.led[c][i].to = time.Duration(v.Now())
			}
		}
	}
}

// modelled runs the model of two members, as elect runs the real ones.
func modelled(t *testing.T, seed int64, end time.Duration, set func(*locks.Params), faults ...sim.Fault) [3][]span {
	t.Helper()
	never := false
	p := locks.Params{Service: "k8s-lease", Kubernetes: &locks.Kubernetes{}, Clients: 2, Check: &never, Start: []time.Duration{0, time.Second}, Work: []time.Duration{time.Hour}}
	set(&p)
	require.Empty(t, p.Problems())
	o := &observed{}
	s := p.System()
	s.Meters = append(s.Meters, o)
	c := sim.Config{Until: sim.Time(end), Faults: faults}
	c.Network.Default.Delay = sim.Constant(oneWay)
	w, err := sim.NewWorld(s, c)
	require.NoError(t, err)
	w.Run(uint64(seed))
	return o.led
}

func cutOff(from, to time.Duration) sim.Fault {
	return sim.Fault{Do: sim.Cut, Sides: [][]sim.NodeID{{1}, {3}}, When: sim.When{At: sim.Time(from)}, For: sim.Constant(to - from)}
}

const electionRuns = 300

// TestTakeoverAfterACrash: the context of the leader is cancelled right after a renewal, and it
// gives nothing up.
func TestTakeoverAfterACrash(t *testing.T) {
	const renewed, gone = 4045 * time.Millisecond, 4060 * time.Millisecond
	var real, model []time.Duration
	for seed := int64(1); seed <= electionRuns; seed++ {
		m := twice(t, seed, func(j *journal) []*member {
			return elect(j, time.Minute, &member{lock: &lock{}, cancel: gone}, &member{lock: &lock{}, start: time.Second})
		})
		real = append(real, m[1].led[0].from-renewed)
		led := modelled(t, seed, time.Minute, func(*locks.Params) {},
			sim.Fault{Do: sim.Crash, Node: 1, When: sim.When{At: sim.Time(gone)}, Forever: true})
		model = append(model, led[2][0].from-renewed)
	}
	for _, d := range append(real, model...) {
		assert.True(t, d > 15*time.Second && d <= 23800*time.Millisecond+4*oneWay, "takeover after %v", d)
	}
	agree(t, "takeover after a crash", real, model)
}

// TestTakeoverAfterARelease: the same with ReleaseOnCancel.
func TestTakeoverAfterARelease(t *testing.T) {
	const gone = 10030 * time.Millisecond
	var real, model []time.Duration
	for seed := int64(1); seed <= electionRuns; seed++ {
		m := twice(t, seed, func(j *journal) []*member {
			return elect(j, time.Minute, &member{lock: &lock{}, cancel: gone, release: true}, &member{lock: &lock{}, start: time.Second})
		})
		real = append(real, m[1].led[0].from-gone)
		led := modelled(t, seed, time.Minute, func(p *locks.Params) {
			p.Kubernetes.Release, p.Work = true, []time.Duration{10 * time.Second}
		})
		require.Equal(t, gone, led[1][0].to)
		model = append(model, led[2][0].from-gone)
	}
	agree(t, "takeover after a release", real, model)
}

// TestLeaderOfAStalledServer: when the leader stops, to the nanosecond, by when its way to the
// API server is stalled, and for how long; with ReleaseOnCancel, and with a slow stop.
func TestLeaderOfAStalledServer(t *testing.T) {
	lost := 0
	for _, from := range []time.Duration{3 * time.Second, 4041 * time.Millisecond, 4053 * time.Millisecond, 5900 * time.Millisecond} {
		for _, long := range []time.Duration{time.Second, 4 * time.Second, 6 * time.Second, 7 * time.Second, 9 * time.Second, 11 * time.Second, 13 * time.Second, 16 * time.Second} {
			for _, release := range []bool{false, true} {
				m := twice(t, 1, func(j *journal) []*member {
					return elect(j, 40*time.Second, &member{lock: &lock{stalled: [2]time.Duration{from, from + long}}, release: release, hook: 300 * time.Millisecond})
				})
				led := modelled(t, 1, 40*time.Second, func(p *locks.Params) {
					p.Clients, p.Start = 2, []time.Duration{0, time.Hour}
					p.Kubernetes.Release, p.Kubernetes.StopHook = release, []time.Duration{300 * time.Millisecond}
				}, cutOff(from, from+long))
				real := m[0].led[0]
				if real.to > 40*time.Second { // it led to the end
					real.to = 40 * time.Second
				} else {
					lost++
				}
				assert.Equal(t, led[1][0], real, "stalled at %v for %v, release %v", from, long, release)
			}
		}
	}
	assert.Greater(t, lost, 20)
}

// TestTwoLeadersUnderADrawnStall: with ReleaseOnCancel the work of a leader that is cut off
// goes on until 17 s after its last renewal, and with a hook of 2 s until 19 s.
func TestTwoLeadersUnderADrawnStall(t *testing.T) {
	const hook = 2 * time.Second
	var real, model []time.Duration
	draw := rand.New(rand.NewSource(1))
	for seed := int64(1); seed <= electionRuns; seed++ {
		from := 3*time.Second + time.Duration(draw.Int63n(int64(2*time.Second)))
		to := from + 10*time.Second + time.Duration(draw.Int63n(int64(20*time.Second)))
		m := twice(t, seed, func(j *journal) []*member {
			return elect(j, 40*time.Second, &member{lock: &lock{stalled: [2]time.Duration{from, to}}, release: true, hook: hook}, &member{lock: &lock{}, start: time.Second})
		})
		real = append(real, both(m[0].led, m[1].led))
		led := modelled(t, seed, 40*time.Second, func(p *locks.Params) {
			p.Kubernetes.Release, p.Kubernetes.StopHook = true, []time.Duration{hook}
		}, cutOff(from, to))
		model = append(model, both(led[1], led[2]))
	}
	assert.NotZero(t, mean(real))
	agree(t, "time with two leaders", real, model)
}

// both is for how long two members led at once.
func both(a, b []span) (d time.Duration) {
	for _, x := range a {
		for _, y := range b {
			d += max(0, min(x.to, y.to, 40*time.Second)-max(x.from, y.from))
		}
	}
	return d
}
