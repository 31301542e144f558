package kv

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

// script is the client of a script.
func script(lines ...string) ClientParams {
	var c ClientParams
	for _, line := range lines {
		var s ScriptStep
		if err := s.UnmarshalText([]byte(line)); err != nil {
			panic(err)
		}
		c.Steps = append(c.Steps, s)
	}
	return c
}

// system makes the system of default parameters with changes, which must be valid.
func system(t testing.TB, set func(*Params)) func() sim.System[core.Msg] {
	t.Helper()
	p := DefaultParams()
	set(&p)
	require.Empty(t, p.Problems())
	return p.System
}

// play plays a store for a minute in which a message takes 5 ms, each step twice.
func play(t testing.TB, set func(*Params), change ...simtest.Change) *simtest.Played {
	t.Helper()
	return modeltest.Play(t, system(t, set), change...)
}

// busy is four clients that read and write ten keys of five nodes.
func busy(p *Params) {
	p.Nodes = 5
	p.Workload = &WorkloadParams{Clients: 4, Gap: sim.Exponential(50 * ms), Reads: sim.Certain / 2, Keys: ptr(10)}
}

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestWhatSeveralParametersSayTogether(t *testing.T) {
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "replicas", Says: "4 replicas of a key need as many nodes", Set: func(p *Params) { p.Replicas = ptr(4) }},
		modeltest.Case[Params]{Path: "merkle-leaves", Says: "want at most 559, as there may be 30000 hash trees, one for each replica of a key, got 560", Set: func(p *Params) {
			p.MerkleLeaves, p.Workload = ptr(560), &WorkloadParams{Clients: 1, Gap: sim.Constant(ms), Keys: ptr(10_000)}
		}},
		modeltest.Case[Params]{Path: "read-quorum", Says: "at most replicas, which is 3, got 4", Set: func(p *Params) { p.Read = ptr(4) }},
		modeltest.Case[Params]{Path: "clients.0.steps.0", Says: `no node "node-4"`, Set: func(p *Params) {
			p.Clients = []ClientParams{script("get x via node-4")}
		}},
	)
}

// A hundred thousand names in scripts are as many keys, each found in constant time: by
// comparing each with all before it the test would take a minute.
func TestManyKeysInScripts(t *testing.T) {
	p := DefaultParams()
	for c := range 100 {
		var lines []string
		for k := range maxSteps {
			lines = append(lines, fmt.Sprintf("get k%d", c*maxSteps+k))
		}
		p.Clients = append(p.Clients, script(lines...))
	}
	assert.Empty(t, p.Problems())
	assert.Equal(t, 100_000, p.keyCount())
}

// G-06: 2N messages for a put whose coordinator is a replica, 2N+2 by way of another node.
func TestMessagesPerPut(t *testing.T) {
	for via, want := range map[string]int{"node-1": 6, "node-4": 8} {
		played := play(t, func(p *Params) {
			p.Gossip = 0
			p.Nodes, p.Clients = 4, []ClientParams{script("put x v1 via " + via)}
		})
		assert.Equal(t, want, strings.Count(played.Trace(), "sends "), via)
	}
}
