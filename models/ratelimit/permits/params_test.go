package permits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/paramstest"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func TestParams(t *testing.T) {
	modeltest.Params(t, DefaultParams, (*Params).Problems, (*Params).System)
}

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, Msg{Kind: Got}, Msg{Kind: Freed}, Msg{Kind: Freed, OK: true}, Msg{Kind: Freed, code: 1}, Msg{Kind: Freed, Rid: 1}, Msg{Kind: Freed, InUse: 1}, Msg{Kind: Freed, Wait: 1})
}

func TestProblems(t *testing.T) {
	for _, v := range []struct {
		name  string
		set   func(*Params)
		paths []string
	}{
		{"the defaults", func(*Params) {}, nil},
		{"counts", func(p *Params) { p.Permits, p.Clients, p.Limiters, p.Queue = -1, 0, 0, ptr(-1) }, []string{"permits", "queue", "limiters", "clients"}},
		{"too many", func(p *Params) { p.Permits, p.Clients, p.Queue = 1025, 65, ptr(4097) }, []string{"permits", "queue", "clients"}},
		{"several limiters with permits of their own", func(p *Params) { p.Limiters = 2 }, []string{"limiters"}},
		{"no time to wait", func(p *Params) { p.Timeout = ptr(time.Duration(0)) }, []string{"timeout"}},
		{"lengths", func(p *Params) { p.Algorithm, p.Drain, p.TTL, p.StoreTimeout = "leases", ptr(2000*time.Hour), 0, 0 }, []string{"drain", "ttl", "store-timeout"}},
		{"a heartbeat that is too late", func(p *Params) { p.Algorithm, p.TTL, p.Heartbeat = "leases", time.Second, time.Second }, []string{"heartbeat"}},
		{"more values than clients", func(p *Params) { p.Start, p.Work = list(1, 2, 3), works(1, 2, 3) }, []string{"start", "work"}},
		{"too late", func(p *Params) { p.Start = []time.Duration{2000 * time.Hour} }, []string{"start.0"}},
		{"requests", func(p *Params) { p.Requests, p.Think = []int{-1, 1 << 24}, works(1) }, []string{"requests.0", "requests.1"}},
		{"round and round in no time", func(p *Params) { p.Requests = []int{0} }, []string{"requests"}},
		{"round and round", func(p *Params) { p.Requests, p.Think = []int{0}, []sim.Dist{sim.Exponential(ms)} }, nil},
		{"round and round, but not the first", func(p *Params) { p.Requests, p.Think = []int{1, 0}, []sim.Dist{sim.Constant(1e9), {}} }, []string{"requests"}},
		{"round and round, the last without think", func(p *Params) { p.Requests, p.Think = []int{0}, []sim.Dist{sim.Constant(1e9), {}} }, []string{"requests"}},
		{"a great many in no time", func(p *Params) { p.Requests = []int{maxAtOnce + 1} }, []string{"requests"}},
		{"what leases do not use", func(p *Params) {
			p.Algorithm, p.Queue, p.Timeout, p.Order = "leases", ptr(1), ptr(ms), "lifo"
			p.Deadline, p.Preempted, p.DispatcherStart, p.DispatcherLog = list(1), works(1), ms, sim.Constant(ms)
		}, []string{"queue", "timeout", "dispatcher-start", "dispatcher-log", "preempted", "deadline", "order"}},
		{"what only leases use", func(p *Params) { p.TTL, p.Heartbeat, p.StoreTimeout = time.Second, ms, ms }, []string{"ttl", "heartbeat", "store-timeout"}},
		{"as-written serves the oldest first", func(p *Params) { p.Order = "lifo" }, []string{"order"}},
		{"shutdowns out of order", func(p *Params) { p.Shutdown = list(2, 1) }, []string{"shutdown"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := DefaultParams()
			v.set(&p)
			assert.Equal(t, v.paths, paramstest.Paths(t, p.Problems()))
		})
	}
}
