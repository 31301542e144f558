package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestStoreProblems(t *testing.T) {
	for path, s := range map[string]StoreParams{
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
		"store.others.count": {Memory: 5, Others: &Phase{Count: ptr(0), Every: sim.Constant(1)}},
		"store.promote":      {Replica: true, Promote: ptr(maxLength + 1)},
		"store.reads":        {Replica: true, Reads: "replica"},
	} {
		p := central(1, "fixed-window", 5, time.Minute, s)
		found := p.Problems()
		require.Len(t, found, 1, path)
		assert.Equal(t, path, found[0].Path, found[0].Message)
	}
	for _, v := range []struct {
		path      string
		algorithm string
		window    time.Duration
		store     StoreParams
		set       func(*Params)
	}{
		{"store.memory", "fixed-window", time.Second, StoreParams{Full: "evict"}, nil},
		{"store.timeout", "fixed-window", time.Second, StoreParams{Timeout: ptr(maxLength + 1)}, nil},
		{"store.rest", "fixed-window", time.Second, StoreParams{Rest: ptr(maxLength + 1)}, nil},
		{"store.clock", "anchored-window", time.Second, StoreParams{Clock: "limiter"}, nil},
		{"window", "anchored-window", time.Microsecond, StoreParams{Script: "get-set"}, nil},
		{"window", "anchored-window", 1500 * time.Microsecond, StoreParams{}, nil},
		{"store.ttl", "anchored-window", 500 * ms, StoreParams{Script: "source"}, nil},
		{"store.dedup", "fixed-window", time.Microsecond, StoreParams{Dedup: true}, nil},
		{"algorithm", "sliding-log", time.Second, StoreParams{}, func(p *Params) { p.Retain = true }},
		{"algorithm", "sliding-log", time.Second, StoreParams{}, func(p *Params) { p.Closed = true }},
		{"clients.0.cost", "sliding-log", time.Second, StoreParams{}, func(p *Params) { p.Clients = []ClientParams{{Cost: ptr(int64(2))}} }},
		{"clients.0.cost", "fixed-window", time.Second, StoreParams{Script: "source"}, func(p *Params) { p.Clients = []ClientParams{{Cost: ptr(int64(2))}} }},
		{"share", "fixed-window", time.Second, StoreParams{}, func(p *Params) { p.Share = "divided" }},
	} {
		p := central(1, v.algorithm, 5, v.window, v.store)
		if v.set != nil {
			v.set(&p)
		}
		found := p.Problems()
		require.Len(t, found, 1, v.path)
		assert.Equal(t, v.path, found[0].Path, found[0].Message)
	}
	p := central(1, "token-bucket", 5, time.Minute, StoreParams{Script: "get-set", Replica: true, TTL: ptr("many"), Dedup: true})
	assert.Len(t, p.Problems(), 5, "all at once: %v", p.Problems())
}
