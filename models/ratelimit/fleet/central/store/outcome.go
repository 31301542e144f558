package store

import (
	"fencepost/models/internal/redis"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

func (s *Store) failed(in sim.In[message.Msg], out *sim.Out[message.Msg], err error) {
	code, _ := err.(redis.Error)
	out.Send(in.From, message.NewStoreError(in.Msg, code))
}

// done tells the observers of an operation, and the replica of what it changed.
func (s *Store) done(in sim.In[message.Msg], out *sim.Out[message.Msg], name keyName) redis.Entry {
	m := &in.Msg
	s.noteEvicted(out)
	s.noteGrown(in, out, name)
	e, ok := s.Db.Entry(in.Wall, name)
	out.Note(message.NewStoreOp(*m, ok, e, ttl(e, in.Wall)))
	if s.Replica != sim.None && m.Kind != message.Get && m.Kind != message.ZCard {
		out.Send(s.Replica, message.NewReplicate(m.Key, name.window, ok, e))
	}
	return e
}

// noteGrown tells of a log that is longer than any has been.
func (s *Store) noteGrown(in sim.In[message.Msg], out *sim.Out[message.Msg], name keyName) {
	if s.Rule.Keep != Logs {
		return
	}
	if n, _ := s.Db.ZCard(in.Wall, name); n > s.longest {
		s.longest = n
		out.Note(message.NewGrown(in.Msg.Key, int64(n)))
	}
}

func (s *Store) noteEvicted(out *sim.Out[message.Msg]) {
	for _, e := range s.Db.TakeEvicted() {
		if e.Name.space == limits {
			out.Note(message.NewEvicted(e.Name.key, e.Life))
		}
	}
}

// ttl is how long it is until a key is gone, -1 if it stays.
func ttl(e redis.Entry, now sim.Wall) int64 {
	if !e.Expires {
		return -1
	}
	return int64(e.GoneAt().Sub(now))
}
