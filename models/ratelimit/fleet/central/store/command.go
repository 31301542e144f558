package store

import (
	"fencepost/models/internal/redis"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"math"
	"time"
)

// command is one command of a limiter that needs several.
func (s *Store) command(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m, name := in.Msg, s.Name(&in)
	var value int64
	var err error
	switch m.Kind {
	case message.Get:
		value, _, err = s.Db.Get(in.Wall, name)
	case message.Set:
		value, err = m.SetTo(), s.Db.SetKeepTTL(in.Wall, name, m.SetTo(), s.Rule.TTL)
	case message.Incr:
		value, err = s.Db.IncrBy(in.Wall, name, int64(m.Cost))
	case message.Expire:
		if e, _ := s.Db.Entry(in.Wall, name); m.OK && e.Expires {
			break
		}
		s.Db.PExpire(in.Wall, name, s.Rule.TTL)
	case message.ZCard:
		_, err = s.Db.ZRemRangeByScore(in.Wall, name, redis.Bound{Score: math.Inf(-1)}, redis.Bound{Score: s.score(&in, s.Rule.Window)})
		n, _ := s.Db.ZCard(in.Wall, name)
		value = int64(n)
	case message.ZAdd:
		var added bool
		if added, err = s.Db.ZAdd(in.Wall, name, s.score(&in, 0), s.member(&in)); added {
			value = 1
		}
		s.Db.PExpire(in.Wall, name, s.Rule.TTL)
	}
	e := s.done(in, out, name)
	switch {
	case m.Kind == message.Expire: // the limiter does not wait for it
	case err != nil:
		s.failed(in, out, err)
	default:
		out.Send(in.From, message.NewStoreReply(m, e.Life, value, ttl(e, in.Wall)))
	}
}

// score is what the clock that decides read this long ago, in microseconds.
func (s *Store) score(in *sim.In[message.Msg], ago time.Duration) float64 {
	return float64((s.reading(in) - int64(ago)) / 1000)
}

func (s *Store) member(in *sim.In[message.Msg]) uint64 {
	if s.Rule.ByTimestamp {
		return uint64(s.reading(in) / 1e6)
	}
	return in.Msg.Call()
}
