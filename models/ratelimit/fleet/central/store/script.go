package store

import (
	"strconv"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// eval is a script: one atomic step.
func (s *Store) eval(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if s.forgot = s.forgot && !m.OK; s.forgot {
		s.failed(in, out, redis.NoScript)
		return
	}
	name := s.Name(&in)
	var d ratelimit.Decision
	var err error
	switch s.Rule.Keep {
	case Counters:
		d, err = s.count(&in, name)
	case Logs:
		d, err = s.log(&in, name)
	case Records:
		d = s.records[m.Key-1].take(ratelimit.Reading(s.reading(&in)), int64(m.Cost), s.Rule.Limit, ratelimit.Reading(s.Rule.Window))
	case States:
		d = s.states.Take(m.Key, ratelimit.Reading(s.reading(&in)), int64(m.Cost))
	}
	e := s.done(in, out, name)
	if err != nil {
		s.failed(in, out, err)
		return
	}
	out.Send(in.From, message.NewStoreAnswer(m, e.Life, d.Allowed, d.Wait, d.Remaining))
}

// count is the script of a counter.
func (s *Store) count(in *sim.In[message.Msg], name keyName) (d ratelimit.Decision, err error) {
	m, r := &in.Msg, &s.Rule
	if r.Source {
		d.Allowed, err = s.Db.SourceCount(in.Wall, name, strconv.FormatInt(r.Limit, 10), r.Argument)
	} else {
		var count int64
		count, err = s.countOnce(in, name)
		d.Allowed, d.Remaining = count <= r.Limit, max(0, r.Limit-count)
		if int64(m.Cost) > r.Limit {
			d.Wait = ratelimit.Never
			return d, err
		}
	}
	if !d.Allowed {
		d.Wait = s.wait(in, name)
	}
	return d, err
}

// countOnce counts a call, unless it has been counted and calls have names here.
func (s *Store) countOnce(in *sim.In[message.Msg], name keyName) (int64, error) {
	call := keyName{dedups, in.Msg.Call(), 0}
	if s.Rule.Dedup {
		if before, ok, _ := s.Db.Get(in.Wall, call); ok {
			return before, nil
		}
	}
	if s.Rule.Multi {
		_, count, err := s.Db.SetNXIncr(in.Wall, in.Wall, name, int64(in.Msg.Cost), s.Rule.TTL, true)
		return count, err
	}
	count, err := s.Db.Count(in.Wall, name, int64(in.Msg.Cost), s.Rule.TTL)
	if err == nil && s.Rule.Dedup {
		err = s.Db.SetPX(in.Wall, call, count, s.Rule.Window)
	}
	return count, err
}

// wait is how long until a counter begins anew.
func (s *Store) wait(in *sim.In[message.Msg], name keyName) time.Duration {
	if s.Rule.Named {
		return s.Rule.UntilNext(s.reading(in))
	}
	if e, ok := s.Db.Entry(in.Wall, name); ok && e.Expires {
		return e.GoneAt().Sub(in.Wall)
	}
	return ratelimit.Never
}

// log is the script of a log.
func (s *Store) log(in *sim.In[message.Msg], name keyName) (d ratelimit.Decision, err error) {
	limit := int(s.Rule.Limit)
	d.Allowed, err = s.Db.Log(in.Wall, name, limit, s.score(in, 0), s.score(in, s.Rule.Window), s.member(in), s.Rule.TTL)
	if n, _ := s.Db.ZCard(in.Wall, name); d.Allowed {
		d.Remaining = int64(max(0, limit-n))
	} else if oldest, ok := s.Db.ZLowest(in.Wall, name, 0); ok {
		d.Wait = time.Duration(int64(oldest)*1000 + int64(s.Rule.Window) - s.reading(in))
	}
	return d, err
}
