package kv

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// FuzzScriptStep: whatever is read can be written and read again.
func FuzzScriptStep(f *testing.F) {
	for _, seed := range []string{"get x", "get x from node-1 node-2 via node-3", "put x v1 via node-2", "blind-put x y", "delete x", "add x a", "remove x a via via", "wait 1h2m3.5s", "at 10ms", "get from from from"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again ScriptStep
		if s.UnmarshalText([]byte(text)) != nil {
			return
		}
		require.NoError(t, again.UnmarshalText([]byte(s.String())), "%q", s)
		require.Equal(t, s, again)
		require.GreaterOrEqual(t, s.Length, time.Duration(0))
	})
}

// FuzzParams: parameters without a validation error make a system, which runs.
func FuzzParams(f *testing.F) {
	f.Add("put x v1\nget x from node-1 node-2 via node-3", "at 1s\nget x", uint16(3), uint16(3), uint16(0), int64(1))
	f.Add("add x a\nremove x a\nget x", "add x b", uint16(5), uint16(2), uint16(1), int64(1e6))
	f.Add("put x v1 via node-6", "", uint16(0), uint16(11), uint16(3), int64(-1))
	policies := []string{"last-write-wins", "last-write-wins-hlc", "client-vectors", "server-vectors", "vnode-vectors", "dvvset", "counter", "or-set", "register"}
	f.Fuzz(func(t *testing.T, one, other string, nodes, n, choice uint16, timeout int64) {
		pick := func(words ...string) string {
			word := words[int(choice)%len(words)]
			choice /= uint16(len(words))
			return word
		}
		p := DefaultParams()
		p.Nodes, p.Replicas, p.Timeout = int(nodes%20), ptr(int(n)), time.Duration(timeout)
		p.Conflict.Conflict = pick(policies...)
		p.Quorum, p.Coordinator, p.Route = pick("strict", "sloppy"), pick("replica", "any"), pick("first", "sticky", "in-turn")
		p.ReadRepair, p.Ring.Strategy = pick("async", "blocking", "none"), pick("ordered", "hashed", "random", "partitions", "modulo")
		for _, text := range []string{one, other} {
			var c ClientParams
			for _, line := range strings.Split(text, "\n") {
				var s ScriptStep
				if s.UnmarshalText([]byte(line)) == nil {
					c.Steps = append(c.Steps, s)
				}
			}
			if len(c.Steps) > 0 {
				p.Clients = append(p.Clients, c)
			}
		}
		if len(p.Problems()) > 0 {
			return
		}
		w, err := sim.NewWorld(p.System(), sim.Config{Until: modeltest.At(1000), Network: sim.Network{Default: sim.Link{Delay: sim.Exponential(5 * ms)}}})
		require.NoError(t, err)
		if r := w.Run(1); r.Panic != nil {
			t.Fatal(r.Panic)
		}
	})
}
