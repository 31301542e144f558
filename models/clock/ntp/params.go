package ntp

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the
// comment gives.
type Params struct {
	Servers int             `yaml:"servers" range:"1..16" because:"a client keeps the last eight samples of each, and this much room is part of its state"` // 1
	Clients int             `yaml:"clients" range:"1..10000"`                                                                                               // 1
	Mode    string          `yaml:"mode,oneof=client-server|broadcast"`                                                                                     // client-server; in the other a server sends its time unasked
	Assumed time.Duration   `yaml:"assumed-delay" range:"0s..100000h" of:"mode=broadcast"`                                                                  // of broadcast: how long a message is taken to travel: 0s
	Work    sim.Dist        `yaml:"work" range:"0s..100000h" of:"mode=client-server"`                                                                       // how long an answer takes: 0s
	Start   []time.Duration `yaml:"start,one-or-many" each:"clients" range:"0s..100000h"`                                                                   // of the first poll, by client, the last for the rest; of broadcast the first for all servers: 0s
	Poll    time.Duration   `yaml:"poll" range:"1ms..100000h"`                                                                                              // from one poll to the next: 64s
	Polls   int             `yaml:"polls" range:"0..2147483647"`                                                                                            // 0, without end
	Timeout *time.Duration  `yaml:"timeout" range:"1ns..100000h" of:"mode=client-server"`                                                                   // after which an answer does not count: 1s, or the poll if that is shorter
	Drift   sim.PPB         `yaml:"max-drift,ppb" range:"0ppm..500000ppm"`                                                                                  // what clients take for the most that a clock gains or loses: 100ppm

	Select string `yaml:"select,oneof=latest|least-delay|marzullo"`  // latest
	Faulty *int   `yaml:"faulty" range:"0..15" of:"select=marzullo"` // of marzullo: how many servers may be wrong: as many as are fewer than half

	Discipline string         `yaml:"discipline,oneof=ntpd|chrony|none"`                                                                                                     // chrony
	Threshold  *time.Duration `yaml:"threshold" range:"0s..100000h" of:"discipline=ntpd|chrony"`                                                                             // a larger offset is stepped; of the discipline, as what follows
	Stepout    *time.Duration `yaml:"stepout" range:"0s..100000h" of:"discipline=ntpd|chrony"`                                                                               // after it has lasted this long
	Updates    *int           `yaml:"updates" range:"0..2147483647" of:"discipline=ntpd|chrony"`                                                                             // only in this many first updates; 0: always
	Panic      *time.Duration `yaml:"panic" range:"0s..100000h" of:"discipline=ntpd|chrony"`                                                                                 // a larger one ends the daemon; 0s: none does
	SlewRate   *sim.PPB       `yaml:"slew-rate,ppb" range:"1ppb..999999999ppb" because:"at 1000000ppm a clock that is slewed back stands still" of:"discipline=ntpd|chrony"` // at most

	Epsilon  time.Duration `yaml:"epsilon" range:"0s..100000h"`  // bound of bounded-error: 100ms
	Settle   time.Duration `yaml:"settle" range:"0s..100000h"`   // from when on it is checked: 0s
	Accuracy time.Duration `yaml:"accuracy" range:"0s..100000h"` // a server whose clock is never further from true time is right: 1ms
}

// MaxServers is how many servers a client can have, as the range of the parameter says.
const MaxServers = 16

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Servers: 1, Clients: 1, Mode: "client-server", Poll: 64 * time.Second, Drift: 100_000, Select: "latest",
		Discipline: "chrony", Epsilon: 100 * time.Millisecond, Accuracy: time.Millisecond}
}

// Problems is what is wrong with the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	found.If(p.timeout() > p.Poll, "timeout", "must not be longer than the poll of %v, got %v: with the next poll the one before is over", p.Poll, p.timeout())
	found.If(p.faulty() >= max(p.Servers, 1), "faulty", "want fewer than the %d servers, got %d", p.Servers, p.faulty())
	found.If(p.Mode == "broadcast" && len(p.Start) > 1, "start", "clients that only listen do not begin by themselves: want one value, for the servers")
	return found.OnePerPath()
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

// selections are how clients choose; latest, if it is left out.
var selections = map[string]Selection{"least-delay": SelectLeastDelay, "marzullo": SelectMarzullo}

// client is the i-th client, from 0.
func (p *Params) client(i int) Client {
	return Client{Servers: p.Servers, Start: values.At(p.Start, i, 0), Poll: p.Poll, Timeout: p.timeout(), Polls: p.Polls,
		Broadcast: p.Mode == "broadcast", Assumed: p.Assumed, Drift: int64(p.Drift), Select: selections[p.Select], Faulty: p.faulty(),
		Discipline: p.discipline(), Corrects: p.Discipline != "none"}
}

// server is each of the servers.
func (p *Params) server() Server {
	return Server{Work: p.Work, Broadcast: p.Mode == "broadcast", First: sim.NodeID(p.Servers + 1), Last: sim.NodeID(p.Servers + p.Clients),
		Start: values.At(p.Start, 0, 0), Every: p.Poll, Polls: p.Polls}
}
