package policy

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/wish"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

// file is a file of rules that allow each user so many a minute.
func file(limit int) string { return fileOf("user", limit, "") }

func fileOf(key string, limit int, more string) string {
	return fmt.Sprintf("domain: api\ndescriptors:\n- {key: %s, %srate_limit: {unit: minute, requests_per_unit: %d}}\n", key, more, limit)
}

// calm is two limiters, one client that asks twice a second, and 60 a minute.
func calm(set func(*Params)) Params {
	p := DefaultParams()
	p.Rules = []RulesFile{{File: file(60)}}
	p.Every = []sim.Dist{sim.Constant(500 * ms)}
	if set != nil {
		set(&p)
	}
	return p
}

// threeMinutes is three minutes in which messages take no time.
var threeMinutes = []simtest.Change{simtest.Until(modeltest.At(180_000)), simtest.Delay(0)}

// hasty is a limiter that names the version it had and decides by the one before, as if
// rules and number were not swapped together.
type hasty struct{ Limiter }

func (h *hasty) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Taken {
		in.Msg.Version = max(1, in.Msg.Version-1)
	}
	h.Limiter.Step(in, out)
}

// trusting is a limiter that adopts what it has not loaded.
type trusting struct{ Limiter }

func (h *trusting) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == File && in.Msg.Version == 2 && h.seen < 2 {
		h.seen = 2
		out.Note(Msg{Kind: Adopted, Version: 2})
		return
	}
	h.Limiter.Step(in, out)
}

// generous are counters that say yes.
type generous struct{ Counters }

func (g *generous) Reset(initial *generous) { g.Counters.Reset(&initial.Counters) }

func (g *generous) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != Take {
		return
	}
	m := g.take(in)
	m.OK = true
	out.Send(in.From, m)
}

// refusing are counters that say no.
type refusing struct{ Counters }

func (g *refusing) Reset(initial *refusing) { g.Counters.Reset(&initial.Counters) }

func (g *refusing) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != Take {
		return
	}
	m := g.take(in)
	m.OK = false
	out.Send(in.From, m)
}

// stern are counters whose rules in shadow mode refuse.
type stern struct{ Counters }

func (s *stern) Reset(initial *stern) { s.Counters.Reset(&initial.Counters) }

func (s *stern) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != Take {
		return
	}
	m := s.take(in)
	m.OK = m.Flags&Over == 0
	out.Send(in.From, m)
}

// patient are counters that forget when a client went above its limit.
type patient struct{ Counters }

func (p *patient) Reset(initial *patient) { p.Counters.Reset(&initial.Counters) }

func (p *patient) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	for i := range p.slots {
		p.slots[i].log.over = false
	}
	p.Counters.Step(in, out)
}

// slow is a limiter whose requests begin a second after their turn.
type slow struct{ Limiter }

func (s *slow) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind == Taken && in.Msg.wait() > 0 {
		in.Msg.setWait(in.Msg.wait() + time.Second)
	}
	s.Limiter.Step(in, out)
}

// Each property has a mutant that violates it, and without the mutation it holds.
func TestMutants(t *testing.T) {
	limiters := func(place func(name string, l Limiter) sim.Spec[Msg]) func(p *Params, s *sim.System[Msg]) {
		return func(p *Params, s *sim.System[Msg]) {
			b, _, err := newBook(p)
			require.NoError(t, err)
			for i := range p.Limiters {
				at := firstLimiter + sim.NodeID(i) - 1
				s.Nodes[at] = place(s.Nodes[at].Name, Limiter{Store: theStore, Counters: theCounters, Poll: p.Poll,
					Phase: p.Poll * time.Duration(i) / time.Duration(p.Limiters), Clients: firstLimiter + sim.NodeID(p.Limiters), book: b})
			}
		}
	}
	counters := func(place func(c Counters) sim.Spec[Msg]) func(p *Params, s *sim.System[Msg]) {
		return func(p *Params, s *sim.System[Msg]) {
			b, buckets, err := newBook(p)
			require.NoError(t, err)
			s.Nodes[theCounters-1] = place(Counters{book: b, Tier: Tiers{Plans: buckets}, slots: make([]slot, b.slots)})
		}
	}
	burst := func(p *Params) { p.Every, p.Burst = []sim.Dist{sim.Constant(time.Second)}, []int{5} }
	always := counters(func(c Counters) sim.Spec[Msg] { return sim.Place[Msg]("counters", generous{c}) })
	renamed := func(p *Params) {
		p.Send = []string{"user", "account"}
		more := ", {key: user, value: nobody, rate_limit: {unit: minute, requests_per_unit: 1}}"
		p.Rules = []RulesFile{{File: "domain: api\ndescriptors: [{key: user, rate_limit: {unit: minute, requests_per_unit: 60}}" + more + "]\n"}, {At: 20 * time.Second, File: "domain: api\ndescriptors: [{key: account}]\n"}}
	}
	mutant := func(property string, set func(*Params), mutate func(*Params, *sim.System[Msg])) modeltest.Mutant[Msg] {
		p := calm(set)
		return modeltest.Mutant[Msg]{Property: property, Correct: p.System, Changes: threeMinutes, Mutant: func() sim.System[Msg] {
			s := p.System()
			mutate(&p, &s)
			return s
		}}
	}
	never := counters(func(c Counters) sim.Spec[Msg] { return sim.Place[Msg]("counters", refusing{c}) })
	wanted := func(p *Params) { p.Wish = wish.Wish{Limit: 60, Window: time.Minute} }
	modeltest.Mutants(t,
		mutant("rejected-within-rule", wanted, never),
		mutant("admitted-over-rule", wanted, always),
		mutant("one-rule-per-version", renamed, limiters(func(name string, l Limiter) sim.Spec[Msg] { return sim.Place[Msg](name, hasty{l}) })),
		mutant("last-good-version", func(p *Params) { p.Rules = append(p.Rules, RulesFile{20 * time.Second, "domain: api\nlimits: []\n"}) },
			limiters(func(name string, l Limiter) sim.Spec[Msg] { return sim.Place[Msg](name, trusting{l}) })),
		mutant("window-limit", burst, always),
		mutant("effective-limit", burst, always),
		mutant("shadow-is-silent", func(p *Params) { p.Rules[0].File = fileOf("user", 60, "shadow_mode: true, ") },
			counters(func(c Counters) sim.Spec[Msg] { return sim.Place[Msg]("counters", stern{c}) })),
		mutant("soft-bound", func(p *Params) { p.Rules[0].File, p.Algorithm, p.Soft = file(100), "log", 200_000_000 },
			counters(func(c Counters) sim.Spec[Msg] { return sim.Place[Msg]("counters", patient{c}) })),
		mutant("no-late-start", func(p *Params) { p.Algorithm, p.Burst = "queue", []int{6} },
			limiters(func(name string, l Limiter) sim.Spec[Msg] { return sim.Place[Msg](name, slow{l}) })),
	)
}

// Whatever is lost, late, twice, paused or down: no node panics, a bad file is never used, and
// each decision names its rule.
func TestStorm(t *testing.T) {
	for name, set := range map[string]func(*Params){
		"window":              func(*Params) {},
		"bucket":              func(p *Params) { p.Algorithm = "bucket" },
		"proportional bucket": func(p *Params) { p.Algorithm, p.OnChange = "bucket", "proportional" },
		"log":                 func(p *Params) { p.Algorithm, p.Soft = "log", 200_000_000 },
		"queue":               func(p *Params) { p.Algorithm = "queue" },
		"pushed":              func(p *Params) { p.Push = true },
		"agreed":              func(p *Params) { p.AdoptAfter = 10 * time.Second },
		"by the client":       func(p *Params) { p.Counter = "client" },
	} {
		t.Run(name, func(t *testing.T) {
			p := calm(func(p *Params) {
				p.Clients, p.Poll, p.Every = 3, 5*time.Second, []sim.Dist{sim.Exponential(200 * ms)}
				p.Rules = append(p.Rules, RulesFile{4 * time.Second, file(10)}, RulesFile{8 * time.Second, "x"}, RulesFile{12 * time.Second, file(200)})
				set(p)
			})
			require.Empty(t, p.Problems())
			modeltest.Storms(t, p.System, 10, []string{"one-rule-per-version", "last-good-version"}, nil)
		})
	}
}

// A limiter that crashes between reading a version and adopting it adopts it later.
func TestCrashBeforeAdopting(t *testing.T) {
	p := calm(func(p *Params) {
		p.Rules = append(p.Rules, RulesFile{20 * time.Second, file(10)})
		p.AdoptAfter, p.Limiters = 40*time.Second, 1
	})
	r := modeltest.Play(t, p.System, threeMinutes[0], threeMinutes[1], simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: sim.Time(50 * time.Second)}, For: sim.Constant(time.Second)}))
	r.Holds("last-good-version")
	assert.EqualValues(t, 40*time.Second, r.Measure("converge"))
}

// A run without a violation allocates nothing but the log of instants.
func TestAllocs(t *testing.T) {
	for _, algorithm := range []string{"window", "bucket", "queue"} {
		p := calm(func(p *Params) {
			p.Algorithm, p.Clients = algorithm, 2
			p.Rules = append(p.Rules, RulesFile{20 * time.Second, file(200)}, RulesFile{40 * time.Second, "x"})
		})
		assert.Zero(t, simtest.Allocs(t, p.System, sim.Config{}, threeMinutes...), algorithm)
	}
}

// What the counters say to requests that match several rules, none, or one that blocks.
func TestTake(t *testing.T) {
	p := calm(func(p *Params) {
		p.Send = []string{"user", "path"}
		p.Rules[0].File = `
domain: api
descriptors:
  - {key: user, rate_limit: {unit: minute, requests_per_unit: 5}}
  - {key: path, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 2}}
`
		p.Rules = append(p.Rules, RulesFile{time.Second, "domain: api\ndescriptors: [{key: path, rate_limit: {unlimited: true}}]\n"},
			RulesFile{2 * time.Second, fileOf("user", 0, "")}, RulesFile{3 * time.Second, "domain: api\n"})
	})
	require.Empty(t, p.Problems())
	b, _, err := newBook(&p)
	require.NoError(t, err)
	c := Counters{book: b, slots: make([]slot, b.slots)}
	take := func(version int16) (ok bool, rule string, flags uint8) {
		m := c.take(sim.In[Msg]{Msg: Msg{Kind: Take, Version: version}})
		return m.OK, b.name(version, m.Rule), m.Flags
	}
	for i, want := range []struct {
		ok    bool
		rule  string
		flags uint8
	}{{true, "api.path", 0}, {true, "api.path", 0}, {true, "api.path", Over}, {true, "api.path", Over}, {true, "api.user", Over}, {false, "api.user", Over}} {
		ok, rule, flags := take(1)
		assert.Equal(t, want.ok, ok, i)
		assert.Equal(t, want.rule, rule, i)
		assert.Equal(t, want.flags, flags, i)
	}
	ok, rule, _ := take(2)
	assert.True(t, ok)
	assert.Equal(t, "api.path", rule)
	ok, rule, _ = take(3)
	assert.False(t, ok, "0 blocks everything")
	assert.Equal(t, "api.user", rule)
	ok, rule, flags := take(4)
	assert.True(t, ok)
	assert.Equal(t, "no rule", rule)
	assert.EqualValues(t, Watched, flags)
}

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestParamsThatContradictEachOther(t *testing.T) {
	modeltest.Refused(t, func() Params { return calm(nil) }, (*Params).Problems,
		modeltest.Case[Params]{Set: func(p *Params) { p.Rules = append(p.Rules, RulesFile{time.Second, "x"}) }}, // a later file may be bad
		modeltest.Case[Params]{Path: "rules", Says: "1 to 1000 values, got 0", Set: func(p *Params) { p.Rules = nil }},
		modeltest.Case[Params]{Path: "rules.0.file", Says: "first version must load", Set: func(p *Params) { p.Rules[0].File = "x" }},
		modeltest.Case[Params]{Path: "rules.0.at", Says: "from the start", Set: func(p *Params) { p.Rules[0].At = 1 }},
		modeltest.Case[Params]{Path: "rules.1.at", Says: "after 0s", Set: func(p *Params) { p.Rules = append(p.Rules, p.Rules[0]) }},
		modeltest.Case[Params]{Path: "send", Says: "1 to 8 values, got 0", Set: func(p *Params) { p.Send = nil }},
		modeltest.Case[Params]{Path: "tiers", Says: "at most 16 values, got 17", Set: func(p *Params) { p.Tiers = make([]string, 17) }},
		modeltest.Case[Params]{Path: "flip", Says: "no other tier", Set: func(p *Params) { p.Flip = 1 }},
		modeltest.Case[Params]{Path: "soft", Says: "algorithm is window", Set: func(p *Params) { p.Soft = 1 }},
		modeltest.Case[Params]{Path: "on-change", Says: "algorithm is window", Set: func(p *Params) { p.OnChange = "reset" }},
		modeltest.Case[Params]{Path: "wish.window", Says: "a wish needs a unit", Set: func(p *Params) { p.Wish.Limit = 60 }},
		modeltest.Case[Params]{Path: "wish.limit", Says: "how many requests are allowed in 1m", Set: func(p *Params) { p.Wish.Window = time.Minute }},
		modeltest.Case[Params]{Path: "wish.limit", Says: "got -1", Set: func(p *Params) { p.Wish.Limit = -1 }},
		modeltest.Case[Params]{Path: "every.0", Says: "10µs", Set: func(p *Params) { p.Every[0] = sim.Constant(1) }},
	)
}

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, Msg{Kind: Taken}, Msg{Kind: Decided}, Msg{Kind: Taken, OK: true}, Msg{Kind: Taken, Flags: 1}, Msg{Kind: Taken, Tier: 1},
		Msg{Kind: Taken, Client: 1}, Msg{Kind: Taken, Version: 1}, Msg{Kind: Taken, Rule: 1}, Msg{Kind: Taken, time: 1})
}

// What the YAML reader says on several lines is told on one, with what is wrong.
func TestProblemOfYAML(t *testing.T) {
	p := calm(func(p *Params) {
		p.Rules[0].File = "domain: api\ndescriptors:\n- {key: user, rate_limit: {unit: minute, requests_per_unit: -60}}\n"
	})
	found := p.Problems()
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "yaml: unmarshal errors: line 3: cannot unmarshal !!int `-60` into uint32")
	assert.NotContains(t, found[0].Message, "\n")
}

// Soft limits are exact, whatever the share: no product overflows.
func TestHard(t *testing.T) {
	for _, v := range []struct{ limit, soft, want int64 }{{100, 200_000_000, 120}, {1, 999_999_999, 1}, {1<<32 - 1, 1_000_000_000, 1<<33 - 2}} {
		assert.Equal(t, v.want, (&Params{Soft: v.soft}).hard(v.limit))
	}
}

// A window counts what it refuses, as envoyproxy/ratelimit does (its issue 185): when the limit is raised within the window, the
// refused requests have used it up. The other algorithms forget them.
func TestRefusedRequestsCount(t *testing.T) {
	for algorithm, admitted := range map[string]int64{"window": 10, "log": 20} {
		p := calm(func(p *Params) {
			p.Rules = []RulesFile{{File: file(10)}, {At: 20 * time.Second, File: file(20)}}
			p.Algorithm, p.Limiters, p.Poll = algorithm, 1, 20*time.Second
			p.Every, p.Burst, p.Requests = []sim.Dist{sim.Constant(30 * time.Second)}, []int{50}, []int{100}
		})
		r := modeltest.Play(t, p.System, simtest.Until(modeltest.At(59_000)), simtest.Delay(0))
		assert.Equal(t, admitted, r.Measure("admitted"), algorithm)
	}
	blocked := calm(func(p *Params) {
		p.Rules = []RulesFile{{File: file(0)}, {At: 20 * time.Second, File: file(20)}}
		p.Limiters, p.Poll, p.Requests = 1, 20*time.Second, []int{60}
	})
	r := modeltest.Play(t, blocked.System, simtest.Until(modeltest.At(59_000)), simtest.Delay(0))
	assert.Zero(t, r.Measure("admitted"), "40 were refused while the limit was 0")
}
