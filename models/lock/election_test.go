package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// election is three candidates on a lock of etcd with its own token.
func election() Params {
	return Params{Service: "etcd", Clients: 3, TTL: ptr(10 * time.Second), WorkAs: "leader", Tokens: "own", Fencing: "lex",
		Start: []time.Duration{0, 50 * ms}, Work: []time.Duration{100 * ms}}
}

func gone(who string, when int64) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(when)}})
}

// A leader writes a second after each reply, for as long as it leads.
func TestALeaderWritesUntilTheEnd(t *testing.T) {
	r := play(t, election())
	r.Holds("leader-per-term", "fenced-order", "no-lost-update", "mutual-exclusion")
	assert.EqualValues(t, 1, r.Measure("terms"))
	assert.Equal(t, sim.NotExercised, r.Finding("deadlock-free").Verdict, "candidates wait for a leader that never leaves")
}

// EL1 and EL2: of two leaders at one instant the older is rejected, and stands again.
func TestTwoLeadersAtAnInstantButNotInATerm(t *testing.T) {
	r := play(t, election(), simtest.Inject("client-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(3_112)}, For: sim.Constant(20 * time.Second)}))
	r.OnlyViolates("mutual-exclusion")
	r.Holds("leader-per-term", "fenced-order", "no-lost-update")
	assert.EqualValues(t, 2, r.Measure("terms"))
	assert.Positive(t, r.Measure("overlap"))
}

// A leader that resigns is followed at once; one that crashes, when its lease is over.
func TestFailoverAfterARelease(t *testing.T) {
	p := election()
	p.Hold = []time.Duration{5 * time.Second}
	r := play(t, p, simtest.Until(at(8_000)))
	assert.EqualValues(t, 2, r.Measure("terms"))
	assert.Less(t, r.Measure("failover-after-release"), int64(100*ms))
	r = play(t, election(), gone("client-1", 3_000))
	r.Holds("failover-bound", "leader-per-term")
	assert.EqualValues(t, 2, r.Measure("terms"))
	after := time.Duration(r.Measure("failover-after-crash"))
	assert.True(t, 6*time.Second < after && after < 11*time.Second, after)
}

// A key of another workload is refused, in words.
func TestWhatAWorkloadDoesNotHave(t *testing.T) {
	for key, set := range map[string]func(p *Params){
		"beat":           func(p *Params) { p.WorkAs = "" },
		"failover-bound": func(p *Params) { p.WorkAs, p.FailoverBound, p.Beat, p.Start = "cron", ptr(time.Second), nil, nil },
		"period":         func(p *Params) { p.Period = ptr(time.Hour) },
		"cron-mark":      func(p *Params) { p.CronMark = "store" },
		"start":          func(p *Params) { p.WorkAs, p.Beat = "cron", nil },
		"think":          func(p *Params) { p.WorkAs, p.Beat, p.Start, p.Think = "cron", nil, nil, []time.Duration{ms} },
		"fencing":        func(p *Params) { p.Fencing = "gt" },
	} {
		p := election()
		p.Beat = ptr(time.Second)
		require.Empty(t, p.Problems())
		set(&p)
		problems := p.Problems()
		require.Len(t, problems, 1, key)
		assert.Equal(t, key, problems[0].Path)
	}
}

// Jobs at night, by the wall clock of each client. The clock of client-2 is behind by a
// minute, and the lock is free again by then: each night the job is run twice, and with a
// mark once.
func TestAJobOnceInEachPeriod(t *testing.T) {
	p := Params{Service: "etcd", Clients: 2, TTL: ptr(10 * time.Second), WorkAs: "cron", Period: ptr(5 * time.Minute)}
	late := simtest.Clock("client-2", sim.Clock{Offset: -time.Minute})
	ten := simtest.Until(sim.Time(52 * time.Minute))
	for _, c := range []struct {
		mark               string
		duplicates, missed int64
	}{{"none", 10, 0}, {"store", 0, 0}} {
		p.CronMark = c.mark
		r := play(t, p, ten, late)
		assert.EqualValues(t, 10, r.Measure("nights"))
		assert.Equal(t, c.duplicates, r.Measure("duplicates"), c.mark)
		assert.Equal(t, c.missed, r.Measure("missed"), c.mark)
		assert.Equal(t, sim.NotExercised, r.Finding("no-lost-update").Verdict)
	}
	r := play(t, p, ten, gone("client-1", 400_000), gone("client-2", 400_000))
	assert.EqualValues(t, 9, r.Measure("missed"), "after the first night no client runs")
}
