package replicas

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestWhatSeveralParametersSayTogether(t *testing.T) {
	refused := func(path, says string, set func(*Params)) modeltest.Case[Params] {
		return modeltest.Case[Params]{Path: path, Says: says, Set: set}
	}
	runs := func(path, says string, n int, lines ...string) modeltest.Case[Params] {
		return refused(path, says, func(p *Params) { p.Clients = []ClientParams{{Steps: steps(lines...), Repeat: &n}} })
	}
	dvv := func(c modeltest.Case[Params]) modeltest.Case[Params] {
		set := c.Set
		c.Set = func(p *Params) { p.Versioning = "dvv"; set(p) }
		return c
	}
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		refused("", "", func(p *Params) {
			p.Replicas, p.Clients = nil, nil
			for i := range 64 {
				p.Replicas = append(p.Replicas, fmt.Sprintf("AZ%030d", i))
			}
			for i := range 1000 {
				p.Clients = append(p.Clients, script(fmt.Sprintf("az%d", i), "read "+p.Replicas[i%64]))
			}
			p.Sync = leastSync
			p.Clients[1].Steps = slices.Repeat(p.Clients[1].Steps, 1000)
			p.Clients[2].Steps = steps("add " + p.Replicas[2] + strings.Repeat(" x", maxAdditions))
		}),
		refused("replicas", "got 0", func(p *Params) { p.Replicas = nil }),
		refused("replicas", "got 65: of each value", func(p *Params) { p.Replicas = make([]string, 65) }),
		refused("clients", "got 1001", func(p *Params) { p.Clients = slices.Repeat([]ClientParams{script("", "read a")}, 1001) }),
		refused("replicas.1", "is taken", func(p *Params) { p.Replicas = []string{"a", "a"} }),
		refused("replicas.1", "is no name", func(p *Params) { p.Replicas = []string{"a", "1"} }),
		refused("replicas.1", "is no name", func(p *Params) { p.Replicas = []string{"a", ""} }),
		refused("clients.0.name", "is taken", func(p *Params) { p.Clients = []ClientParams{script("a", "read a")} }),
		refused("clients.0.name", "is no name", func(p *Params) { p.Clients = []ClientParams{script("x y", "read a")} }),
		refused("replicas", "is taken", func(p *Params) { p.Replicas = []string{"client-1"} }),
		refused("sync", "want at least 1ms", func(p *Params) { p.Sync = 1 }),
		runs("clients.0.steps.1", "want at most 1000h", 1, "at 1000h", "wait 1001h"),
		refused("clients.0.steps", "want 1 to 1000", func(p *Params) { p.Clients = []ClientParams{{}} }),
		runs("clients", "2000 writes", 1001, "write a", "write b"),
		runs("", "", 1000, "write a", "write b"),
		dvv(runs("clients", "500 writes", 251, "write a", "write b")),
		dvv(runs("", "", 250, "write a", "write b")),
		dvv(refused("clients", "got 501", func(p *Params) {
			p.Clients = []ClientParams{{Steps: slices.Repeat(steps("remove a milk"), maxVersions+1)}}
		})),
		runs("clients.0.steps.0", "no replica", 1, "read x"), runs("clients.0.steps.0", "no replica", 1, "sync a y"),
		runs("clients.0.steps.0", "no replica", 1, "write z v"), runs("clients.0.steps.0", "already", 1, "sync a a"),
		runs("clients.0.steps.0", "played once", 2, "add a milk", "read a"), runs("clients.0.steps.1", "played once", 2, "read a", "remove a milk"),
		runs("clients", "64 items", 1, "add a "+strings.Repeat("x ", maxAdditions+1)),
		refused("counter", "versioning is dvvset", func(p *Params) { p.Counter = "own" }),
		refused("merges", "versioning is dvvset", func(p *Params) { p.Merges = "uncounted" }),
		refused("stamps", "versioning is dvvset", func(p *Params) { p.Stamps = "hybrid" }),
		refused("prune", "versioning is dvvset", func(p *Params) { p.Prune = &Prune{Small: 1, Big: 1} }),
		refused("prune", "small 2, big 1", func(p *Params) { p.Versioning, p.Prune = "client-vectors", &Prune{Small: 2, Big: 1} }),
		refused("actor", "disk: lost", func(p *Params) { p.Actor = "epoch" }),
		refused("final.0.replica", "no replica", func(p *Params) { p.Final = []Final{{"x", ""}} }),
		refused("clocks.0.value", `no step writes a value "v0"`, func(p *Params) { p.Clocks = []ClockOf{{"v0", "{}"}, {"v3", "{}"}} }),
		refused("clocks.0.value", `no step writes a value "y"`, func(p *Params) { p.Clocks = []ClockOf{{"y", "{}"}} }),
	)
}

// TestDefaults: an empty params block is a run in which something happens.
func TestDefaults(t *testing.T) {
	r := play(t, DefaultParams())
	assert.EqualValues(t, 20, r.Measure("writes"), r)
	r.OnlyViolates()
}

func TestSteps(t *testing.T) {
	for text, want := range map[string]string{
		"read a":                          "",
		"write a":                         "",
		"write a x":                       "",
		"blind-write a x":                 "",
		"add a x y":                       "",
		"remove a x y":                    "",
		"sync a b":                        "",
		"wait 10ms":                       "",
		"at 1m":                           "",
		"":                                `an empty step: want one such as "read REPLICA"`,
		"reed a":                          `no step begins with "reed": want one of read, write, blind-write, add, remove, sync, wait, at`,
		"read":                            "want read REPLICA",
		"read a b":                        "want read REPLICA",
		"write":                           "want write REPLICA [VALUE]",
		"write a b c":                     "want write REPLICA [VALUE]",
		"add a":                           "want add REPLICA ITEM...",
		"remove a":                        "want remove REPLICA ITEM...",
		"sync a":                          "want sync REPLICA REPLICA",
		"wait":                            "want wait LENGTH",
		"wait a":                          "want wait LENGTH, a length such as 10ms",
		"at -1s":                          "want at LENGTH, a length such as 10ms",
		"read " + strings.Repeat("a", 32): "",
		"wait 0s":                         "",
		"read " + strings.Repeat("a", 33): `"` + strings.Repeat("a", 32) + `..." is longer than 32 bytes`,
	} {
		var s Step
		err := s.UnmarshalText([]byte(text))
		if want == "" {
			require.NoError(t, err, text)
			assert.Equal(t, text, s.String())
		} else {
			assert.EqualError(t, err, want, text)
		}
	}
}

// FuzzStep: whatever is read can be written and read again.
func FuzzStep(f *testing.F) {
	for _, seed := range []string{"read a", "write a x", "add a x y", "sync a b", "wait 1h2m3.5s", "at 10ms", "wait 99999999h"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again Step
		if s.UnmarshalText([]byte(text)) != nil {
			return
		}
		require.NoError(t, again.UnmarshalText([]byte(s.String())), "%q", s)
		require.Equal(t, s, again)
		require.GreaterOrEqual(t, s.Length, time.Duration(0))
	})
}

// TestPatience: a client whose replica is down gives its request up, and goes on.
func TestPatience(t *testing.T) {
	p := params("dvvset", []string{"a", "b"}, script("c", "at 10ms", "write a x", "read b", "write b y"))
	p.Patience = 100 * ms
	r := play(t, p, func(c *sim.Config, _ *sim.Program) {
		c.Faults = append(c.Faults, sim.Fault{Do: sim.Crash, Node: 1, When: sim.When{At: at(5)}, Forever: true})
	})
	assert.Equal(t, at(10), r.Moment("c writes x at a"))
	assert.Equal(t, at(110), r.Moment("c writes y at b"))
	assert.EqualValues(t, 1, r.Measure("writes"))
}
