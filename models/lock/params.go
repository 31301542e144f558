package lock

import (
	"reflect"
	"strings"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out is the preset's, or
// else the value that the comment gives. Lists are by client: the last value is for the rest.
// Not every service has every key: see the table of services.
type Params struct {
	Service string         `yaml:"service,oneof=none|naive|redis|redlock|zookeeper|k8s-lease|etcd|sentinel|watchdog|consul"` // redlock
	Preset  string         `yaml:"preset,oneof=reference|redsync|node-redlock"`                                              // of redlock: none
	TTL     *time.Duration `yaml:"ttl" range:"1ms..1000h"`                                                                   // 10s; naive has none
	Clock   string         `yaml:"clock,oneof=monotonic|boottime|wall"`                                                      // of the clients: monotonic

	Instances *int           `yaml:"instances" range:"1..31"`                // of redlock: 5
	Even      bool           `yaml:"even-instances"`                         // an even number of them, on purpose: false
	Requests  string         `yaml:"requests,oneof=parallel|sequential"`     // of redlock: parallel
	PerNode   *time.Duration `yaml:"per-node-timeout" range:"0s..1000h"`     // redlock 50ms, otherwise 1s; 0s waits forever
	DriftMin  *time.Duration `yaml:"drift-min" range:"0s..1000h"`            // allowance besides 1% of the TTL: 2ms
	Validity  string         `yaml:"validity,oneof=checked|elapsed|ignored"` // of a fresh acquisition: checked; elapsed, without the allowance for the clocks
	Tries     *int           `yaml:"tries" range:"0..1000000000"`            // attempts per acquisition: 0, without end
	Retry     *sim.Dist      `yaml:"retry" range:"0s..1000h"`                // between two attempts: redlock {uniform: [0s, 200ms]}, otherwise 100ms
	Release   string         `yaml:"release,oneof=script|get-del|del"`       // of redis: script
	Cleanup   string         `yaml:"cleanup,oneof=all|granted|none"`         // after a failed attempt: all
	Value     string         `yaml:"value,oneof=unique|constant"`            // of the lock: unique
	Extend    time.Duration  `yaml:"extend" range:"0s..1000h"`               // how often: 0s, never
	ExtendBy  string         `yaml:"extend-by,oneof=script|set-nx"`          // script; set-nx takes a key that is gone, as redsync's WithSetNXOnExtend

	Check     *bool          `yaml:"check"`                           // before the write: true
	Await     *bool          `yaml:"await-write"`                     // its reply, before the release: true
	WriteWait *time.Duration `yaml:"write-timeout" range:"0s..1000h"` // release without a reply after this: 10s; 0s waits forever

	Tokens        string `yaml:"tokens,oneof=none|counter|own"`     // own, if there is fencing and the lock has one, otherwise none; counter is a service beside the lock
	FirstToken    *int64 `yaml:"first-token" range:"1..2147483647"` // that the counter issues: 1
	Fencing       string `yaml:"fencing,oneof=none|ge|gt|lex|cas"`  // at the store: none; cas compares the lock's random value, not a token
	FenceOp       *bool  `yaml:"fence-op"`                          // register the token, or the value, before reading: true with ge, lex and cas
	VolatileFence bool   `yaml:"volatile-fence"`                    // the store forgets its token in a crash: false

	Persistence string        `yaml:"persistence,oneof=none|aof-everysec|aof-always"` // of each Redis: none
	RejoinAfter time.Duration `yaml:"rejoin-after" range:"0s..1000h"`                 // silence after a restart: 0s
	RejoinClock string        `yaml:"rejoin-clock,oneof=monotonic|wall"`              // that it is measured on: monotonic

	Clients int             `yaml:"clients" range:"1..10000"`                                // 2
	Start   []time.Duration `yaml:"start,one-or-many" each:"clients" range:"0s..1000h"`      // when a client first wants the lock: 0s
	Work    []time.Duration `yaml:"work,one-or-many" each:"clients" range:"0s..1000h"`       // from acquiring to writing: 2s
	Jitter  time.Duration   `yaml:"work-jitter" range:"0s..1000h"`                           // drawn, up to this, besides work: 0s
	Hold    []time.Duration `yaml:"hold,one-or-many" each:"clients" range:"0s..1000h"`       // from the write's reply to releasing: 0s
	Think   []time.Duration `yaml:"think,one-or-many" each:"clients" range:"0s..1000h"`      // from releasing to wanting it again: 0s
	Rounds  []int           `yaml:"rounds,one-or-many" each:"clients" range:"0..1000000000"` // acquisitions: 1; 0, without end

	Kubernetes *Kubernetes      `yaml:"kubernetes"` // of k8s-lease
	Consul     *ConsulParams    `yaml:"consul"`     // of service consul
	Etcd       *EtcdParams      `yaml:"etcd"`       // of service etcd
	Sentinel   *SentinelParams  `yaml:"sentinel"`   // the servers behind a Redis with replicas
	Watchdog   *WatchdogParams  `yaml:"watchdog"`   // Redisson
	ZooKeeper  *ZooKeeperParams `yaml:"zookeeper"`  // of service zookeeper

	WorkAs   string         `yaml:"work-as,oneof=increment|leader|cron"` // increment; a leader keeps the lock, a cron job wants it in each period
	Beat     *time.Duration `yaml:"beat" range:"1ms..1000h"`             // of a leader, from a write's reply to the next check and write: 1s; it resigns after hold
	Period   *time.Duration `yaml:"period" range:"1ms..1000h"`           // of a job, on each client's wall clock: 24h
	CronMark string         `yaml:"cron-mark,oneof=none|store"`          // where it stands that the job of a period is done: none

	DeadlockBound *time.Duration `yaml:"deadlock-bound" range:"1ns..10000h"` // three TTLs; the longest work and hold and the takeover-bound, if that is more
	TakeoverBound *time.Duration `yaml:"takeover-bound" range:"1ns..10000h"` // TTL, longest retry and a second
	FailoverBound *time.Duration `yaml:"failover-bound" range:"1ns..10000h"` // without a leader: TTL, longest retry and a second

	AvailableWithin *time.Duration `yaml:"available-within" range:"1ns..10000h"` // outages included, the longest time without the lock for any client while clients want it: no bound

	StarvationBound *int `yaml:"starvation-bound" range:"0..1000000000"` // how often a client that waits may be overtaken: no bound
}

// What a params block leaves out.
const (
	usualTTL       = 10 * time.Second
	usualWork      = 2 * time.Second
	usualWriteWait = 10 * time.Second
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Service: "redlock", Clients: 2}
}

// Problems is what is wrong with the parameters, with one reason for each of them.
func (p *Params) Problems() []model.ValidationError { return p.errors().OnePerPath() }

func (p *Params) errors() model.Errors {
	found := model.Validate(p, DefaultParams())
	s := p.service()
	if s == nil {
		return append(found, p.unnamed()...)
	}
	p.foreign(s, &found)
	p.fencingProblems(s, &found)
	p.workloadProblems(&found)
	found.If(p.WriteWait != nil && p.Await != nil && !*p.Await, "write-timeout", "there is no reply to wait for: await-write is false")
	p.endlessProblems(&found)
	if s.check != nil {
		s.check(p, &found)
	}
	return found
}

// unnamed is that no service is named; a name that is none, the tags refuse.
func (p *Params) unnamed() (found model.Errors) {
	found.If(p.Service == "", "service", "want the name of a lock")
	return found
}

// foreign refuses the keys and blocks that the service does not have, and others do.
func (p *Params) foreign(s *service, found *model.Errors) {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if v.Field(i).IsZero() || s.has(key) {
			continue
		}
		if owners := havers(key); len(owners) > 0 {
			found.Add(key, "service %s has none: %s is of %s", s.name, key, strings.Join(owners, ", "))
		}
	}
}

// has reports whether a key is one that not all services have, and this one does.
func (s *service) has(key string) bool {
	for k := range strings.FieldsSeq(s.keys) {
		if k == key {
			return true
		}
	}
	return false
}

// havers are the services that have a key which not all have.
func havers(key string) (names []string) {
	for i := range services {
		if services[i].has(key) {
			names = append(names, services[i].name)
		}
	}
	return names
}

func (p *Params) fencingProblems(s *service, found *model.Errors) {
	fenced := p.Fencing != "" && p.Fencing != "none"
	tokens := p.tokens(s)
	found.If(p.Tokens == "own" && !s.token, "tokens", "service %s has no token of its own: want none or counter", s.name)
	found.If(p.FirstToken != nil && tokens != "counter", "first-token", "there is no counter: add tokens: counter")
	found.If(p.Fencing == "cas" && p.FenceOp != nil && !*p.FenceOp, "fence-op", "cas compares with the value that was registered: without that it would reject every write")
	found.If(fenced && p.Fencing != "cas" && tokens == "none", "fencing", "fencing needs tokens, and service %s has none of its own: add tokens: counter", s.name)
	if p.FenceOp != nil && *p.FenceOp {
		switch {
		case !fenced:
			found.Add("fence-op", "there is no fencing")
		case p.Fencing == "gt":
			found.Add("fence-op", "gt admits one operation per token: after the fence operation it would reject every write")
		}
	}
}

// tokens is where fencing tokens come from.
func (p *Params) tokens(s *service) string {
	switch {
	case p.Tokens != "":
		return p.Tokens
	case s.token && p.Fencing != "" && p.Fencing != "none" && p.Fencing != "cas":
		return "own"
	}
	return "none"
}

// endlessProblems refuses clients that would continue without end in no time: with a network
// that has no delay a run would not get past that instant.
func (p *Params) endlessProblems(found *model.Errors) {
	if p.atOnce() && values.Or(p.Tries, 0) == 0 {
		found.Add("retry", "a client that is refused asks again without end: want a pause that reaches %v, or tries above 0, got %v", leastRetry, *p.Retry)
	}
	for i := range min(max(p.Clients, 1), maxClients) {
		think := values.At(p.Think, i, 0)
		each := values.At(p.Work, i, usualWork) + values.At(p.Hold, i, 0) + think
		switch {
		case p.workload() == cron || p.rounds(i) > 0:
		case each < time.Millisecond:
			found.Add("rounds", "a client that continues without end needs work, think or a delay: at least 1ms of work or think")
			return
		case think < time.Millisecond && values.Or(p.Tries, 0) > 0 && p.atOnce():
			found.Add("rounds", "a client that gives up and wants the lock again without end needs think: at least 1ms, or two tries and a retry that reaches %v", leastRetry)
			return
		}
	}
}

// maxClients is as the range of the parameter says.
const maxClients = 10_000

// policy is how the store treats tokens.
func (p *Params) policy() Policy { return policies[p.Fencing] }

var policies = map[string]Policy{"ge": RejectOlder, "gt": RejectOlderOrEqual, "lex": RejectLex, "cas": CompareValue}

// critical is the critical section of every client, but for the times of each. The store is
// the node after the servers, and the counter that after the store.
func (p *Params) critical(s *plan, store sim.NodeID) Critical {
	policy, tokens := p.policy(), p.tokens(p.service())
	c := Critical{
		Store: store, Clock: s.clock, Own: tokens == "own",
		Unchecked:  !values.Or(p.Check, true),
		FenceFirst: values.Or(p.FenceOp, policy == RejectOlder || policy == RejectLex || policy == CompareValue),
		ShowValue:  policy == CompareValue,
		Unawaited:  !values.Or(p.Await, true),
		WriteWait:  values.Or(p.WriteWait, usualWriteWait),
	}
	if tokens == "counter" {
		c.Counter = store + 1
	}
	switch p.workload() {
	case leader:
		c.Beat = values.Or(p.Beat, usualBeat)
	case cron:
		c.Period, c.Mark = p.period(), p.CronMark == "store"
	}
	return c
}
