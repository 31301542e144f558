package advise

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/lock/promises"
	"fencepost/reports"
	"fencepost/scenarios"
)

// drawn draws settings of a lock.
type drawn struct {
	*rand.Rand
	given map[string]string
}

// part gives a setting a part of a length, in whole grains.
func (d drawn) part(name string, of time.Duration, low, high float64, grain time.Duration) time.Duration {
	v := time.Duration(float64(of) * (low + (high-low)*d.Float64())).Truncate(grain)
	d.given[name] = v.String()
	return v
}

const fine = 10 * time.Microsecond

// settings are such that a formula that is off by one of its periods shows.
var settings = map[string]func(d drawn){
	"redis":   func(d drawn) { d.lease() },
	"redlock": func(d drawn) { d.lease(); d.given["instances"] = []string{"1", "3", "5", "7"}[d.IntN(4)] },
	"watchdog": func(d drawn) {
		lease := d.part("lease", time.Minute, 0.1, 1, time.Millisecond)
		d.part("timeout", lease, 0.05, 0.3, fine)
		d.part("work", lease, 1, 4, fine)
		d.part("delay", lease, 0, 0.002, fine)
		d.part("pause", lease, 1, 2, fine)
	},
	"etcd": func(d drawn) {
		ttl := d.part("ttl", time.Minute, 0.1, 1, time.Second)
		d.part("delay", 10*time.Millisecond, 0, 1, fine)
		d.part("pause", ttl, 0.8, 2, fine)
	},
	"zookeeper": func(d drawn) {
		tick := d.part("tick", 2*time.Second, 0.1, 1, time.Millisecond)
		session := d.part("session", tick, 1, 25, time.Millisecond)
		d.given["percent"] = fmt.Sprint(10 + d.IntN(91))
		d.part("delay", tick, 0, 0.005, fine)
		d.part("pause", session, 0.9, 3, fine)
	},
	"sentinel": func(d drawn) { d.lease() },
	"naive":    func(d drawn) { d.part("work", 10*time.Second, 0.1, 1, fine) },
	"consul": func(d drawn) {
		ttl := d.part("ttl", time.Minute, 0.2, 1, time.Second)
		d.part("lockdelay", 60*time.Second, 0, 1, time.Second)
		d.part("delay", 100*time.Millisecond, 0, 1, fine)
		d.part("pause", ttl, 1, 4, fine)
	},
	"k8s-lease": func(d drawn) {
		lease := d.part("lease", 30*time.Second, 0.2, 1, time.Second)
		renew := d.part("renew", lease, 0.5, 0.8, time.Millisecond)
		retry := d.part("retry", renew, 0.05, 0.8, time.Millisecond)
		d.part("timeout", renew, 0.05, 1.2, time.Millisecond)
		d.part("delay", retry, 0, 0.02, fine)
		d.part("pause", lease, 0.9, 2, fine)
	},
}

func (d drawn) lease() {
	ttl := d.part("ttl", 10*time.Second, 0.02, 2, time.Millisecond)
	d.part("work", ttl, 0.1, 0.9, fine)
	retry := d.part("retry", ttl, 0.01, 0.5, fine)
	d.part("delay", retry, 0, 0.1, fine)
	d.part("pause", ttl, 0, 2, fine)
}

func settingsOf(t *testing.T, l *promises.Lock, r *rand.Rand) *Settings {
	d := drawn{r, map[string]string{}}
	settings[l.Name](d)
	s, err := Read(l, d.given, scenarios.Catalog().LoadText)
	require.NoError(t, err)
	return s
}

// simulated is a promise put to the test.
func simulated(t *testing.T, s *Settings, p *promises.Promise, runs int) *reports.Simulated {
	r, err := s.simulate(t.Context(), p, runs)
	require.NoError(t, err)
	return r
}

// TestFormulas: with settings that are drawn, no run contradicts a formula, and the worst
// comes nearer to it than a period.
func TestFormulas(t *testing.T) {
	each(t, func(t *testing.T, l *promises.Lock, p *promises.Promise) {
		r := rand.New(rand.NewPCG(1, 2))
		for range whole.Of(1, 2) {
			s := settingsOf(t, l, r)
			got := simulated(t, s, p, 100)
			require.NotEmpty(t, got.Text, "not exercised: %v", s)
			assert.False(t, got.Contradicts, "%s: %s, %v", s.must(p.Formula).FloatString(0), got.Text, s)
			assert.True(t, got.Tight || p.Period == "", "%s: %s, %v", s.must(p.Formula).FloatString(0), got.Text, s)
		}
	})
}

// TestFormulasOffByAPeriod: a formula that is a period above or below the right one fails
// TestFormulas. What is measured whatever the formula says is measured once for both. What a promise holds below is measured on both
// sides of it, by TestFormulas a period apart: with -whole it is measured for each, without for those of one lock.
func TestFormulasOffByAPeriod(t *testing.T) {
	each(t, func(t *testing.T, l *promises.Lock, p *promises.Promise) {
		if p.Period == "" || p.Relation == promises.Below && l.Name != "redis" && !whole.Tests() {
			return
		}
		s := settingsOf(t, l, rand.New(rand.NewPCG(3, 4)))
		runs := 60
		if p.Relation == promises.Mean {
			runs = 300 // its interval is shorter than a period
		}
		compare := func(wrong *promises.Promise) *reports.Simulated { return simulated(t, s, wrong, runs) }
		if p.Relation != promises.Below {
			got, err := s.tests().trial(p.Name, Value{p.Unit, s.must(p.Formula)}).playSome(t.Context(), runs)
			require.NoError(t, err)
			compare = func(wrong *promises.Promise) *reports.Simulated {
				return s.compare(wrong, Value{p.Unit, s.must(wrong.Formula)}, got)
			}
		}
		for _, sign := range []string{"+", "-"} {
			wrong := *p
			wrong.Formula = fmt.Sprintf("(%s) %s (%s)*101/100", p.Formula, sign, p.Period)
			got := compare(&wrong)
			assert.True(t, got.Contradicts || !got.Tight, "%s: %s", wrong.Formula, got.Text)
		}
	})
}

// each tests every promise that is simulated.
func each(t *testing.T, test func(t *testing.T, l *promises.Lock, p *promises.Promise)) {
	for _, l := range promises.Locks() {
		for _, p := range l.Promises {
			t.Run(l.Name+"/"+p.Name, func(t *testing.T) { test(t, &l, &p) })
		}
	}
}
