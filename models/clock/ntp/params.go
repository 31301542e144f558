package ntp

import (
	"math"
	"time"

	"fencepost/models/clock"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Servers int             `yaml:"servers"`                            // 1
	Clients int             `yaml:"clients"`                            // 1
	Mode    string          `yaml:"mode,oneof=client-server|broadcast"` // client-server; in the other a server sends its time unasked
	Assumed time.Duration   `yaml:"assumed-delay"`                      // of broadcast: how long a message is taken to travel: 0s
	Work    sim.Dist        `yaml:"work"`                               // how long an answer takes: 0s
	Start   []time.Duration `yaml:"start,one-or-many"`                  // of the first poll, by client, the last for the rest; of broadcast the first for all servers: 0s
	Poll    time.Duration   `yaml:"poll"`                               // from one poll to the next: 64s
	Polls   int             `yaml:"polls"`                              // 0, without end
	Timeout *time.Duration  `yaml:"timeout"`                            // after which an answer does not count: 1s, or the poll if that is shorter
	Drift   sim.PPB         `yaml:"max-drift,ppb"`                      // what clients take for the most that a clock gains or loses: 100ppm

	Select string `yaml:"select,oneof=latest|least-delay|marzullo"` // latest
	Faulty *int   `yaml:"faulty"`                                   // of marzullo: how many servers may be wrong: as many as are fewer than half

	Discipline string         `yaml:"discipline,oneof=ntpd|chrony|none"` // chrony
	Threshold  *time.Duration `yaml:"threshold"`                         // a larger offset is stepped; of the discipline, as what follows
	Stepout    *time.Duration `yaml:"stepout"`                           // after it has lasted so long
	Updates    *int           `yaml:"updates"`                           // only in the first so many updates; 0: always
	Panic      *time.Duration `yaml:"panic"`                             // a larger one ends the daemon; 0s: none does
	SlewRate   *sim.PPB       `yaml:"slew-rate,ppb"`                     // at most

	Epsilon  time.Duration `yaml:"epsilon"`  // bound of bounded-error: 100ms
	Settle   time.Duration `yaml:"settle"`   // from when on it is judged: 0s
	Accuracy time.Duration `yaml:"accuracy"` // a server whose clock is never further from true time is right: 1ms
}

// Limits of the parameters.
const (
	maxClients = 64
	maxLength  = 100_000 * time.Hour
	maxSlew    = 999_999_999 // faster, a clock would go back
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Servers: 1, Clients: 1, Mode: "client-server", Poll: 64 * time.Second, Drift: 100_000, Select: "latest",
		Discipline: "chrony", Epsilon: 100 * time.Millisecond, Accuracy: time.Millisecond}
}

// Problem is a mistake in the parameters, at a path below params.
type Problem struct{ Path, Message string }

// problems collects them.
type problems = values.Problems[Problem]

// Problems are all mistakes in the parameters.
func (p *Params) Problems() []Problem {
	var found problems
	found.Words(p)
	found.Count("servers", p.Servers, 1, MaxServers, "servers")
	found.Count("clients", p.Clients, 1, maxClients, "clients")
	if p.Polls < 0 || p.Polls > math.MaxInt32 {
		found.Bad("polls", "want 0 (without end) to %d, got %d", math.MaxInt32, p.Polls)
	}
	found.Each("start", len(p.Start), p.Clients, "clients")
	p.lengthProblems(&found)
	if p.Timeout != nil && *p.Timeout > p.Poll {
		found.Bad("timeout", "must not be longer than the poll of %v, got %v: with the next poll the one before is over", p.Poll, *p.Timeout)
	}
	if p.Drift < 0 || p.Drift > sim.MaxPPB {
		found.Bad("max-drift", "want 0ppm to %v, got %v", sim.MaxPPB, p.Drift)
	}
	if p.Faulty != nil && (*p.Faulty < 0 || *p.Faulty >= max(p.Servers, 1)) {
		found.Bad("faulty", "want fewer than the %d servers, got %d", p.Servers, *p.Faulty)
	}
	if p.Updates != nil && *p.Updates < 0 {
		found.Bad("updates", "want 0 (always) or more, got %d", *p.Updates)
	}
	if p.SlewRate != nil && (*p.SlewRate < 1 || *p.SlewRate > maxSlew) {
		found.Bad("slew-rate", "want 1ppb to %v, at which the clock stands or runs twice as fast, got %v", sim.PPB(maxSlew), *p.SlewRate)
	}
	p.ignoredProblems(&found)
	return found
}

func (p *Params) lengthProblems(found *problems) {
	d := p.discipline()
	check := func(path string, length, least time.Duration) { found.Length(path, length, least, maxLength) }
	check("assumed-delay", p.Assumed, 0)
	for _, s := range p.Start {
		check("start", s, 0)
	}
	check("poll", p.Poll, time.Millisecond)
	if p.Timeout != nil {
		check("timeout", *p.Timeout, 1)
	}
	check("threshold", d.Threshold, 0)
	check("stepout", d.Stepout, 0)
	check("panic", d.Panic, 0)
	check("epsilon", p.Epsilon, 0)
	check("settle", p.Settle, 0)
	check("accuracy", p.Accuracy, 0)
}

// ignoredProblems are the parameters that were given to what does not look at them.
func (p *Params) ignoredProblems(found *problems) {
	if p.Faulty != nil && p.Select != "marzullo" {
		found.Bad("faulty", "the selection is %s, which does not use it", p.Select)
	}
	if p.Assumed != 0 && p.Mode != "broadcast" {
		found.Bad("assumed-delay", "a client that asks measures the delay")
	}
	if p.Discipline == "none" {
		p.noneProblems(found)
	}
	if p.Mode != "broadcast" {
		return
	}
	if len(p.Start) > 1 {
		found.Bad("start", "clients that only listen do not begin by themselves: want one value, for the servers, got %d", len(p.Start))
	}
	if p.Timeout != nil {
		found.Bad("timeout", "a client that only listens waits for no answer")
	}
	if p.Work.Most() > 0 {
		found.Bad("work", "a client that only listens asks nothing")
	}
}

// noneProblems are the parameters of a discipline, if there is none.
func (p *Params) noneProblems(found *problems) {
	for _, g := range []struct {
		path  string
		given bool
	}{{"threshold", p.Threshold != nil}, {"stepout", p.Stepout != nil}, {"updates", p.Updates != nil}, {"panic", p.Panic != nil}, {"slew-rate", p.SlewRate != nil}} {
		if g.given {
			found.Bad(g.path, "the discipline is none, which does not correct the clock")
		}
	}
}

// timeout is after which time an answer does not count.
func (p *Params) timeout() time.Duration {
	return values.Or(p.Timeout, min(time.Second, p.Poll))
}

// faulty is how many servers may be wrong, if a majority is right.
func (p *Params) faulty() int { return values.Or(p.Faulty, (p.Servers-1)/2) }

// discipline is what clients do about an offset; with none they do not ask it.
func (p *Params) discipline() clock.Discipline {
	d := clock.Chrony()
	if p.Discipline == "ntpd" {
		d = clock.Ntpd()
	}
	return clock.Discipline{Threshold: values.Or(p.Threshold, d.Threshold), Stepout: values.Or(p.Stepout, d.Stepout),
		Updates: values.Or(p.Updates, d.Updates), Panic: values.Or(p.Panic, d.Panic),
		SlewPPB: int64(values.Or(p.SlewRate, sim.PPB(d.SlewPPB)))}
}

// selection is how clients choose.
func (p *Params) selection() Selection {
	switch p.Select {
	case "least-delay":
		return SelectLeastDelay
	case "marzullo":
		return SelectMarzullo
	}
	return SelectLatest
}
