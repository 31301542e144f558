package lock

import (
	"math"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// Params are the params block of a scenario. What is left out is the preset's, or
// else the value that the comment gives.
type Params struct {
	Service string         `yaml:"service,oneof=naive|redis|redlock"`           // redlock
	Preset  string         `yaml:"preset,oneof=reference|redsync|node-redlock"` // of redlock: none
	TTL     *time.Duration `yaml:"ttl"`                                         // 10s; naive has none
	Clock   string         `yaml:"clock,oneof=monotonic|boottime|wall"`         // of the clients: monotonic

	Instances int            `yaml:"instances"`                          // of redlock: 5
	Requests  string         `yaml:"requests,oneof=parallel|sequential"` // of redlock: parallel
	PerNode   *time.Duration `yaml:"per-node-timeout"`                   // redlock 50ms, otherwise 1s; 0s waits for ever
	DriftMin  *time.Duration `yaml:"drift-min"`                          // allowance besides 1% of the TTL: 2ms
	Validity  string         `yaml:"validity,oneof=checked|ignored"`     // of a fresh acquisition: checked
	Tries     *int           `yaml:"tries"`                              // attempts per acquisition: 0, without end
	Retry     *sim.Dist      `yaml:"retry"`                              // between two attempts: redlock {uniform: [0s, 200ms]}, otherwise 100ms
	Release   string         `yaml:"release,oneof=script|get-del|del"`   // script; naive del
	Cleanup   string         `yaml:"cleanup,oneof=all|granted|none"`     // after a failed attempt: all
	Value     string         `yaml:"value,oneof=unique|constant"`        // of the lock: unique
	Check     *bool          `yaml:"check"`                              // before the write: true
	Await     *bool          `yaml:"await-write"`                        // its reply, before the release: true
	WriteWait *time.Duration `yaml:"write-timeout"`                      // release without a reply after this: 10s; 0s waits without end
	Extend    time.Duration  `yaml:"extend"`                             // how often: 0s, never

	Tokens        string `yaml:"tokens,oneof=none|counter"`        // none; counter is a service beside the lock
	FirstToken    *int64 `yaml:"first-token"`                      // that the counter issues: 1
	Fencing       string `yaml:"fencing,oneof=none|ge|gt|lex|cas"` // at the store: none; cas compares the lock's random value, not a token
	FenceOp       *bool  `yaml:"fence-op"`                         // register the token, or the value, before reading: true with ge, lex and cas
	VolatileFence bool   `yaml:"volatile-fence"`                   // the store forgets its token in a crash: false

	Persistence string        `yaml:"persistence,oneof=none|aof-everysec|aof-always"` // of each Redis: none
	RejoinAfter time.Duration `yaml:"rejoin-after"`                                   // silence after a restart: 0s
	RejoinClock string        `yaml:"rejoin-clock,oneof=monotonic|wall"`              // that it is measured on: monotonic

	Clients int             `yaml:"clients"`            // 2
	Start   []time.Duration `yaml:"start,one-or-many"`  // by client, the last for the rest: 0s
	Work    []time.Duration `yaml:"work,one-or-many"`   // from acquiring to writing: 2s
	Hold    []time.Duration `yaml:"hold,one-or-many"`   // from the write's reply to releasing: 0s
	Think   []time.Duration `yaml:"think,one-or-many"`  // from releasing to wanting it again: 0s
	Rounds  []int           `yaml:"rounds,one-or-many"` // acquisitions by client: 1; 0, without end

	DeadlockBound *time.Duration `yaml:"deadlock-bound"` // three TTLs
	TakeoverBound *time.Duration `yaml:"takeover-bound"` // TTL, longest retry and a second
}

// Limits of the parameters.
const (
	maxInstances = 31
	maxClients   = 64
	maxLength    = 1000 * time.Hour
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Service: "redlock", Clients: 2}
}

// Problem is a mistake in the parameters, at a path below params.
type Problem struct{ Path, Message string }

// problems collects them.
type problems = values.Problems[Problem]

// Problems are all mistakes in the parameters.
func (p *Params) Problems() []Problem {
	var found problems
	found.Words(p)
	found.Count("clients", p.Clients, 1, maxClients, "clients")
	if p.Instances < 0 || p.Instances > maxInstances {
		found.Bad("instances", "want 1 to %d instances, got %d", maxInstances, p.Instances)
	}
	if p.Instances > 1 && p.Service != "redlock" {
		found.Bad("instances", "a %s lock has one instance", p.Service)
	}
	if p.Preset != "" && p.Service != "redlock" {
		found.Bad("preset", "presets are of service redlock, this is %s", p.Service)
	}
	if p.Service == "naive" && p.TTL != nil {
		found.Bad("ttl", "a naive lock has none: that is what is wrong with it")
	}
	if ttl := p.TTL; ttl != nil && (*ttl <= 0 || *ttl%time.Millisecond != 0 || *ttl > maxLength) {
		found.Bad("ttl", "want whole milliseconds, 1ms to %v, got %v", maxLength, *ttl)
	}
	if p.Tries != nil && *p.Tries < 0 {
		found.Bad("tries", "want 0 (without end) or more, got %d", *p.Tries)
	}
	for _, n := range p.Rounds {
		if n < 0 {
			found.Bad("rounds", "want 0 (without end) or more, got %d", n)
		}
	}
	if len(p.Rounds) > p.Clients {
		found.Bad("rounds", "%d values for %d clients", len(p.Rounds), p.Clients)
	}
	if p.Cleanup != "" && p.Release != "" && p.Release != "script" {
		found.Bad("cleanup", "a failed attempt is cleaned up by the script, and release is %s", p.Release)
	}
	if p.WriteWait != nil && p.Await != nil && !*p.Await {
		found.Bad("write-timeout", "there is no reply to wait for: await-write is false")
	}
	p.listProblems(&found)
	p.fencingProblems(&found)
	return found
}

func (p *Params) listProblems(found *problems) {
	for _, l := range []struct {
		path string
		list []time.Duration
	}{{"start", p.Start}, {"work", p.Work}, {"hold", p.Hold}, {"think", p.Think}} {
		if len(l.list) > p.Clients {
			found.Bad(l.path, "%d values for %d clients", len(l.list), p.Clients)
		}
		for _, d := range l.list {
			if d > maxLength {
				found.Bad(l.path, "want at most %v, got %v", maxLength, d)
			}
		}
	}
	if p.Extend > 0 && p.Extend >= p.resolve().rules.TTL {
		found.Bad("extend", "must be shorter than the TTL of %v, got %v", p.resolve().rules.TTL, p.Extend)
	}
	if p.resolve().endless() {
		found.Bad("rounds", "a client that goes on without end needs work, think or a delay: at least 1ms of work or think")
	}
}

func (p *Params) fencingProblems(found *problems) {
	fenced := p.Fencing != "" && p.Fencing != "none"
	if p.FirstToken != nil && (*p.FirstToken < 1 || *p.FirstToken > math.MaxInt32) {
		found.Bad("first-token", "want 1 to %d, got %d", math.MaxInt32, *p.FirstToken)
	}
	if p.FirstToken != nil && p.Tokens != "counter" {
		found.Bad("first-token", "there are no tokens: add tokens: counter")
	}
	if p.Fencing == "cas" && p.FenceOp != nil && !*p.FenceOp {
		found.Bad("fence-op", "cas compares with the value that was registered: without that it would reject every write")
	}
	if fenced && p.Fencing != "cas" && p.Tokens != "counter" {
		found.Bad("fencing", "fencing needs tokens, and a %s lock has none of its own: add tokens: counter", p.Service)
	}
	if p.FenceOp != nil && *p.FenceOp {
		switch {
		case !fenced:
			found.Bad("fence-op", "there is no fencing")
		case p.Fencing == "gt":
			found.Bad("fence-op", "gt admits one operation per token: after the fence operation it would reject every write")
		}
	}
	if p.RejoinClock != "" && p.RejoinAfter == 0 {
		found.Bad("rejoin-clock", "there is no rejoin-after to measure")
	}
}

// setup is what the parameters come to.
type setup struct {
	client  Client
	rules   Rules
	server  Server
	store   Store
	clients []clientTimes
	tokens  bool

	firstToken uint64

	deadlock, takeover, orphan time.Duration
}

type clientTimes struct {
	start, work, hold, think time.Duration
	rounds                   int
}

// endless reports whether some client would go round and round in no time.
func (s *setup) endless() bool {
	for _, c := range s.clients {
		if c.rounds == 0 && c.work+c.hold+c.think < time.Millisecond {
			return true
		}
	}
	return false
}

// resolve fills in the presets and defaults. Of a parameter with a mistake it makes
// what it can.
func (p *Params) resolve() *setup {
	s := p.preset()
	if p.TTL != nil {
		s.rules.TTL = *p.TTL
		s.rules.Drift = driftOf(p.Preset, *p.TTL)
	}
	if p.DriftMin != nil {
		s.rules.Drift = (s.rules.TTL / 100).Truncate(time.Millisecond) + *p.DriftMin
	}
	if p.Instances > 0 {
		s.rules.Instances = p.Instances
	}
	s.rules.Quorum = Quorum(s.rules.Instances)
	p.resolveClient(s)
	p.resolveRest(s)
	return s
}

// preset is the service, as the named implementation has it.
//
// Source: the code of redlock-rb, redsync 4 and node-redlock 5.
func (p *Params) preset() *setup {
	s := &setup{}
	c := &s.client
	s.rules = Rules{Instances: 5, TTL: 10 * time.Second}
	c.PerNode = 50 * time.Millisecond
	c.Retry = sim.Uniform(0, 200*time.Millisecond)
	switch {
	case p.Service == "naive":
		s.rules = Rules{Instances: 1}
		c.Release, c.PerNode, c.Retry = ReleaseDel, time.Second, sim.Constant(100*time.Millisecond)
		return s
	case p.Service == "redis":
		s.rules.Instances = 1
		c.PerNode, c.Retry = time.Second, sim.Constant(100*time.Millisecond)
	case p.Preset == "reference":
		c.Sequential, c.PerNode, c.Clock, c.Tries = true, 0, sim.WallClock, 3
	case p.Preset == "redsync":
		s.rules.TTL = 8 * time.Second
		set(&s.rules.TTL, p.TTL)
		c.PerNode, c.Tries = s.rules.TTL/20, 32
		c.Retry = sim.Uniform(50*time.Millisecond, 250*time.Millisecond)
	case p.Preset == "node-redlock":
		s.rules.AnyValidity, s.rules.AtQuorum = true, true
		c.Clock, c.Tries, c.Cleanup, c.KeepValue = sim.WallClock, 11, CleanNone, true
		c.Retry = sim.Uniform(100*time.Millisecond, 300*time.Millisecond)
	}
	s.rules.Drift = driftOf(p.Preset, s.rules.TTL)
	return s
}

// driftOf is D, as the named implementation computes it.
func driftOf(preset string, ttl time.Duration) time.Duration {
	switch preset {
	case "redsync":
		return ttl / 100
	case "node-redlock":
		return (ttl / 100).Round(time.Millisecond) + 2*time.Millisecond
	}
	return DriftOf(ttl)
}

func (p *Params) resolveClient(s *setup) {
	c := &s.client
	override(&c.Sequential, p.Requests, map[string]bool{"parallel": false, "sequential": true})
	override(&c.Clock, p.Clock, map[string]sim.ClockID{"monotonic": sim.MonoClock, "boottime": sim.BootClock, "wall": sim.WallClock})
	override(&s.rules.AnyValidity, p.Validity, map[string]bool{"checked": false, "ignored": true})
	override(&c.Release, p.Release, map[string]Release{"script": ReleaseScript, "get-del": ReleaseGetDel, "del": ReleaseDel})
	override(&c.Cleanup, p.Cleanup, map[string]Cleanup{"all": CleanAll, "granted": CleanGranted, "none": CleanNone})
	c.SameValue = p.Value == "constant"
	c.Renew = p.Extend
	set(&c.PerNode, p.PerNode)
	set(&c.Tries, p.Tries)
	set(&c.Retry, p.Retry)
	c.Unchecked = p.Check != nil && !*p.Check
	c.Unawaited = p.Await != nil && !*p.Await
	c.WriteWait = 10 * time.Second
	set(&c.WriteWait, p.WriteWait)
	s.clients = make([]clientTimes, min(max(p.Clients, 1), maxClients))
	for i := range s.clients {
		s.clients[i] = clientTimes{values.At(p.Start, i, 0), values.At(p.Work, i, 2*time.Second), values.At(p.Hold, i, 0), values.At(p.Think, i, 0), values.At(p.Rounds, i, 1)}
	}
	c.Rules = s.rules
}

func (p *Params) resolveRest(s *setup) {
	s.tokens = p.Tokens == "counter"
	override(&s.store.Policy, p.Fencing, map[string]Policy{"none": NoFencing, "ge": RejectOlder, "gt": RejectOlderOrEqual, "lex": RejectLex, "cas": CompareValue})
	s.firstToken = uint64(values.Or(p.FirstToken, 1))
	s.store.VolatileFence = p.VolatileFence
	s.client.FenceFirst = s.store.Policy == RejectOlder || s.store.Policy == RejectLex || s.store.Policy == CompareValue
	s.client.ShowValue = s.store.Policy == CompareValue
	set(&s.client.FenceFirst, p.FenceOp)
	override(&s.server.Persistence, p.Persistence, map[string]redis.Persistence{"none": redis.None, "aof-everysec": redis.EverySecond, "aof-always": redis.Always})
	s.server.RejoinAfter, s.server.RejoinWall = p.RejoinAfter, p.RejoinClock == "wall"
	s.orphan = s.rules.TTL
	if s.orphan == 0 {
		s.orphan = 10 * time.Second // of a lock that has no TTL: what the others have
	}
	s.deadlock, s.takeover = 3*s.orphan, s.orphan+s.client.Retry.Sample(1<<64-1)+time.Second
	set(&s.deadlock, p.DeadlockBound)
	set(&s.takeover, p.TakeoverBound)
}

// override sets a field to what a word stands for, if there is one.
func override[T any](field *T, word string, words map[string]T) {
	if v, ok := words[word]; ok {
		*field = v
	}
}

// set sets a field to a value, if there is one.
func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}
