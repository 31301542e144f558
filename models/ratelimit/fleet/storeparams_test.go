package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/central"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
)

func TestStoreProblems(t *testing.T) {
	for path, s := range map[string]central.StoreParams{
		"store.script":       {Script: "zcard-zadd"},
		"store.clock":        {Script: "get-set", Clock: "store"},
		"store.ttl":          {TTL: ptr("5")},
		"store.member":       {Member: "timestamp"},
		"store.dedup":        {Dedup: true, Script: "get-set"},
		"store.retries":      {Retries: -1},
		"store.memory":       {Memory: -1},
		"store.errors":       {Errors: ptr(-1)},
		"store.timeout":      {Timeout: ptr(time.Duration(0))},
		"store.rest":         {Rest: ptr(time.Duration(-1))},
		"store.replica":      {Reads: "replica", Script: "get-set"},
		"store.others.count": {Memory: 5, Others: &core.Phase{Count: ptr(0), Every: sim.Constant(1)}},
		"store.promote":      {Replica: true, Promote: ptr(core.MaxLength + 1)},
		"store.reads":        {Replica: true, Reads: "replica"},
		"store.pipeline":     {FlushCost: ms},
		"store.flush":        {Pipeline: 2, Flush: ptr(time.Duration(0))},
		"store.flush-cost":   {Pipeline: 2, FlushCost: -1},
		"store.command-cost": {Pipeline: 2, CommandCost: time.Second + 1},
	} {
		p := atStore(1, "fixed-window", 5, time.Minute, s)
		found := p.Problems()
		require.Len(t, found, 1, path)
		assert.Equal(t, path, found[0].Path, found[0].Message)
	}
	for _, v := range []struct {
		path      string
		algorithm string
		window    time.Duration
		store     central.StoreParams
		set       func(*Params)
	}{
		{"store.memory", "fixed-window", time.Second, central.StoreParams{Full: "evict"}, nil},
		{"store.timeout", "fixed-window", time.Second, central.StoreParams{Timeout: ptr(core.MaxLength + 1)}, nil},
		{"store.rest", "fixed-window", time.Second, central.StoreParams{Rest: ptr(core.MaxLength + 1)}, nil},
		{"store.pipeline", "fixed-window", time.Second, central.StoreParams{Pipeline: 10_001}, nil},
		{"store.pipeline", "fixed-window", time.Second, central.StoreParams{Pipeline: 2, Script: "get-set", Replica: true, Reads: "replica"}, nil},
		{"store.clock", "anchored-window", time.Second, central.StoreParams{Clock: "limiter"}, nil},
		{"window", "anchored-window", time.Microsecond, central.StoreParams{Script: "get-set"}, nil},
		{"window", "anchored-window", 1500 * time.Microsecond, central.StoreParams{}, nil},
		{"store.ttl", "anchored-window", 500 * ms, central.StoreParams{Script: "source"}, nil},
		{"store.dedup", "fixed-window", time.Microsecond, central.StoreParams{Dedup: true}, nil},
		{"algorithm", "sliding-log", time.Second, central.StoreParams{}, func(p *Params) { p.Retain = true }},
		{"algorithm", "sliding-log", time.Second, central.StoreParams{}, func(p *Params) { p.Closed = true }},
		{"clients.0.cost", "sliding-log", time.Second, central.StoreParams{}, func(p *Params) { p.Clients = []core.ClientParams{{Cost: ptr(int64(2))}} }},
		{"clients.0.cost", "fixed-window", time.Second, central.StoreParams{Script: "source"}, func(p *Params) { p.Clients = []core.ClientParams{{Cost: ptr(int64(2))}} }},
		{"share", "fixed-window", time.Second, central.StoreParams{}, func(p *Params) { p.Share = "divided" }},
	} {
		p := atStore(1, v.algorithm, 5, v.window, v.store)
		if v.set != nil {
			v.set(&p)
		}
		found := p.Problems()
		require.Len(t, found, 1, v.path)
		assert.Equal(t, v.path, found[0].Path, found[0].Message)
	}
	p := atStore(1, "token-bucket", 5, time.Minute, central.StoreParams{Script: "get-set", Replica: true, TTL: ptr("many"), Dedup: true})
	assert.Len(t, p.Problems(), 5, "all at once: %v", p.Problems())
}
