package central

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit/fleet/central/limiter"
	"fencepost/models/ratelimit/fleet/central/store"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// rule is what the store does with a key.
func (p *StoreParams) rule(f *core.Fleet) store.Rule {
	_, several := scripts[p.Script]
	r := store.Rule{
		Keep: p.Kept(f), Limit: f.Limit, Window: f.Window, TTL: f.Window,
		Named:       f.Algorithm.Algorithm == "fixed-window",
		LocalClock:  p.Clock == "limiter" || several,
		ByTimestamp: p.Member == "timestamp", Dedup: p.Dedup, Multi: p.Script == "multi",
	}
	if r.Named {
		r.TTL += store.Slack
	}
	if p.Script == "source" {
		r.Source, r.Argument = true, values.Or(p.TTL, fmt.Sprint(int64(f.Window/time.Second)))
	}
	return r
}

// Place adds limiters that ask a store, the store, and its replica to the system.
func (p *StoreParams) Place(f *core.Fleet, sys *sim.System[message.Msg]) {
	for i := range f.Layout.Limiters {
		sys.Nodes = append(sys.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), p.Limiter(f)))
	}
	primary, replica := p.Stores(f)
	if p.Replica {
		primary.Replica = f.Layout.First + sim.NodeID(f.Layout.Limiters) + 1
	}
	sys.Nodes = append(sys.Nodes, sim.Place[message.Msg]("store", primary))
	if p.Replica {
		sys.Nodes = append(sys.Nodes, sim.Place[message.Msg]("replica", replica))
	}
}

// Limiter is each limiter that asks the store.
func (p *StoreParams) Limiter(f *core.Fleet) limiter.Limiter {
	at := f.Layout.First + sim.NodeID(f.Layout.Limiters)
	n := limiter.Limiter{Store: at, Reader: at, Script: scripts[p.Script], Rule: p.rule(f), Timeout: values.Or(p.Timeout, 50*time.Millisecond),
		Retries: p.Retries, Clock: f.ClockID(), Breaker: limiter.Breaker{Errors: values.Or(p.Errors, 5), Rest: values.Or(p.Rest, time.Second)},
		Pipeline: limiter.Pipeline{Most: p.Pipeline, Flush: values.Or(p.Flush, time.Millisecond)}}
	n.Fallback = map[string]limiter.Fallback{"closed": limiter.FailClosed, "local": limiter.FailLocal}[p.Fallback]
	if n.Fallback == limiter.FailLocal {
		n.Local = f.MustKeys(f.Share())
	}
	if p.Reads == "replica" {
		n.Reader = at + 1
	}
	return n
}

// Stores are the store and its replica, if it has one.
func (p *StoreParams) Stores(f *core.Fleet) (primary, replica store.Store) {
	l := &f.Layout
	s := store.Store{Rule: p.rule(f), Limiters: l.First, Count: l.Limiters}
	s.Pipeline = store.Pipeline{Most: p.Pipeline, PerFlush: p.FlushCost, PerCommand: p.CommandCost}
	s.Db.Max, s.Db.Evict = p.Memory, p.Full == "evict"
	primary, replica = s.Holding(f), s
	primary.Others = p.Others
	replica.Promote, replica.After = p.Promote != nil, values.Or(p.Promote, 0)
	return primary, replica
}
