// Package sync is the form sync of a fleet: limiters that decide alone, and tell a store every so often what they have admitted.
package sync

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are of the form sync: limiters that decide alone, and send a store what they have
// admitted at intervals. What is left out has the value that the comment gives.
type Params struct {
	Every  sim.Dist `yaml:"every"`                                    // between two synchronisations of a limiter: 100ms
	Phase  string   `yaml:"phase,oneof=together|staggered"`           // of limiter i of n, staggered: i/n of every; together
	On     string   `yaml:"on,oneof=timer|request"`                   // timer; request: with the first request when it is time
	Answer string   `yaml:"answer,oneof=at-once|after-all"`           // of the store: at-once; after-all: when all of an instant are counted
	Late   string   `yaml:"late,oneof=old-window|dropped|new-window"` // where what is not synchronised when its window ends counts: old-window
	Once   *bool    `yaml:"once"`                                     // the store counts no number twice: true
	Share  bool     `yaml:"fair-share"`                               // until the first answer in a window a limiter admits 1/n of the limit: false
	Slack  int64    `yaml:"slack"`                                    // and this many more: 0
}

// Problems adds what is wrong with the parameters for a fleet.
func (p *Params) Problems(f *core.Fleet, found *model.Errors) {
	if a := f.Algorithm.Algorithm; a != "fixed-window" && a != "sliding-counter" {
		found.Add("algorithm", "limiters that synchronise count windows: want fixed-window or sliding-counter, got %s", a)
	}
	found.If(f.Round == "half-up" || f.Round == "off-by-one", "round", "limiters that synchronise round inclusive or strict, got %s", f.Round)
	found.If(f.Divided, "share", "limiters that synchronise share the whole limit")
	core.Length(found, "sync.every", p.Every.Least())
	core.Between(found, "sync.slack", p.Slack, 0, f.Limit)
	found.If(p.Slack > 0 && !p.Share, "sync.slack", "it is beyond a fair share: want sync.fair-share: true")
	found.If(p.On == "request" && p.Phase == "staggered", "sync.phase", "it is of a timer, and requests are what makes these limiters synchronise")
}

// rule is how each limiter decides.
func (p *Params) rule(f *core.Fleet) syncRule {
	r := syncRule{limit: f.Limit, window: f.Window, weighted: f.Algorithm.Algorithm == "sliding-counter", ceil: f.Round != "strict"}
	r.late = map[string]late{"dropped": lateDropped, "new-window": lateMoved}[p.Late]
	if p.Share {
		n := int64(f.Limiters)
		r.share = (f.Limit+n-1)/n + p.Slack
	}
	return r
}

// Place adds the limiters, and their store, to the system.
func (p *Params) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	l := &f.Layout
	store := l.First + sim.NodeID(l.Limiters)
	for i := range l.Limiters {
		n := Limiter{Store: store, Every: p.Every, OnRequest: p.On == "request", Clock: f.ClockID(), rule: p.rule(f), keys: make([]syncKey, l.Keys)}
		if p.Phase == "staggered" {
			n.Phase = n.Every.Least() * time.Duration(i) / time.Duration(l.Limiters)
		}
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), n))
	}
	c := Store{First: l.First, Window: f.Window, AfterAll: p.Answer == "after-all", Once: values.Or(p.Once, true)}
	for range l.Keys {
		c.keys = append(c.keys, newSyncTotals(l.Limiters))
	}
	s.Nodes = append(s.Nodes, sim.Place[message.Msg]("store", c))
}

// Limiter decides by the total of the store's last answer and by what it has
// admitted itself since, and tells the store every so often.
//
// All limiters together admit more than the limit: what the others have admitted since
// they, and then this one, last spoke to the store is not known here. That is at most
// L + sum_i min(L, a_i*(S+RTT)), a_i the rate at limiter i, if all speak at the same
// instant; if not, S counts twice. An S shorter than the round trip RTT is as long as
// its first multiple that is not, since one delta is under way at a time.
//
// Source: S0 13.2 of docs/sources.md, "every 100 ms".
type Limiter struct {
	Store     sim.NodeID
	Every     sim.Dist
	Phase     time.Duration // before the first time
	OnRequest bool          // a request is what makes it synchronise, not a timer
	Clock     sim.ClockID   // that windows are aligned on

	rule    syncRule
	keys    []syncKey // by key less 1
	crashes uint64    // survives them
	seq     uint64    // last number used
	synced  sim.Mono  // when it last synchronised, on request
	ever    bool      // it has
}

// Reset implements [sim.Resetter].
func (l *Limiter) Reset(initial *Limiter) {
	keys := append(l.keys[:0], initial.keys...)
	*l = *initial
	l.keys = keys
}

// Recover implements [sim.Recoverer]: all that is left is how often there was one.
func (l *Limiter) Recover(before *Limiter) { l.crashes = before.crashes + 1 }

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
		l.seq = l.crashes << 32 // past every number used before
		if !l.OnRequest {
			out.After(l.Phase, message.Msg{Kind: message.SyncBegin})
		}
	case message.Request:
		now := int64(core.Reading(&in, l.Clock))
		core.Answer(out, m, in.From, l.rule.take(&l.keys[m.Key-1], now, int64(m.Cost)))
		if l.OnRequest && (!l.ever || in.Mono.Sub(l.synced) >= l.Every.Least()) {
			l.synced, l.ever = in.Mono, true
			l.sync(out, m.Key, now)
		}
	case message.SyncBegin:
		out.AfterDraw(l.Every, message.Msg{Kind: message.SyncTick})
	case message.SyncTick:
		out.AfterDraw(l.Every, m)
		for i := range l.keys {
			l.sync(out, uint64(i+1), int64(core.Reading(&in, l.Clock)))
		}
	case message.SyncAck:
		for _, c := range []*syncCount{&l.keys[m.Key-1].cur, &l.keys[m.Key-1].old} {
			if c.start == m.Window() {
				c.answered(m.ID, m.Count())
			}
		}
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// sync tells the store of a key: first of the old window, if that is not all told.
func (l *Limiter) sync(out *sim.Out[message.Msg], key uint64, now int64) {
	k := &l.keys[key-1]
	if !k.begun {
		return
	}
	l.rule.roll(k, now)
	if k.old.unsynced > 0 {
		l.send(out, key, &k.old)
	}
	l.send(out, key, &k.cur)
}

func (l *Limiter) send(out *sim.Out[message.Msg], key uint64, c *syncCount) {
	l.seq++
	delta, seq := c.send(l.seq)
	out.Send(l.Store, message.NewSync(seq, key, delta, c.start))
}

// Store adds up what limiters have admitted, by window.
type Store struct {
	First    sim.NodeID // limiter
	Window   time.Duration
	AfterAll bool // it answers when all that comes at an instant has been counted
	Once     bool // it counts no number twice

	keys []syncTotals // by key less 1
}

// Reset implements [sim.Resetter].
func (s *Store) Reset(initial *Store) {
	keys := s.keys
	*s = *initial
	s.keys = keys
	if s.keys == nil {
		s.keys = make([]syncTotals, len(initial.keys))
	}
	for i := range s.keys {
		s.keys[i].copyFrom(&initial.keys[i])
	}
}

// Step implements [sim.Node].
func (s *Store) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
	case message.Sync:
		limiter := int(in.From - s.First)
		t := s.keys[m.Key-1].window(m.Window(), s.Window)
		if t == nil {
			return // no limiter asks for a window that has expired
		}
		known := !t.add(limiter, m.ID, m.Count(), s.Once)
		out.Note(message.NewCounted(m, limiter, t.total, known))
		settle := message.NewSettle(m, limiter)
		if s.AfterAll {
			out.After(0, settle)
			return
		}
		s.settle(out, settle)
	case message.Settle:
		s.settle(out, m)
	default:
		panic("fleet: a store got " + m.String())
	}
}

// settle tells a limiter the total of a window.
func (s *Store) settle(out *sim.Out[message.Msg], m message.Msg) {
	if t := s.keys[m.Key-1].window(m.Window(), s.Window); t != nil {
		out.Send(s.First+sim.NodeID(m.Syncing()), message.NewSyncAck(m, t.total))
	}
}
