// Package store is the Redis of limiters that ask one, and what is checked of it: that its counters
// expire and that none loses a count.
package store

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// Store is a Redis with what all limiters share: counters, logs, or the states of
// another algorithm. One that has a replica tells it of each change, without waiting.
//
// Source: Redis documentation; what a script does when a command fails was seen on
// Redis 7.0.15.
type Store struct {
	Rule   Rule
	Others *core.Phase // when another user of the store writes keys, each a new one; nil: there is none

	Replica  sim.NodeID // none, or who is told of each change
	Limiters sim.NodeID // the first of those who are told of a promotion
	Count    int        // of them
	Promote  bool       // the replica becomes the store
	After    time.Duration

	Pipeline Pipeline

	Db      redis.DB[keyName]
	states  core.Keys // of algorithms that are no counters and no logs
	records []record  // by key less 1
	forgot  bool      // it has restarted and has not been sent the script since
	rounds  int
	longest int    // log that there has been, in members
	written uint64 // by others
}

// keyName is the name of a key: of a limit, of a call, or of another user of the store.
type keyName struct {
	space  uint8
	key    uint64
	window int64 // if the name has it
}

const (
	limits uint8 = iota
	dedups
	others
)

// Holding is the store with room for the keys of a fleet.
func (s Store) Holding(f *core.Fleet) Store {
	switch s.Rule.Keep {
	case Records:
		s.records = make([]record, f.Layout.Keys)
	case States:
		s.states = f.MustKeys(f.Limit)
	}
	return s
}

// Reset implements [sim.Resetter].
func (s *Store) Reset(initial *Store) {
	db, states, records, pipeline := s.Db, s.states, s.records, s.Pipeline
	*s = *initial
	s.Db = db
	s.Db.CopyFrom(&initial.Db)
	s.Pipeline = pipeline
	s.Pipeline.reset(&initial.Pipeline)
	s.states = core.CopyKeys(states, initial.states)
	if records == nil {
		records = make([]record, 0, len(initial.records))
	}
	s.records = append(records[:0], initial.records...)
}

// Recover implements [sim.Recoverer]: nothing is on disk, scripts included. Observers
// can tell the counters that were there from those to come.
func (s *Store) Recover(before *Store) {
	s.forgot = true
	s.Db.Continue(&before.Db)
}

// Step implements [sim.Node].
func (s *Store) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch m := in.Msg; m.Kind {
	case message.Start:
		if s.Others != nil {
			out.After(s.Others.At, message.Msg{Kind: message.Write})
		}
		if s.Promote {
			out.After(s.After, message.Msg{Kind: message.Promote})
		}
	case message.Write:
		s.write(in, out)
	case message.Promote:
		out.Note(message.Msg{Kind: message.TakenOver})
		for i := range s.Count {
			out.Send(s.Limiters+sim.NodeID(i), message.Msg{Kind: message.Promoted})
		}
	case message.Replicate:
		s.replicated(in.Wall, m)
		s.noteEvicted(out)
	case message.Read:
		s.read(in, out)
	case message.Eval, message.Get, message.Set, message.Incr, message.Expire, message.ZCard, message.ZAdd:
		if s.Pipeline.Most > 0 {
			s.Pipeline.arrive(&in, out)
			return
		}
		s.do(in, out)
	default:
		panic("fleet: a store got " + m.String())
	}
}

// do does what a limiter asks for.
func (s *Store) do(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	if in.Msg.Kind == message.Eval {
		s.eval(in, out)
		return
	}
	s.command(in, out)
}

// write writes a key of another user of the store.
func (s *Store) write(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	for range values.Or(s.Others.Burst, 1) {
		s.written++
		_ = s.Db.Set(in.Wall, keyName{others, s.written, 0}, 1) // full: not this node's concern
		s.noteEvicted(out)
	}
	s.rounds++
	if s.rounds < values.Or(s.Others.Count, 1) {
		out.AfterDraw(s.Others.Every, message.Msg{Kind: message.Write})
	}
}

// reading is the clock that decides: the store's or the limiter's.
func (s *Store) reading(in *sim.In[message.Msg]) int64 {
	if s.Rule.LocalClock {
		return in.Msg.Reading()
	}
	return int64(in.Wall)
}

// Name is the key of a request's limit.
func (s *Store) Name(in *sim.In[message.Msg]) keyName {
	n := keyName{limits, in.Msg.Key, 0}
	if s.Rule.Named {
		n.window = s.Rule.windowOf(s.reading(in))
	}
	return n
}

// replicated is what the store has told its replica.
func (s *Store) replicated(now sim.Wall, m message.Msg) {
	name := keyName{limits, m.Key, int64(m.ID)}
	if !m.OK {
		s.Db.Del(now, name)
		return
	}
	s.Db.Load(now, name, m.Entry())
}
