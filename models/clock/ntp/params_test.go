package ntp

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/paramstest"
	"fencepost/sim"
)

func TestProblems(t *testing.T) {
	for _, v := range []struct {
		name  string
		set   func(*Params)
		paths []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"the limits", func(p *Params) {
			p.Servers, p.Clients, p.Polls, p.Drift, p.SlewRate = MaxServers, maxClients, math.MaxInt32, sim.MaxPPB, ptr(sim.PPB(maxSlew))
			p.Epsilon, p.Settle, p.Accuracy, p.Start = maxLength, maxLength, maxLength, []time.Duration{maxLength}
		}, nil},
		{"counts", func(p *Params) { p.Servers, p.Clients, p.Polls = 0, 0, -1 }, []string{"servers", "clients", "polls"}},
		{"too many", func(p *Params) { p.Servers, p.Clients = MaxServers+1, 65 }, []string{"servers", "clients"}},
		{"more values than clients", func(p *Params) { p.Start = []time.Duration{1, 2} }, []string{"start"}},
		{"lengths", func(p *Params) { p.Poll, p.Timeout = 0, ptr(time.Duration(0)) }, []string{"poll", "timeout"}},
		{"too long", func(p *Params) {
			p.Epsilon, p.Settle, p.Accuracy, p.Start = 2*maxLength, 2*maxLength, 2*maxLength, []time.Duration{2 * maxLength}
		}, []string{"start", "epsilon", "settle", "accuracy"}},
		{"no poll", func(p *Params) { p.Poll = -1 }, []string{"poll"}},
		{"of no discipline", func(p *Params) {
			p.Discipline, p.Threshold, p.Stepout, p.Updates, p.Panic, p.SlewRate = "none", ptr(ms), ptr(ms), ptr(1), ptr(ms), ptr(sim.PPB(1))
		}, []string{"threshold", "stepout", "updates", "panic", "slew-rate"}},
		{"of clients that do not begin", func(p *Params) { p.Mode, p.Clients, p.Start = "broadcast", 2, []time.Duration{1, 2} }, []string{"start"}},
		{"an answer after the next poll", func(p *Params) { p.Timeout = ptr(65 * time.Second) }, []string{"timeout"}},
		{"a short poll", func(p *Params) { p.Poll = ms }, nil},
		{"clocks", func(p *Params) { p.Drift, p.SlewRate = sim.MaxPPB+1, ptr(sim.PPB(1_000_000_000)) }, []string{"max-drift", "slew-rate"}},
		{"no slew", func(p *Params) { p.Drift, p.SlewRate = -1, ptr(sim.PPB(0)) }, []string{"max-drift", "slew-rate"}},
		{"the discipline", func(p *Params) {
			p.Threshold, p.Stepout, p.Panic, p.Updates = ptr(-ms), ptr(-ms), ptr(-ms), ptr(-1)
		}, []string{"threshold", "stepout", "panic", "updates"}},
		{"faulty", func(p *Params) { p.Select, p.Servers, p.Faulty = "marzullo", 3, ptr(3) }, []string{"faulty"}},
		{"of what is not used", func(p *Params) { p.Faulty, p.Assumed = ptr(0), ms }, []string{"faulty", "assumed-delay"}},
		{"of who listens", func(p *Params) { p.Mode, p.Timeout, p.Work = "broadcast", ptr(ms), sim.Constant(ms) }, []string{"timeout", "work"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
}

// Up to sixteen clients have measures of their own.
func TestMeasuresOfEachClient(t *testing.T) {
	for clients, want := range map[int]int{1: 2, 16: 32, 17: 0} {
		p := params(func(p *Params) { p.Clients = clients })
		assert.Len(t, p.System().Measures, perClient+want, "%d clients", clients)
	}
}

// As many servers may be wrong as are fewer than half.
func TestFaulty(t *testing.T) {
	for servers, want := range map[int]int{1: 0, 2: 0, 3: 1, 4: 1, 5: 2} {
		p := Params{Servers: servers}
		assert.Equal(t, want, p.faulty(), "of %d", servers)
	}
}

func TestDisciplines(t *testing.T) {
	p := DefaultParams()
	assert.EqualValues(t, 83_333_333, p.discipline().SlewPPB)
	p.Discipline, p.Stepout, p.Panic, p.SlewRate = "ntpd", ptr(900*time.Second), ptr(time.Duration(0)), ptr(sim.PPB(1000))
	d := p.discipline()
	assert.Equal(t, 128*ms, d.Threshold)
	assert.Equal(t, 900*time.Second, d.Stepout, "4.2.6")
	assert.Zero(t, d.Panic)
	assert.EqualValues(t, 1000, d.SlewPPB)
}
