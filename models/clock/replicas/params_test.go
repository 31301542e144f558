package replicas

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/paramstest"
	"fencepost/sim"
)

func TestProblems(t *testing.T) {
	thousand := func(p *Params, n int, lines ...string) {
		p.Clients = []ClientParams{{Steps: steps(lines...), Repeat: &n}}
	}
	for _, v := range []struct {
		name  string
		set   func(*Params)
		paths []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"the limits", func(p *Params) {
			p.Replicas, p.Clients = nil, nil
			for i := range maxReplicas {
				p.Replicas = append(p.Replicas, fmt.Sprintf("AZ%030d", i))
				p.Clients = append(p.Clients, script(fmt.Sprintf("az%d", i), "read "+p.Replicas[i]))
			}
			p.Patience, p.Settle, p.Sync = maxLength, maxLength, leastSync
			p.Clients[0].Repeat = ptr(maxRounds)
			p.Clients[1].Steps = slices.Repeat(p.Clients[1].Steps, maxSteps)
			p.Clients[2].Steps = steps("add " + p.Replicas[2] + strings.Repeat(" x", maxAdditions))
		}, nil},
		{"no replica", func(p *Params) { p.Replicas = nil }, []string{"replicas"}},
		{"too many replicas", func(p *Params) { p.Replicas = make([]string, 65) }, []string{"replicas"}},
		{"too many clients", func(p *Params) { p.Clients = make([]ClientParams, 65) }, []string{"clients"}},
		{"names", func(p *Params) { p.Replicas = []string{"a", "a", "1", ""} }, []string{"replicas.1", "replicas.2", "replicas.3"}},
		{"the name of a replica", func(p *Params) { p.Clients = []ClientParams{script("a", "read a"), script("x y", "read a")} },
			[]string{"clients.0.name", "clients.1.name"}},
		{"the name of a client", func(p *Params) { p.Replicas = []string{"client-1"} }, []string{"replicas"}},
		{"lengths", func(p *Params) { p.Patience, p.Settle, p.Sync = 0, 2*maxLength, 1 }, []string{"patience", "settle", "sync"}},
		{"lengths of clients", func(p *Params) {
			p.Clients = []ClientParams{{Start: 2 * maxLength, Steps: steps("wait 2000h", "at 1001h")}}
		}, []string{"clients.0.start", "clients.0.steps.0", "clients.0.steps.1"}},
		{"no step", func(p *Params) { p.Clients = []ClientParams{{}} }, []string{"clients.0.steps"}},
		{"no round", func(p *Params) { thousand(p, 0, "read a") }, []string{"clients.0.repeat"}},
		{"too many writes", func(p *Params) { thousand(p, 1001, "write a", "write b") }, []string{"clients"}},
		{"enough writes", func(p *Params) { thousand(p, 1000, "write a", "write b") }, nil},
		{"too many writes for a version each", func(p *Params) {
			p.Versioning = "dvv"
			thousand(p, 251, "write a", "write b")
		}, []string{"clients"}},
		{"removals are writes", func(p *Params) {
			p.Versioning = "dvv"
			p.Clients = []ClientParams{{Steps: slices.Repeat(steps("remove a milk"), maxVersions+1)}}
		}, []string{"clients"}},
		{"no such replica", func(p *Params) {
			p.Clients = []ClientParams{script("c1", "read x", "sync a y", "write z v", "sync a a")}
		}, []string{"clients.0.steps.0", "clients.0.steps.1", "clients.0.steps.2", "clients.0.steps.3"}},
		{"carts again and again", func(p *Params) { thousand(p, 2, "add a milk", "read a", "remove a milk") },
			[]string{"clients.0.steps.0", "clients.0.steps.2"}},
		{"a cart that is too full", func(p *Params) {
			p.Clients = []ClientParams{script("c1", "add a "+strings.Repeat("x ", 65))}
		}, []string{"clients"}},
		{"what dvvset does not use", func(p *Params) {
			p.Counter, p.Merges, p.Stamps, p.Prune = "own", "uncounted", "hybrid", &Prune{Small: 1, Big: 1}
		}, []string{"counter", "merges", "stamps", "prune"}},
		{"prune", func(p *Params) {
			p.Versioning, p.Prune = "client-vectors", &Prune{Small: 2, Big: 1, Young: 2 * maxLength, Old: 2 * maxLength}
		}, []string{"prune", "prune.young", "prune.old"}},
		{"a new id and a good disk", func(p *Params) { p.Actor = "epoch" }, []string{"actor"}},
		{"the end of a replica that is not there", func(p *Params) { p.Final = []Final{{"x", ""}} }, []string{"final.0.replica"}},
		{"the version of a value that nobody writes", func(p *Params) { p.Clocks = []ClockOf{{"v0", "{}"}, {"y", "{}"}, {"v3", "{}"}} }, []string{"clocks.0.value", "clocks.1.value"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
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
