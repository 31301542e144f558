package ntp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestWhatSeveralParametersSayTogether(t *testing.T) {
	none := func(set func(*Params)) func(*Params) {
		return func(p *Params) { p.Discipline = "none"; set(p) }
	}
	listens := func(set func(*Params)) func(*Params) {
		return func(p *Params) { p.Mode, p.Clients = "broadcast", 2; set(p) }
	}
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "servers", Says: "got 17: a client keeps", Set: func(p *Params) { p.Servers = 17 }},
		modeltest.Case[Params]{Path: "timeout", Says: "longer than the poll", Set: func(p *Params) { p.Timeout = ptr(65 * time.Second) }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Timeout = ptr(64 * time.Second) }},
		modeltest.Case[Params]{Path: "faulty", Says: "fewer than the 3 servers", Set: func(p *Params) { p.Select, p.Servers, p.Faulty = "marzullo", 3, ptr(3) }},
		modeltest.Case[Params]{Set: func(p *Params) { p.Select, p.Servers, p.Faulty = "marzullo", 3, ptr(2) }},
		modeltest.Case[Params]{Path: "faulty", Says: "select is latest, which does not use it: want marzullo", Set: func(p *Params) { p.Faulty = ptr(0) }},
		modeltest.Case[Params]{Path: "assumed-delay", Set: func(p *Params) { p.Assumed = ms }},
		modeltest.Case[Params]{Path: "threshold", Set: none(func(p *Params) { p.Threshold = ptr(ms) })},
		modeltest.Case[Params]{Path: "stepout", Set: none(func(p *Params) { p.Stepout = ptr(ms) })},
		modeltest.Case[Params]{Path: "updates", Set: none(func(p *Params) { p.Updates = ptr(1) })},
		modeltest.Case[Params]{Path: "panic", Set: none(func(p *Params) { p.Panic = ptr(ms) })},
		modeltest.Case[Params]{Path: "slew-rate", Set: none(func(p *Params) { p.SlewRate = ptr(sim.PPB(1)) })},
		modeltest.Case[Params]{Path: "start", Says: "want one value", Set: listens(func(p *Params) { p.Start = []time.Duration{1, 2} })},
		modeltest.Case[Params]{Path: "timeout", Set: listens(func(p *Params) { p.Timeout = ptr(ms) })},
		modeltest.Case[Params]{Path: "work", Set: listens(func(p *Params) { p.Work = sim.Constant(ms) })},
	)
}

// Up to sixteen clients have measures of their own.
func TestMeasuresOfEachClient(t *testing.T) {
	for clients, want := range map[int]int{1: 2, 16: 32, 17: 0} {
		p := params(func(p *Params) { p.Clients = clients })
		assert.Len(t, p.System().Measures, 17+want, "%d clients", clients)
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
