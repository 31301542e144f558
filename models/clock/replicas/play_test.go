package replicas

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

var at = modeltest.At

// steps is a script.
func steps(lines ...string) (list []Step) {
	for _, line := range lines {
		var s Step
		if err := s.UnmarshalText([]byte(line)); err != nil {
			panic(line + ": " + err.Error())
		}
		list = append(list, s)
	}
	return list
}

// script is a client that goes through its steps once.
func script(name string, lines ...string) ClientParams {
	return ClientParams{Name: name, Steps: steps(lines...)}
}

// often is a client that goes through its steps n times, 20 ms from one time to the next.
func often(name string, start time.Duration, n int, lines ...string) ClientParams {
	return ClientParams{Name: name, Start: start, Steps: steps(lines...), Repeat: &n, Think: sim.Constant(20 * ms)}
}

// params are scripted replicas: they hand on what they keep only where a script says so.
func params(versioning string, names []string, clients ...ClientParams) Params {
	p := DefaultParams()
	p.Versioning, p.Replicas, p.Clients, p.Replicate = versioning, names, clients, "never"
	return p
}

// play runs replicas for a second, or until the given instant, over a network without
// delay.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return modeltest.Play(t, p.System, append([]simtest.Change{second}, change...)...)
}

func second(c *sim.Config, _ *sim.Program) { c.Until, c.Network = at(1000), sim.Network{} }

// keeps plays and checks what replicas keep at the end, as replica and text.
func keeps(t *testing.T, p Params, want ...string) *simtest.Played {
	t.Helper()
	for i := 0; i < len(want); i += 2 {
		p.Final = append(p.Final, Final{want[i], want[i+1]})
	}
	r := play(t, p)
	require.Equal(t, sim.Holds, r.Finding("as-written").Verdict, "%v", r)
	return r
}
